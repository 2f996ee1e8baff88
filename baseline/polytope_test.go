package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A polytopeCase is a problem that other software has solved: see the README of the oracles.
type polytopeCase struct {
	Name           string
	Vectors        [][]float64
	Simple, Sparse polytopeAnswer
	Projection     struct {
		polytopeAnswer

		Of [][]float64
	}
}

type polytopeAnswer struct {
	Eigenvalues []float64
	Matrix      [][]float64
	Objective   float64
}

// polytope takes the first vector for the one of one sign, and each other for a space.
func (c polytopeCase) polytope() *polytope {
	n := len(c.Vectors)
	all := denseOf(c.Vectors)
	others := mat.DenseCopyOf(all.Slice(0, n, 1, n))
	space := make([]int, n-1)
	for k := range space {
		space[k] = k
	}
	return newPolytope(mat.Col(nil, 0, all), others.RawMatrix(), space)
}

func TestDiffusionMatricesAreThoseOfOtherSoftware(t *testing.T) {
	for _, c := range oracle[polytopeCase](t, "diffusion_polytope") {
		n := len(c.Vectors)
		for choice, want := range map[DiffusionChoice]polytopeAnswer{SimplestDiffusion: c.Simple, SparsestDiffusion: c.Sparse} {
			p := c.polytope()
			x, done := p.minimise(t.Context(), p.cost(choice))
			if !done {
				t.Errorf("%s, choice %d: no proof", c.Name, choice)
			}
			for k, v := range x {
				if math.Abs(v-want.Eigenvalues[k+1]) > 1e-7 {
					t.Errorf("%s, choice %d: eigenvalue %d is %g, want %g", c.Name, choice, k+1, v, want.Eigenvalues[k+1])
				}
			}
			m := p.matrix(x)
			wantEntries(t, c.Name+": T", mat.NewDense(n, n, m.Data), want.Matrix)
			objective := floats.Sum(m.Data)
			if choice == SimplestDiffusion {
				objective = mat.Trace(mat.NewDense(n, n, m.Data))
			}
			if math.Abs(objective-want.Objective) > 1e-9 {
				t.Errorf("%s, choice %d: objective %.12g, want %.12g", c.Name, choice, objective, want.Objective)
			}
		}
		p := c.polytope()
		var point nearestPoint
		point.from(p.coordinates(denseOf(c.Projection.Of).RawMatrix())) // which is symmetric
		if !p.project(t.Context(), &point) {
			t.Errorf("%s: the projection did not end", c.Name)
		}
		near := p.matrix(point.x)
		wantEntries(t, c.Name+": projection", mat.NewDense(n, n, near.Data), c.Projection.Matrix)
		// The oracle's objective is over the eigenvalues alone, λ₀ with them.
		sum := 0.0
		all, of := denseOf(c.Vectors), denseOf(c.Projection.Of)
		for k := range n {
			v := all.ColView(k)
			sum += math.Pow(mat.Inner(v, mat.NewDense(n, n, near.Data), v)-mat.Inner(v, of, v), 2)
		}
		if math.Abs(sum-c.Projection.Objective) > 1e-7 {
			t.Errorf("%s: distance² %.12g, want %.12g", c.Name, sum, c.Projection.Objective)
		}
	}
}
