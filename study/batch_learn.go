package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/report"
	"github.com/nervure/nervure/signals"
)

// learnKind is the kind of the tasks of [Batch.Run].
const learnKind = "learn"

// Tasks returns how to do the tasks that a [Batch] hands to its Runner, by their kind.
func Tasks() map[string]func(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	return task.Kinds{learnKind: learnTask}
}

// An outcome is what is learned from a file. The files are as they are written.
type outcome struct {
	Graph   []byte `json:"graph"`            // an edge list
	Summary []byte `json:"summary"`          // a [document.Summary]
	Report  []byte `json:"report,omitempty"` // a page
	// ReportFault is why there is no page though one was asked for; the graph is there.
	ReportFault string `json:"report_fault,omitempty"`
}

// learnArgs are the arguments of a task. Its data are the signals of the files and what the
// run reads besides.
type learnArgs struct {
	Run     document.Run `json:"run"` // on more than one file for a graph of all
	Report  bool         `json:"report,omitempty"`
	Command string       `json:"command,omitempty"` // that does the same
}

// learnTask does a task of learnKind.
func learnTask(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	var a learnArgs
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, err
	}
	analysis, err := a.learn(ctx, inputs.Sent(&a.Run, data))
	if err != nil {
		return nil, err
	}
	o, err := a.outcome(analysis)
	if err != nil {
		return nil, err
	}
	return json.Marshal(o)
}

// learn learns the graph of a file, or of all.
func (a learnArgs) learn(ctx context.Context, open inputs.Opener) (*nervure.Analysis, error) {
	file := a.Run.Read.Files[0]
	read, err := inputs.ReadOptions(a.Run.Read, open)
	if err != nil {
		return nil, err
	}
	set, err := a.signals(ctx, read, open)
	if err != nil {
		return nil, err
	}
	options, err := inputs.Options(&a.Run, set.Names, open)
	if err != nil {
		return nil, err
	}
	hint := inputs.Hint(read.Transpose, set)
	set.Notes = inputs.Notes(set, read.Resample > 0, hint)
	options.Threads = 1 // files are what runs side by side
	analysis, err := nervure.Learn(ctx, set, options)
	if fault := input.Find(err); fault != nil && fault.File == "" {
		return nil, inputs.InFile(fault, file, hint)
	}
	return analysis, err
}

// signals reads those of a file, or of all.
func (a learnArgs) signals(ctx context.Context, o dataio.ReadOptions, open inputs.Opener) (*nervure.Signals, error) {
	files := a.Run.Read.Files
	if len(files) == 1 {
		return inputs.Signals(files[0], o, open)
	}
	all := &nervure.Signals{}
	for _, file := range files {
		set, err := inputs.Signals(file, o, open)
		if err != nil {
			continue // it is a row of its own that says why
		}
		y, err := standardised(ctx, set.Y)
		switch {
		case err != nil:
			return nil, err
		case all.Y == nil:
			all.Names, all.Y = set.Names, y
			continue
		case !slices.Equal(all.Names, set.Names):
			return nil, &input.Error{File: file, Msg: "a shared prior needs files with the same vertices in the same order, and these are not those of " + files[0]}
		}
		var both mat.Dense
		both.Augment(all.Y, y)
		all.Y = &both
	}
	if all.Y == nil {
		return nil, input.Errorf("study.Batch", "files", "none can be read, so there is no shared prior")
	}
	return all, nil
}

// standardised returns signals whose vertices have mean 0 and variance 1, so that
// recordings in different units can be learned from together.
func standardised(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	filled, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	n, m := y.Dims()
	z := mat.DenseCopyOf(y)
	for i := range n {
		mean, variance := portable.PopMeanVariance(filled.RawRowView(i))
		deviation := math.Sqrt(variance)
		if deviation == 0 {
			deviation = 1
		}
		row := z.RawRowView(i)
		for j := range m {
			row[j] = (row[j] - mean) / deviation
		}
	}
	return z, nil
}

// outcome returns what is to be written.
func (a learnArgs) outcome(analysis *nervure.Analysis) (*outcome, error) {
	described := analysis.Summary()
	described.Run, described.Command = &a.Run, a.Command
	var summary bytes.Buffer
	if err := document.Write(&summary, described); err != nil {
		return nil, err
	}
	g, err := encoded(analysis.Graph)
	o := &outcome{Graph: g, Summary: summary.Bytes()}
	if err != nil || !a.Report {
		return o, err
	}
	var page bytes.Buffer
	err = guard.Run("the page", func() error {
		return report.Write(&page, analysis, report.Options{Title: "The graph behind " + filepath.Base(a.Run.Read.Files[0]), Command: a.Command})
	})
	if err != nil {
		o.ReportFault = words.OneLine(err)
		return o, nil
	}
	o.Report = page.Bytes()
	return o, nil
}

// encoded returns a graph as an edge list.
func encoded(g *graph.Graph) ([]byte, error) {
	var b bytes.Buffer
	err := dataio.EncodeGraph(&b, dataio.CSV, g)
	return b.Bytes(), err
}

// task returns that of a file.
func (r *run) task(j job) (task.Task, error) {
	learn, data := r.Learn, append([]task.Hash{j.hash}, r.besides...)
	learn.Read.Files = []string{j.file}
	if r.prior != "" { // the last of what is read besides
		learn.Known.Prior, learn.Known.PriorWeight, data = priorName+".csv", r.SharedPrior, append(data, r.prior)
	}
	return r.newTask(j.name, learn, r.Report, data)
}

func (r *run) newTask(id string, learn document.Run, report bool, data []task.Hash) (task.Task, error) {
	learn.Version, learn.Write = document.RunVersion, document.RunWrite{}
	a := learnArgs{Run: learn, Report: report}
	if r.Command != nil {
		a.Command = r.Command(learn)
	}
	args, err := json.Marshal(a)
	if err != nil {
		return task.Task{}, fmt.Errorf("batch: the run is not JSON: %w", err)
	}
	return task.Task{ID: id, Kind: learnKind, Args: args, Data: data}, nil
}

// priorName is the graph of all signals, as an output.
const priorName = "prior"

// learnPrior learns the graph that is the prior of each.
func (r *run) learnPrior(ctx context.Context) error {
	learn := r.Learn
	learn.Read.Files = nil
	var data []task.Hash
	for _, j := range r.jobs {
		if j.fault == nil {
			learn.Read.Files, data = append(learn.Read.Files, j.file), append(data, j.hash)
		}
	}
	if len(data) < 2 {
		return input.Errorf("study.Batch", "files", "a shared prior needs two files that can be read, got %d", len(data))
	}
	t, err := r.newTask(priorName, learn, false, append(data, r.besides...))
	if err != nil {
		return err
	}
	if !r.isDone(priorName, taskKey(t)) {
		if err := r.do(ctx, []task.Task{t}); err != nil {
			return err
		}
	}
	if fault := r.done[priorName].Row.Error; fault != "" {
		return &input.Error{Msg: "the shared prior could not be learned: " + fault}
	}
	learned, err := durable.ReadFile(filepath.Join(r.Dir, priorName+".csv"))
	if err != nil {
		return err
	}
	r.prior = r.share(learned)
	return nil
}
