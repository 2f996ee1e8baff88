package gsp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// combineOp is who refuses graphs and labels.
const combineOp = "combine"

// fieldGamma is what the parameter is called in errors.
const fieldGamma input.Field = "gamma"

// They bound the problem: there is an N×N matrix for each graph.
const (
	mostCombinedVertices = 2000
	mostCombinedGraphs   = 50
)

// CombineOptions are how to weigh graphs. The zero value chooses Gamma.
type CombineOptions struct {
	// Gamma is γ, the variance of the noise of the labels; zero means that it is chosen
	// among 7 values from 10⁻² to 10 by hiding labels.
	Gamma float64
	// Center removes the mean of each label vector over the labelled vertices before,
	// and adds it back to the prediction after.
	Center  bool
	Folds   int    // labelled vertices are hidden a share of 1/Folds at a time; zero means 5
	Seed    uint64 // of the draw of what is hidden; zero is the same as 1
	Threads int    // zero means 1; the result does not depend on it
}

// A Combination is the weights of graphs, and what they predict.
type Combination struct {
	Weights []float64    // q, one for each graph: q ≥ 0, Σq = 1
	Graph   *graph.Graph // Σ q_k W_k
	// Prediction has a column for each label vector: K(q)_(all,l)·(K_ll + γI)⁻¹·y.
	Prediction *mat.Dense

	Objective float64 // F(q)
	// Gap is q·∇F − min_k ∂F/∂q_k ≥ F(q) − F*, the certificate of Frank and Wolfe.
	Gap    float64
	Status method.Status
	Steps  int

	Gamma float64 // as given or chosen
	// AtEnd says that the chosen Gamma is the least or largest that was tried.
	AtEnd bool
	// HiddenError is the mean squared error of hidden labels in units of their mean
	// square; NaN if Gamma was given.
	HiddenError float64
	// Joined are the graphs that are not connected. To each of them a weak edge of
	// the same weight was added between all pairs of vertices.
	Joined []int
}

// Combine weighs given graphs on the same vertices by how well they explain labels or
// signals together, after [argyriou2005]. It finds no edges of its own. As a way to learn a
// graph from signals it is seldom better than its best candidate: compare methods by held-out
// signals instead (nervure.Compare). Its use is to predict labels, known at some vertices,
// where several graphs are at hand and none is known to be right.
//
// It finds the convex combination K(q) = Σ q_k K_k of the kernels of graphs, the
// pseudo-inverses of their Laplacians D − W scaled to trace N, that explains labels
// best. Directions of edges are left out. labels is N×M, a label vector in each column; rows of vertices without a
// label are NaN. With l the labelled vertices it minimises
//
//	F(q) = min over f of 1/M Σ_m ‖y_m − f_m(l)‖² + γ·f_mᵀK(q)⁺f_m
//	     = γ/M Σ_m y_mᵀ(K_ll(q) + γI)⁻¹y_m
//
// over q ≥ 0, Σq = 1, a convex problem, by Newton's method on the graphs with weight.
// Constants have kernel zero: remove the mean of labels (Center), or that of each
// vertex over its signals, before. If ctx ends, Combine returns the best weights so far with the cause.
func Combine(ctx context.Context, graphs []*graph.Graph, labels *mat.Dense, o CombineOptions) (*Combination, error) {
	labelled, err := checkCombined(graphs, labels, &o)
	if err != nil {
		return nil, err
	}
	graphs = slices.Clone(graphs)
	for k, g := range graphs {
		graphs[k] = g.Undirected()
	}
	_, m := labels.Dims()
	means := make([]float64, m)
	if o.Center {
		labels, means = centred(labels, labelled)
	}
	if !slices.ContainsFunc(labelled, func(i int) bool { return floats.Norm(labels.RawRowView(i), 2) > 0 }) {
		return nil, input.Errorf(combineOp, input.Signals, "all labels are the same: they do not tell graphs apart")
	}
	p := &combineProblem{threads: linalg.Threads(o.Threads), n: graphs[0].Vertices(), labels: labels}
	r := &Combination{Gamma: o.Gamma, HiddenError: math.NaN()}
	for k, g := range graphs {
		kernel, joined, err := kernelOf(g, p.threads)
		if err != nil {
			return nil, err
		}
		if joined {
			r.Joined = append(r.Joined, k)
		}
		p.kernels = append(p.kernels, kernel)
	}
	if o.Gamma == 0 {
		if err := p.chooseGamma(ctx, labelled, o, r); err != nil {
			return nil, err
		}
	}
	s := p.minimise(ctx, labelled, r.Gamma, nil)
	r.Weights, r.Objective, r.Gap, r.Status, r.Steps = s.q, s.objective, s.gap, s.status, s.steps
	r.Prediction = p.predict(s)
	r.Prediction.Apply(func(_, k int, v float64) float64 { return v + means[k] }, r.Prediction)
	r.Graph = mixture(graphs, s.q)
	return r, context.Cause(ctx)
}

// checkCombined refuses what cannot be weighed, fills in what o leaves out, and returns the
// vertices that have labels.
func checkCombined(graphs []*graph.Graph, labels *mat.Dense, o *CombineOptions) ([]int, error) {
	switch {
	case len(graphs) < 2 || len(graphs) > mostCombinedGraphs:
		return nil, input.Errorf(combineOp, "graphs", "got %d, want 2 to %d", len(graphs), mostCombinedGraphs)
	case !(o.Gamma >= 0) || math.IsInf(o.Gamma, 0):
		return nil, input.Errorf(combineOp, fieldGamma, "got %g, want a positive number, or 0 to choose it", o.Gamma)
	case o.Folds < 0 || o.Folds == 1:
		return nil, input.Errorf(combineOp, input.Folds, "got %d, want at least 2", o.Folds)
	case o.Threads < 0:
		return nil, input.Errorf(combineOp, "threads", "got %d, want at least 0", o.Threads)
	case labels == nil || labels.IsEmpty():
		return nil, input.Errorf(combineOp, input.Signals, "got none")
	}
	names := graphs[0].Names()
	for k, g := range graphs {
		switch {
		case !slices.Equal(g.Names(), names):
			return nil, input.Errorf(combineOp, "graphs", "graph %d has other vertices than the first", k+1)
		case g.EdgeCount() == 0:
			return nil, input.Errorf(combineOp, "graphs", "graph %d has no edges", k+1)
		case g.Negative() > 0:
			return nil, input.Negative(combineOp, input.Field(fmt.Sprintf("graph %d", k+1)), g.Negative(), "mixtures of graphs need")
		}
	}
	if n, _ := labels.Dims(); n != len(names) {
		return nil, input.Errorf(combineOp, input.Vertices, "got labels on %d, want %d", n, len(names))
	}
	if len(names) > mostCombinedVertices {
		return nil, input.Errorf(combineOp, input.Vertices, "got %d, want at most %d", len(names), mostCombinedVertices)
	}
	o.Folds, o.Seed = cmp.Or(o.Folds, 5), cmp.Or(o.Seed, 1)
	return labelledOf(labels, names)
}

// labelledOf returns the vertices that have labels, all or none of them each.
func labelledOf(labels *mat.Dense, names []string) ([]int, error) {
	var labelled []int
	for i, name := range names {
		missing := 0
		row := labels.RawRowView(i)
		for _, v := range row {
			switch {
			case math.IsNaN(v):
				missing++
			case math.IsInf(v, 0):
				return nil, input.Completef(combineOp, input.Signals, "vertex %q: %g is not a finite number", name, v)
			}
		}
		switch missing {
		case 0:
			labelled = append(labelled, i)
		case len(row):
		default:
			return nil, input.Completef(combineOp, input.Signals, "vertex %q has %d of %d labels: give all or none",
				name, len(row)-missing, len(row))
		}
	}
	if len(labelled) < 2 {
		return nil, input.Completef(combineOp, input.Signals, "%d of %d vertices have labels, want at least 2", len(labelled), len(names))
	}
	return labelled, nil
}

// centred returns labels without the mean of each column over the labelled vertices,
// and the means.
func centred(labels *mat.Dense, labelled []int) (*mat.Dense, []float64) {
	_, m := labels.Dims()
	means := make([]float64, m)
	for _, i := range labelled {
		linalg.Axpy(1/float64(len(labelled)), labels.RawRowView(i), means)
	}
	rest := mat.DenseCopyOf(labels)
	rest.Apply(func(_, k int, v float64) float64 { return v - means[k] }, rest)
	return rest, means
}

// mixture returns the graph with weights Σ q_k W_k.
func mixture(graphs []*graph.Graph, q []float64) *graph.Graph {
	sum := map[[2]int]float64{}
	for k, g := range graphs {
		for _, e := range g.Edges() {
			sum[[2]int{e.I, e.J}] += q[k] * e.Weight // in the order of the graphs
		}
	}
	var edges []graph.Edge
	for pair, weight := range sum {
		edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: weight})
	}
	g, err := graph.New(graphs[0].Names(), edges) // which sorts them
	if err != nil {
		panic(err) // sums of weights of graphs: a bug of ours
	}
	return g
}

// Classes turns the classes of vertices, "" where none is known, into label vectors
// for [Combine]: one for each class, in the order of their names, with 1 in it and −1
// in the others.
func Classes(of []string) (names []string, labels *mat.Dense) {
	for _, name := range of {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	labels = mat.NewDense(len(of), max(1, len(names)), nil)
	labels.Apply(func(i, k int, _ float64) float64 {
		switch of[i] {
		case "":
			return math.NaN()
		case names[k]:
			return 1
		}
		return -1
	}, labels)
	return names, labels
}

// NearestClasses returns for each row of a prediction the class with the largest entry, the
// first of equals.
func NearestClasses(names []string, prediction *mat.Dense) []string {
	n, _ := prediction.Dims()
	classes := make([]string, n)
	for i := range classes {
		best, row := 0, prediction.RawRowView(i)
		for k, v := range row {
			if v > row[best] {
				best = k
			}
		}
		classes[i] = names[best]
	}
	return classes
}

// gammas are the values that are tried.
var gammas = []float64{1e-2, 1e-2 * math.Sqrt2 * math.Sqrt(5), 1e-1, 1e-1 * math.Sqrt2 * math.Sqrt(5), 1, math.Sqrt2 * math.Sqrt(5), 10}

// predict returns K(q)_(all,l)·(K_ll + γI)⁻¹·y for all label vectors.
func (p *combineProblem) predict(s *solution) *mat.Dense {
	f := mat.NewDense(p.n, s.solved.Cols, nil)
	p.threads.Mul(f.RawMatrix(), p.mixed(s.q, matrix.Span(0, p.n), s.labelled), s.solved)
	return f
}

// chooseGamma hides labelled vertices a fold at a time and takes the γ that predicts
// their labels best.
func (p *combineProblem) chooseGamma(ctx context.Context, labelled []int, o CombineOptions, r *Combination) error {
	folds := min(o.Folds, len(labelled))
	fold := make([]int, p.n)
	for k, at := range rng.Stream(o.Seed, "hidden labels").Perm(len(labelled)) {
		fold[labelled[at]] = k % folds
	}
	start := make([][]float64, folds) // the weights found last
	best, least := -1, math.Inf(1)
	for k, gamma := range gammas {
		var left, energy float64
		for f := range folds {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			seen := slices.DeleteFunc(slices.Clone(labelled), func(v int) bool { return fold[v] == f })
			s := p.minimise(ctx, seen, gamma, start[f])
			start[f] = s.q
			predicted := p.predict(s)
			for _, v := range labelled {
				if fold[v] == f {
					y, x := p.labels.RawRowView(v), predicted.RawRowView(v)
					energy += linalg.Dot(y, y)
					for m := range y {
						left += (y[m] - x[m]) * (y[m] - x[m])
					}
				}
			}
		}
		if left/energy < least {
			best, least = k, left/energy
		}
	}
	r.Gamma, r.HiddenError, r.AtEnd = gammas[best], least, best == 0 || best == len(gammas)-1
	return nil
}
