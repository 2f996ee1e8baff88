package local

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// A truth is a field on a grid, whose partial correlations are known.
type truth struct {
	n       int
	factor  mat.Cholesky
	partial map[[2]int]float64
}

// gridField has random weights; the given share of them is negative.
func gridField(t *testing.T, side int, negative float64, draw *rand.Rand) truth {
	t.Helper()
	n := side * side
	precision := mat.NewSymDense(n, nil)
	diagonal := slices.Repeat([]float64{0.1}, n)
	join := func(i, j int) {
		w := 0.5 + draw.Float64()
		diagonal[i] += w
		diagonal[j] += w
		if draw.Float64() < negative {
			w = -w
		}
		precision.SetSym(i, j, -w)
	}
	for i := range n {
		if i%side > 0 {
			join(i-1, i)
		}
		if i >= side {
			join(i-side, i)
		}
	}
	of := truth{n: n, partial: map[[2]int]float64{}}
	for i := range n {
		precision.SetSym(i, i, diagonal[i])
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			if v := precision.At(i, j); v != 0 {
				of.partial[[2]int{i, j}] = -v / math.Sqrt(diagonal[i]*diagonal[j])
			}
		}
	}
	if !of.factor.Factorize(precision) {
		t.Fatal("no field")
	}
	return of
}

// signals draws the field and standardises each row.
func (of truth) signals(m int, draw *rand.Rand) linalg.Dense {
	z := mat.NewDense(of.n, m, nil)
	z.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, z)
	var upper mat.TriDense
	of.factor.UTo(&upper)
	var y mat.Dense
	if err := y.Solve(&upper, z); err != nil {
		panic(err)
	}
	x := linalg.NewDense(of.n, m)
	for i := range of.n {
		row := linalg.Row(x, i)
		mean, variance := portable.PopMeanVariance(y.RawRowView(i))
		for k, v := range y.RawRowView(i) {
			row[k] = (v - mean) / math.Sqrt(variance)
		}
	}
	return x
}

// score returns the F1 of edges, of their signs, too.
func (of truth) score(edges []Edge) float64 {
	right := 0
	for _, e := range edges {
		if of.partial[[2]int{e.I, e.J}]*e.Partial > 0 {
			right++
		}
	}
	return 2 * float64(right) / float64(len(edges)+len(of.partial))
}

// Fields are found whatever signs they have, and nobody says which.
func TestFieldsAreFound(t *testing.T) {
	for _, negative := range []float64{0, 0.3} {
		t.Run(fmt.Sprintf("negative=%g", negative), func(t *testing.T) {
			draw := rng.Stream(1, "local", int(10*negative))
			of := gridField(t, 14, negative, draw)
			fit := Learn(t.Context(), of.signals(1000, draw), Options{Observations: 1000, Threads: 2})
			if f1 := of.score(fit.Kept); f1 < 0.97 || fit.Signed != (negative > 0) {
				t.Errorf("F1 %.3f, signed %t", f1, fit.Signed)
			}
			if !fit.Sample.isGood() {
				t.Errorf("certificate %+v", fit.Sample)
			}
			worst := 0.0
			for _, e := range fit.Kept {
				worst = max(worst, math.Abs(e.Partial-of.partial[[2]int{e.I, e.J}]))
			}
			if worst > 6/math.Sqrt(1000) {
				t.Errorf("a partial correlation is off by %.3f", worst)
			}
		})
	}
}

// Noise has no edges.
func TestNoiseHasNoEdges(t *testing.T) {
	draw := rng.Stream(1, "local noise")
	x := linalg.NewDense(300, 200)
	for k := range x.Data {
		x.Data[k] = draw.NormFloat64()
	}
	for i := range x.Rows {
		row := linalg.Row(x, i)
		mean, variance := portable.PopMeanVariance(row)
		for k, v := range row {
			row[k] = (v - mean) / math.Sqrt(variance)
		}
	}
	if fit := Learn(t.Context(), x, Options{Observations: 200}); len(fit.Kept) > 1 {
		t.Errorf("%d edges", len(fit.Kept))
	}
}

// The number of threads changes nothing, and blocks of the product neither: there is more than one.
func TestFitDoesNotDependOnThreads(t *testing.T) {
	draw := rng.Stream(1, "local threads")
	of := gridField(t, 17, 0.2, draw) // 289 vertices, more than a block
	x := of.signals(300, draw)
	one, three := Learn(t.Context(), x, Options{Observations: 300, Threads: 1}), Learn(t.Context(), x, Options{Observations: 300, Threads: 3})
	if !slices.Equal(one.Found, three.Found) || !slices.Equal(one.Kept, three.Kept) || !slices.Equal(one.Predicted, three.Predicted) || one.Sample != three.Sample {
		t.Error("fits differ")
	}
}

// The candidates of a vertex are those of the largest correlations.
func TestSearchFindsTheLargestCorrelations(t *testing.T) {
	draw := rng.Stream(1, "local search")
	of := gridField(t, 18, 0.3, draw)
	x := of.signals(120, draw)
	for _, signed := range []bool{false, true} {
		l := &learner{x: x, signed: signed, Options: Options{Threads: 2}}
		for i, found := range l.search(t.Context()) {
			wanted := nearest.NewBest(candidates, 0)
			for j := range x.Rows {
				v := portable.Dot(linalg.Row(x, i), linalg.Row(x, j))
				if signed {
					v = math.Abs(v)
				}
				if j != i {
					wanted.Offer(v, j)
				}
			}
			if on := found.Vertices(); !slices.Equal(on, wanted.Vertices()) {
				t.Fatalf("vertex %d, signed %t: got %v", i, signed, on)
			}
		}
	}
}

// If nobody waits any more, there is no graph; if the search is over, there may be one.
func TestLearnStops(t *testing.T) {
	draw := rng.Stream(1, "local stop")
	of := gridField(t, 18, 0, draw)
	x := of.signals(100, draw)
	for _, stage := range []Stage{Searching, Regressing} {
		ctx, cancel := context.WithCancel(t.Context())
		fit := Learn(ctx, x, Options{Observations: 100, Progress: func(s Stage, _ float64) {
			if s == stage {
				cancel()
			}
		}})
		if fit != nil {
			t.Errorf("%s: a graph of what was not learned", stage)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	fit := Learn(ctx, x, Options{Observations: 100, Progress: func(s Stage, _ float64) {
		if s == Checking {
			cancel()
		}
	}})
	if fit == nil || len(fit.Kept) == 0 || fit.Sample.Vertices > 0 {
		t.Errorf("got %+v after the regressions, want a graph without a certificate", fit)
	}
}
