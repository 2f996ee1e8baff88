package nervure

import (
	"cmp"
	"math"
	"slices"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

// Summary describes the analysis for programs, as nervure learn --summary writes it.
func (a *Analysis) Summary() *document.Summary {
	s := &document.Summary{
		Version: Version(), Method: a.Result.Method.Name(),
		Verdict: string(a.Verdict.Grade), VerdictReasons: a.Verdict.Reasons(), Findings: a.Findings(),
		Vertices: a.Graph.Vertices(), Signals: a.Signals(), Kernels: []document.Kernel{},
		Edges: a.Graph.EdgeCount(), Withheld: a.Verdict.Withheld, Directed: a.Graph.Directed(), Signed: a.Weights.Negative() > 0, NegativeEdges: a.Graph.Negative(),
		Threshold: document.Threshold{Rule: a.Result.Cut, Value: lightest(a.Graph)},
		Rounds:    a.Result.Rounds, Status: a.Status, Seconds: a.Duration.Seconds(),
		Seed: a.Options.Seed, Threads: a.Options.Threads,
		Warnings: append([]string{}, a.Warnings()...), // an empty list, not null
		Notes:    a.Notes,
		Gap:      a.Weights.GapAfter(a.Graph.EdgeCount()),

		Preparation: document.NewPreparation(a.Preparation.Report, a.Preparation.Options),
		Rows:        document.NewRows(a.Preparation.Rows),
		Sensors:     document.NewSensors(a.Preparation, a.Graph.Names()),
		Values:      document.NewValuesChoice(a.Preparation.Values),
		SetAside:    setAside(a.Result),
		Choice:      choiceDocument(a.Choice),
		Confidence:  confidenceDocument(a.Confidence),
		Evidence:    a.evidenceDocument(),
		Fit:         fitDocument(a.Structure),
		Field:       a.spectrum,
		Weights:     heaviest(a.Weights),
	}
	s.TimeLimit, s.LimitReached = a.Options.TimeLimit.Seconds(), a.LimitReached
	if kernels := a.Kernels(); kernels != nil {
		s.Kernels = document.NewKernels(kernels)
	}
	s.Params = paramsOf(a.Result)
	if about := a.explanation(); about != nil {
		s.Residual, s.Certified, s.Sparsity = &about.Residual, about.Certified, about.Sparsity
	}
	if own, ok := a.Result.Own.(document.Describer); ok {
		own.Describe(s)
	}
	return s
}

// Kernels returns the kernels that were used, as given or as chosen; nil if the
// method uses none.
func (a *Analysis) Kernels() []kernel.Kernel {
	if about := a.explanation(); about != nil {
		return about.Kernels
	}
	if a.field != nil {
		return []kernel.Kernel{a.field.Kernel}
	}
	if !method.Has(a.Result.Method, method.UsesKernels) {
		return nil
	}
	if a.Options.Kernels == nil {
		return kernel.Paper()
	}
	return a.Options.Kernels
}

func choiceDocument(c *MethodChoice) *document.MethodChoice {
	if c == nil {
		return nil
	}
	d := &document.MethodChoice{Because: c.Because(), Signals: c.Signals, EdgesOf: c.EdgesOf}
	if c.Signals > 0 {
		d.Codes, d.Edges, d.Predicted = document.Finite(c.Codes.Mean), document.Finite(c.Edges.Mean), document.Finite(c.Predicted)
		d.PredictedByCodes = document.Finite(c.PredictedByCodes)
		d.DifferenceError = document.Finite(c.Difference.StdErr)
	}
	return d
}

func confidenceDocument(c *Confidence) *document.Confidence {
	if c == nil {
		return nil
	}
	return &document.Confidence{Subsamples: c.Halves, AtLeast09: c.AtLeast(SureLevel)}
}

func fitDocument(t *StructureTest) *document.Fit {
	if t == nil {
		return nil
	}
	fit := &document.Fit{
		Structure: t.Structure, HeldOut: t.HeldOut, Prediction: document.Finite(t.Prediction), PredictionScore: document.Finite(t.PredictionScore),
	}
	if t.Coded {
		fit.CodeError, fit.Shuffled, fit.CodeScore = document.Finite(t.CodeError), document.Finite(t.Shuffled), document.Finite(t.CodeScore)
	} else {
		fit.Gain = document.Finite(t.Gain.Mean)
	}
	if t.Pair > 0 {
		fit.Pair = &t.Pair
	}
	return fit
}

func setAside(r *method.Result) []document.SetAside {
	var list []document.SetAside
	for _, a := range r.Aside {
		list = append(list, document.SetAside{Vertex: a.Name, Reason: string(a.Reason)})
	}
	return list
}

func paramsOf(r *method.Result) document.Params {
	params := document.Params{}
	for _, v := range method.Values(r.Method) {
		params[v.Name] = v.Value
	}
	return params
}

// lightest returns the smallest weight by size, 0 if there is none.
func lightest(g *graph.Graph) float64 {
	edges := g.Edges()
	if len(edges) == 0 {
		return 0
	}
	return math.Abs(slices.MinFunc(edges, func(a,
		b graph.Edge,
	) int {
		return cmp.Compare(math.Abs(a.Weight), math.Abs(b.Weight))
	}).Weight)
}

// weightsKept bounds what a summary says of the weights of a large graph.
const weightsKept = 20_000

// heaviest lists weights in descending order of their size, as many as a summary keeps.
func heaviest(g *graph.Graph) []float64 {
	list := make([]float64, 0, g.EdgeCount())
	for _, e := range g.Edges() {
		list = append(list, e.Weight)
	}
	slices.SortFunc(list, func(a, b float64) int { return cmp.Or(cmp.Compare(math.Abs(b), math.Abs(a)), cmp.Compare(b, a)) })
	return list[:min(len(list), weightsKept)]
}

// Document describes the comparison for programs, as nervure compare writes it.
func (c *Comparison) Document() *document.Comparison {
	n, m := c.Preparation.Y.Dims()
	d := &document.Comparison{
		Version: Version(), Vertices: n, Signals: m, SignalsHeldOut: c.SignalsHeldOut, Folds: c.Folds,
		Seed: c.Options.Seed, Threads: c.Options.Threads, Interrupted: c.Interrupted,
		Agreement:   document.Agreement{Methods: []string{}, F1: c.Agreement},
		Preparation: document.NewPreparation(c.Preparation.Report, c.Preparation.Options), Warnings: c.Warnings(),
	}
	if c.Options.Truth != nil {
		edges := c.Options.Truth.EdgeCount()
		d.EdgesTrue = &edges
	}
	for _, row := range c.Methods {
		d.Methods = append(d.Methods, row.document())
		if row.Result != nil {
			d.Agreement.Methods = append(d.Agreement.Methods, row.Name)
		}
	}
	if r := c.Ranking; r != nil {
		d.Recommendation = &document.Recommendation{
			Method: r.Recommended, Because: r.Because, Rule: string(r.Rule),
			LeftOut: c.LeftOut, Unjudged: c.Unjudged,
		}
		for _, p := range r.Places {
			if p.Tied {
				d.Recommendation.Ties = append(d.Recommendation.Ties, p.Name)
			}
		}
	}
	return d
}

func (r *Compared) document() document.Compared {
	if r.Result == nil {
		return document.Compared{Method: r.Name, Status: document.Failed, Error: input.Sentence(r.Err)}
	}
	seconds, edges := r.Duration.Seconds(), r.Result.Graph.EdgeCount()
	d := document.Compared{
		Method: r.Name, Status: r.Result.Status, Seconds: &seconds, Edges: &edges, Directed: r.Result.Graph.Directed(), HeldOutError: r.HeldOutError,
		Params: paramsOf(r.Result), Warnings: r.Warnings,
	}
	if r.Score != nil {
		f1, atCount := r.Score.F1(), r.ScoreAtCount.F1()
		d.Precision, d.Recall, d.F1, d.F1AtTrueCount = &r.Score.Precision, &r.Score.Recall, &f1, &atCount
	}
	if p := r.Place; p != nil {
		hidden := r.HeldOut.Explained()
		d.Rank, d.HeldOutGain, d.HeldOutGainError, d.HeldOutShare, d.ShareNeeded, d.HiddenExplained = &p.Rank, &p.Gain.Mean, &p.Gain.StdErr, &p.Share, &p.Needs, &hidden
		if r.HeldOut.ModelGain != nil {
			own := r.HeldOut.MeanModelGain()
			d.CodeGain, d.CodeGainError = &own.Mean, &own.StdErr
		}
	}
	return d
}

// Reason says why the method failed.
func (r *Compared) Reason() string { return input.Sentence(r.Err) }
