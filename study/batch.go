package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/internal/words"
)

// A Runner does tasks, in this process or on other machines.
type Runner = task.Runner

// A Batch is files of signals, how to learn a graph from each, and where all goes.
type Batch struct {
	Files []string // of signals, one recording each
	Dir   string   // for what is written; made if it is not there
	Spare []string // other files that must not be written over

	// Learn says how to learn from each file; what it reads and writes is replaced.
	Learn document.Run
	// Each makes the choices that are left open for each file by itself. Otherwise they are made
	// once, from all of them, and each graph is learned by the same.
	Each bool
	// Groups, if not nil, says who is in which group, and what to test.
	Groups *Members
	// Command, if not nil, is the command that does a run by itself, for its summary and page.
	Command func(document.Run) string

	// SharedPrior, if positive, learns a graph of all signals first and counts it as so
	// many signals in learning each.
	SharedPrior float64
	Report      bool // write a page about each graph, and about all

	Runner  Runner // of [Tasks]; nil means this process; the files do not depend on it
	Threads int    // files at a time in this process; zero means 1
	Build   string // which program this is: what another one learned is learned again
	// Progress, if not nil, is told at the start, after each file and every few seconds.
	// Calls do not overlap.
	Progress func(Progress)
}

// Progress is how far a batch has come.
type Progress struct {
	Done, Failed int           // files
	Fresh        int           // of them, those of this run
	Total        int           // files
	Workers      int           // that learn now
	Altered      int           // lines of journal.jsonl that are not what was written; what they are about is done again
	Elapsed      time.Duration // of this run
}

// journalFile is where a batch remembers what is done.
const journalFile = "journal.jsonl"

// An entry of the journal is a file that was dealt with.
type entry struct {
	Name string            `json:"name"`
	Key  task.Hash         `json:"key"`  // of all that the result depends on
	Made map[string]string `json:"made"` // the files that were written, by the hash of what is in them
	Row  document.IndexRow `json:"row"`
	// Directed says that the edges of the graph are arrows.
	Directed bool `json:"directed,omitempty"`
	// Union is what was found out from all files, if it is they that the entry is of.
	Union *union `json:"union,omitempty"`
	// Lost says that there is no graph, or not all of what belongs to it, for reasons that may be gone next time.
	Lost bool `json:"lost,omitempty"`
}

// Run learns all graphs, or what an earlier run in the same folder has left to do, and
// writes the index. A file from which nothing can be learned is a row that says why. A page
// that cannot be made is an error, returned with the index, and so is each fault of the program: all else is
// written.
//
// If ctx ends, Run returns its cause; what was learned stays. When the same study is
// run again, only what is missing, or depends on files or settings that have changed, is
// learned. In the end all files are the same as after a run that nothing disturbed, apart
// from seconds.
func (s Batch) Run(ctx context.Context) (index *document.Index, err error) {
	if len(s.Files) == 0 {
		return nil, input.Errorf("study.Batch", "files", "got none")
	}
	if s.Runner == nil {
		s.Runner = task.Local{Kinds: Tasks(), Threads: s.Threads}
	}
	names := outputNames(s.Files)
	if err := s.checkOutputs(names); err != nil {
		return nil, err
	}
	if s.Groups != nil {
		if err := s.Groups.check(ctx, s.Files); err != nil {
			return nil, err
		}
	}
	besides, err := inputs.Contents(&s.Learn)
	if err != nil {
		return nil, err
	}
	release, err := durable.Claim(s.Dir)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := durable.RemoveUnfinished(s.Dir); err != nil {
		return nil, err
	}
	j, old, err := durable.OpenJournal[entry](filepath.Join(s.Dir, journalFile))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	r := &run{
		Batch:   s,
		names:   names,
		journal: j,
		begun:   time.Now(),
		done:    map[string]entry{},
		made:    map[string]map[string]string{},
		sources: map[task.Hash]string{},
		blobs:   map[task.Hash][]byte{},
	}
	for _, content := range besides {
		r.besides = append(r.besides, r.share(content))
	}
	for _, e := range old { // the last one of a name counts
		r.done[e.Name], r.made[e.Name] = e, e.Made
	}
	if err := r.learn(ctx); err != nil {
		return nil, errors.Join(append(r.lost, err)...)
	}
	if index, err = r.finish(ctx); err != nil {
		return nil, errors.Join(append(r.lost, err)...)
	}
	return index, errors.Join(r.lost...)
}

// A run is a call of Run.
type run struct {
	Batch

	names   []string // of the outputs of each file
	journal *durable.Journal[entry]
	done    map[string]entry
	made    map[string]map[string]string // the files of earlier entries
	mu      sync.Mutex                   // of what progress tells
	sources map[task.Hash]string         // where the signals of tasks are
	blobs   map[task.Hash][]byte         // the other data of tasks
	besides []task.Hash                  // of what is read besides the signals
	union   union                        // what was found out from all files
	prior   task.Hash                    // of the shared one; "" if there is none
	jobs    []job
	fresh   int
	begun   time.Time
	lost    []error // why pages and other parts of results are missing
}

// A job is a file to learn from.
type job struct {
	file, name string
	hash       task.Hash
	fault      error // why it cannot be read
}

// learn learns what is missing.
func (r *run) learn(ctx context.Context) error {
	for k, file := range r.Files {
		j := job{file: file, name: r.names[k]}
		if data, err := durable.ReadFile(file); err != nil {
			j.fault = err
		} else {
			j.hash = task.HashOf(data)
			r.sources[j.hash] = file
		}
		r.jobs = append(r.jobs, j)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if err := r.learnTogether(ctx); err != nil {
		return err
	}
	var missing []task.Task
	for _, j := range r.jobs {
		t, err := r.task(j)
		if err != nil {
			return err
		}
		switch {
		case j.fault != nil:
			if err := r.enter(taskKey(t), j, outcome{}, task.Result{ID: j.name, Fault: words.OneLine(j.fault), Lost: true}); err != nil {
				return err
			}
		case !r.isDone(j.name, taskKey(t)):
			missing = append(missing, t)
		}
	}
	r.report()
	return r.do(ctx, missing)
}

// do does the tasks of some files.
func (r *run) do(ctx context.Context, missing []task.Task) error {
	if len(missing) == 0 {
		return nil
	}
	defer task.KeepReporting(r.report)()
	byID, jobs := map[string]task.Task{}, map[string]job{} // the graph of all has no job
	for _, t := range missing {
		byID[t.ID] = t
	}
	for _, j := range r.jobs {
		jobs[j.name] = j
	}
	for result, err := range r.Runner.Run(ctx, missing, r.data) {
		if err != nil {
			return err
		}
		t := byID[result.ID]
		var o outcome
		if result.Fault == "" {
			if err := json.Unmarshal(result.Value, &o); err != nil {
				return fmt.Errorf("%s: %w", t.ID, err)
			}
		}
		if err := r.enter(taskKey(t), jobs[t.ID], o, result); err != nil {
			return err
		}
		if _, ok := jobs[t.ID]; ok {
			r.mu.Lock()
			r.fresh++
			r.mu.Unlock()
		}
		r.report()
	}
	return nil
}

// share makes content known as data of tasks.
func (r *run) share(content []byte) task.Hash {
	h := task.HashOf(content)
	r.blobs[h] = content
	return h
}

// data returns the content of what tasks read.
func (r *run) data(h task.Hash) ([]byte, error) {
	if blob, ok := r.blobs[h]; ok {
		return blob, nil
	}
	data, err := durable.ReadFile(r.sources[h])
	if err != nil {
		return nil, err
	}
	if task.HashOf(data) != h {
		return nil, &input.Error{File: r.sources[h], Msg: "the file was changed while the batch was running: run it again"}
	}
	return data, nil
}

func (r *run) report() {
	if r.Progress == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := Progress{Fresh: r.fresh, Total: len(r.jobs), Workers: r.Runner.Workers(), Altered: r.journal.Altered(), Elapsed: time.Since(r.begun)}
	for _, j := range r.jobs {
		if e, ok := r.done[j.name]; ok && e.Row.Error != "" {
			p.Failed++
		} else if ok {
			p.Done++
		}
	}
	r.Progress(p)
}
