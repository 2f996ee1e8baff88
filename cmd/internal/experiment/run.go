package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/task"
)

// RunOptions say where and how to run an experiment.
type RunOptions struct {
	Dir     string      // for manifest.json and results.jsonl; made if it is not there
	Runner  task.Runner // of tasks of [MeasureKind]; nil means this process; records do not depend on it
	Threads int         // cells measured at a time in this process; zero means 1
	Build   Build       // of this program
	// Report, if not nil, is told at the start and after each record. Calls do
	// not overlap.
	Report func(Progress)
	// Some, if not nil, chooses what is measured: of an experiment whose cells depend on what data
	// there are, which therefore has no manifest. Other records stay, and of two of the same
	// cell and seed the last counts.
	Some func(stage string, cell Cell, seed uint64) bool
	// Again measures what was chosen although there is a record of it.
	Again bool
}

// Progress is how far a run has come.
type Progress struct {
	Done    int           // records on disk
	Fresh   int           // of them, those of this run
	Total   int           // records of the finished experiment
	Workers int           // that measure now
	Altered int           // lines of results.jsonl that are not what was written, and are measured again
	Elapsed time.Duration // of this run
	Latest  *Record       // that was just made; nil at the start
}

// Run measures all cells of e on all seeds, or what an earlier run in the same
// directory has left to do, and returns all records in the order of the
// declaration.
//
// Each record goes to disk when it is finished. So a run can be stopped in any
// way, at any moment, and begun again: in the end results.jsonl has the same
// lines as after a run that nothing disturbed, in some order and apart from
// their seconds.
//
// If ctx ends, Run returns the records there are, with the cause. A directory
// with results of another experiment, or with unfinished ones of another build,
// is a *MismatchError.
func Run(ctx context.Context, e *Experiment, o RunOptions) (records []Record, err error) {
	if o.Runner == nil {
		o.Runner = task.Local{Kinds: task.Kinds{MeasureKind: e.doTask}, Threads: o.Threads}
	}
	release, err := durable.Claim(o.Dir)
	if err != nil {
		return nil, err
	}
	defer release()
	j, old, build, err := e.open(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	r := &run{experiment: e, options: o, journal: j, done: map[recordKey]Record{}, begun: time.Now()}
	if err := r.take(old); err != nil {
		return nil, err
	}
	if o.Some == nil && len(r.done) < e.Size() && build != o.Build {
		return nil, &MismatchError{o.Dir, fmt.Sprintf("unfinished, and begun by another build: %s, not %s", build, o.Build)}
	}
	r.report(nil)
	for stage := range e.Stages {
		if err := r.stage(ctx, stage); err != nil {
			return r.records(len(e.Stages)), err
		}
	}
	return r.records(len(e.Stages)), nil
}

// open opens the results in the directory, after their manifest, and says which build made them.
func (e *Experiment) open(o RunOptions) (j *durable.Journal[Record], old []Record, build Build, err error) {
	if o.Some == nil {
		if build, err = e.look(o.Dir); err != nil {
			return nil, nil, build, err
		}
	}
	if j, old, err = durable.OpenJournal[Record](filepath.Join(o.Dir, resultsFile)); err != nil || o.Some != nil {
		return j, latest(old), build, err
	}
	if len(old) == 0 { // whoever began before has left nothing
		if err := e.sign(o.Dir, o.Build); err != nil {
			return nil, nil, build, errors.Join(err, j.Close())
		}
		build = o.Build
	}
	return j, old, build, nil
}

// A run is a call of Run.
type run struct {
	experiment *Experiment
	options    RunOptions
	journal    *durable.Journal[Record]
	done       map[recordKey]Record
	fresh      int
	begun      time.Time
}

// take admits the records of an earlier run.
func (r *run) take(old []Record) error {
	known := map[recordKey]bool{}
	for stage := range r.experiment.Stages {
		for _, t := range r.experiment.points(stage) {
			known[r.experiment.key(t)] = true
		}
	}
	for _, rec := range old {
		_, twice := r.done[rec.key()]
		switch {
		case r.options.Some != nil:
		case !known[rec.key()]:
			return &MismatchError{r.options.Dir, fmt.Sprintf("a result of %q, seed %d, is not of this experiment", rec.Cell, rec.Seed)}
		case twice:
			return &MismatchError{r.options.Dir, fmt.Sprintf("two results of %q, seed %d", rec.Cell, rec.Seed)}
		}
		r.done[rec.key()] = rec
	}
	return nil
}

// wants reports whether a point is to be measured.
func (r *run) wants(p point) bool {
	s := r.experiment.Stages[p.stage]
	if _, done := r.done[r.experiment.key(p)]; done && !r.options.Again {
		return false
	}
	return r.options.Some == nil || r.options.Some(s.Name, s.Cells[p.cell], p.seed)
}

// records lists those of the first stages, in the order of the declaration.
func (r *run) records(stages int) []Record {
	var list []Record
	for stage, s := range r.experiment.Stages[:stages] {
		for c := range s.Cells {
			for k := range s.Seeds.Count {
				if rec, ok := r.done[r.experiment.key(point{stage, c, s.Seeds.First + uint64(k)})]; ok {
					list = append(list, rec)
				}
			}
		}
	}
	return list
}

func (r *run) report(made *Record) {
	if r.options.Report != nil {
		r.options.Report(Progress{
			Done: len(r.done), Fresh: r.fresh, Total: r.experiment.Size(), Workers: r.options.Runner.Workers(), Altered: r.journal.Altered(),
			Elapsed: time.Since(r.begun), Latest: made,
		})
	}
}

// stage measures what is missing of a stage.
func (r *run) stage(ctx context.Context, stage int) error {
	work, data, err := r.missing(stage)
	if err != nil || len(work) == 0 {
		return err
	}
	for result, err := range r.options.Runner.Run(ctx, work, data) {
		if err != nil {
			return err
		}
		if err := result.Err(); err != nil {
			return err
		}
		var rec Record
		if err := json.Unmarshal(result.Value, &rec); err != nil {
			return fmt.Errorf("%s: %w", result.ID, err)
		}
		if err := r.journal.Append(rec); err != nil {
			return fmt.Errorf("%s: cannot be written: %w", filepath.Join(r.options.Dir, resultsFile), err)
		}
		r.done[rec.key()] = rec
		r.fresh++
		r.report(&rec)
	}
	return nil
}

// MeasureKind is the kind of the tasks of [Run].
const MeasureKind = "measure"

// measureArgs name a record to be made. Records of the stages before it are the data.
type measureArgs struct {
	Experiment string `json:"experiment"`
	Instances  int    `json:"instances"`
	Stage      int    `json:"stage"`
	Cell       int    `json:"cell"`
	Seed       uint64 `json:"seed"`
}

// Measure does tasks of [MeasureKind] of all experiments that are declared.
func Measure(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	var a measureArgs
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, err
	}
	e, err := Declare(a.Experiment, a.Instances)
	if err != nil {
		return nil, err
	}
	return e.doTask(ctx, args, data)
}

// missing returns the tasks whose records are missing of a stage, and what they read.
func (r *run) missing(stage int) ([]task.Task, task.Source, error) {
	before, err := json.Marshal(r.records(stage))
	if err != nil {
		return nil, nil, err
	}
	e, hash := r.experiment, task.HashOf(before)
	var list []task.Task
	for _, p := range e.points(stage) {
		if !r.wants(p) {
			continue
		}
		key := e.key(p)
		args, err := json.Marshal(measureArgs{e.Name, e.Instances, p.stage, p.cell, p.seed})
		if err != nil {
			return nil, nil, err
		}
		list = append(list, task.Task{
			ID: fmt.Sprintf("%s, %s, seed %d", key.stage, key.cell, key.seed), Kind: MeasureKind,
			Args: args, Data: []task.Hash{hash},
		})
	}
	return list, func(task.Hash) ([]byte, error) { return before, nil }, nil
}

// doTask makes the record of a task, as JSON. What goes wrong says where it was.
func (e *Experiment) doTask(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	var a measureArgs
	var before []Record
	if err := errors.Join(json.Unmarshal(args, &a), json.Unmarshal(data[0], &before)); err != nil {
		return nil, err
	}
	if a.Stage >= len(e.Stages) || a.Cell >= len(e.Stages[a.Stage].Cells) {
		return nil, fmt.Errorf("%s has no cell %d of stage %d", e.Name, a.Cell, a.Stage)
	}
	rec, err := e.measure(ctx, point{a.Stage, a.Cell, a.Seed}, before)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rec)
}

// measure makes one record. An error, and a panic, says where it was.
func (e *Experiment) measure(ctx context.Context, p point, before []Record) (rec Record, err error) {
	key, cell := e.key(p), e.Stages[p.stage].Cells[p.cell]
	where := fmt.Sprintf("%s, %s, seed %d", e.Name, key.cell, key.seed)
	err = guard.Run(where, func() error {
		begun := time.Now()
		values, err := cell.Measure(ctx, p.seed, before)
		if err == nil {
			rec, err = newRecord(key, cell, values, time.Since(begun).Seconds())
		}
		return err
	})
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", where, err)
	}
	return rec, nil
}
