package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nervure/nervure/internal/task"
)

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
		key := e.key(p)
		if _, ok := r.done[key]; ok {
			continue
		}
		args, err := json.Marshal(measureArgs{e.Name, e.Instances, p.stage, p.cell, p.seed})
		if err != nil {
			return nil, nil, err
		}
		list = append(list, task.Task{ID: fmt.Sprintf("%s, %s, seed %d", key.stage, key.cell, key.seed), Kind: MeasureKind, Args: args, Data: []task.Hash{hash}})
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

// measure makes one record. A panic must not end a run of hours without a word
// about where it was.
func (e *Experiment) measure(ctx context.Context, p point, before []Record) (rec Record, err error) {
	key, cell := e.key(p), e.Stages[p.stage].Cells[p.cell]
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v", p)
		}
		if err != nil {
			err = fmt.Errorf("%s, %s, seed %d: %w", e.Name, key.cell, key.seed, err)
		}
	}()
	begun := time.Now()
	values, err := cell.Measure(ctx, p.seed, before)
	if err != nil {
		return Record{}, err
	}
	return newRecord(key, cell, values, time.Since(begun).Seconds())
}
