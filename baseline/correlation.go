package baseline

import (
	"cmp"
	"context"
	"math"

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
