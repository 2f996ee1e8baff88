package baseline

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/solver"
)

// smoothMethods lists the methods that look for the graph on which signals are smooth.
func smoothMethods() []Method {
	degree := Param{"degree", "wanted mean number of neighbours k; 0 means 6"}
	return []Method{
		{
			Name: methodSigRep, Source: "dong2016",
			About: "smooth signals under noise: denoise and learn the Laplacian in turns",
			Params: []Param{
				{"smoothness", "weight a of tr(XᵀLX); 0 means 0.03"},
				{"spread", "weight b of ‖L‖², in units of the mean row energy; 0 means 0.02"},
			},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				return learnSigRep(ctx, p.Y, SigRepOptions{Smoothness: params["smoothness"], Spread: params["spread"], Cut: p.Cut})
			},
		},
		{
			Name: methodSmoothLog, Source: "kalofolias2016",
			About:  "smooth signals, every vertex connected by a logarithmic barrier on its degree",
			Params: []Param{degree, {"theta", "factor θ on the squared distances, whose mean is 1; 0 means by degree"}},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				return learnSmoothLog(ctx, p.Y, SmoothLogOptions{Degree: params["degree"], Theta: params["theta"], Cut: p.Cut})
			},
		},
		{
			Name: methodSmoothL2, Source: "kalofolias2016",
			About:  "smooth signals, weights spread out by a squared penalty",
			Params: []Param{degree, {"spread", "weight a of the penalty, in units of the mean squared distance; 0 means by degree"}},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				return learnSmoothL2(ctx, p.Y, SmoothL2Options{Degree: params["degree"], Spread: params["spread"], Cut: p.Cut})
			},
		},
	}
}

const (
	methodSigRep    = "sigrep"
	methodSmoothLog = "smooth-log"
	methodSmoothL2  = "smooth-l2"
)

// vanishing is the share of the mean positive weight below which the methods'
// own cut drops an edge.
const vanishing = 1e-4

// cutVanishing applies c, or the own cut of the smooth methods if c is zero.
func cutVanishing(c graph.Cut, g *graph.Graph) *graph.Graph {
	if c != (graph.Cut{}) || g.EdgeCount() == 0 {
		return c.Apply(g)
	}
	return g.Above(vanishing * floats.Sum(g.Degrees()) / 2 / float64(g.EdgeCount()))
}

// smoothResult returns the result for weights w over the pairs of n vertices.
func smoothResult(n int, w []float64, c graph.Cut, params Params, run smoothEnding) *Result {
	g := fromPairs(n, w)
	return &Result{Weights: g, Graph: cutVanishing(c, g), Params: params, Iterations: run.iterations, Status: run.status}
}

// A smoothEnding is how an inner run ended.
type smoothEnding struct {
	iterations int
	status     solver.Status
}

// cause returns why ctx ended if the run was interrupted.
func (e smoothEnding) cause(ctx context.Context) error {
	if e.status == solver.Interrupted {
		return context.Cause(ctx)
	}
	return nil
}

// smoothLargest bounds the parameters, and one over them: beyond it lies a
// limiting case that floating point does not tell from its neighbours.
const smoothLargest = 1e9

// checkSmooth reports the parameter that is out of bounds.
func checkSmooth(method string, params Params) error {
	for name, v := range params {
		if v != 0 && !(v >= 1/smoothLargest && v <= smoothLargest) {
			return &input.Error{Op: method, Field: input.Field(name), Msg: fmt.Sprintf("got %g, want 0 or a number from %g to %g", v, 1/smoothLargest, smoothLargest)}
		}
	}
	return nil
}

// unitDistances returns the squared distances between the rows of y over their
// mean. They are all zero if all rows are equal.
func unitDistances(y *mat.Dense) []float64 {
	z := squaredDistances(unscaled(y))
	if mean := floats.Sum(z) / float64(len(z)); mean > 0 {
		for e := range z {
			z[e] /= mean
		}
	}
	return z
}

// smoothDegree is the wanted mean number of neighbours when none is given: that
// of a graph with three edges a vertex.
const smoothDegree = 6

// resolveDegree returns the wanted degree on n vertices, at most n−1.
func resolveDegree(method string, degree float64, n int) (float64, error) {
	switch {
	case degree == 0:
		degree = smoothDegree
	case degree < 1:
		return 0, &input.Error{Op: method, Field: input.Field("degree"), Msg: fmt.Sprintf("got %g, want at least 1", degree)}
	}
	return min(degree, float64(n-1)), nil
}

// missed returns a warning if g has not nearly the wanted degree.
func missed(g *graph.Graph, degree float64) []string {
	got := 2 * float64(g.EdgeCount()) / float64(g.Vertices())
	if math.Abs(got-degree) <= max(0.25*degree, 1) {
		return nil
	}
	return []string{fmt.Sprintf("the mean number of neighbours is %.3g, wanted was %.3g", got, degree)}
}
