package batch

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
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/report"
	"github.com/nervure/nervure/signals"
)

// LearnKind is the kind of the tasks of [Study.Run].
const LearnKind = "learn"

// A Setup says how to learn from a file.
type Setup struct {
	Read dataio.ReadOptions
	// Options returns how to learn from signals, and may add to their notes.
	Options func(*nervure.Signals) (nervure.Options, error)
	Explain func(error) error // words what the library finds wrong; nil means as it does
	Command string            // which learns this graph alone, for its page; "" if there is none to show
}

// An Outcome is what is learned from a file. The files are as they are written.
type Outcome struct {
	Graph   []byte `json:"graph"`            // an edge list
	Summary []byte `json:"summary"`          // a [document.Summary]
	Report  []byte `json:"report,omitempty"` // a page
	// ReportFault is why there is no page though one was asked for; the graph is there.
	ReportFault string `json:"report_fault,omitempty"`
}

// learnArgs are the arguments of a task. Its data are the signals of the files, the prior if
// there is one, and the extra files.
type learnArgs struct {
	Files    []string        `json:"files"` // more than one for a graph of all
	Settings json.RawMessage `json:"settings,omitempty"`
	Prior    float64         `json:"prior,omitempty"` // as many signals the prior counts as
	Report   bool            `json:"report,omitempty"`
}

// A TaskFunc does tasks of one kind.
type TaskFunc = task.Func

// LearnTask does tasks of [LearnKind]. setup makes a Setup of what the study says.
func LearnTask(setup func(file string, settings json.RawMessage, extra [][]byte) (*Setup, error)) TaskFunc {
	return func(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
		var a learnArgs
		if err := json.Unmarshal(args, &a); err != nil {
			return nil, err
		}
		files, rest := data[:len(a.Files)], data[len(a.Files):]
		var prior []byte
		if a.Prior > 0 && len(a.Files) == 1 {
			prior, rest = rest[0], rest[1:]
		}
		s, err := setup(a.Files[0], a.Settings, rest)
		if err != nil {
			return nil, err
		}
		set, err := a.signals(ctx, files, s.Read)
		if err != nil {
			return nil, err
		}
		options, err := s.Options(set)
		if err != nil {
			return nil, err
		}
		options.Threads = 1 // files are what runs side by side
		if prior != nil {
			if options.Method, err = a.withPrior(options.Method, prior, set.Names); err != nil {
				return nil, err
			}
		}
		analysis, err := nervure.Learn(ctx, set, options)
		if err != nil && s.Explain != nil {
			err = s.Explain(err)
		}
		if err != nil {
			return nil, named(a.Files[0], err)
		}
		o, err := a.outcome(analysis, s.Command)
		if err != nil {
			return nil, err
		}
		return json.Marshal(o)
	}
}

// named puts the file into a sentence about its signals.
func named(file string, err error) error {
	if fault := input.Find(err); fault != nil && fault.File == "" {
		return &input.Error{File: file, Msg: fault.Fault()}
	}
	return err
}

// signals reads those of a file, or of all.
func (a learnArgs) signals(ctx context.Context, files [][]byte, o dataio.ReadOptions) (*nervure.Signals, error) {
	if len(files) == 1 {
		return dataio.DecodeSignals(bytes.NewReader(files[0]), a.Files[0], o)
	}
	all := &nervure.Signals{}
	for k, content := range files {
		set, err := dataio.DecodeSignals(bytes.NewReader(content), a.Files[k], o)
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
			return nil, &input.Error{File: a.Files[k], Msg: "a shared prior needs files with the same vertices in the same order, and these are not those of " + a.Files[0]}
		}
		var both mat.Dense
		both.Augment(all.Y, y)
		all.Y = &both
	}
	if all.Y == nil {
		return nil, input.Errorf("batch", "files", "none can be read, so there is no shared prior")
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

// withPrior returns the method with a prior graph.
func (a learnArgs) withPrior(m any, prior []byte, names []string) (learn.Sparse, error) {
	sparse, ok := m.(learn.Sparse)
	if !ok {
		return sparse, input.Errorf("batch", "shared prior", "needs the method %s", sparse.Name())
	}
	g, err := dataio.DecodeGraph(bytes.NewReader(prior), priorName+".csv", dataio.CSV, names)
	if err != nil {
		return sparse, err
	}
	sparse.Options.Prior, sparse.Options.PriorWeight = g, a.Prior
	return sparse, nil
}

// outcome returns what is to be written.
func (a learnArgs) outcome(analysis *nervure.Analysis, command string) (*Outcome, error) {
	var summary bytes.Buffer
	if err := document.Write(&summary, analysis.Summary()); err != nil {
		return nil, err
	}
	g, err := encoded(analysis.Graph)
	o := &Outcome{Graph: g, Summary: summary.Bytes()}
	if err != nil || !a.Report {
		return o, err
	}
	var page bytes.Buffer
	err = guard.Run("the page", func() error {
		return report.Write(&page, analysis, report.Options{Title: "The graph behind " + filepath.Base(a.Files[0]), Command: command})
	})
	if err != nil {
		o.ReportFault = sentence(err)
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
	a := learnArgs{Files: []string{j.file}, Settings: r.Settings, Prior: r.SharedPrior, Report: r.Report}
	data := []task.Hash{j.hash}
	if r.prior != "" {
		data = append(data, r.prior)
	}
	return r.newTask(j.name, a, data)
}

func (r *run) newTask(id string, a learnArgs, data []task.Hash) (task.Task, error) {
	data = append(data, r.extra...)
	args, err := json.Marshal(a)
	if err != nil {
		return task.Task{}, fmt.Errorf("batch: the settings are not JSON: %w", err)
	}
	return task.Task{ID: id, Kind: LearnKind, Args: args, Data: data}, nil
}

// priorName is the graph of all signals, as an output.
const priorName = "prior"

// learnPrior learns the graph that is the prior of each.
func (r *run) learnPrior(ctx context.Context) error {
	a := learnArgs{Settings: r.Settings}
	var data []task.Hash
	for _, j := range r.jobs {
		if j.fault == nil {
			a.Files, data = append(a.Files, j.file), append(data, j.hash)
		}
	}
	if len(data) < 2 {
		return input.Errorf("batch", "files", "a shared prior needs two files that can be read, got %d", len(data))
	}
	t, err := r.newTask(priorName, a, data)
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
	learned, err := dataio.ReadFile(filepath.Join(r.Dir, priorName+".csv"))
	if err != nil {
		return err
	}
	r.prior = r.share(learned)
	return nil
}
