package nervure

import (
	"cmp"
	"slices"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Summary describes the analysis for programs, as nervure learn --summary writes it.
func (a *Analysis) Summary() *document.Summary {
	s := &document.Summary{
		Version: Version(), Method: a.Result.Method.Name(),
		Verdict: string(a.Verdict.Grade), VerdictReasons: a.Verdict.Reasons(), Findings: a.Findings(),
		Vertices: a.Graph.Vertices(), Signals: a.Signals(), Kernels: []document.Kernel{},
		Edges: a.Graph.EdgeCount(), Directed: a.Graph.Directed(),
		Threshold: document.Threshold{Rule: a.Result.Cut, Value: lightest(a.Graph)},
		Rounds:    a.Result.Rounds, Status: a.Status, Seconds: a.Duration.Seconds(),
		Seed: a.Options.Seed, Threads: a.Options.Threads,
		Warnings: append([]string{}, a.Warnings()...), // an empty list, not null
		Gap:      a.Weights.GapAfter(a.Graph.EdgeCount()),

		Preparation: document.NewPreparation(a.Preparation.Report, a.Preparation.Options),
		Sensors:     a.Preparation.sensorsDocument(a.Graph.Names()),
		Values:      a.Preparation.Values.document(),
		SetAside:    setAside(a.Result),
		Choice:      choiceDocument(a.Choice),
		Confidence:  confidenceDocument(a.Confidence),
		Fit:         fitDocument(a.Structure),
		Weights:     heaviest(a.Weights),
	}
	s.TimeLimit, s.LimitReached = a.Options.TimeLimit.Seconds(), a.LimitReached
	if kernels := a.Kernels(); kernels != nil {
		s.Kernels = document.NewKernels(kernels)
	}
	if params := paramsOf(a.Result); a.Sparse == nil || len(params) > 0 {
		s.Params = params
	}
	if a.Sparse == nil {
		return s
	}
	r := a.Sparse
	s.Recipe, s.Sparsity = recipeOf(s.Method), r.Model.Sparsity
	s.Residual, s.Objective = &r.Residual, &r.Objective
	s.Gradients, s.Certified, s.Starts = r.Gradients, r.Certified, r.Starts
	s.AllowedPairs, s.PriorWeight = r.AllowedPairs, r.Options.PriorWeight
	s.Threshold.Value, s.Gap = r.Threshold.Value, r.Threshold.Gap
	s.Noise, s.Choices, s.Path = document.Finite(r.Noise), a.choices(), pathDocument(r)
	s.Trace = document.NewTrace(r.History)
	return s
}

// Kernels returns the kernels that were used, as given or as chosen; nil if the
// method uses none.
func (a *Analysis) Kernels() []kernel.Kernel {
	if a.Sparse != nil {
		return a.Sparse.Model.Kernels
	}
	entry, _ := MethodByName(a.Result.Method.Name())
	if !entry.Has(method.UsesKernels) {
		return nil
	}
	if a.Options.Kernels == nil {
		return kernel.Paper()
	}
	return a.Options.Kernels
}

func (a *Analysis) choices() *document.Choices {
	r := a.Sparse
	c := &document.Choices{Kernels: r.Options.Kernels, Sparsity: "given", CommonMode: r.Options.RemoveCommonMode, Scores: []document.KernelScore{}}
	if asked, ok := sparseWith(a.Options.Method); ok && asked.Model.Sparsity == 0 {
		c.Sparsity = "auto"
	}
	for _, s := range r.KernelScores {
		c.Scores = append(c.Scores, document.KernelScore{
			Kernels: s.Kernels, Sparsity: s.Sparsity, CommonMode: s.CommonModeRemoved, Prediction: document.Finite(s.Prediction),
		})
	}
	return c
}

func pathDocument(r *learn.Result) []document.PathPoint {
	var list []document.PathPoint
	for _, p := range r.Path {
		list = append(list, document.PathPoint{Edges: p.Edges, CodeError: document.Finite(p.CodeError), Prediction: document.Finite(p.Prediction)})
	}
	return list
}

func choiceDocument(c *MethodChoice) *document.MethodChoice {
	if c == nil {
		return nil
	}
	d := &document.MethodChoice{Because: c.Because(), Signals: c.Signals, EdgesOf: c.EdgesOf}
	if c.Signals > 0 {
		d.Codes, d.Edges, d.Predicted = document.Finite(c.Codes.Mean), document.Finite(c.Edges.Mean), document.Finite(c.Predicted)
		d.DifferenceError = document.Finite(c.Difference.StdErr)
	}
	return d
}

func confidenceDocument(c *assess.Confidence) *document.Confidence {
	if c == nil {
		return nil
	}
	return &document.Confidence{Subsamples: c.Halves, AtLeast09: c.AtLeast(SureLevel)}
}

func fitDocument(t *assess.StructureTest) *document.Fit {
	if t == nil {
		return nil
	}
	return &document.Fit{
		Structure: t.Structure, HeldOut: t.HeldOut, CodeError: document.Finite(t.CodeError), Shuffled: document.Finite(t.Shuffled),
		CodeScore: document.Finite(t.CodeScore), Prediction: document.Finite(t.Prediction), PredictionScore: document.Finite(t.PredictionScore),
	}
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

// lightest returns the smallest weight, 0 if there is none.
func lightest(g *graph.Graph) float64 {
	edges := g.Edges()
	if len(edges) == 0 {
		return 0
	}
	return slices.MinFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(a.Weight, b.Weight) }).Weight
}

// weightsKept bounds what a summary says of the weights of a large graph.
const weightsKept = 20_000

// heaviest lists weights in descending order, as many as a summary keeps.
func heaviest(g *graph.Graph) []float64 {
	list := make([]float64, 0, g.EdgeCount())
	for _, e := range g.Edges() {
		list = append(list, e.Weight)
	}
	slices.SortFunc(list, func(a, b float64) int { return cmp.Compare(b, a) })
	return list[:min(len(list), weightsKept)]
}
