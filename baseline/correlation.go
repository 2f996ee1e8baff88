package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// Correlation weighs each pair of vertices by |r_ij|, the absolute value of the
// correlation of their signals, means removed.
//
// The method's own cut keeps the N·Degree/2 heaviest edges, and those that tie
// with the last of them. Correlations have no gap to cut at, so the wanted
// degree has to be given.
//
// If ctx ends, the pairs reached so far come with the cause.
type Correlation struct {
	Degree float64 `param:"degree" about:"mean number of edges per vertex, if the cut is the method's own; 0 means 6"`
}

var correlationEntry = registry.Add(method.Entry{
	Default: Correlation{}, About: "the pairs with the largest absolute correlations",
	MostVertices: mostVertices,
})

// Name returns "correlation".
func (Correlation) Name() string { return "correlation" }

// Learn keeps the contract of [method.Method].
func (m Correlation) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return correlationEntry.Run(ctx, m, p, m.learn)
}

func (m Correlation) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Degree = cmp.Or(m.Degree, defaultDegree)
	n, _ := p.Y.Dims()
	w, status := correlations(ctx, p.Y)
	for e, r := range w {
		w[e] = math.Abs(r)
	}
	g := fromPairs(n, w)
	return &method.Result{Method: m, Weights: g, Graph: heaviestWithTies(g, m.Degree), Status: status}, nil
}

// heaviestWithTies keeps the edges that make the wanted mean degree, rounded to
// the nearest number of edges and at least one, and those that tie with the last.
func heaviestWithTies(g *graph.Graph, degree float64) *graph.Graph {
	wanted := max(math.Round(degree*float64(g.Vertices())/2), 1)
	if wanted >= float64(g.EdgeCount()) {
		return g
	}
	level := math.Inf(1)
	for _, e := range g.Strongest(int(wanted)).Edges() {
		level = min(level, e.Weight)
	}
	return g.Above(level * (1 - tieSlack))
}

// KNN joins each vertex to the k others whose signals are nearest once those of
// every vertex have mean 0 and the same length; that squared distance is
// 2(1 − r_ij) in units of the length, so the nearest are the most correlated. A
// pair is an edge if either vertex chooses the other; its weight is the
// similarity (1 + r_ij)/2. Whoever ties with the k-th neighbour is chosen too.
// There is no other cut.
//
// If ctx ends, a graph without edges comes with the cause: neighbours among some
// of the vertices are not those among all.
type KNN struct {
	Neighbours int `param:"k" about:"number of nearest neighbours of each vertex; 0 means 6"` // more than N − 1 means N − 1
}

var knnEntry = registry.Add(method.Entry{
	Default: KNN{}, About: "each vertex with its most correlated vertices",
	MostVertices: mostVertices,
})

// Name returns "knn".
func (KNN) Name() string { return "knn" }

// Learn keeps the contract of [method.Method].
func (m KNN) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return knnEntry.Run(ctx, m, p, m.learn)
}

func (m KNN) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	m.Neighbours = min(cmp.Or(m.Neighbours, defaultDegree), n-1)
	w, status := correlations(ctx, p.Y)
	keep := nearest(n, m.Neighbours, w)
	for e, r := range w {
		w[e] = 0
		if keep[e] && status == method.Converged {
			w[e] = (1 + r) / 2
		}
	}
	return &method.Result{Method: m, Weights: fromPairs(n, w), Status: status}, nil
}

// defaultDegree is how many edges a vertex has by default, on average: that of
// the graphs in [maretic2017].
const defaultDegree = 6

// tieSlack is the relative difference up to which similarities count as equal,
// so that rounding, and with it the order of vertices, decides nothing.
const tieSlack = 1e-12

// nearest marks the pairs of which one vertex is among the k most similar to the
// other; whatever ties with the k-th is among them.
func nearest(n, k int, similarity []float64) []bool {
	keep := make([]bool, len(similarity))
	k = min(k, n-1)
	row := make([]float64, 0, n-1)
	at := func(i, j int) int { return pairIndex(n, min(i, j), max(i, j)) }
	for i := range n {
		row = row[:0]
		for j := range n {
			if j != i {
				row = append(row, similarity[at(i, j)])
			}
		}
		slices.Sort(row)
		level := row[len(row)-k] - tieSlack
		for j := range n {
			if j != i && similarity[at(i, j)] >= level {
				keep[at(i, j)] = true
			}
		}
	}
	return keep
}
