package assess

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
)

func meanOf(t *testing.T, m SignalModel, y *mat.Dense) (mean float64) {
	t.Helper()
	density := must.Get(m.LogDensity(y))
	for _, v := range density {
		mean += v / float64(len(density))
	}
	return mean
}

// A rising function of the values changes the density by its derivative, and nothing else; a Gaussian
// of the values loses far more.
func TestFreeMarginsFollowTheValues(t *testing.T) {
	const n, m = 6, 4000
	z := fieldSignals(n, m)
	y := mat.DenseCopyOf(z)
	for i := range n {
		_, scale := meanAndScale(z.RawRowView(i))
		for k, v := range z.RawRowView(i) {
			z.Set(i, k, v/scale)
			y.Set(i, k, math.Exp(v/scale))
		}
	}
	half := func(y *mat.Dense, k int) *mat.Dense { return mat.DenseCopyOf(y.Slice(0, n, k*m/2, (k+1)*m/2)) }
	gaussian := must.Get(FullGaussian(half(z, 0)))
	want := meanOf(t, gaussian, half(z, 1))
	for i := range n {
		for _, v := range half(z, 1).RawRowView(i) {
			want -= v / (m / 2) // d log y/dy is 1/y
		}
	}
	free := must.Get(FreeMargins(half(y, 0), nil))
	ofValues := must.Get(FullGaussian(half(y, 0)))
	// Each of the six curves costs some hundredths of a nat.
	got, other := meanOf(t, free, half(y, 1)), meanOf(t, ofValues, half(y, 1))
	if math.Abs(got-want) > 0.5 || other > want-2 {
		t.Errorf("got %g, want %g; a Gaussian of the values has %g", got, want, other)
	}
	// What is expected of a vertex is what its score is expected to be.
	expected := must.Get(free.Predict(half(y, 1), []int{2}))
	known := must.Get(gaussian.Predict(half(z, 1), []int{2}))
	apart, all := 0.0, 0.0
	for k := range m / 2 {
		d := math.Log(max(expected.At(0, k), 1e-3)) - known.At(0, k)
		apart, all = apart+d*d, all+known.At(0, k)*known.At(0, k)
	}
	if apart > 0.1*all {
		t.Errorf("predictions differ by %g of their energy", apart/all)
	}
}

// Signals of different sizes are likelier by a t distribution, by what its density says.
func TestFreeMarginsFollowTheSizes(t *testing.T) {
	const n, m = 6, 2000
	y := fieldSignals(n, m)
	sizes := noise(3, m, "sizes")
	for k := range m {
		s := 0.0
		for i := range 3 {
			s += sizes.At(i, k) * sizes.At(i, k) / 3
		}
		for i := range n {
			y.Set(i, k, y.At(i, k)/math.Sqrt(s))
		}
	}
	free := must.Get(FreeMargins(mat.DenseCopyOf(y.Slice(0, n, 0, m/2)), nil))
	nu := free.(*freeMargins).freedom
	test := mat.DenseCopyOf(y.Slice(0, n, m/2, m))
	got := meanOf(t, free, test)
	free.(*freeMargins).freedom = math.Inf(1)
	if gaussian := meanOf(t, free, test); nu > 8 || got < gaussian+0.1 {
		t.Errorf("ν = %g: %g nats, and %g with a Gaussian", nu, got, gaussian)
	}
}

// A model may see other signals than those that edges are judged by: then its gain is over that of its own signals.
func TestOwnModelsHaveTheirOwnSignals(t *testing.T) {
	y := fieldSignals(5, 60)
	other := mat.DenseCopyOf(y)
	other.Scale(7, other)
	hold := func(o HeldOutOptions, y *mat.Dense) *HeldOut {
		return must.Get(HoldOut(t.Context(), y, fullLearner, o))
	}
	a, b := hold(HeldOutOptions{Folds: 2}, y), hold(HeldOutOptions{Folds: 2, Learned: other}, y)
	for k, want := range a.ModelGain {
		if math.Abs(b.ModelGain[k]-want) > 1e-6*(1+math.Abs(want)) || b.Gain[k] != a.Gain[k] {
			t.Fatalf("signal %d: got %g and %g, want %g and %g", k, b.ModelGain[k], b.Gain[k], want, a.Gain[k])
		}
	}
}

// fullLearner learns no edges and a Gaussian of its own.
func fullLearner(_ context.Context, y *mat.Dense) (*graph.Graph, SignalModel, error) {
	n, _ := y.Dims()
	g, err := graph.New(graph.DefaultNames(n), nil)
	if err != nil {
		return nil, nil, err
	}
	own, err := FullGaussian(y)
	return g, own, err
}
