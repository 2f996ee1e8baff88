package sparse

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// Coding a signal with missing entries is coding what is left of it in what is
// left of the atoms.
func TestMissingEntriesAreAsIfTheirRowsWereNotThere(t *testing.T) {
	const n, atoms, signals, sparsity = 20, 30, 12, 3
	d, _, y := planted("partial", n, atoms, signals, sparsity)
	r := rng.Stream(*seed, "missing")
	for m := range signals - 1 { // the last one stays complete
		for _, i := range r.Perm(n)[:6] {
			y.Set(i, m, math.NaN())
		}
	}
	for _, method := range Methods() {
		o := Options{Method: method, Sparsity: sparsity, Threads: 2}
		got := encode(d, y, o)
		for m := range signals {
			var left []int
			for i := range n {
				if !math.IsNaN(y.At(i, m)) {
					left = append(left, i)
				}
			}
			sub, column := mat.NewDense(len(left), atoms, nil), mat.NewDense(len(left), 1, nil)
			for k, i := range left {
				sub.SetRow(k, d.RawRowView(i))
				column.Set(k, 0, y.At(i, m))
			}
			atom, coef := got.Column(m)
			wantAtom, wantCoef := encode(sub, column, o).Column(0)
			if !slices.Equal(atom, wantAtom) {
				t.Errorf("%s, signal %d: atoms %v, want %v", method, m, atom, wantAtom)
				continue
			}
			for q, c := range coef {
				if math.Abs(c-wantCoef[q]) > 1e-6*math.Abs(wantCoef[q]) {
					t.Errorf("%s, signal %d: coefficient %g, want %g", method, m, c, wantCoef[q])
				}
			}
		}
	}
}

func TestAtomThatIsHardlySeenIsNotChosen(t *testing.T) {
	d := mat.NewDense(3, 2, []float64{
		1, 0,
		1e-3, 1,
		0, 1,
	})
	y := mat.NewDense(3, 1, []float64{math.NaN(), 1, 0})
	got := encode(d, y, Options{Sparsity: 2})
	if atom, _ := got.Column(0); slices.Contains(atom, 0) {
		t.Errorf("atom 0, of which only a thousandth is seen, was chosen: %v", atom)
	}
}
