package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// Edges that only close a triangle. Where j stands between i and k, and what is measured at j is
// not all that matters there (noise, delays, values of the past), i and k still tell something
// about each other beyond what j tells. So an edge i–k that is not clearly beyond chance, and weaker
// than both edges of the path past j that are, is no evidence of an edge, unless the graph has many
// triangles, as those of neighbours on a map do.

const (
	// clearEdge is how many standard errors from zero make a partial correlation clear.
	clearEdge = 2.5
	// closingShare is the share of the weaker edge of a path below which what closes it is no more
	// than may be left of the path.
	closingShare = 0.8
	// enoughSignals is from how many signals for each vertex on, as independent ones, the clear edges are
	// enough to see whether a graph has many triangles.
	enoughSignals = 5
	// manyTriangles is the share of paths of two clear edges that are closed by a clear one in a
	// graph with many triangles.
	manyTriangles = 0.2
)

// withoutClosing cuts the graph of a result of order one, which was learned from signals y: edges that
// only close a triangle go, and the others are fitted again.
func withoutClosing(ctx context.Context, y *mat.Dense, r *method.Result) {
	used, _ := r.Method.(GGL)
	if r.Graph == nil || r.Status == method.Interrupted {
		return
	}
	rest, err := used.restOf(ctx, y)
	if err != nil { // they were learned from, so that only ctx can have ended
		r.Status = method.Interrupted
		return
	}
	edges := r.Graph.Edges()
	n, independent := r.Graph.Vertices(), prepare.EffectiveObservations(rest)
	if independent < enoughSignals*float64(n) {
		return
	}
	kept := withoutDoubtfulClosures(n, edges, clearEdge/math.Sqrt(independent))
	if len(kept) == len(edges) {
		return
	}
	g, status := used.fit().refit(ctx, attractiveMoments(standardised(rest), used.Penalty), kept)
	if r.Status = status; status != method.Interrupted {
		r.Graph = g
	}
}

// withoutDoubtfulClosures returns edges, whose weights are partial correlations, without those that
// only close a triangle, if there are more of them than a tree has. sure is from which weight on one is
// clear; only clear edges make a path.
func withoutDoubtfulClosures(n int, edges []graph.Edge, sure float64) []graph.Edge {
	w := linalg.NewDense(n, n)
	for _, e := range edges {
		w.Data[e.I*n+e.J], w.Data[e.J*n+e.I] = e.Weight, e.Weight
	}
	if len(edges) < n || triangles(w, sure) >= manyTriangles {
		return edges
	}
	return slices.DeleteFunc(slices.Clone(edges), func(e graph.Edge) bool {
		path := strongestPath(w, e.I, e.J)
		return e.Weight < sure && path >= sure && e.Weight < closingShare*path
	})
}

// strongestPath returns the weight of the weaker edge of the strongest path of two edges between i and j.
func strongestPath(w linalg.Dense, i, j int) float64 {
	best := 0.0
	for v, a := range linalg.Row(w, i) {
		best = max(best, min(a, w.Data[j*w.Cols+v]))
	}
	return best
}

// triangles returns the share of paths of two edges that an edge closes, among edges of at least
// some weight.
func triangles(w linalg.Dense, least float64) float64 {
	paths, closed := 0, 0
	for v := range w.Rows {
		near := matrix.Where(linalg.Row(w, v), func(_ int, weight float64) bool { return weight >= least })
		for p, i := range near {
			for _, j := range near[:p] {
				paths++
				if w.Data[i*w.Cols+j] >= least {
					closed++
				}
			}
		}
	}
	return float64(closed) / float64(max(paths, 1))
}
