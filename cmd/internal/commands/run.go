package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checkpoint/disk"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	grace "github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// await runs work, which knows nothing of contexts, and leaves it behind when ctx
// ends: reading a pipe that stays silent, or drawing a huge graph.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	value, ok, err := grace.OrLeave(ctx, work)
	if !ok {
		err = views.Interrupted("nothing was written")
	}
	return value, err
}

func newRun(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Session{}
	cmd := &cobra.Command{
		Use:   "run JOB.json [flags]",
		Short: "Carry out a run that is described in a file",
		Long: `Carry out the run that JOB.json describes, or standard input if it is -: what is
read and how, preprocessing, the method and its parameters, what is known of the
graph, checks, and what is written. With the key compare it is a comparison. The
results, messages and exit codes are those of nervure learn, or compare, with
flags that say the same.

A file that --summary wrote describes its run at the key run, and so does a
comparison. Such a file can be given as it is: the run is repeated.

A key that is absent, null, zero or empty means the default; true and false stand
for yes and no. A key that is not known is an error. Paths are relative to the
directory in which the command is run, as those of flags are, wherever JOB.json
is; results go where its key write says. docs/reference.md lists the keys, and
docs/run.schema.json is a JSON Schema for editors.

Flags are for what does not affect the result, and --set for a key that is to be
another than in JOB.json.`,
		Example: `  nervure learn signals.csv --out graph.csv --summary summary.json
  nervure run summary.json`,
		Args: arguments.OneArgument("the file that describes the run (or - for standard input)"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := await(cmd.Context(), func() (*document.Run, error) { return readJob(stdin, args[0]) })
			if err == nil {
				err = f.Change(doc)
			}
			if err != nil {
				return err
			}
			return perform(cmd.Context(), c, stdin, f, doc, arguments.Terms{Job: args[0]})
		},
	}
	f.DefineJob(cmd)
	return cmd
}

// readJob reads the description of a run.
func readJob(in io.Reader, path string) (*document.Run, error) {
	asked := arguments.Terms{Job: path}
	if path != "-" {
		file, err := durable.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	job, err := document.ParseRun(in)
	if e := input.Find(err); e != nil {
		return nil, asked.Misuse(e.Msg)
	}
	if err == nil && path == "-" && len(job.Read.Files) > 0 && job.Read.Files[0] == "-" {
		return nil, asked.Misuse("`read.files`: standard input has the run, and cannot have the signals as well")
	}
	return job, err
}

// perform carries out a run; words are those in which its faults are told.
func perform(ctx context.Context, c views.Console, stdin io.Reader, how *arguments.Session, doc *document.Run, words arguments.Terms) error {
	c.Case.Run = doc
	var r interface {
		do(context.Context, views.Console) error
	}
	var err error
	if doc.Compare != nil {
		r, err = newCompareRun(doc, how, words, stdin)
	} else {
		r, err = newLearnRun(doc, how, words, stdin)
	}
	if err != nil {
		return err
	}
	if err := how.Check(doc); err != nil {
		return err
	}
	if how.Note != "" && !how.Quiet {
		fmt.Fprintln(c.Err, how.Note)
	}
	if how.UntilEOF {
		until, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		var beside guard.Group
		beside.Go(func() {
			_, _ = io.Copy(io.Discard, stdin) // a fault ends it as well
			cancel(errors.New("standard input was closed"))
		})
		ctx = until
	}
	return r.do(grace.WithGraceOf(ctx, patience), c)
}

// patience is how long a stopped run may take to make a graph of what it has: whoever stops it does not
// want to wait for more than a second or two, until all is written.
const patience = 1500 * time.Millisecond

// useThreads resolves --threads and returns how to undo it.
func useThreads(asked int) (threads int, restore func()) {
	if asked == 0 {
		return runtime.GOMAXPROCS(0), func() {}
	}
	// So that the garbage collector keeps to them as well.
	before := runtime.GOMAXPROCS(asked)
	return asked, func() { runtime.GOMAXPROCS(before) }
}

// Much memory is worth more time of the collector, which has next to nothing to do for
// signals: it looks for pointers, and there are none in them.
const (
	muchMemory       = 8 << 20 // bytes of signals
	collectorPercent = 15      // of the memory in use that garbage may come to
)

// saveMemory has garbage collected early if signals are large, unless the user has set
// that.
func saveMemory(s *signals.Set) {
	n, m := s.Y.Dims()
	if _, given := os.LookupEnv("GOGC"); !given && 8*n*m >= muchMemory {
		debug.SetGCPercent(collectorPercent)
	}
}

// A savedRun is the checkpoint of a run; nil if there is none.
type savedRun struct{ *disk.Checkpoint }

// openCheckpoint opens the checkpoint that was asked for, of a run of an identity.
func (r *learnRun) openCheckpoint(c views.Console, identity func() (checkpoint.Identity, error)) (savedRun, error) {
	if r.Checkpoint.Dir == "" {
		return savedRun{}, nil
	}
	id, err := identity()
	if err != nil {
		return savedRun{}, r.explainFault(err)
	}
	saved, err := disk.Open(r.Checkpoint.Dir, id, r.Checkpoint.Options())
	if err != nil {
		return savedRun{}, err
	}
	if saved.Resumed() && !r.Quiet {
		fmt.Fprintf(c.Err, "going on with the run saved in %s\n", r.Checkpoint.Dir)
	}
	return savedRun{saved}, nil
}

// close lets another run have the checkpoint.
func (s savedRun) close() {
	if s.Checkpoint != nil {
		s.Close()
	}
}

// with returns a context in which the run is saved.
func (s savedRun) with(ctx context.Context) context.Context {
	if s.Checkpoint == nil {
		return ctx
	}
	return checkpoint.With(ctx, s)
}

// warn says if the run could not be saved to its end.
func (s savedRun) warn(c views.Console) {
	if s.Checkpoint != nil && s.Err() != nil {
		fmt.Fprintf(c.Err, "warning: the checkpoint could not be saved: %s\n", words.OneLine(s.Err()))
	}
}

// keep saves all that there is of a run that is not over.
func (s savedRun) keep() error {
	if s.failed() { // which was told
		return nil
	}
	if err := s.Flush(); err != nil {
		return fmt.Errorf("the checkpoint cannot be saved: %w", err)
	}
	return nil
}

// failed reports whether there is no checkpoint, or none that can be saved.
func (s savedRun) failed() bool { return s.Checkpoint == nil || s.Err() != nil }

// hint says how to go on with a run that is not over.
func (s savedRun) hint() string {
	if s.failed() {
		return ""
	}
	return "; to go on, repeat the command with --resume"
}

// remove deletes the checkpoint of a run that is over.
func (s savedRun) remove() error {
	if s.Checkpoint == nil {
		return nil
	}
	if err := s.Remove(); err != nil {
		return fmt.Errorf("the checkpoint cannot be deleted: %w", err)
	}
	return nil
}
