package commands

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/study"
)

// One learn, or one comparison, on several machines: what it consists of is done here but
// for its largest parts, the halves behind confidence and the methods compared. Workers
// repeat the run up to there from the pieces that are known, do one part, and send its pieces
// back (see package checkpoint). Fields of many vertices are learned by blocks that need nothing but
// signals (see baseline.Tasks). So the result has the same bytes as in this process.

// partKind is the kind of tasks that do a part of a run.
const partKind = "part"

// partArgs say which part of which run to do. Its data are the signals, what the run
// reads besides, and the pieces that are known.
type partArgs struct {
	Run   document.Run `json:"run"`
	Place string       `json:"place"`
	Part  int          `json:"part"`
}

// sharedSuffixes are the ends of the checkpoint paths worth distributing.
var sharedSuffixes = []string{".halves", ".methods"}

// A sharedRun is the store of a run that has parts of it done by others.
type sharedRun struct {
	checkpoint.Memory

	runner task.Runner
	args   partArgs
	data   [][]byte // the signals, and what the run reads besides
	err    error    // why others could not do their parts
	bar    *views.TasksProgress
}

// shared returns a context in which parts of a run are done by workers, if that was asked
// for, and how to take leave of them: with the faults of the program that they had.
func shared(ctx context.Context, c views.Console, how *arguments.Session, run *document.Run) (context.Context, func() error, error) {
	if !how.Cluster.Asked() {
		return ctx, func() error { return nil }, nil
	}
	file := run.Read.Files[0]
	if file == "-" || inputs.IsSample(file) {
		return nil, nil, arguments.Misuse("--cluster needs a file of signals, not %s", file)
	}
	s := &sharedRun{args: partArgs{Run: *run}, bar: views.NewTasksProgress(c.Err, how.Mode(), "part")}
	content, err := durable.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	besides, err := inputs.Contents(run)
	if err != nil {
		return nil, nil, err
	}
	s.data = append([][]byte{content}, besides...)
	args, err := json.Marshal(s.args)
	if err != nil {
		return nil, nil, err
	}
	name := string(task.HashOf(append(args, task.HashOf(content)...)))
	runner, leave, err := taskRunner(ctx, c, &how.Cluster, "", name)
	if err != nil {
		return nil, nil, err
	}
	heard := &hearing{Runner: runner}
	s.runner = heard
	return task.With(checkpoint.With(ctx, s), heard), func() error {
		leave()
		if s.err != nil && ctx.Err() == nil {
			c.Warn("workers did not do all of their parts, which were done here: %s", words.OneLine(s.err))
		}
		heard.mu.Lock()
		defer heard.mu.Unlock()
		return errors.Join(heard.faults...)
	}, nil
}

// hearing is a runner that remembers the faults of the program that workers had: what they were to do is done here.
type hearing struct {
	task.Runner

	mu     sync.Mutex
	faults []error
}

func (h *hearing) Run(ctx context.Context, tasks []task.Task, data task.Source) iter.Seq2[task.Result, error] {
	return func(yield func(task.Result, error) bool) {
		for result, err := range h.Runner.Run(ctx, tasks, data) {
			if result.Broken != nil {
				h.mu.Lock()
				h.faults = append(h.faults, result.Broken)
				h.mu.Unlock()
			}
			if !yield(result, err) {
				return
			}
		}
	}
}

// Due says that rounds of a loop are not worth being kept: nobody goes on with them.
func (s *sharedRun) Due() bool { return false }

// Share has parts done by workers.
func (s *sharedRun) Share(ctx context.Context, place string, count int) {
	if !slices.ContainsFunc(sharedSuffixes, func(end string) bool { return strings.HasSuffix(place, end) }) {
		return
	}
	known, err := json.Marshal(s.Pieces())
	if err != nil {
		s.err = err
		return
	}
	data := append(slices.Clone(s.data), known)
	hashes := make([]task.Hash, len(data))
	for k, d := range data {
		hashes[k] = task.HashOf(d)
	}
	tasks, byID := make([]task.Task, count), map[string]int{}
	for k := range tasks {
		a := s.args
		a.Place, a.Part = place, k
		args, err := json.Marshal(a)
		if err != nil {
			s.err = err
			return
		}
		tasks[k] = task.Task{ID: fmt.Sprintf("%s part %d", place, k), Kind: partKind, Args: args, Data: hashes}
		byID[tasks[k].ID] = k
	}
	source := func(h task.Hash) ([]byte, error) { return data[slices.Index(hashes, h)], nil }
	var mu sync.Mutex
	now := study.Progress{Total: count}
	begun := time.Now()
	report := func(done, failed int) {
		mu.Lock()
		defer mu.Unlock()
		now.Done, now.Failed = now.Done+done, now.Failed+failed
		now.Fresh, now.Workers, now.Elapsed = now.Done+now.Failed, s.runner.Workers(), time.Since(begun)
		s.bar.Show(now)
	}
	end := task.KeepReporting(func() { report(0, 0) })
	defer s.bar.Clear()
	defer end()
	for result, err := range s.runner.Run(ctx, tasks, source) {
		if err != nil {
			s.err = err
			return // what is missing is done here
		}
		var pieces map[string][]byte
		if result.Fault != "" || json.Unmarshal(result.Value, &pieces) != nil {
			report(0, 1)
			continue // done here, the same goes wrong where it can be told
		}
		for key, piece := range checkpoint.OfPart(pieces, place, byID[result.ID]) {
			s.Save(key, piece)
		}
		report(1, 0)
	}
}

// doPart does tasks of partKind.
func doPart(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	var a partArgs
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, err
	}
	last := len(data) - 1
	var known map[string][]byte
	if err := json.Unmarshal(data[last], &known); err != nil {
		return nil, err
	}
	run, err := partOf(&a.Run, inputs.Sent(&a.Run, data[:last]))
	if err != nil {
		return nil, err
	}
	pieces, err := checkpoint.DoPart(ctx, known, a.Place, a.Part, run)
	if err != nil {
		return nil, err
	}
	return json.Marshal(pieces)
}

// partOf returns the run that a part is of.
func partOf(run *document.Run, open inputs.Opener) (func(context.Context) error, error) {
	read, err := inputs.ReadOptions(run.Read, open)
	if err != nil {
		return nil, err
	}
	set, err := inputs.Signals(run.Read.Files[0], read, open)
	if err != nil {
		return nil, err
	}
	if run.Compare != nil {
		options, err := inputs.CompareOptions(run, set.Names, open)
		options.Threads = 1
		return func(ctx context.Context) error {
			_, err := nervure.Compare(ctx, set, options)
			return err
		}, err
	}
	options, err := inputs.Options(run, set.Names, open)
	options.Threads = 1
	return func(ctx context.Context) error {
		_, err := nervure.Learn(ctx, set, options)
		return err
	}, err
}

// workKinds are all kinds of work that workers do, with the same bytes as this process.
func workKinds() task.Kinds {
	kinds := study.Tasks()
	kinds[experiment.MeasureKind] = experiment.Measure
	kinds[partKind] = doPart
	maps.Copy(kinds, baseline.Tasks())
	return kinds
}
