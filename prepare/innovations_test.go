package prepare

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// The predictions of every order solve the equations of Yule and Walker with the
// autocorrelations of the process, and their errors are those of the theory.
func TestAutoregressionOfEveryOrderIsTheBestPrediction(t *testing.T) {
	a := newAutoregression([]float64{0.8, -0.3, 0.2}, nil)
	rho := []float64{1} // from the coefficients of each order in turn
	for p := 1; p < len(a.orders); p++ {
		next := 0.0
		for k, c := range a.orders[p] {
			next += c * rho[p-1-k]
		}
		// The last coefficient is the partial autocorrelation: ρ_p is what makes it so.
		if p > 1 {
			next = a.partial[p-1] * errorOf(a.orders[p-1], rho)
			for k, c := range a.orders[p-1] {
				next += c * rho[p-1-k]
			}
		}
		rho = append(rho, next)
	}
	last := errorOf(a.orders[3], rho)
	for p, coefficients := range a.orders {
		for lag := 1; lag <= p; lag++ {
			sum := 0.0
			for k, c := range coefficients {
				sum += c * rho[max(lag-1-k, k+1-lag)]
			}
			if math.Abs(sum-rho[lag]) > 1e-12 {
				t.Errorf("order %d does not predict lag %d: %g, want %g", p, lag, sum, rho[lag])
			}
		}
		if want := math.Sqrt(last / errorOf(coefficients, rho)); math.Abs(a.scale[p]-want) > 1e-12 {
			t.Errorf("order %d has scale %g, want %g", p, a.scale[p], want)
		}
	}
}

// errorOf returns the variance of the errors of the best prediction.
func errorOf(coefficients, rho []float64) float64 {
	v := 1.0
	for k, c := range coefficients {
		v -= c * rho[k+1]
	}
	return v
}

func TestAutoregressionIsFound(t *testing.T) {
	for _, phi := range []float64{-0.5, 0.3, 0.9, 0.99} {
		y := chainField(rng.Stream(3, "autoregression"), 20, 1000, phi)
		if a := fitAutoregression(context.Background(), y); len(a.partial) == 0 || math.Abs(a.partial[0]-phi) > 0.05 {
			t.Errorf("φ = %g: got %v", phi, a.partial)
		}
	}
	if a := fitAutoregression(context.Background(), chainField(rng.Stream(1, "white"), 20, 300, 0)); !a.none() {
		t.Errorf("white signals: got %v", a.partial)
	}
}

// Innovations of a process whose coefficient is known are those it was made of, from the first
// observation on and after each gap, and values come back from them.
func TestInnovationsAreThoseTheProcessIsMadeOf(t *testing.T) {
	const n, m, phi, level = 4, 200, 0.9, 300
	draw := rng.Stream(2, "innovations")
	made, y := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	for i := range n {
		x := 0.0
		for k := range m {
			e := draw.NormFloat64()
			if x = phi*x + e; k == 0 {
				x = e / math.Sqrt(1-phi*phi)
			}
			made.Set(i, k, e)
			y.Set(i, k, level+x)
		}
	}
	a := newAutoregression([]float64{phi}, []float64{level, level, level, level})
	if got := a.innovations(y); !mat.EqualApprox(got, made, 1e-9) {
		t.Error("the innovations are others")
	}
	gaps := mat.DenseCopyOf(y)
	gaps.Set(1, 50, math.NaN())
	gaps.Set(1, 51, math.NaN())
	gaps.Set(2, 0, math.NaN())
	e := a.innovations(gaps)
	if matrix.Missing(e) != matrix.Missing(gaps) {
		t.Errorf("%d innovations are missing of %d missing values", matrix.Missing(e), matrix.Missing(gaps))
	}
	if got, want := e.At(1, 52), (y.At(1, 52)-level)*math.Sqrt(1-phi*phi); math.Abs(got-want) > 1e-9 {
		t.Errorf("after a gap: got %g, want %g", got, want)
	}
	e.Set(1, 50, 2) // drawn
	e.Set(1, 51, -1)
	e.Set(2, 0, 0)
	back := a.values(e, gaps)
	for i := range n {
		for k := range m {
			want := y.At(i, k)
			switch {
			case i == 1 && k == 50:
				want = level + phi*(y.At(1, 49)-level) + 2
			case i == 1 && k == 51:
				want = level + phi*(phi*(y.At(1, 49)-level)+2) - 1
			case i == 2 && k == 0:
				want = level
			}
			if math.Abs(back.At(i, k)-want) > 1e-9 {
				t.Fatalf("vertex %d, observation %d: got %g, want %g", i, k, back.At(i, k), want)
			}
		}
	}
}

func TestAutoregressionOfARecordIsChecked(t *testing.T) {
	record := TransformRecord{Autoregression: []float64{0.5}, Level: []float64{1, 2}, Mean: []float64{0, 0}, SD: []float64{1, 1}, Varies: []bool{true, true}}
	if _, err := record.Transform([]string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*TransformRecord){
		"a partial autocorrelation of 1": func(r *TransformRecord) { r.Autoregression = []float64{1} },
		"one that is no number":          func(r *TransformRecord) { r.Autoregression = []float64{math.NaN()} },
		"too few levels":                 func(r *TransformRecord) { r.Level = []float64{1} },
		"an endless level":               func(r *TransformRecord) { r.Level = []float64{1, math.Inf(1)} },
	} {
		bad := record
		spoil(&bad)
		if _, err := bad.Transform([]string{"a", "b"}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
