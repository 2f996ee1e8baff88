package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The conditions of the nearest point, from the point alone: it violates nothing, and
// p is away from it in a combination, with no negative factor, of normals that bind.
func TestNearestPointIsOptimal(t *testing.T) {
	for trial := range 10 {
		draw := stream("nearest point", trial)
		n := 2 + draw.IntN(8)
		inner := make([]float64, n) // a point that no constraint excludes
		p := make([]float64, n)
		for k := range n {
			inner[k], p[k] = draw.NormFloat64(), 5*draw.NormFloat64()
		}
		var all []halfspace
		for range 4 * n {
			a := make([]float64, n)
			for k := range a {
				a[k] = draw.NormFloat64()
			}
			all = append(all, halfspace{a, floats.Dot(a, inner) - draw.Float64()})
		}
		all = append(all, all[0], halfspace{all[1].a, all[1].b - 1}) // the same again, and one that follows
		var point nearestPoint
		point.from(p)
		for {
			worst := slices.MinFunc(all, func(g, h halfspace) int { return int(math.Copysign(1, g.excess(point.x)-h.excess(point.x))) })
			if worst.excess(point.x) > -1e-12 {
				break
			}
			if !point.takeIn(worst) {
				t.Fatal("there is a point within all constraints, and none is found")
			}
		}
		away := slices.Clone(point.x)
		floats.Sub(away, p)
		for k, h := range point.active {
			if point.u[k] < 0 || math.Abs(h.excess(point.x)) > 1e-9 {
				t.Errorf("an active constraint has multiplier %g and excess %g", point.u[k], h.excess(point.x))
			}
			floats.AddScaled(away, -point.u[k], h.a)
		}
		if d := floats.Norm(away, math.Inf(1)); d > 1e-8 {
			t.Errorf("the multipliers leave %g unexplained", d)
		}
	}
}

func TestNearestPointKnowsWhenThereIsNone(t *testing.T) {
	var point nearestPoint
	point.from([]float64{0, 0})
	if !point.takeIn(halfspace{[]float64{1, 1}, 2}) {
		t.Fatal("x + y ≥ 2 has points")
	}
	if d := math.Abs(point.x[0]-1) + math.Abs(point.x[1]-1); d > 1e-15 {
		t.Errorf("got %v, want (1, 1)", point.x)
	}
	if point.takeIn(halfspace{[]float64{-1, -1}, -1}) {
		t.Error("x + y is at least 2 and at most 1")
	}
}
