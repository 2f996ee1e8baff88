package commands

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/study"
)

// planWindows understands what a document says of windows.
func (r *learnRun) planWindows() (err error) {
	w := r.doc.Windows
	if w == (document.RunWindows{}) {
		return nil
	}
	if r.windows.Window, err = study.ParseLength(w.Window); err != nil {
		return r.source.Misuse(fmt.Sprintf("`windows.window` %q: %s", w.Window, err))
	}
	if w.Step != "" {
		if r.windows.Step, err = study.ParseLength(w.Step); err != nil {
			return r.source.Misuse(fmt.Sprintf("`windows.step` %q: %s", w.Step, err))
		}
	}
	r.folder = &study.WindowFolder{Dir: w.Dir, Spare: append(slices.Clone(r.doc.Read.Files), r.doc.Besides()...), Command: arguments.CommandLine(*r.doc), Run: r.doc, Title: "How the graph changes"}
	if r.source.path() != "-" {
		r.folder.Title += ": " + filepath.Base(r.source.path())
	}
	return r.folder.Check()
}

// doWindows learns a graph for each window and writes them.
func (r *learnRun) doWindows(ctx context.Context, c views.Console, s *signals.Set) error {
	threads, restore := useThreads(r.Threads)
	defer restore()
	r.options.Threads = threads
	o := r.windows
	o.Learn = r.options
	bar := views.NewTasksProgress(c.Err, r.Mode(), "window")
	begun, mu, before := time.Now(), sync.Mutex{}, -1
	o.Progress = func(done, of int) {
		mu.Lock()
		defer mu.Unlock()
		if done > before {
			before = done
			bar.Show(study.Progress{Done: done, Fresh: done, Total: of, Workers: min(threads, of), Elapsed: time.Since(begun)})
		}
	}
	saved, err := r.openCheckpoint(c, func() (checkpoint.Identity, error) { return o.Identity(s) })
	if err != nil {
		return err
	}
	defer saved.close()
	series, err := study.LearnWindows(saved.with(ctx), s, o)
	bar.Clear()
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.Join(views.Interrupted("nothing was written"+saved.hint()), saved.keep())
	case err != nil:
		return errors.Join(r.explainFault(err), saved.keep())
	}
	saved.warn(c)
	index, err := series.Write(*r.folder, o)
	faults := errors.Join(series.Faults...)
	if err != nil {
		return errors.Join(err, faults, saved.keep())
	}
	if !r.Quiet {
		views.TellPreparation(c, series.Whole.Preparation)
		if choice := series.Whole.Choice; choice != nil {
			views.TellChoice(c, choice)
		}
		c.Say("whole series: " + series.Whole.Verdict.String())
		c.Say(series.Sentence())
		c.Say(series.Evidence.Sentence(series))
		failed := 0
		for _, row := range index.Rows {
			if row.Error != "" {
				failed++
			}
		}
		if failed > 0 {
			c.Warn("nothing could be learned from %s alone; index.csv says why", views.Plural(failed, "window"))
		}
		fmt.Fprintln(c.Err, "open "+filepath.Join(r.folder.Dir, "index.html"))
	}
	if faults != nil {
		return errors.Join(faults, saved.keep())
	}
	return saved.remove()
}
