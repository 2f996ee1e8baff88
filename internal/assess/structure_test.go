package assess

import (
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

func noise(n, m int, name string) *mat.Dense {
	r := rng.Stream(*seed, name)
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	return y
}

// asMethod returns a result of the sparse method under the contract of all methods.
func asMethod(r *learn.Result) *method.Result {
	return &method.Result{Graph: r.Graph, Weights: r.Weights, Own: r}
}

func goodness(t *testing.T, y *mat.Dense, m learn.Model) *StructureTest {
	t.Helper()
	result, err := learn.Fit(t.Context(), y, m, learn.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := TestStructure(t.Context(), y, result, StructureOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSignalsOfAGraphHaveStructureAndNoiseHasNone(t *testing.T) {
	slow(t)
	if f := goodness(t, noise(20, 100, "no structure"), learn.Model{}); f.Structure {
		t.Errorf("noise is said to have structure: %+v", *f)
	}
	for _, level := range []float64{0, 0.5} {
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: *seed}, learn.PaperModel().Kernels,
			synth.SignalSpec{Count: 200, Sparsity: 3, Noise: level, Seed: *seed})
		if err != nil {
			t.Fatal(err)
		}
		if f := goodness(t, truth.Signals, learn.Model{}); !f.Structure {
			t.Errorf("noise %g: signals of a graph are said to have no structure: %+v", level, *f)
		}
	}
}

// Signals in time are held out in blocks, and none is learned from that is alike to one of them.
// Where rows are independent, or not alike, all others are learned from.
func TestSignalsNextToThoseHeldOutAreNotLearnedFrom(t *testing.T) {
	y := mat.NewDense(5, 2000, nil)
	noises["dependence in time"](y, 1)
	alike := BlockLength(y)
	l := newCrossFit(y, &learn.Result{}, false, StructureOptions{Seed: *seed})
	if alike < 2 || l.gap != alike {
		t.Errorf("a gap of %d signals, where %d count for one", l.gap, alike)
	}
	for first := 0; first+l.gap < 2000; first += gapsPerBlock * alike {
		for k := first; k < min(first+gapsPerBlock*alike, 2000); k++ {
			if l.part[k] != l.part[first] {
				t.Fatalf("signals %d and %d are in different parts", first, k)
			}
		}
	}
	if few := newCrossFit(mat.DenseCopyOf(y.Slice(0, 5, 0, 40)), &learn.Result{}, false, StructureOptions{}); few.gap != 2 {
		t.Errorf("a gap of %d signals on either side of blocks of 5", few.gap)
	}
	if l := newCrossFit(y, &learn.Result{}, false, StructureOptions{Independent: true}); l.gap != 0 || l.part[0] != l.part[alike-1] {
		t.Errorf("independent signals: a gap of %d", l.gap)
	}
	if l := newCrossFit(noise(5, 2000, "no gap"), &learn.Result{}, false, StructureOptions{}); l.gap != 0 {
		t.Errorf("signals that are not alike: a gap of %d", l.gap)
	}
}

func TestSignalsApart(t *testing.T) {
	used, held := []int{0, 1, 2, 3, 6, 7, 8, 9, 13}, []int{4, 5, 10, 11, 12}
	for gap, want := range [][]int{used, {0, 1, 2, 7, 8}, {0, 1}, {0}} {
		if got := apartFrom(slices.Clone(used), held, gap); !slices.Equal(got, want) {
			t.Errorf("%d apart: %v, want %v", gap, got, want)
		}
	}
}

// A score is that of a plain test where values are independent: here, the
// difference of two means in standard errors.
func TestScoresAreInStandardErrors(t *testing.T) {
	a, b := []float64{3, 5, 4, 4}, []float64{1, 3, 2, 2}
	// Both have variance 2/3, so the standard error is √(2/3/4 + 2/3/4) = √(1/3).
	if got, want := standardScore(a, b, 1), 2/0.5773502691896258; got < want-1e-12 || got > want+1e-12 {
		t.Errorf("score %g, want %g", got, want)
	}
	if got, want := standardScore(a, b, 0.25), 1/0.5773502691896258; got < want-1e-12 || got > want+1e-12 {
		t.Errorf("score of dependent values %g, want %g", got, want)
	}
}

func TestShufflingKeepsTheValuesOfEachVertex(t *testing.T) {
	y := noise(5, 40, "to shuffle")
	out := shuffledRows(y, *seed, 0)
	var a, b mat.Dense
	a.Mul(y, mat.NewDense(40, 1, ones(40)))
	b.Mul(out, mat.NewDense(40, 1, ones(40)))
	if !mat.EqualApprox(&a, &b, 1e-12) || mat.Equal(y, out) {
		t.Error("rows have other values, or stayed as they were")
	}
}

func ones(n int) []float64 {
	list := make([]float64, n)
	for k := range list {
		list[k] = 1
	}
	return list
}

func TestTooFewSignalsSayNothing(t *testing.T) {
	y := noise(6, 12, "few")
	result, err := learn.Fit(t.Context(), y, learn.PaperModel(), learn.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = TestStructure(t.Context(), y, result, StructureOptions{})
	if _, ok := errors.AsType[*input.Error](err); !ok {
		t.Errorf("error %v, want an input.Error", err)
	}
}

// Shares of what overflows are no numbers, and no reason to say that there is structure,
// or none.
func TestSignalsOfOtherSizesAreNotJudged(t *testing.T) {
	y := noise(6, 60, "one huge signal")
	for i := range 6 {
		y.Set(i, 0, 1e200*y.At(i, 0))
	}
	result, err := learn.Fit(t.Context(), y, learn.PaperModel(), learn.Options{})
	if err != nil {
		t.Fatal(err)
	}
	test, err := TestStructure(t.Context(), y, result, StructureOptions{})
	if err == nil || err.Error() != "some signals are so much larger than others that the squares of their values overflow" {
		t.Errorf("got %+v and %v, want an error", test, err)
	}
}
