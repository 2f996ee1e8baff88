package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
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
	// Faults are those of the program that cost a part, the page for one.
	Faults []*guard.Fault `json:"faults,omitempty"`
	Union  *union         `json:"union,omitempty"` // of all files; there may be no graph then
	// Correlations are those of the signals, if groups are compared.
	Correlations []byte `json:"correlations,omitempty"`
}

// learnArgs are the arguments of a task. Its data are the signals of the files and what the
// run reads besides.
type learnArgs struct {
	Run     document.Run `json:"run"` // on more than one file for a graph of all
	Report  bool         `json:"report,omitempty"`
	Compare bool         `json:"compare,omitempty"` // groups
	Command string       `json:"command,omitempty"` // that does the same
}

// learnTask does a task of learnKind.
func learnTask(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	var a learnArgs
	if err := json.Unmarshal(args, &a); err != nil {
		return nil, err
	}
	o, err := a.do(ctx, inputs.Sent(&a.Run, data))
	if err != nil {
		return nil, err
	}
	return json.Marshal(o)
}

// do learns the graph of a file, or of all.
func (a learnArgs) do(ctx context.Context, open inputs.Opener) (*outcome, error) {
	if len(a.Run.Read.Files) == 1 {
		analysis, err := a.learn(ctx, open)
		if err != nil {
			return nil, err
		}
		o, err := a.outcome(analysis)
		if err == nil && a.Compare {
			o.Correlations, err = describeCorrelations(ctx, analysis)
		}
		return o, err
	}
	analysis, union, err := a.learnTogether(ctx, open)
	if err != nil || analysis == nil {
		return &outcome{Union: union}, err
	}
	o, err := a.outcome(analysis)
	if err == nil {
		o.Union = union
	}
	return o, err
}

// learn learns the graph of a file.
func (a learnArgs) learn(ctx context.Context, open inputs.Opener) (*nervure.Analysis, error) {
	file := a.Run.Read.Files[0]
	read, err := inputs.ReadOptions(a.Run.Read, open)
	if err != nil {
		return nil, err
	}
	set, err := inputs.Signals(file, read, open)
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
	if len(a.Run.Read.Files) == 1 { // no run by itself learns from a stack
		described.Run, described.Command = &a.Run, a.Command
	}
	summary, err := encoded(func(w io.Writer) error { return document.Write(w, described) })
	if err != nil {
		return nil, err
	}
	g, err := encoded(edgeList(analysis.Graph))
	o := &outcome{Graph: g, Summary: summary}
	o.Faults, _ = guard.Split(errors.Join(analysis.Faults...))
	if err != nil || !a.Report {
		return o, err
	}
	var page bytes.Buffer
	err = guard.Run("the page", func() error {
		guard.Trip("report")
		return report.Write(&page, analysis, report.Options{Title: "The graph behind " + filepath.Base(a.Run.Read.Files[0]), Command: a.Command})
	})
	faults, err := guard.Split(err)
	o.Faults = append(o.Faults, faults...)
	switch {
	case err != nil:
		o.ReportFault = words.OneLine(err)
	case len(faults) == 0:
		o.Report = page.Bytes()
	}
	return o, nil
}
