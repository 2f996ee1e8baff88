package cli

import (
	"encoding/json"
	"io"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

// A learnSummary is the file that --summary writes. Its keys are a promise.
type learnSummary struct {
	Version   string          `json:"version"`
	Method    string          `json:"method"`
	Recipe    learn.Recipe    `json:"recipe"`
	Vertices  int             `json:"vertices"`
	Signals   int             `json:"signals"`
	Kernels   []kernelRecord  `json:"kernels"`
	Sparsity  int             `json:"sparsity"`
	Edges     int             `json:"edges"`
	Threshold thresholdRecord `json:"threshold"`
	Residual  float64         `json:"residual"` // ‖Y − DX‖²/‖Y‖²
	Objective float64         `json:"objective"`
	Rounds    int             `json:"rounds"`
	Gradients int             `json:"gradients"`
	Status    solver.Status   `json:"status"`
	Seconds   float64         `json:"seconds"`
	Seed      uint64          `json:"seed"`
	Threads   int             `json:"threads"`
	Warnings  []string        `json:"warnings"`
	Certified bool            `json:"certified"` // the residual is at rounding level
	Starts    int             `json:"starts"`
	Gap       float64         `json:"gap"` // lightest weight kept over heaviest dropped
}

type thresholdRecord struct {
	Rule  graph.CutRule `json:"rule"`
	Value float64       `json:"value"` // the lightest weight kept
}

func (r *learnRun) writeSummary(w io.Writer, result *learn.Result, seconds float64) error {
	_, signals := result.Codes.Dims()
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(learnSummary{
		Version: version(), Method: r.method, Recipe: result.Options.Recipe,
		Vertices: result.Graph.Vertices(), Signals: signals, Kernels: kernelRecords(result.Model.Kernels),
		Sparsity: result.Model.Sparsity, Edges: result.Graph.EdgeCount(),
		Threshold: thresholdRecord{result.Threshold.Rule, result.Threshold.Value},
		Residual:  result.Residual, Objective: result.Objective, Rounds: result.Rounds, Gradients: result.Gradients,
		Status: result.Status, Seconds: seconds, Seed: result.Options.Seed, Threads: result.Options.Threads,
		Warnings:  append([]string{}, result.Warnings...), // an empty list, not null
		Certified: result.Certified, Starts: result.Starts, Gap: result.Threshold.Gap,
	})
}
