package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/batch"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/windows"
)

// windowFlags are the flags for a graph of each window of a series.
type windowFlags struct {
	dir    string
	window windowLength
}

func (f *windowFlags) define(s *pflag.FlagSet) {
	s.Var(&f.window, "window", "learn a graph for each window of `LENGTH`: a span of time such as 7d, or a number of observations such as 200; --step is from one to the next")
	s.StringVar(&f.dir, "windows", "", "write the graphs of all windows, what changes between them, and a page to folder `DIR`")
}

// A windowLength is a flag that takes a number of observations or a span of time.
type windowLength struct {
	value windows.Length
	given bool
}

func (l *windowLength) Type() string { return "LENGTH" }

func (l *windowLength) String() string {
	if !l.given {
		return ""
	}
	return l.value.String()
}

func (l *windowLength) Set(text string) (err error) {
	l.value, err = windows.ParseLength(text)
	l.given = err == nil
	return err
}

// A stepLength is a flag that takes the step between windows, or the step size of a
// recipe: which it is, other flags say.
type stepLength struct {
	text   string
	length windowLength
	number *number
}

func (s *stepLength) Type() string { return "X" }

func (s *stepLength) String() string { return s.text }

func (s *stepLength) Set(text string) error {
	s.number = positive()
	if s.length.Set(text) != nil && s.number.Set(text) != nil {
		return errors.New("want a positive number or, with --window, a span of time such as 1d")
	}
	s.text = text
	return nil
}

// size is the step size of a recipe.
func (s *stepLength) size() (float64, error) {
	if !s.number.given && s.number.Set(s.text) != nil {
		return 0, misuse("--step %q: want a positive number; a step between windows needs --window", s.text)
	}
	return s.number.value, nil
}

// readWindows understands the flags for windows.
func (f *learnFlags) readWindows(r *learnRun) error {
	switch {
	case !f.windows.window.given && f.windows.dir == "" && !f.set.Changed("windows"):
		return nil
	case !f.windows.window.given:
		return misuse("--windows needs --window LENGTH, such as 7d or 200")
	case f.windows.dir == "":
		return misuse("--window needs --windows DIR, where to write the graphs")
	case f.set.Changed("step") && !f.step.length.given:
		return misuse("--step %q: want a number of observations or a span of time such as 1d", f.step.text)
	case f.cluster.asked():
		return misuse("--windows and --cluster cannot be used together")
	}
	for _, flag := range []string{"out", "codes", "laplacian", "summary", "report", "model", "vertices", "until-eof", "sample", "time-limit"} {
		if f.set.Changed(flag) {
			return misuse("--%s and --windows cannot be used together: all is written to the folder", flag)
		}
	}
	r.windows = windows.Options{Window: f.windows.window.value, Step: f.step.length.value}
	r.folder = &windows.Folder{Dir: f.windows.dir, Spare: append(r.source.files(), r.known.paths()...), Command: r.command, Title: "How the graph changes"}
	if r.source.path != "-" {
		r.folder.Title += ": " + filepath.Base(r.source.path)
	}
	r.source.options.Sample = 0
	return r.folder.Check()
}

// doWindows learns a graph for each window and writes them.
func (r *learnRun) doWindows(ctx context.Context, c console, s *signals.Set) error {
	threads, restore := useThreads(r.threads)
	defer restore()
	r.options.Threads = threads
	o := r.windows
	o.Learn = r.options
	bar := &tasksProgress{progress: *newProgress(c.err, r.progress), noun: "window"}
	begun, mu, before := time.Now(), sync.Mutex{}, -1
	o.Progress = func(done, of int) {
		mu.Lock()
		defer mu.Unlock()
		if done > before {
			before = done
			bar.show(batch.Progress{Done: done, Fresh: done, Total: of, Workers: min(threads, of), Elapsed: time.Since(begun)})
		}
	}
	saved, err := r.openCheckpointAs(c, func() (checkpoint.Identity, error) { return windows.Identity(s, o) })
	if err != nil {
		return err
	}
	defer saved.close()
	series, err := windows.Learn(saved.with(ctx), s, o)
	bar.clear()
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.Join(&interruption{"nothing was written" + saved.hint()}, saved.keep())
	case err != nil:
		return errors.Join(r.explainWindows(err), saved.keep())
	}
	saved.warn(c)
	index, err := series.Write(*r.folder, o)
	if err != nil {
		return errors.Join(err, saved.keep())
	}
	if !r.quiet {
		say := func(sentence string) { fmt.Fprintln(c.err, wrapped(sentence)) }
		tellPreparation(c, series.Whole.Preparation)
		if choice := series.Whole.Choice; choice != nil {
			tellChoice(c, choice)
		}
		say("whole series: " + series.Whole.Verdict.String())
		say(series.Sentence())
		failed := 0
		for _, row := range index.Rows {
			if row.Error != "" {
				failed++
			}
		}
		if failed > 0 {
			say(fmt.Sprintf("warning: nothing could be learned from %s alone; index.csv says why", plural(failed, "window")))
		}
		fmt.Fprintln(c.err, "open "+filepath.Join(r.folder.Dir, "index.html"))
	}
	return saved.remove()
}

// explainWindows words what is wrong with windows, or else with signals.
func (r *learnRun) explainWindows(err error) error {
	if e := input.Find(err); e != nil && e.Field == "window" {
		return misuse("--window: %s", e.Msg)
	}
	return r.source.explain(err, r.params)
}
