package groups

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// partialsOf inverts correlations.
func partialsOf(t *testing.T, r *mat.SymDense) []float64 {
	t.Helper()
	n := r.SymmetricDim()
	var inverse mat.Dense
	if err := inverse.Inverse(r); err != nil {
		t.Fatal(err)
	}
	var all []float64
	for _, p := range AllPairs(n) {
		all = append(all, -inverse.At(p[0], p[1])/math.Sqrt(inverse.At(p[0], p[0])*inverse.At(p[1], p[1])))
	}
	return all
}

// Values are the derivative of partial correlations: two units that are h from a mean, on either side, have those
// of that mean and, between them, 2h times the derivative, which central differences give.
func TestValuesAreFirstOrder(t *testing.T) {
	const n, h = 5, 1e-4
	draw := rng.Stream(1, "partial")
	y := drawn(draw, n, 400)
	for k := range 400 {
		y.Set(1, k, y.At(1, k)+y.At(0, k))
		y.Set(2, k, y.At(2, k)-y.At(1, k))
	}
	mean := Correlations(y)
	up, down := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			d := h * draw.NormFloat64()
			up.SetSym(i, j, mean.At(i, j)+d)
			down.SetSym(i, j, mean.At(i, j)-d)
		}
	}
	v, err := OfCorrelations([]string{"a", "b", "c", "d", "e"}, []*mat.SymDense{up, down})
	if err != nil {
		t.Fatal(err)
	}
	at, above, below := partialsOf(t, mean), partialsOf(t, up), partialsOf(t, down)
	for p := range v.Pairs {
		got, want := v.Of.At(0, p)-v.Of.At(1, p), above[p]-below[p]
		if math.Abs(got-want) > 1e-5*h+1e-3*math.Abs(want) || math.Abs(v.Typical[p]-at[p]) > 1e-5 {
			t.Errorf("pair %d: got %g and %g, want %g and %g", p, got, v.Typical[p], want, at[p])
		}
	}
}

// Rows are units with correlations of one observation, and their mean is the value of all.
func TestRowsAreUnitsOfOneObservation(t *testing.T) {
	const n, m = 4, 60
	y := drawn(rng.Stream(2, "rows"), n, m)
	units := make([]*mat.SymDense, m)
	for k := range m {
		units[k] = mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				units[k].SetSym(i, j, y.At(i, k)*y.At(j, k))
			}
		}
	}
	names := []string{"a", "b", "c", "d"}
	rows, err := OfRows(names, y)
	if err != nil {
		t.Fatal(err)
	}
	want, err := OfCorrelations(names, units)
	if err != nil {
		t.Fatal(err)
	}
	for k := range m {
		for p := range rows.Pairs {
			if a, b := rows.Of.At(k, p), want.Of.At(k, p); math.Abs(a-b) > 0.02*(1+math.Abs(b)) { // shrunk by m and m − 1
				t.Fatalf("row %d, pair %d: got %g, want %g", k, p, a, b)
			}
		}
	}
}

// A unit whose sizes are others than those of the mean, as a short block's are, is no other correlation.
func TestSizesOfUnitsAreNoCorrelation(t *testing.T) {
	const r = 0.7
	for _, size := range []float64{0.2, 1, 3} {
		if got := marginalOf(r, size*r, size, size); math.Abs(got-r) > 1e-15 {
			t.Errorf("of size %g: got %g, want %g", size, got, r)
		}
	}
	if got := marginalOf(r, 0.4, 1, 1); got != 0.4 {
		t.Errorf("got %g of a unit of size 1", got)
	}
}

// More vertices than observations are no obstacle, nor are equal vertices.
func TestFewObservations(t *testing.T) {
	const n = 20
	names := make([]string, n)
	var units []*mat.SymDense
	for u := range 4 {
		y := drawn(rng.Stream(uint64(u)+1, "few"), n, 6)
		for k := range 6 {
			y.Set(1, k, y.At(0, k))
		}
		units = append(units, Correlations(y))
	}
	v, err := OfCorrelations(names, units)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
}
