package intake

import (
	"iter"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// The means of the sample and of the rest are those of what is measured, apart from a signal that is far out of scale,
// and they are told from each other where the rest is larger.
func TestTheRestIsComparedWithTheSample(t *testing.T) {
	const n, m, some = 6, 400, 100
	for _, larger := range []bool{false, true} {
		y := chain(n, m, 0, 0, 1)
		y.Apply(func(i, k int, v float64) float64 {
			switch {
			case k == m-1:
				return 1e6 * v
			case larger && k >= m/2:
				return 3 * v
			}
			return v
		}, y)
		chosen := signals.Sample(m/2, some)
		whole := &signals.Whole{Signals: m, Chosen: chosen, Blocks: func() iter.Seq2[*mat.Dense, error] { return blocksOf(y) }}
		given := &signals.Set{Y: matrix.Columns(y, chosen), Whole: whole}
		s := must.Get(ForLearning(t.Context(), given, Request{Prepare: prepare.None()}))
		size := func(y *mat.Dense) ([]float64, error) {
			_, m := y.Dims()
			sizes := make([]float64, m)
			for k := range sizes {
				sizes[k] = mat.Norm(y.ColView(k), 2)
			}
			return sizes, nil
		}
		check := &RestCheck{Learned: some, All: m}
		if err := check.Compare(t.Context(), whole, s, prepare.MaskFaults, size); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, v := range must.Get(size(given.Y)) {
			want += v / some
		}
		if math.Abs(check.Sample.Mean-want) > 1e-12 || check.Agrees == larger || check.OutOfScale != 1 || check.Checked != m-some {
			t.Errorf("larger %t: got %+v, want a mean of %g", larger, check, want)
		}
		if said := check.String(); strings.Contains(said, "does not agree") != larger || !strings.Contains(said, "1 signal far larger") {
			t.Errorf("larger %t: %s", larger, said)
		}
	}
}
