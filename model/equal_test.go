package model

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// twins returns signals with levels of their own and three more vertices at the end: one with the
// values of vertex 2, and two with those of vertex 5.
func twins(y *mat.Dense) *mat.Dense {
	n, m := y.Dims()
	both := mat.NewDense(n+3, m, nil)
	for i, from := range append(matrix.Span(0, n), 2, 5, 5) {
		for k, v := range y.RawRowView(from) {
			both.Set(i, k, 20+float64(from)+3*v)
		}
	}
	return both
}

// twinModel is a model of the first half of signals with twins, as it is read from a file, and the
// other half.
func twinModel(t *testing.T, y *mat.Dense, m method.Method, kernels ...kernel.Kernel) (*Model, *mat.Dense) {
	t.Helper()
	first, last := halves(twins(y))
	a := learned(t, &nervure.Signals{Y: first}, nervure.Options{Method: m, Kernels: kernels})
	if len(a.Preparation.Equal) != 3 || !a.Graph.HasEdge(2, a.Graph.Vertices()-3) {
		t.Fatalf("equal vertices are %v", a.Preparation.Equal)
	}
	direct := Of(a)
	text, read := written(t, direct)
	if second, _ := written(t, read); !bytes.Equal(text, second) {
		t.Error("written again, the model is another")
	}
	s := &nervure.Signals{Y: last}
	got, err := read.Score(s)
	if want, fault := direct.Score(s); err != nil || fault != nil || got != want {
		t.Errorf("the score is %g, %v, and without the file %g, %v", got, err, want, fault)
	}
	return read, last
}

// missingAt returns signals without the values of some vertices.
func missingAt(y *mat.Dense, vertices ...int) *mat.Dense {
	z := mat.DenseCopyOf(y)
	for _, i := range vertices {
		for k := range z.RawRowView(i) {
			z.Set(i, k, math.NaN())
		}
	}
	return z
}

// fieldTwins is a model of a field with twins, learned once, and new signals.
func fieldTwins(t *testing.T) (m *Model, later *mat.Dense) {
	t.Helper()
	twinsOnce.Do(func() { twinsModel, twinsLater = learnTwins(t) })
	return twinsModel, twinsLater
}

var (
	twinsOnce  sync.Once
	twinsModel *Model
	twinsLater *mat.Dense
)

func learnTwins(t *testing.T) (m *Model, later *mat.Dense) {
	t.Helper()
	_, _, noisy := aField(t)
	order2, err := kernel.Parse("matern:2", 15, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	return twinModel(t, noisy, methodOf(t, "field"), order2)
}

// What is expected of vertices that were learned as one is the same, whichever of them is there, and
// near what they are.
func TestEqualVerticesOfAFieldStandForEachOther(t *testing.T) {
	m, later := fieldTwins(t)
	n, count := later.Dims()
	whole, err := m.Expect(&nervure.Signals{Y: later})
	if err != nil {
		t.Fatal(err)
	}
	for vertex, origin := range map[int]int{n - 3: 2, n - 2: 5, n - 1: 5} {
		off := 0.0
		for k := range count {
			if whole.Denoised.At(vertex, k) != whole.Denoised.At(origin, k) || whole.Residuals.At(vertex, k) != whole.Residuals.At(origin, k) {
				t.Fatalf("in signal %d, vertices %d and %d differ", k, vertex, origin)
			}
			off += math.Abs(whole.Denoised.At(vertex, k)-later.At(vertex, k)) / float64(count)
		}
		if sd := matrix.Describe(later.RawRowView(vertex)).SD; off > 0.7*sd {
			t.Errorf("vertex %d is expected %g off, of a standard deviation of %g", vertex, off, sd)
		}
	}
	if len(whole.Unusual) > 3 || len(whole.Unjudged) > 0 {
		t.Errorf("signals %v are unusual, vertices %v are not judged", whole.Unusual, whole.Unjudged)
	}
	for name, gone := range map[string][]int{"only the first ones": {n - 3, n - 2, n - 1}, "only the others": {2, 5}, "only the last": {5, n - 3, n - 2}} {
		part, err := m.Expect(&nervure.Signals{Y: missingAt(later, gone...)})
		if err != nil {
			t.Fatal(err)
		}
		if !same(part.Denoised, whole.Denoised) || !slices.Equal(part.ChiSquare, whole.ChiSquare) || !slices.Equal(part.Unusual, whole.Unusual) {
			t.Errorf("%s: something else is expected", name)
		}
		for i := range n {
			want := whole.Residuals.At(i, 3)
			if slices.Contains(gone, i) {
				want = math.NaN()
			}
			if got := part.Residuals.At(i, 3); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: vertex %d has the residual %g, want %g", name, i, got, want)
			}
		}
		a, errA := m.Score(&nervure.Signals{Y: later})
		b, errB := m.Score(&nervure.Signals{Y: missingAt(later, gone...)})
		if errA != nil || errB != nil || a != b {
			t.Errorf("%s: the scores are %g and %g, %v, %v", name, a, b, errA, errB)
		}
	}
}

// Equal vertices may differ later, and then the one that does is what is unusual.
func TestAVertexThatIsNoLongerEqualStandsOut(t *testing.T) {
	m, later := fieldTwins(t)
	n, _ := later.Dims()
	for _, at := range []int{2, n - 3, n - 1} {
		wrong := mat.DenseCopyOf(later)
		wrong.Set(at, 11, wrong.At(at, 11)+40)
		e, err := m.Expect(&nervure.Signals{Y: wrong})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(e.Unusual, 11) {
			t.Errorf("vertex %d: the signal is not among the unusual ones %v", at, e.Unusual)
		}
		for i := range n {
			if large := math.Abs(e.Residuals.At(i, 11)); i == at && large < 4 || i >= n-3 && i != at && large > 4 {
				t.Errorf("vertex %d: the residual of %d is %g", at, i, large)
			}
		}
	}
}

func TestEqualVerticesAreCodedAsOne(t *testing.T) {
	truth := planted(t, 12, 120, 0.05)
	m, later := twinModel(t, truth.Signals, learn.Sparse{Model: learn.PaperModel()})
	n, count := later.Dims()
	whole, err := m.Encode(&nervure.Signals{Y: later})
	if err != nil {
		t.Fatal(err)
	}
	others, err := m.Encode(&nervure.Signals{Y: missingAt(later, 2, n-1)})
	if err != nil {
		t.Fatal(err)
	}
	if !same(whole.Denoised, others.Denoised) || whole.Explained != others.Explained {
		t.Error("without some of the equal vertices, something else comes out")
	}
	for k := range count {
		if whole.Denoised.At(n-1, k) != whole.Denoised.At(5, k) || whole.Denoised.At(n-3, k) != whole.Denoised.At(2, k) {
			t.Fatalf("in signal %d, equal vertices differ", k)
		}
	}
	if off, all := distance(whole.Denoised, later), matrix.Describe(later.RawRowView(5)).SD; off > 0.5*all*math.Sqrt(float64(n*count)) {
		t.Errorf("what comes out is %g off", off)
	}
}

// Lists of equal vertices in files are not taken on trust.
func TestEqualVerticesInFilesAreChecked(t *testing.T) {
	m := Of(learned(t, &nervure.Signals{Y: twins(planted(t, 10, 60, 0).Signals)}, nervure.Options{Method: methodOf(t, "ggl")}))
	for name, list := range map[string][]document.EqualVertex{
		"no such vertex":         {{Vertex: "nobody", Origin: "v1"}},
		"no such origin":         {{Vertex: "v1", Origin: "nobody"}},
		"equal to itself":        {{Vertex: "v1", Origin: "v1"}},
		"given twice":            {{Vertex: "v3", Origin: "v1"}, {Vertex: "v3", Origin: "v2"}},
		"an origin that is none": {{Vertex: "v3", Origin: "v2"}, {Vertex: "v2", Origin: "v1"}},
		"a vertex of others":     {{Vertex: "v2", Origin: "v1"}, {Vertex: "v3", Origin: "v2"}},
	} {
		d := m.document()
		d.Equal = list
		if _, err := newModel(d); input.Find(err) == nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
