package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// CorrelationOptions are the options of [Correlation].
type CorrelationOptions struct {
	Degree float64   // of a vertex on average, after the own cut; zero means 6
	Cut    graph.Cut // zero means the own cut
}

// Correlation weighs each pair of vertices by |r_ij|, the absolute value of the
// correlation of their rows of y over the signals, means removed. A row that does
// not vary correlates with nothing.
//
// The method's own cut keeps the N·Degree/2 heaviest edges, and those that tie
// with the last of them. Correlations have no gap to cut at, so the wanted
// degree has to be given.
//
// y is not modified. If ctx ends, the pairs reached so far come with the cause.
func Correlation(ctx context.Context, y *mat.Dense, o CorrelationOptions) (*Result, error) {
	if err := (Problem{Y: y, Cut: o.Cut}).check(methodCorrelation, 2); err != nil {
		return nil, err
	}
	return learnCorrelation(ctx, y, o)
}

// learnCorrelation is Correlation for signals already checked.
func learnCorrelation(ctx context.Context, y *mat.Dense, o CorrelationOptions) (*Result, error) {
	if err := checkNumbers(methodCorrelation, Params{"degree": o.Degree}); err != nil {
		return nil, err
	}
	if o.Degree == 0 {
		o.Degree = defaultDegree
	}
	n, _ := y.Dims()
	w, cause := correlations(ctx, y)
	for e, r := range w {
		w[e] = math.Abs(r)
	}
	own := func(g *graph.Graph) *graph.Graph { return heaviestWithTies(g, o.Degree) }
	return settle(n, w, o.Cut, own, Params{"degree": o.Degree}, cause)
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
