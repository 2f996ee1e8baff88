package learn

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// Fit learns the graph on which the columns of y (vertices × signals) are sparse.
//
// y is not modified. A vertex that is the same in every signal is left isolated,
// with a warning. Signals or options that cannot be used are an *input.Error.
// If ctx ends, Fit returns its best graph so far together with the cause.
//
// Neither the scale of y nor the number of threads changes the graph, and the
// same seed gives the same bits.
func Fit(ctx context.Context, y *mat.Dense, m Model, o Options) (*Result, error) {
	var last Step
	for step, err := range Steps(ctx, y, m, o) {
		if err != nil {
			return step.Result, err
		}
		last = step
	}
	return last.Result, nil
}

// Steps learns like Fit and yields after each phase of the work, so that a
// progress bar or a recorder is a loop body; leaving the loop stops the work.
// The last step has Phase Done and carries the result. If ctx ended, it comes
// with the cause as error.
func Steps(ctx context.Context, y *mat.Dense, m Model, o Options) iter.Seq2[Step, error] {
	return func(yield func(Step, error) bool) {
		n, _ := y.Dims()
		chooseSparsity := m.Sparsity == 0
		if o.LargeFrom == 0 && signals.Missing(y) > 0 {
			o.LargeFrom = largeFromMissing
		}
		screening, unusable := signals.Screen("learn", y, o.Names)
		m, o, err := resolve(m, o, n)
		if err := errors.Join(unusable, err); err != nil {
			yield(Step{}, err)
			return
		}
		data, warnings := prepare(y, screening.Vertices), screening.Sentences()
		if o.RemoveCommonMode {
			data = data.levelled()
		}
		if m.Sparsity >= len(data.vertices) {
			yield(Step{}, fault("sparsity", "got %d atoms a signal, but only %d vertices vary", m.Sparsity, len(data.vertices)))
			return
		}
		known, doubts, err := know(o, data, n)
		if err != nil {
			yield(Step{}, err)
			return
		}
		warnings = append(warnings, doubts...)
		for _, k := range m.Kernels {
			if w := k.Warning(); w != "" {
				warnings = append(warnings, w)
			}
		}
		r := &run{ctx: ctx, vertices: data.vertices, chooseSparsity: chooseSparsity, model: m, options: o, knowledge: known, yield: func(s Step) bool { return yield(s, nil) }}
		r.learn(data)
		if r.left {
			return
		}
		if r.err != nil {
			yield(Step{}, fmt.Errorf("learn: %w", r.err))
			return
		}
		result := r.result(data, n, warnings)
		result.Aside = screening.Aside
		var cause error
		if result.Status == solver.Interrupted {
			cause = context.Cause(ctx)
		}
		yield(Step{
			Phase: Done, Start: result.Starts, Round: result.Rounds, Residual: result.Residual,
			Objective: result.Objective, Edges: result.Graph.EdgeCount(), Gradients: result.Gradients, Result: result,
		}, cause)
	}
}

// learn runs the recipe on the engine that suits the size.
func (r *run) learn(data prepared) {
	n, threads := len(data.vertices), r.options.Threads
	if r.options.Recipe == Default && n >= r.options.LargeFrom {
		r.local = newLocalEngine(r.ctx, data, r.model.Kernels, r.model.Sparsity, threads)
		r.fitter = newFitter(data, r.model, threads, r.local, dictionary.Pairs{N: n})
		r.large()
		return
	}
	if r.options.Recipe == Maretic2017 {
		r.adopt(data, r.model)
		r.maretic()
		return
	}
	switch r.options.Kernels {
	case KernelsAuto:
		r.automatic(data, r.model)
	case KernelsScaled:
		r.way = scaleWay{}
		r.attempt(data, r.model)
	case KernelsFree:
		r.free(data, r.model)
	default:
		r.attempt(data, r.model)
	}
}

// A run is one call of Steps: what the recipes share.
type run struct {
	ctx      context.Context
	model    Model
	vertices []int // of the input, that vary
	options  Options
	knowledge
	*fitter
	dense *denseEngine // the engine, if it is this one
	local *localEngine // the engine, if it is this one

	yield   func(Step) bool
	left    bool  // the caller left the loop
	err     error // a failure of the arithmetic
	history []Step
	start   int
	round   int

	chooseSparsity bool // the number of atoms was not given
	field          bool // low-pass kernels were chosen: neither gaps nor descriptions say much
	scores         []KernelScore

	way     kernelWay // what of the kernels is free, nil if nothing
	damping float64   // of the steps of the kernels

	pruning []PathPoint
	answer  answer
}

// An answer is what a recipe hands over, in its own vertices and scale.
type answer struct {
	weights   *graph.Graph // before the cut
	graph     *graph.Graph // after it
	codes     *sparse.Code
	residual  float64
	objective float64
	threshold Threshold
	rounds    int
	status    solver.Status
	certified bool
	proved    bool // the weights are; the edges reported may be others, as asked for

	unexplained int // signals above rounding
}

// report yields a step and says whether the recipe should go on.
func (r *run) report(phase Phase, residual, objective float64, pairs dictionary.Pairs, w []float64) bool {
	now := &moment{func() *graph.Graph { return embed(r.graph(pairs, w), r.vertices, r.options.Names) }}
	step := Step{
		Phase: phase, Start: r.start, Round: r.round, Residual: residual,
		Objective: objective, Edges: positive(w), Gradients: r.gradients, now: now,
	}
	r.history = append(r.history, step)
	if !r.yield(step) {
		r.left = true
	}
	now.weights = nil // they move on
	return r.going()
}

// going says whether there is a reason to go on: nobody has called off the run
// and the arithmetic holds.
func (r *run) going() bool { return !r.left && r.err == nil && r.ctx.Err() == nil }

// cut applies the options' rule to weights and says what it did.
func (r *run) cut(weights *graph.Graph) (*graph.Graph, Threshold) {
	kept := r.options.Cut.Apply(weights)
	return kept, r.threshold(weights, kept)
}

// threshold describes a cut that was made.
func (r *run) threshold(weights, kept *graph.Graph) Threshold {
	return Threshold{Rule: r.options.Cut.Rule, Value: lightest(kept), Gap: weights.GapAfter(kept.EdgeCount())}
}

func lightest(g *graph.Graph) float64 {
	var least float64
	for k, e := range g.Edges() {
		if k == 0 || e.Weight < least {
			least = e.Weight
		}
	}
	return least
}

// result puts the answer back into the vertices and the scale of the input.
func (r *run) result(data prepared, n int, warnings []string) *Result {
	a := r.answer
	r.model.Kernels = r.kernels
	for k, p := range r.pruning {
		r.pruning[k].Graph = embed(p.Graph, data.vertices, r.options.Names)
	}
	res := &Result{
		Graph:   embed(a.graph, data.vertices, r.options.Names),
		Weights: embed(a.weights, data.vertices, r.options.Names),
		Codes:   embedCodes(a.codes, data, n, len(r.model.Kernels)),
		Model:   r.model, Options: r.options,
		Residual: a.residual, Noise: r.noise(), Objective: a.objective, Threshold: a.threshold,
		Rounds: a.rounds, Starts: r.start, Gradients: r.gradients,
		Status: a.status, Certified: a.certified, Unexplained: a.unexplained, Large: r.local != nil,
		Warnings: append(warnings, r.doubts()...), History: r.history, Path: r.pruning, KernelScores: r.scores,
	}
	if r.within != nil {
		res.Allowed = r.within.count()
	}
	return res
}

// noise estimates the amplitude of the noise, as a share of the signals': what is
// left over is noise in as many dimensions as neither codes nor weights take up.
func (r *run) noise() float64 {
	a := r.answer
	if a.unexplained == 0 || a.residual <= 0 || 50*a.unexplained <= r.m-a.unexplained {
		return 0 // what is left are a few signals that no code explains
	}
	entries := float64(r.m * (r.spareEntries() + r.sparsity))
	spare := entries - float64(a.codes.NonZeros()+a.graph.EdgeCount())
	return math.Sqrt(min(a.residual*entries/max(spare, 1), 1))
}

// weakGap is the ratio below which the automatic cut is only a guess.
const weakGap = 2

// doubts says in plain words what speaks against trusting the answer.
func (r *run) doubts() []string {
	var doubts []string
	a := r.answer
	switch {
	case a.certified && a.unexplained > 0:
		return []string{fmt.Sprintf("%d of %d signals have no exact code on the graph that explains all others: look at them", a.unexplained, r.m)}
	case a.certified || a.status == solver.Interrupted:
		return nil
	}
	switch {
	case a.unexplained == 0:
		doubts = append(doubts, "every signal is explained exactly, but these signals do not determine the graph: it takes more of them, or fewer atoms a signal")
	case r.local != nil && a.residual < cutOffShare && 4*r.sparsity <= r.n:
		// What is left is what cutting atoms off leaves.
	case r.options.Recipe == Default:
		doubts = append(doubts, fmt.Sprintf("no graph explains the signals exactly: %.2g of their energy is left over, so edges are estimates (noise, other kernels or more atoms a signal)", a.residual))
	}
	switch {
	case a.threshold.Rule != graph.CutAuto || a.threshold.Gap >= weakGap:
	case len(r.pruning) > 0:
		doubts = append(doubts, fmt.Sprintf("the sorted weights show no clear gap: the number of edges, %d, is where taking more away begins to cost", a.graph.EdgeCount()))
	default:
		doubts = append(doubts, fmt.Sprintf("the sorted weights show no clear gap (ratio %.2g): the number of edges, %d, is a guess; set the number or a threshold if you know better",
			a.threshold.Gap, a.graph.EdgeCount()))
	}
	if r.local != nil && r.options.Coder != "" {
		doubts = append(doubts, fmt.Sprintf("coder %s was not used: from %d vertices on, signals are coded by pursuit around each atom", r.options.Coder, r.options.LargeFrom))
	}
	if r.m < r.n {
		doubts = append(doubts, fmt.Sprintf("%d signals are few for %d vertices", r.m, r.n))
	}
	return doubts
}

// embed returns g, whose vertex k is the given vertex of the input, on all the
// vertices of the input; those set aside are isolated.
func embed(g *graph.Graph, vertices []int, names []string) *graph.Graph {
	edges := g.Edges()
	for k, e := range edges {
		edges[k].I, edges[k].J = vertices[e.I], vertices[e.J]
	}
	return mustGraph(names, edges)
}

// embedCodes renumbers atoms and signals to those of the input, with its n
// vertices, and undoes the unit.
func embedCodes(c *sparse.Code, data prepared, n, kernels int) *sparse.Code {
	_, m := c.Dims()
	out := sparse.NewCode(n*kernels, m, c.Sparsity())
	var atoms []int32
	var coefs []float64
	for s := range m {
		atom, coef := c.Column(s)
		atoms, coefs = atoms[:0], coefs[:0]
		for q, j := range atom {
			k, v := int(j)/len(data.vertices), int(j)%len(data.vertices)
			atoms, coefs = append(atoms, int32(k*n+data.vertices[v])), append(coefs, coef[q]*data.unit)
		}
		out.SetColumn(data.signals[s], atoms, coefs)
	}
	return out
}

// mustGraph returns a graph of edges that are valid by construction.
func mustGraph(names []string, edges []graph.Edge) *graph.Graph {
	g, err := graph.New(names, edges)
	if err != nil {
		panic(err)
	}
	return g
}
