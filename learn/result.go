package learn

import (
	"fmt"
	"slices"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/large"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// Threshold is the cut that was made.
type Threshold struct {
	Rule  graph.CutRule
	Value float64 // the lightest weight kept; 0 for an empty graph
	Gap   float64 // ratio of the lightest normalised weight kept to the heaviest dropped, about 100 where none is dropped
}

// A Result is a learned graph and how it was found. Residuals are over the
// vertices that vary.
type Result struct {
	Graph   *graph.Graph // after the cut
	Weights *graph.Graph // before it, with mean degree 1 over the vertices that vary
	Codes   *Code        // X for the signals as given, on the dictionary of CodedOn
	// CodedOn is the graph whose dictionary the codes are on: Graph; for
	// [Maretic2017], which codes before it cuts, and for a run that was interrupted
	// before it coded on what it kept, Weights.
	CodedOn *graph.Graph
	Model   Model   // as resolved
	Options Options // as resolved

	Residual  float64 // ‖Y − DX‖²/‖Y‖² with the dictionary of the codes
	Noise     float64 // amplitude of the noise as a share of the signals', from what the codes leave over; zero if they are exact
	Objective float64 // the residual; for [Maretic2017], (‖Y − DX‖² + β‖W‖₁)/‖Y‖²
	Threshold Threshold
	Rounds    int // of the start that gave the result
	Starts    int // tried
	Gradients int // of all starts
	Status    method.Status
	// Certified means that the answer proves itself: on the edges reported a
	// few atoms explain the signals to rounding error (all but one in fifty at
	// least), other weights on these edges would not, and the signals are many
	// more numbers than that takes. A wrong graph has no way to do so. A prior
	// has no part in it. If pairs were restricted, it is the answer within those
	// allowed (see AllowedPairs).
	Certified    bool
	Unexplained  int             // signals whose residual is above rounding
	Large        bool            // learned with candidate edges and local atoms; see Options.LargeFrom
	AllowedPairs int             // pairs that might have had an edge, if Options.Allow or Forbid restricted them; else 0
	Aside        []signals.Aside // vertices that were left isolated, and why
	Warnings     []string        // what speaks against trusting the answer, vertices set aside first
	History      []Step          // without results
	Path         []PathPoint     // how the edges were cut, where no gap told
	// KernelScores are the kernels that were compared, those begun with first;
	// nil if there was no need to.
	KernelScores []KernelScore
	// FittingKernels are the given kernels with other scales, if these explain the signals
	// clearly better: the edges are those that they lead to, and confidence is about them.
	// What these edges weigh, and codes, are of the kernels given; the weights of pairs that were cut are
	// of those that fit. Nil if those given fit.
	FittingKernels []kernel.Kernel

	asked Sparse       // the model and the options as they were asked for, under the contract of all methods
	paper *Maretic2017 // the method, as resolved; nil if it was Sparse
}

// A PathPoint is a graph on the pruning path, by which edges were cut where the weights
// show no gap.
type PathPoint struct {
	Edges int
	// CodeError is ‖Y − DX‖²/‖Y‖² of signals that the weights were not fitted to; on
	// large graphs, where nothing is held out, of all.
	CodeError float64
	// Prediction is the share of the variance of a vertex, beyond the mean of the
	// others, that the others predict, in the same signals; not a number on large graphs.
	Prediction float64
	Graph      *graph.Graph
}

// A KernelScore says how well the graph that some kernels lead to predicts.
type KernelScore struct {
	Kernels           []string
	Sparsity          int
	CommonModeRemoved bool    // with the mean of each signal over the vertices removed
	Prediction        float64 // as of [PathPoint], before any cut
}

// result puts an answer back into the vertices and the scale of the input.
func (c call) result(a *job.Answer) *Result {
	t := c.task
	c.options.RemoveCommonMode = c.options.RemoveCommonMode || a.CommonModeRemoved
	r := &Result{
		Graph:   t.Progress.Embed(a.Graph),
		Weights: t.Progress.Embed(a.Weights),
		Codes:   t.Data.EmbedCodes(a.Codes, len(c.options.Names)),
		CodedOn: t.Progress.Embed(a.CodedOn),
		Model:   Model(a.Model), Options: c.options,
		Residual: a.Residual, Noise: a.Noise(), Objective: a.Objective, Threshold: Threshold(a.Threshold),
		Rounds: a.Rounds, Starts: t.Progress.Start, Gradients: t.Progress.Gradients,
		Status: a.Status, Certified: a.Certified, Unexplained: a.Unexplained, Large: a.Large,
		Aside: c.aside, Warnings: append(c.warnings, c.doubts(a)...),
		FittingKernels: a.Fitting, paper: c.paper,
	}
	for _, s := range t.Progress.History {
		r.History = append(r.History, stepOf(s))
	}
	for _, p := range a.Path {
		p.Graph = t.Progress.Embed(p.Graph)
		r.Path = append(r.Path, PathPoint(p))
	}
	for _, s := range a.Scores {
		r.KernelScores = append(r.KernelScores, KernelScore{s.Kernels, s.Sparsity, s.CommonModeRemoved, s.Prediction})
	}
	if t.Side.Allowed != nil {
		r.AllowedPairs = t.Side.Allowed.Count()
	}
	return r
}

// Reorder keeps the contract of [method.BySignal].
func (r *Result) Reorder(columns []int) {
	if r.Codes != nil {
		r.Codes = r.Codes.Columns(columns)
	}
}

// OnVertices keeps the contract of [method.ByVertex].
func (r *Result) OnVertices(vertices []int, names []string, aside []signals.Aside) any {
	on := *r
	embed := func(g *graph.Graph) *graph.Graph {
		if g == nil {
			return nil
		}
		return g.Embed(vertices, names)
	}
	on.Graph, on.Weights, on.CodedOn = embed(r.Graph), embed(r.Weights), embed(r.CodedOn)
	if r.Codes != nil {
		_, signals := r.Codes.Dims()
		among := fitting.Signals{Vertices: vertices, Signals: matrix.Span(0, signals), Unit: 1}
		on.Codes = among.EmbedCodes(r.Codes, len(names))
	}
	on.Options.Names = names
	on.Path = slices.Clone(r.Path)
	for k := range on.Path {
		on.Path[k].Graph = embed(on.Path[k].Graph)
	}
	on.Aside = slices.Clone(aside)
	for _, a := range r.Aside {
		a.Vertex = vertices[a.Vertex]
		on.Aside = append(on.Aside, a)
	}
	return &on
}

// Describe keeps the contract of [document.Describer].
func (r *Result) Describe(s *document.Summary) {
	s.Recipe, s.Sparsity = "default", r.Model.Sparsity
	if r.paper != nil {
		s.Recipe = r.paper.Name()
	} else {
		s.Params = nil // the model and its choices say more
	}
	s.Objective = &r.Objective
	s.Gradients, s.Starts = r.Gradients, r.Starts
	s.AllowedPairs, s.PriorWeight = r.AllowedPairs, r.Options.PriorWeight
	s.Threshold.Value, s.Gap = r.Threshold.Value, r.Threshold.Gap
	s.Noise, s.Choices = document.Finite(r.Noise), r.choices()
	for _, p := range r.Path {
		point := document.PathPoint{Edges: p.Edges, CodeError: document.Finite(p.CodeError), Prediction: document.Finite(p.Prediction)}
		s.Path = append(s.Path, point)
	}
	s.Trace = r.trace()
}

func (r *Result) choices() *document.Choices {
	c := &document.Choices{
		Kernels: string(r.Options.Kernels), Fitting: kernel.Names(r.FittingKernels),
		Sparsity: "given", CommonMode: r.Options.RemoveCommonMode, Scores: []document.KernelScore{},
	}
	if r.asked.Model.Sparsity == 0 {
		c.Sparsity = "auto"
	}
	for _, s := range r.KernelScores {
		c.Scores = append(c.Scores, document.KernelScore{
			Kernels: s.Kernels, Sparsity: s.Sparsity, CommonMode: s.CommonModeRemoved, Prediction: document.Finite(s.Prediction),
		})
	}
	return c
}

// trace keeps the last step of each phase of a round, and every step of the pruning path.
func (r *Result) trace() []document.TraceStep {
	var list []document.TraceStep
	for _, s := range r.History {
		t := *document.NewTraceStep(s.Method())
		last := len(list) - 1
		if last >= 0 && s.Phase != Pruning && list[last].Start == t.Start && list[last].Round == t.Round && list[last].Phase == t.Phase {
			list = list[:last]
		}
		list = append(list, t)
	}
	return list
}

// doubts says in plain words what speaks against trusting the answer.
func (c call) doubts(a *job.Answer) []string {
	m, n := c.task.Data.Rows.Dims()
	var doubts []string
	doubt := func(format string, args ...any) { doubts = append(doubts, fmt.Sprintf(format, args...)) }
	switch {
	case a.Certified && a.Unexplained > 0:
		doubt("%d of %d signals have no exact code on the graph that explains all others: check them", a.Unexplained, m)
		return doubts
	case a.Certified || a.Status == method.Interrupted:
		return nil
	}
	switch {
	case a.Unexplained == 0:
		doubt("every signal is explained exactly, but the signals do not determine the graph: " +
			"more signals or fewer atoms per signal are needed")
	case a.Large && a.Residual < large.TruncationShare && 4*a.Model.Sparsity <= n:
		// The residual is what truncating atoms leaves.
	case c.paper == nil:
		doubt("no graph explains the signals exactly: the residual is %.2g of their energy, "+
			"so edges are estimates (noise, other kernels or more atoms per signal)", a.Residual)
	}
	if len(a.Fitting) > 0 {
		doubt("the kernels given do not fit: %s explain the signals clearly better; the edges are those that these lead to, "+
			"and their weights are of the kernels given: leave kernels out unless you know them",
			shortNames(kernel.Names(a.Fitting)))
	}
	switch {
	case a.Threshold.Rule != graph.CutAuto || a.Threshold.Gap >= job.WeakGap:
	case len(a.Path) > 0 && a.Large:
		doubt("the sorted weights show no clear gap: the %d edges are those whose weights are too large to be noise", a.Graph.EdgeCount())
	case len(a.Path) > 0:
		doubt("the sorted weights show no clear gap: the number of edges, %d, "+
			"was chosen where removing further edges starts to hurt the held-out fit", a.Graph.EdgeCount())
	default:
		doubt("the sorted weights show no clear gap (ratio %.2g): the number of edges, %d, is a guess; "+
			"set the number or a threshold if you know better", a.Threshold.Gap, a.Graph.EdgeCount())
	}
	if a.Large && c.options.Coder != "" {
		doubt("coder %s was not used: from %d vertices on, signals are coded by pursuit around each atom",
			c.options.Coder, c.options.LargeFrom)
	}
	if m < n {
		doubt("%d signals are few for %d vertices", m, n)
	}
	return doubts
}
