package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/solver"
)

// simpleMethods lists the methods that compare rows of signals directly.
func simpleMethods() []Method {
	neighbours := Param{"k", "nearest neighbours of each vertex; zero means 6"}
	return []Method{
		{
			Name: methodCorrelation, About: "absolute correlation, the heaviest edges kept",
			Params: []Param{{"degree", "edges kept for each vertex on average, by the method's own cut; zero means 6"}},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				return learnCorrelation(ctx, p.Y, CorrelationOptions{Degree: params["degree"], Cut: p.Cut})
			},
		},
		{
			Name: methodNeighbours, About: "the most correlated vertices of each vertex",
			Params: []Param{neighbours},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				k, err := wholeParam(methodNeighbours, "k", params)
				if err != nil {
					return nil, err
				}
				return learnNeighbours(ctx, p.Y, NeighbourOptions{Neighbours: k, Cut: p.Cut})
			},
		},
		{
			Name: methodGaussian, About: "Gaussian of the distance between rows, of the width of the median distance",
			Params: []Param{{"width", "σ in median distances; zero means 1"}, neighbours},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				k, err := wholeParam(methodGaussian, "k", params)
				if err != nil {
					return nil, err
				}
				return learnGaussian(ctx, p.Y, GaussianOptions{Width: params["width"], Neighbours: k, Cut: p.Cut})
			},
		},
	}
}

const (
	methodCorrelation = "correlation"
	methodNeighbours  = "knn"
	methodGaussian    = "gaussian-kernel"
)

// defaultDegree is how many edges a vertex has by default, on average: that of
// the graphs in [maretic2017].
const defaultDegree = 6

// tieSlack is the relative difference up to which similarities count as equal,
// so that rounding, and with it the order of vertices, decides nothing.
const tieSlack = 1e-12

// wholeParam returns a parameter that must be a whole number.
func wholeParam(method, name string, params Params) (int, error) {
	v := params[name]
	if v != math.Trunc(v) || v > math.MaxInt32 {
		return 0, &input.Error{Op: method, Field: input.Field(name), Msg: fmt.Sprintf("got %g, want a whole number", v)}
	}
	return int(v), nil
}

// checkNumbers reports the number that no method can use.
func checkNumbers(method string, numbers Params) error {
	for name, v := range numbers {
		if !(v >= 0) || math.IsInf(v, 0) {
			return &input.Error{Op: method, Field: input.Field(name), Msg: fmt.Sprintf("got %g, want a number of at least 0", v)}
		}
	}
	return nil
}

// correlations returns the correlation of rows over the pairs, 0 where a row
// does not vary. If ctx ends, the pairs not reached are 0 and the cause is returned.
func correlations(ctx context.Context, y *mat.Dense) ([]float64, error) {
	u := standardised(y)
	return overPairs(ctx, u.Rows, func(i, j int) float64 {
		return min(max(floats.Dot(linalg.Row(u, i), linalg.Row(u, j))/float64(u.Cols), -1), 1)
	})
}

// overPairs returns f of each pair. If ctx ends, the pairs not reached are 0 and
// the cause is returned.
func overPairs(ctx context.Context, n int, f func(i, j int) float64) ([]float64, error) {
	values := make([]float64, n*(n-1)/2)
	e := 0
	for i := range n {
		if ctx.Err() != nil {
			return values, context.Cause(ctx)
		}
		for j := i + 1; j < n; j++ {
			values[e] = f(i, j)
			e++
		}
	}
	return values, nil
}

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

// settle makes a result of weights over the pairs: cut as the caller says or, if
// it does not, by own. A cause says that the run was interrupted.
func settle(n int, w []float64, cut graph.Cut, own func(*graph.Graph) *graph.Graph, params Params, cause error) (*Result, error) {
	r := &Result{Weights: fromPairs(n, w), Params: params, Status: solver.Converged}
	if cut == (graph.Cut{}) {
		r.Graph = own(r.Weights)
	} else {
		r.Graph = cut.Apply(r.Weights)
	}
	if cause != nil {
		r.Status = solver.Interrupted
	}
	return r, cause
}
