package signals

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
)

// chain returns rows each of which is ρ times the one before and noise, of variance 1,
// with offsets and scales.
func chain(n, m int, rho float64, stream uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(9, stream))
	y := mat.NewDense(n, m, nil)
	for k := range m {
		x := r.NormFloat64()
		for i := range n {
			y.Set(i, k, float64(10*i)+float64(i+1)*x)
			x = rho*x + math.Sqrt(1-rho*rho)*r.NormFloat64()
		}
	}
	return y
}

// What is filled in has the moments of what was there: means, deviations and the
// correlations of a chain, ρ^|i − j|. Means would weaken the correlations of the rows
// with gaps, and conditional means strengthen them.
func TestFillingKeepsMomentsAndCorrelations(t *testing.T) {
	const n, m, rho = 5, 20000, 0.8
	y := chain(n, m, rho, 1)
	holes := mat.DenseCopyOf(y)
	r := rand.New(rand.NewPCG(9, 2))
	for k := range m {
		if r.Float64() < 0.4 {
			holes.Set(2, k, nan)
		}
		if r.Float64() < 0.4 {
			holes.Set(3, k, nan)
		}
	}
	filled, count, _ := FillMissing(t.Context(), holes)
	if count != matrix.Missing(holes) || matrix.Missing(filled) != 0 {
		t.Fatalf("%d were filled of %d, %d are left", count, matrix.Missing(holes), matrix.Missing(filled))
	}
	for i := range n {
		row := matrix.Describe(filled.RawRowView(i))
		if math.Abs(row.Mean-float64(10*i)) > 0.05*float64(i+1) || math.Abs(row.SD/float64(i+1)-1) > 0.02 {
			t.Errorf("vertex %d has mean %g and deviation %g", i, row.Mean, row.SD)
		}
		for j := range i {
			want := math.Pow(rho, float64(i-j))
			// What is given up of correlations takes a little of those filled in.
			if got := stat.Correlation(filled.RawRowView(i), filled.RawRowView(j), nil); math.Abs(got-want) > 0.025 {
				t.Errorf("vertices %d and %d: correlation %.3f, want %.3f", i, j, got, want)
			}
		}
	}
	mat.DenseCopyOf(holes).Apply(func(i, k int, v float64) float64 {
		if !math.IsNaN(v) && filled.At(i, k) != v {
			t.Fatalf("a value that was there was changed")
		}
		return v
	}, holes)
}

func TestFillingIsRepeatable(t *testing.T) {
	y := chain(6, 50, 0.5, 3)
	y.Set(1, 7, nan)
	y.Set(2, 7, nan)
	a, _, _ := FillMissing(t.Context(), y)
	b, _, _ := FillMissing(t.Context(), y)
	if !mat.Equal(a, b) {
		t.Error("the same gaps were filled differently")
	}
}

func TestFillingOfTooLittleIsByMeans(t *testing.T) {
	few := mat.NewDense(2, 3, []float64{1, nan, 3, 4, 5, 9})
	if filled, count, _ := FillMissing(t.Context(), few); count != 1 || filled.At(0, 1) != 2 {
		t.Errorf("got %v", mat.Formatted(filled))
	}
	none := chain(3, 20, 0.5, 4)
	for k := range 20 {
		none.Set(1, k, nan)
	}
	if filled, count, _ := FillMissing(t.Context(), none); count != 20 || filled.At(1, 3) != 0 {
		t.Errorf("a row without a value: %d, %g", count, filled.At(1, 3))
	}
}

// Filling that is stopped fills nothing.
func TestStoppedFillingGivesNothing(t *testing.T) {
	r := rng.Stream(1, "stopped filling")
	y := mat.NewDense(5, 40, nil)
	y.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, y)
	for k := range 20 {
		y.Set(k%5, 2*k, math.NaN())
	}
	want, holes, err := FillMissing(t.Context(), y)
	if err != nil || holes != 20 {
		t.Fatalf("got %d holes, %v", holes, err)
	}
	for looks := 0; ; looks++ {
		filled, count, err := FillMissing(checks.EndsAfter(looks), y)
		if err == nil {
			if looks < 40 || count != holes || !mat.Equal(filled, want) {
				t.Errorf("after %d looks: got other values and no error", looks)
			}
			break
		}
		if filled != nil || count != 0 || !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: got %v, %d and %v", looks, filled, count, err)
		}
	}
}
