package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
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
	Residual  *float64        `json:"residual"` // ‖Y − DX‖²/‖Y‖²; null where there are no codes
	Objective *float64        `json:"objective"`
	Rounds    int             `json:"rounds"`
	Gradients int             `json:"gradients"`
	Status    solver.Status   `json:"status"`
	Seconds   float64         `json:"seconds"`
	Seed      uint64          `json:"seed"`
	Threads   int             `json:"threads"`
	Warnings  []string        `json:"warnings"`
	Certified bool            `json:"certified"` // the residual is at rounding level
	Starts    int             `json:"starts"`
	Gap       float64         `json:"gap"`             // lightest weight kept over heaviest dropped
	Params    paramRecord     `json:"params,omitzero"` // of a method other than sparse

	AllowedPairs int               `json:"allowed_pairs,omitzero"` // that might have had an edge, if they were restricted
	PriorWeight  float64           `json:"prior_weight,omitzero"`  // in signals, if there was a prior
	Preparation  preparationRecord `json:"preparation"`
	Confidence   *confidenceRecord `json:"confidence,omitzero"` // where it was computed
	Fit          *fitRecord        `json:"fit,omitzero"`        // to signals held out, where it was looked at

	Noise   *float64      `json:"noise,omitzero"` // amplitude, as a share of that of the signals
	Choices *choiceRecord `json:"choices,omitzero"`
	Path    []pathRecord  `json:"path,omitempty"` // how the edges were cut, where no gap told

	Weights []float64     `json:"weights"`         // before the cut, heaviest first, at most weightsKept
	Trace   []traceRecord `json:"trace,omitempty"` // the rounds, all starts
}

// A paramRecord is an object of parameters, as resolved.
type paramRecord map[string]float64

func newParamRecord(params []method.Value) paramRecord {
	record := paramRecord{}
	for _, p := range params {
		record[p.Name] = p.Value
	}
	return record
}

type thresholdRecord struct {
	Rule  graph.CutRule `json:"rule"`
	Value float64       `json:"value"` // the lightest weight kept
}

func (r *learnRun) writeSummary(w io.Writer, result *learned) error {
	s := learnSummary{
		Version: version(), Method: result.method,
		Vertices: result.graph.Vertices(), Signals: result.signals, Kernels: []kernelRecord{},
		Edges:     result.graph.EdgeCount(),
		Threshold: thresholdRecord{result.rule, result.lightest()},
		Rounds:    result.rounds, Status: result.ended(), Seconds: result.seconds,
		Seed: r.learner.options.Seed, Threads: r.learner.options.Threads,
		Warnings: append(append([]string{}, r.prepared.warnings...), result.warnings...), // an empty list, not null
		Gap:      result.weights.GapAfter(result.graph.EdgeCount()),

		Preparation: r.prepared.record(),
		Confidence:  newConfidenceRecord(result.confidence),
		Fit:         newFitRecord(result.fit),
		Weights:     heaviestWeights(result.weights),
	}
	if r.learner.usesKernels() {
		s.Kernels = kernelRecords(r.learner.asChosen(result).model.Kernels)
	}
	if sparse := result.sparse; sparse == nil {
		s.Params = newParamRecord(result.params)
	} else {
		s.Recipe, s.Sparsity = sparse.Options.Recipe, sparse.Model.Sparsity
		s.Residual, s.Objective = &sparse.Residual, &sparse.Objective
		s.Gradients, s.Certified, s.Starts = sparse.Gradients, sparse.Certified, sparse.Starts
		s.AllowedPairs, s.PriorWeight = sparse.Allowed, sparse.Options.PriorWeight
		s.Threshold.Value, s.Gap = sparse.Threshold.Value, sparse.Threshold.Gap
		s.Noise, s.Choices, s.Path = finite(sparse.Noise), newChoiceRecord(r.learner, sparse), pathRecords(sparse)
		s.Trace = traceRecords(sparse.History)
	}
	return writeJSON(w, s)
}

// writeJSON writes a value for programs, laid out for people: a list of numbers
// is one line.
func writeJSON(w io.Writer, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(numberList.ReplaceAllFunc(b.Bytes(), func(list []byte) []byte { return bytes.Join(bytes.Fields(list), nil) }))
	return err
}

// A numberList is several lines of numbers in brackets; no string has line ends.
var numberList = regexp.MustCompile(`\[\n[\s\d.,eE+-]+\]`)
