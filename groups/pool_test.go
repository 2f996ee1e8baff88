package groups

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// The prior of variances is found again from variances that were drawn from it.
func TestUsualVarianceIsFoundAgain(t *testing.T) {
	const df, freedom, variance = 19, 8, 0.04
	draw := rng.Stream(1, "variances")
	squares := func(n int) float64 {
		sum := 0.0
		for range n {
			x := draw.NormFloat64()
			sum += x * x
		}
		return sum
	}
	var all []float64
	for range 5_000 {
		own := variance * freedom / squares(freedom)
		all = append(all, own*squares(df)/df)
	}
	if u := usualVariance(all, df); math.Abs(u.df-freedom) > 0.5 || math.Abs(u.variance-variance) > 0.002 {
		t.Errorf("got %+v", u)
	}
	if u := usualVariance([]float64{1, 1, 1}, df); u.df != mostFreedom {
		t.Errorf("equal variances: %+v", u)
	}
	// ψ₁(1) = π²/6, ψ₁(1/2) = π²/2, ψ₁(3) = π²/6 − 5/4
	for x, y := range map[float64]float64{1: math.Pi * math.Pi / 6, 0.5: math.Pi * math.Pi / 2, 3: math.Pi*math.Pi/6 - 1.25} {
		if got := inverseTrigamma(y); math.Abs(got-x) > 1e-9 {
			t.Errorf("ψ₁(%g) is %g, want it of %g", got, y, x)
		}
	}
}

// path returns the correlations of subjects on a path whose weights differ.
func path(subjects, n, rows int, seed uint64) []*mat.SymDense {
	draw := rng.Stream(seed, "path")
	var units []*mat.SymDense
	for range subjects {
		y := mat.NewDense(n, rows, nil)
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = 0.45 * (1 + 0.2*draw.NormFloat64())
		}
		for k := range rows {
			for i := range n {
				x := draw.NormFloat64()
				if i > 0 {
					x += weights[i] * y.At(i-1, k)
				}
				y.Set(i, k, x)
			}
		}
		units = append(units, Correlations(y))
	}
	return units
}

func scored(g *graph.Graph) float64 {
	right := 0
	for _, e := range g.Edges() {
		if e.J == e.I+1 {
			right++
		}
	}
	return 2 * float64(right) / float64(g.EdgeCount()+len(g.Names())-1)
}

// The graph of a group is right where single subjects have too few rows, and a subject's own graph is better for
// what it borrows.
func TestGroupsLendToTheirUnits(t *testing.T) {
	const subjects, n, rows = 15, 12, 40
	names := graph.DefaultNames(n)
	v, err := OfCorrelations(names, path(subjects, n, rows, 3))
	if err != nil {
		t.Fatal(err)
	}
	pool, err := PoolOf(v)
	if err != nil {
		t.Fatal(err)
	}
	g, err := pool.Graph(names)
	if err != nil {
		t.Fatal(err)
	}
	if f1 := scored(g); f1 < 0.95 {
		t.Errorf("group: F1 %.3f", f1)
	}
	pooled, alone := 0.0, 0.0
	for u := range subjects {
		g, err := pool.Unit(v, u, rows)
		if err != nil {
			t.Fatal(err)
		}
		pooled += scored(g) / subjects
		by := &Pool{Pairs: make([]Pooled, len(v.Pairs))} // nothing to borrow: all are edges that vary at will
		for k, p := range v.Pairs {
			by.Pairs[k] = Pooled{I: p[0], J: p[1], Deviation: 100}
		}
		if g, err = by.Unit(v, u, rows); err != nil {
			t.Fatal(err)
		}
		alone += scored(g) / subjects
	}
	if pooled < 0.9 || pooled < alone+0.1 {
		t.Errorf("units: F1 %.3f, alone %.3f", pooled, alone)
	}
	if _, err := PoolOf(valuesOf(drawn(rng.Stream(1, "two"), 2, 3), 3)); err == nil {
		t.Error("two units were pooled")
	}
}
