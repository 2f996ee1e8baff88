package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/batch"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/signals"
)

// One learn, or one comparison, on several machines: what it consists of is done here but
// for its largest parts, the halves behind confidence and the methods compared. Workers
// repeat the run up to there from the pieces that are known, do one part, and send its pieces
// back (see package checkpoint). So the result has the same bytes as in this process.

// partKind is the kind of tasks that do a part of a run.
const partKind = "part"

// partArgs say which part of which run to do. Its data are the signals, the pieces that are known,
// and the files that flags name.
type partArgs struct {
	Command  string          `json:"command"` // learn or compare
	File     string          `json:"file"`    // of signals
	Settings json.RawMessage `json:"settings"`
	Place    string          `json:"place"`
	Part     int             `json:"part"`
}

// sharedPlaces are the ends of places whose parts are worth to be done elsewhere.
var sharedPlaces = []string{".halves", ".methods"}

// A sharedRun is the store of a run that has parts of it done by others.
type sharedRun struct {
	checkpoint.Memory

	runner task.Runner
	args   partArgs
	data   [][]byte // the signals, and the files that flags name
	err    error    // why others could not do their parts
	bar    *tasksProgress
}

// notOfParts are flags that parts of a run do not depend on.
var notOfParts = withKey(notRepeated, append([]string{
	"out", "codes", "laplacian", "summary", "report", "model", "vertices", "json", "threads", "checkpoint", "resume", "checkpoint-every",
}, clusterFlagNames...)...)

// share returns a context in which parts of a command are done by workers, if that was
// asked for, and how to take leave of them. The command is on a file of signals; its flags
// name other files.
func (f *clusterFlags) share(ctx context.Context, c console, mode progressMode, command, file string, flags, others []string) (context.Context, func(), error) {
	if !f.asked() {
		return ctx, func() {}, f.check()
	}
	if file == "-" || isSample(file) {
		return nil, nil, misuse("--cluster needs a file of signals, not %s", file)
	}
	s := &sharedRun{args: partArgs{Command: command, File: file}, bar: &tasksProgress{progress: *newProgress(c.err, mode), noun: "part"}}
	for _, path := range append([]string{file}, others...) {
		content, err := dataio.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		s.data = append(s.data, content)
	}
	var err error
	if s.args.Settings, err = json.Marshal(learnSettings{Flags: flags, Known: others}); err != nil {
		return nil, nil, err
	}
	runner, leave, err := f.runner(ctx, c, "")
	if err != nil {
		return nil, nil, err
	}
	s.runner = runner
	return checkpoint.With(ctx, s), func() {
		leave()
		if s.err != nil && ctx.Err() == nil {
			fmt.Fprintln(c.err, wrapped("warning: workers did not do all of their parts, which were done here: "+oneLine(s.err)))
		}
	}, nil
}

// Due says that rounds of a loop are not worth being kept: nobody goes on with them.
func (s *sharedRun) Due() bool { return false }

// Share has parts done by workers.
func (s *sharedRun) Share(ctx context.Context, place string, count int) {
	if !slices.ContainsFunc(sharedPlaces, func(end string) bool { return strings.HasSuffix(place, end) }) {
		return
	}
	known, err := json.Marshal(s.Pieces())
	if err != nil {
		s.err = err
		return
	}
	data := slices.Insert(slices.Clone(s.data), 1, known)
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
	now := batch.Progress{Total: count}
	begun := time.Now()
	report := func(done, failed int) {
		mu.Lock()
		defer mu.Unlock()
		now.Done, now.Failed = now.Done+done, now.Failed+failed
		now.Fresh, now.Workers, now.Elapsed = now.Done+now.Failed, s.runner.Workers(), time.Since(begun)
		s.bar.show(now)
	}
	end := task.KeepReporting(func() { report(0, 0) })
	defer s.bar.clear()
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
	var known map[string][]byte
	if err := json.Unmarshal(data[1], &known); err != nil {
		return nil, err
	}
	run, err := a.run(data[0], data[2:])
	if err != nil {
		return nil, err
	}
	pieces, err := checkpoint.DoPart(ctx, known, a.Place, a.Part, run)
	if err != nil {
		return nil, err
	}
	return json.Marshal(pieces)
}

// run returns the run that a part is of.
func (a partArgs) run(signals []byte, others [][]byte) (func(context.Context) error, error) {
	if a.Command == "compare" {
		return a.comparison(signals, others)
	}
	setup, err := learnSetup(a.File, a.Settings, others)
	if err != nil {
		return nil, err
	}
	set, err := dataio.DecodeSignals(bytes.NewReader(signals), a.File, setup.Read)
	if err != nil {
		return nil, err
	}
	options, err := setup.Options(set)
	if err != nil {
		return nil, err
	}
	options.Threads = 1
	return func(ctx context.Context) error {
		_, err := nervure.Learn(ctx, set, options)
		return err
	}, nil
}

// comparison understands flags as nervure compare FILE does.
func (a partArgs) comparison(content []byte, others [][]byte) (func(context.Context) error, error) {
	var s learnSettings
	if err := json.Unmarshal(a.Settings, &s); err != nil {
		return nil, err
	}
	cmd, f := &cobra.Command{}, &compareFlags{}
	f.define(cmd)
	if err := cmd.ParseFlags(s.Flags); err != nil {
		return nil, flagError(cmd, err)
	}
	r, err := f.resolve(a.File)
	if err != nil {
		return nil, err
	}
	if err := r.source.takeBesides(s.Known, others); err != nil {
		return nil, err
	}
	var set *signals.Set
	if set, err = dataio.DecodeSignals(bytes.NewReader(content), a.File, r.source.options); err != nil {
		return nil, err
	}
	if r.truth != "" { // with it, sparse is judged in another way
		if r.options.Truth, err = dataio.DecodeGraph(bytes.NewReader(others[slices.Index(s.Known, r.truth)]), r.truth, "", set.Names); err != nil {
			return nil, err
		}
	}
	r.options.Threads = 1
	return func(ctx context.Context) error {
		_, err := nervure.Compare(ctx, set, r.options)
		return err
	}, nil
}
