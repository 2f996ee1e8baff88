package checks

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// Causal draws a causal graph process ([mei2017]) and the arrows behind it, as many into
// each vertex:
//
//	x_k = A x_{k−1} + later·A² x_{k−2} + w_k
//
// with white noise w. Weights of A have either sign and sizes within a factor of two; the
// spectral radius of the process is 0.9.
func Causal(seed uint64, vertices, arrows, signals int, later float64) (*mat.Dense, *graph.Graph) {
	draw := rng.Stream(seed, "causal process")
	a := mat.NewDense(vertices, vertices, nil)
	for i := range vertices {
		for _, j := range draw.Perm(vertices - 1)[:arrows] {
			if j >= i {
				j++
			}
			a.Set(i, j, (0.5+draw.Float64()/2)*float64(2*draw.IntN(2)-1))
		}
	}
	var eigen mat.Eigen
	eigen.Factorize(a, mat.EigenNone)
	radius := 0.0
	for _, v := range eigen.Values(nil) {
		radius = max(radius, cmplx.Abs(v))
	}
	// Each eigenvalue v of A makes two of the process: v(1 ± √(1 + 4·later))/2.
	a.Scale(0.9/radius*2/(1+math.Sqrt(1+4*later)), a)
	var edges []graph.Edge
	a.Apply(func(i, j int, v float64) float64 {
		if v != 0 {
			edges = append(edges, graph.Edge{I: j, J: i, Weight: math.Abs(v)})
		}
		return v
	}, a)
	g, err := graph.NewDirected(graph.DefaultNames(vertices), edges)
	if err != nil {
		panic(err) // each arrow was drawn once
	}
	const settling = 500 // signals that pass before the process is stationary
	y := mat.NewDense(vertices, signals, nil)
	last, before := mat.NewVecDense(vertices, nil), mat.NewVecDense(vertices, nil)
	for k := range settling + signals {
		// A (x_{k−1} + later·A x_{k−2}) + w_k
		var x, old mat.VecDense
		old.MulVec(a, before)
		x.AddScaledVec(last, later, &old)
		x.MulVec(a, &x)
		for i := range vertices {
			x.SetVec(i, x.AtVec(i)+draw.NormFloat64())
		}
		if before, last = last, &x; k >= settling {
			y.SetCol(k-settling, x.RawVector().Data)
		}
	}
	return y, g
}

// Chain draws a Gaussian field on a chain: each vertex is the one before it and
// something of its own.
func Chain(seed uint64, vertices, signals int) *mat.Dense {
	draw := rng.Stream(seed, "chain")
	y := mat.NewDense(vertices, signals, nil)
	for s := range signals {
		value := 0.0
		for i := range vertices {
			value = 0.8*value + draw.NormFloat64()
			y.Set(i, s, value)
		}
	}
	return y
}
