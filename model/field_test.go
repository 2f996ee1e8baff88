package model

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// aField is a model of the first half of signals of a field of order 2 with noise, learned once, and the other half
// with and without noise.
func aField(t *testing.T) (m *Model, clean, noisy *mat.Dense) {
	t.Helper()
	fieldOnce.Do(func() { fieldModel, fieldClean, fieldNoisy = learnField(t, nervure.Options{}) })
	_, again := written(t, fieldModel)
	return again, fieldClean, mat.DenseCopyOf(fieldNoisy)
}

var (
	fieldOnce              sync.Once
	fieldModel             *Model
	fieldClean, fieldNoisy *mat.Dense
)

func learnField(t *testing.T, o nervure.Options) (m *Model, clean, noisy *mat.Dense) {
	t.Helper()
	g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Weights: synth.UniformWeights, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	spec := synth.FieldSpec{Count: 800, Order: 2, Seed: 2}
	quiet, err := synth.Field(g.Graph, spec)
	if err != nil {
		t.Fatal(err)
	}
	spec.Noise = 0.3
	truth, err := synth.Field(g.Graph, spec)
	if err != nil {
		t.Fatal(err)
	}
	first, last := halves(truth.Signals)
	_, clean = halves(quiet.Signals)
	order2, err := kernel.Parse("matern:2", 15, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	o.Method, o.Kernels = methodOf(t, "field"), []kernel.Kernel{order2}
	if m = Of(learned(t, &nervure.Signals{Y: first}, o)); !m.HasField() {
		t.Fatal("the model has no field")
	}
	return m, clean, last
}

func TestAFieldDenoisesAndFills(t *testing.T) {
	m, clean, noisy := aField(t)
	e, err := m.Expect(&nervure.Signals{Y: noisy})
	if err != nil {
		t.Fatal(err)
	}
	if before, after := distance(noisy, clean), distance(e.Denoised, clean); !(after < 0.85*before) {
		t.Errorf("the noise was %g and is %g", before, after)
	}
	mean := 0.0
	for _, c := range e.ChiSquare {
		mean += c / float64(len(e.ChiSquare))
	}
	if math.Abs(mean-1) > 0.1 || len(e.Unusual) > 4 {
		t.Errorf("signals of the same field have a deviation of %g, and %d of them are unusual", mean, len(e.Unusual))
	}
	gappy := mat.DenseCopyOf(noisy)
	r := rng.Stream(1, "gaps of new signals")
	gappy.Apply(func(_, _ int, v float64) float64 {
		if r.Float64() < 0.2 {
			return math.NaN()
		}
		return v
	}, gappy)
	filled, err := m.Expect(&nervure.Signals{Y: gappy})
	if err != nil {
		t.Fatal(err)
	}
	var left, all float64
	for i := range 25 {
		for k := range 400 {
			if !math.IsNaN(gappy.At(i, k)) {
				continue
			}
			d := filled.Denoised.At(i, k) - clean.At(i, k)
			left, all = left+d*d, all+clean.At(i, k)*clean.At(i, k)
			if !math.IsNaN(filled.Residuals.At(i, k)) {
				t.Fatal("a gap has a residual")
			}
		}
	}
	if !(left < 0.5*all) {
		t.Errorf("gaps are filled with an error of %g", left/all)
	}
}

// A vertex without values, or with one value, has no scale to judge by: what it has later is neither
// unusual nor usual.
func TestVerticesWithNothingToLearnFromAreNotJudged(t *testing.T) {
	_, _, noisy := aField(t)
	n, count := noisy.Dims()
	train := mat.DenseCopyOf(noisy)
	for k := range count {
		train.Set(3, k, math.NaN())
		train.Set(8, k, 5)
	}
	order2, err := kernel.Parse("matern:2", 15, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	_, m := written(t, Of(learned(t, &nervure.Signals{Y: train}, nervure.Options{Method: methodOf(t, "field"), Kernels: []kernel.Kernel{order2}})))
	later := mat.DenseCopyOf(noisy)
	for k := range count {
		later.Set(3, k, 1000+float64(k))
		later.Set(8, k, 70)
	}
	e, err := m.Expect(&nervure.Signals{Y: later})
	if err != nil {
		t.Fatal(err)
	}
	missing := mat.DenseCopyOf(later)
	for k := range count {
		missing.Set(3, k, math.NaN())
		missing.Set(8, k, math.NaN())
	}
	want, err := m.Expect(&nervure.Signals{Y: missing})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(e.ChiSquare, want.ChiSquare) || !slices.Equal(e.Unusual, want.Unusual) || len(e.Unusual) > 4 {
		t.Errorf("%d signals are unusual, and %d without these vertices", len(e.Unusual), len(want.Unusual))
	}
	if names := m.Graph.Names(); !slices.Equal(e.Unjudged, []string{names[3], names[8]}) {
		t.Errorf("not judged: %v", e.Unjudged)
	}
	for i := range n {
		unjudged := i == 3 || i == 8
		if got := e.Residuals.At(i, 5); math.IsNaN(got) != unjudged {
			t.Errorf("vertex %d has the residual %g", i, got)
		}
		if unjudged && e.Denoised.At(i, 5) != later.At(i, 5) {
			t.Errorf("vertex %d is %g, want it as given", i, e.Denoised.At(i, 5))
		}
	}
}

func TestAWrongValueStandsOut(t *testing.T) {
	m, _, noisy := aField(t)
	noisy.Set(7, 11, noisy.At(7, 11)+8)
	e, err := m.Expect(&nervure.Signals{Y: noisy})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(e.Unusual, 11) {
		t.Errorf("the signal is not among the unusual ones %v", e.Unusual)
	}
	if worst := math.Abs(e.Residuals.At(7, 11)); worst < 4 || worst < mat.Max(e.Residuals)-1e-12 {
		t.Errorf("its residual is %g, and the largest %g", worst, mat.Max(e.Residuals))
	}
}

// Whatever the score is by, a file says the same as the model that was written.
func TestTheScoreOfAFieldIsNotBelowThatOfItsEdges(t *testing.T) {
	m, _, noisy := aField(t)
	s := &nervure.Signals{Y: noisy}
	got, err := m.Score(s)
	if err != nil {
		t.Fatal(err)
	}
	byField, byEdges := *m, *m
	byField.scoredByField, byEdges.scoredByField = true, false
	a, errA := byField.Score(s)
	b, errB := byEdges.Score(s)
	if errA != nil || errB != nil || a == b || got != a && got != b || got < max(a, b)-0.5 {
		t.Errorf("the score is %g, by the field %g and by edges %g", got, a, b)
	}
}

func TestDifferencesOfAFieldHaveResidualsOnly(t *testing.T) {
	m, _, noisy := learnField(t, nervure.Options{Prepare: prepare.Options{Difference: nervure.Yes}})
	e, err := m.Expect(&nervure.Signals{Y: noisy})
	if err != nil {
		t.Fatal(err)
	}
	if _, count := e.Residuals.Dims(); e.Denoised != nil || count != 399 || len(e.ChiSquare) != 399 {
		t.Errorf("got %d residuals", count)
	}
}

// A model of the method field without a field says why, and others owe none.
func TestFieldlessSaysWhy(t *testing.T) {
	signed := mat.NewDense(6, 300, nil)
	r := rng.Stream(1, "signed field")
	for k := range 300 {
		v := 0.0
		for i := range 6 { // a chain along which neighbours move against each other
			v = r.NormFloat64() - 0.8*v
			signed.Set(i, k, v)
		}
	}
	_, read := written(t, Of(learned(t, &nervure.Signals{Y: signed}, nervure.Options{Method: methodOf(t, "field")})))
	if m, _, _ := aField(t); m.Fieldless() != "" || read.HasField() || read.Fieldless() == "" {
		t.Errorf("a model with a field says %q, one without %q", m.Fieldless(), read.Fieldless())
	}
	ggl := Of(learned(t, &nervure.Signals{Y: signed}, nervure.Options{Method: methodOf(t, "ggl")}))
	if _, err := ggl.Expect(&nervure.Signals{Y: signed}); ggl.HasField() || ggl.Fieldless() != "" || input.Find(err) == nil {
		t.Errorf("ggl has a field: %v, %q", err, ggl.Fieldless())
	}
}

// Fields in files are not taken on trust.
func TestFieldsInFilesAreChecked(t *testing.T) {
	m, _, _ := aField(t)
	for name, spoil := range map[string]func(m *Model){
		"noise":        func(m *Model) { m.field.Noise = -1 },
		"size":         func(m *Model) { m.field.Size = 0 },
		"scale":        func(m *Model) { m.field.Scale[3] = 0 },
		"means":        func(m *Model) { m.field.Mean = m.field.Mean[1:] },
		"kernel":       func(m *Model) { m.field.Kernel.Name = "poly:1,-0.4" },
		"not a kernel": func(m *Model) { m.field.Kernel.Name = "cold:1" },
	} {
		other, field := *m, *m.field
		other.field = &field
		field.Scale = slices.Clone(field.Scale)
		spoil(&other)
		var b strings.Builder
		if err := other.Write(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(strings.NewReader(b.String())); input.Find(err) == nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A sum of squares of k normal numbers is unusual beyond the quantile of χ² of 0.999.
func TestUnusualIsOneInAThousand(t *testing.T) {
	for count, quantile := range map[float64]float64{20: 45.315, 100: 149.449, 1000: 1143.92} {
		if isUnusual(0.99*quantile, count) || !isUnusual(1.01*quantile, count) {
			t.Errorf("%g values: the quantile is %g", count, quantile)
		}
	}
}
