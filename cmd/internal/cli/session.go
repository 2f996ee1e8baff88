package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
)

// A session is how a run is carried out: what has no effect on its result.
type session struct {
	threads         count // 0 means all cores
	quiet, untilEOF bool
	note            string // for people, once the run is understood
	progress        *choice
	checkpoint      checkpointFlags
	cluster         clusterFlags
}

func (f *session) defineThreads(s *pflag.FlagSet, what string) {
	f.threads = count{least: 0, most: maxThreads}
	s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect "+what+" (default 0)")
}

// defineShowing defines the flags for what is shown while a run lasts: a line per step, and
// drawings of what is learned.
func (f *session) defineShowing(s *pflag.FlagSet, step, drawn string) {
	f.progress = newChoice(progressAuto, progressAuto, progressPlain, progressJSON, progressSteps, progressNone)
	s.BoolVar(&f.quiet, "quiet", false, "print only errors")
	s.Var(f.progress, "progress", "progress output: auto (one line on a terminal), plain (one line per "+step+"), json (one JSON object per line, with drawings of "+drawn+"), steps (the same without drawings, which is faster) or none")
	s.BoolVar(&f.untilEOF, "until-eof", false, "stop like Ctrl-C when standard input is closed, for programs that run nervure")
}

func (f *session) defineLongRuns(cmd *cobra.Command) {
	addFlags(cmd, "Long runs", f.checkpoint.define)
	f.cluster.defineCoordinator(cmd)
}

// mode is how progress is shown.
func (f *session) mode() progressMode {
	if f.quiet {
		return progressNone
	}
	return progressMode(f.progress.value)
}

// check refuses a session that does not go with a run.
func (f *session) check(r *document.Run) error {
	switch file := r.Read.Files[0]; {
	case f.untilEOF && file == "-":
		return misuse("--until-eof needs signals from a file, because the end of standard input stops the run")
	case f.cluster.asked() && len(r.Read.Files) > 1:
		return misuse("--cluster takes one file of signals, not several")
	case f.cluster.asked() && r.Windows.Dir != "":
		return misuse("--windows and --cluster cannot be used together")
	case f.untilEOF && r.Windows.Dir != "":
		return misuse("--until-eof and --windows cannot be used together: all is written to the folder")
	case f.checkpoint.dir != "" && r.Compare != nil:
		return misuse("--checkpoint is for runs that learn a graph, not for comparisons")
	case f.checkpoint.dir == "" && f.checkpoint.given:
		return misuse("--checkpoint needs the name of a folder")
	case f.checkpoint.dir == "" && f.checkpoint.resume:
		return misuse("--resume needs --checkpoint DIR")
	case f.checkpoint.dir == "" && f.checkpoint.every.given:
		return misuse("--checkpoint-every needs --checkpoint DIR")
	case f.checkpoint.dir != "" && f.cluster.asked():
		return misuse("--checkpoint and --cluster cannot be used together")
	}
	return nil
}

// untilEOF returns a context that ends with standard input, if that was asked for.
func untilEOF(ctx context.Context, c console, asked bool) (context.Context, context.CancelFunc) {
	if !asked {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, c.in) // a fault ends it as well
		cancel(errors.New("standard input was closed"))
	}()
	return ctx, func() { cancel(nil) }
}

// perform carries out a run; words are those in which its faults are told.
func (f *session) perform(ctx context.Context, c console, doc *document.Run, words terms) error {
	var do func(context.Context, console) error
	if doc.Compare != nil {
		r, err := newCompareRun(doc, *f, words)
		if err != nil {
			return err
		}
		do = r.do
	} else {
		r, err := newLearnRun(doc, *f, words)
		if err != nil {
			return err
		}
		do = r.do
	}
	if err := f.check(doc); err != nil {
		return err
	}
	if f.note != "" && !f.quiet {
		fmt.Fprintln(c.err, f.note)
	}
	ctx, cancel := untilEOF(ctx, c, f.untilEOF)
	defer cancel()
	if doc.Compare == nil {
		ctx = soonStopped(ctx)
	}
	return do(ctx, c)
}
