package study

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/prepare"
)

// The names of the graph of all signals, as an output: allName where the model of the study is chosen
// with it, and priorName where it is the prior of each.
const (
	allName   = "all"
	priorName = "prior"
)

// task returns that of a file.
func (r *run) task(j job) (task.Task, error) {
	learn, data := r.Learn, append([]task.Hash{j.hash}, r.besides...)
	learn.Read.Files = []string{j.file}
	if m := r.union.Model; m != nil && !r.Each {
		learn.Prepare, learn.Method, learn.Kernels = m.Prepare, m.Method, m.Kernels
	}
	if r.prior != "" { // the last of what is read besides
		learn.Known.Prior, learn.Known.PriorWeight, data = priorName+".csv", r.SharedPrior, append(data, r.prior)
	}
	return r.newTask(j.name, learn, learnArgs{Report: r.Report, Compare: r.Groups != nil}, data)
}

// newTask returns a task that learns by a run, with what else is asked for in its arguments.
func (r *run) newTask(id string, learn document.Run, a learnArgs, data []task.Hash) (task.Task, error) {
	learn.Version, learn.Write = document.RunVersion, document.RunWrite{}
	a.Run = learn
	if r.Command != nil {
		a.Command = r.Command(learn)
	}
	args, err := json.Marshal(a)
	if err != nil {
		return task.Task{}, fmt.Errorf("batch: the run is not JSON: %w", err)
	}
	return task.Task{ID: id, Kind: learnKind, Args: args, Data: data}, nil
}

// together returns the name of the task that learns from all files; "" if there is none.
func (s Batch) together() string {
	switch {
	case !s.Each:
		return allName
	case s.SharedPrior > 0:
		return priorName
	}
	return ""
}

// learnTogether learns the graph of all signals: the model of the study, the prior of each, or both.
func (r *run) learnTogether(ctx context.Context) error {
	learn := r.Learn
	learn.Read.Files = nil
	var data []task.Hash
	for _, j := range r.jobs {
		if j.fault == nil {
			learn.Read.Files, data = append(learn.Read.Files, j.file), append(data, j.hash)
		}
	}
	name := r.together()
	if err := r.removeOther(name); err != nil {
		return err
	}
	switch {
	case name == "":
		return nil
	case len(data) < 2 && r.SharedPrior > 0:
		return input.Errorf("study.Batch", "files", "a shared prior needs two files that can be read, got %d", len(data))
	case len(data) < 2:
		return nil
	}
	if r.SharedPrior > 0 {
		set(&learn.Method.Name, sparseMethod) // which is what has priors
	} else { // a choice needs no more
		set(&learn.Check.Structure, string(prepare.No))
		set(&learn.Check.Confidence, string(prepare.No))
	}
	t, err := r.newTask(name, learn, learnArgs{}, append(data, r.besides...))
	if err != nil {
		return err
	}
	if !r.isDone(name, taskKey(t)) {
		if err := r.do(ctx, []task.Task{t}); err != nil {
			return err
		}
	}
	e := r.done[name]
	if e.Union != nil {
		r.union = *e.Union
	}
	if e.Row.Error != "" {
		r.union.Apart = "the graph of all could not be learned: " + e.Row.Error
	}
	if r.SharedPrior > 0 {
		return r.takePrior()
	}
	return nil
}

// removeOther removes the graph of all that an earlier run has left under another name.
func (r *run) removeOther(name string) error {
	for _, other := range []string{allName, priorName} {
		if other == name {
			continue
		}
		if err := r.removeOld(other, func(string) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// takePrior makes the graph of all the prior of each.
func (r *run) takePrior() error {
	switch {
	case r.done[r.together()].Row.Error != "":
		return &input.Error{Msg: "the shared prior could not be learned: " + r.done[r.together()].Row.Error}
	case r.union.Apart != "":
		return &input.Error{Msg: "a shared prior needs files with the same vertices: " + r.union.Apart}
	case r.union.Model == nil:
		return input.Errorf("study.Batch", "files", "a shared prior needs two files that can be read as signals")
	}
	learned, err := durable.ReadFile(filepath.Join(r.Dir, priorName+".csv"))
	if err != nil {
		return err
	}
	r.prior = r.share(learned)
	return nil
}
