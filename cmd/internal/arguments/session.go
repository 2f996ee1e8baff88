package arguments

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint/disk"
)

// ProgressMode says how a run shows that it is alive.
type ProgressMode string

// The ways to show progress.
const (
	ProgressAuto  ProgressMode = "auto"  // a line that is written over on a terminal, else one now and then
	ProgressPlain ProgressMode = "plain" // a new line for each round
	ProgressNone  ProgressMode = "none"
	ProgressJSON  ProgressMode = "json"  // a JSON object a line, for programs
	ProgressSteps ProgressMode = "steps" // the same without drawings of graphs, which take time
)

// display says what people are shown.
type display struct {
	Quiet    bool
	progress string // "" is auto
}

// defineDisplay defines the flags of a command that shows steps of one kind.
func (d *display) defineDisplay(s *pflag.FlagSet, quiet, step string) {
	if quiet != "" {
		s.BoolVar(&d.Quiet, "quiet", false, quiet)
	}
	withDefault(s, boundTo(&d.progress, ProgressAuto, ProgressPlain, ProgressNone), "progress", auto, aboutAuto+", plain (one line per "+step+") or none")
}

// aboutAuto says how progress is shown if nothing is said.
const aboutAuto = "progress output: auto (one line on a terminal; elsewhere, from 10 s on, a line for each stage and every half minute)"

// Mode is how progress is shown.
func (d *display) Mode() ProgressMode {
	if d.Quiet {
		return ProgressNone
	}
	return cmp.Or(ProgressMode(d.progress), ProgressAuto)
}

// A Session is how a run is carried out: what has no effect on its result.
type Session struct {
	display
	Threads    int // 0 means all cores
	UntilEOF   bool
	Note       string // for people, once the run is understood
	Checkpoint checkpointFlags
	Cluster    Cluster
	changes    *setFlag // of a run that stands in a file
}

// defineShowing defines the flags for what is shown while a run lasts: a line per step, and
// drawings of what is learned.
func (f *Session) defineShowing(s *pflag.FlagSet, step, drawn string) {
	s.BoolVar(&f.Quiet, "quiet", false, "print only errors")
	withDefault(s, boundTo(&f.progress, ProgressAuto, ProgressPlain, ProgressJSON, ProgressSteps, ProgressNone), "progress", auto, aboutAuto+", plain (one line per "+step+"), json (one JSON object per line, with drawings of "+drawn+"), steps (the same without drawings, which is faster) or none")
	s.BoolVar(&f.UntilEOF, "until-eof", false, "stop like Ctrl-C when standard input is closed, for programs that run nervure")
}

func (f *Session) defineLongRuns(cmd *cobra.Command) {
	addFlags(cmd, "Long runs", f.Checkpoint.define)
	f.Cluster.defineCoordinator(cmd)
}

// DefineJob defines the flags of a command whose run stands in a file.
func (f *Session) DefineJob(cmd *cobra.Command) {
	addFlags(cmd, "Running", func(s *pflag.FlagSet) {
		defineThreads(s, &f.Threads, "the result")
		f.defineShowing(s, "round or method", "graphs")
		f.changes = defineSet(s, &document.Run{}, func(o document.Option) bool { return o.Key != "version" })
	})
	f.defineLongRuns(cmd)
	completeSet(cmd)
}

// Change sets the keys of the run in a file that were given besides.
func (f *Session) Change(job *document.Run) error {
	asked := &setFlag{run: job, applies: f.changes.applies, begun: map[string]bool{}}
	for _, text := range f.changes.typed {
		if err := asked.Set(text); err != nil {
			return Misuse("--set %q: %s", text, err)
		}
	}
	return nil
}

// Check refuses a session that does not go with a run.
func (f *Session) Check(r *document.Run) error {
	switch file := r.Read.Files[0]; {
	case f.UntilEOF && file == "-":
		return Misuse("--until-eof needs signals from a file, because the end of standard input stops the run")
	case f.Cluster.Asked() && len(r.Read.Files) > 1:
		return Misuse("--cluster takes one file of signals, not several")
	case f.Cluster.Asked() && r.Windows.Dir != "":
		return Misuse("--windows and --cluster cannot be used together")
	case f.UntilEOF && r.Windows.Dir != "":
		return Misuse("--until-eof and --windows cannot be used together: all is written to the folder")
	case f.Checkpoint.Dir != "" && r.Compare != nil:
		return Misuse("--checkpoint is for runs that learn a graph, not for comparisons")
	case f.Checkpoint.Dir == "" && f.Checkpoint.resume:
		return Misuse("--resume needs --checkpoint DIR")
	case f.Checkpoint.Dir == "" && f.Checkpoint.every != nil:
		return Misuse("--checkpoint-every needs --checkpoint DIR")
	case f.Checkpoint.Dir != "" && f.Cluster.Asked():
		return Misuse("--checkpoint and --cluster cannot be used together")
	}
	return f.Cluster.Check()
}

// checkpointFlags say how a run survives its process.
type checkpointFlags struct {
	Dir    string
	resume bool
	every  *time.Duration // 0 is at every opportunity
}

func (f *checkpointFlags) define(s *pflag.FlagSet) {
	s.Var(boundName(&f.Dir, "string", document.ErrNoFolder), "checkpoint", "save the run regularly to folder `DIR`, so that it can be resumed if its process dies")
	s.BoolVar(&f.resume, "resume", false, "resume the run saved by --checkpoint; start a new one if there is none")
	withDefault(s, boundTime(&f.every), "checkpoint-every", disk.DefaultEvery.String(), "save at most once in `TIME`, and less often if that takes more than a hundredth of the run; 0 saves at every opportunity")
}

// Options are those of the checkpoint.
func (f *checkpointFlags) Options() disk.Options {
	o := disk.Options{Resume: f.resume}
	if f.every != nil {
		if o.Every = *f.every; o.Every == 0 {
			o.Every = -1 // at once
		}
	}
	return o
}
