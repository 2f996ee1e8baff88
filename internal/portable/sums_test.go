package portable

import (
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/internal/rng"
)

// wild are numbers of many sizes and both signs, whose sums round in every step.
func wild(n int, seed uint64) []float64 {
	r := rng.Stream(seed, "wild")
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64() * math.Exp2(float64(r.IntN(12)))
	}
	return x
}

// On x86-64 the oracle is gonum's assembly.
func TestSumsRoundAlikeOnAllProcessors(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("gonum has another order on other processors")
	}
	for n := range 70 {
		x, y := wild(n+1, uint64(n))[:n], wild(n, uint64(n)+1000)
		if got, want := dotGo(x, y), Dot(x, y); got != want {
			t.Errorf("Dot of %d: %v in Go, %v in assembly", n, got, want)
		}
		for _, x := range [][]float64{x, append([]float64{0}, x...)[1:]} { // at either place
			if got, want := sumGo(x), Sum(x); got != want {
				t.Errorf("Sum of %d: %v in Go, %v in assembly", n, got, want)
			}
		}
	}
}

func TestSums(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	if got := Sum(x); got != 66 {
		t.Errorf("Sum = %v, want 66", got)
	}
	if got := Mean(x); got != 6 {
		t.Errorf("Mean = %v, want 6", got)
	}
	if got := Dot(x, x); got != 506 {
		t.Errorf("Dot = %v, want 506", got)
	}
}

// The oracle is gonum.
func TestMeanVariance(t *testing.T) {
	for n := 2; n < 40; n++ {
		x := wild(n, uint64(n))
		for i := range x {
			x[i] += 1e6 // so that deviations cancel
		}
		mean, variance := MeanVariance(x)
		wantMean, want := stat.MeanVariance(x, nil)
		if math.Abs(mean-wantMean) > 1e-15*math.Abs(wantMean) || math.Abs(variance-want) > 1e-12*want {
			t.Errorf("%d numbers: got %v and %v, want %v and %v", n, mean, variance, wantMean, want)
		}
		mean, variance = PopMeanVariance(x)
		if _, want := stat.PopMeanVariance(x, nil); mean != wantMean && math.Abs(mean-wantMean) > 1e-15*math.Abs(wantMean) || math.Abs(variance-want) > 1e-12*want {
			t.Errorf("all of %d numbers: got %v and %v, want %v and %v", n, mean, variance, wantMean, want)
		}
	}
	if _, variance := MeanVariance([]float64{1}); !math.IsNaN(variance) {
		t.Errorf("one number has the variance %v, want NaN", variance)
	}
}
