package cli

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint/disk"
)

// progressMode says how a run shows that it is alive.
type progressMode string

const (
	progressAuto  progressMode = "auto"  // a line that is written over on a terminal, else none
	progressPlain progressMode = "plain" // a new line for each round
	progressNone  progressMode = "none"
	progressJSON  progressMode = "json"  // a JSON object a line, for programs
	progressSteps progressMode = "steps" // the same without drawings of graphs, which take time
)

// display says what people are shown.
type display struct {
	quiet    bool
	progress string // "" is auto
}

// define defines the flags of a command that shows steps of one kind.
func (d *display) define(s *pflag.FlagSet, quiet, step string) {
	if quiet != "" {
		s.BoolVar(&d.quiet, "quiet", false, quiet)
	}
	withDefault(s, boundTo(&d.progress, progressAuto, progressPlain, progressNone), "progress", auto, "progress output: auto (one line on a terminal), plain (one line per "+step+") or none")
}

// mode is how progress is shown.
func (d *display) mode() progressMode {
	if d.quiet {
		return progressNone
	}
	return cmp.Or(progressMode(d.progress), progressAuto)
}

// A session is how a run is carried out: what has no effect on its result.
type session struct {
	display
	threads    int // 0 means all cores
	untilEOF   bool
	note       string // for people, once the run is understood
	checkpoint checkpointFlags
	cluster    clusterFlags
}

// defineShowing defines the flags for what is shown while a run lasts: a line per step, and
// drawings of what is learned.
func (f *session) defineShowing(s *pflag.FlagSet, step, drawn string) {
	s.BoolVar(&f.quiet, "quiet", false, "print only errors")
	withDefault(s, boundTo(&f.progress, progressAuto, progressPlain, progressJSON, progressSteps, progressNone), "progress", auto, "progress output: auto (one line on a terminal), plain (one line per "+step+"), json (one JSON object per line, with drawings of "+drawn+"), steps (the same without drawings, which is faster) or none")
	s.BoolVar(&f.untilEOF, "until-eof", false, "stop like Ctrl-C when standard input is closed, for programs that run nervure")
}

func (f *session) defineLongRuns(cmd *cobra.Command) {
	addFlags(cmd, "Long runs", f.checkpoint.define)
	f.cluster.defineCoordinator(cmd)
}

// defineJob defines the flags of a command whose run stands in a file.
func (f *session) defineJob(cmd *cobra.Command) {
	addFlags(cmd, "Running", func(s *pflag.FlagSet) {
		defineThreads(s, &f.threads, "the result")
		f.defineShowing(s, "round or method", "graphs")
	})
	f.defineLongRuns(cmd)
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
	case f.checkpoint.dir == "" && f.checkpoint.resume:
		return misuse("--resume needs --checkpoint DIR")
	case f.checkpoint.dir == "" && f.checkpoint.every != nil:
		return misuse("--checkpoint-every needs --checkpoint DIR")
	case f.checkpoint.dir != "" && f.cluster.asked():
		return misuse("--checkpoint and --cluster cannot be used together")
	}
	return f.cluster.check()
}

// checkpointFlags say how a run survives its process.
type checkpointFlags struct {
	dir    string
	resume bool
	every  *time.Duration // 0 is at every opportunity
}

func (f *checkpointFlags) define(s *pflag.FlagSet) {
	s.Var(boundName(&f.dir, "string", errNoFolder), "checkpoint", "save the run to folder `DIR` while it lasts, so that it can go on if its process dies")
	s.BoolVar(&f.resume, "resume", false, "go on with the run saved by --checkpoint; begin if none is there")
	withDefault(s, boundTime(&f.every), "checkpoint-every", disk.DefaultEvery.String(), "save at most once in `TIME`, and less often if that takes more than a hundredth of the run; 0 saves at every opportunity")
}

// options are those of the checkpoint.
func (f *checkpointFlags) options() disk.Options {
	o := disk.Options{Resume: f.resume}
	if f.every != nil {
		if o.Every = *f.every; o.Every == 0 {
			o.Every = -1 // at once
		}
	}
	return o
}
