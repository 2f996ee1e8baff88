package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/modelfile"

	"github.com/nervure/nervure"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// learned returns an analysis of signals, without what takes long.
func learned(t *testing.T, s *nervure.Signals, o nervure.Options) *nervure.Analysis {
	t.Helper()
	o.Confidence, o.Structure = nervure.No, nervure.No
	a, err := nervure.Learn(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// written returns a model as it is in a file, and read again.
func written(t *testing.T, m *Model) (text []byte, again *Model) {
	t.Helper()
	var b bytes.Buffer
	if err := document.Write(&b, m.document()); err != nil {
		t.Fatal(err)
	}
	again, err := Read(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), again
}

func methodOf(t *testing.T, name string) method.Method {
	t.Helper()
	e, ok := nervure.MethodByName(name)
	if !ok {
		t.Fatal(name)
	}
	return e.Default
}

// halves splits signals into those learned from and new ones.
func halves(y *mat.Dense) (first, last *mat.Dense) {
	n, m := y.Dims()
	return mat.DenseCopyOf(y.Slice(0, n, 0, m/2)), mat.DenseCopyOf(y.Slice(0, n, m/2, m))
}

// A model that was written and read codes and scores new signals as the analysis does, to
// the last bit, with any preprocessing, missing values and vertices set aside.
func TestModelKeepsEverything(t *testing.T) {
	truth := planted(t, 8, 100, 0.05)
	n, m := truth.Signals.Dims()
	offset := mat.NewDense(n+1, m, nil)
	for i := range n {
		for k := range m {
			offset.Set(i, k, 3*float64(i)+truth.Signals.At(i, k)*math.Pow(2, float64(i%4)))
		}
	}
	for k := range m {
		offset.Set(n, k, 7) // is set aside
	}
	gaps := mat.DenseCopyOf(offset)
	for k := range m / 3 {
		gaps.Set(k%n, 3*k, math.NaN())
	}
	positive := mat.NewDense(n, m, nil)
	positive.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, truth.Signals)
	sparseOnes := learn.Sparse{Model: learn.PaperModel()}
	for name, c := range map[string]struct {
		y *mat.Dense
		o nervure.Options
	}{
		"units, a vertex set aside, gaps":    {gaps, nervure.Options{Method: sparseOnes, Prepare: prepare.Options{Center: nervure.Yes, Scale: nervure.Yes, CommonMode: nervure.Yes}}},
		"logarithms":                         {positive, nervure.Options{Method: sparseOnes, Prepare: prepare.Options{Log: true, LogOffset: 0.5}}},
		"common mode removed by the learner": {truth.Signals, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel(), Options: learn.Options{RemoveCommonMode: true}}}},
		"another method":                     {offset, nervure.Options{Method: methodOf(t, "ggl")}},
	} {
		t.Run(name, func(t *testing.T) {
			first, last := halves(c.y)
			a := learned(t, &nervure.Signals{Y: first}, c.o)
			text, again := written(t, Of(a))
			second, _ := written(t, again)
			if !bytes.Equal(text, second) {
				t.Error("written again, the model is another")
			}
			var plain Model
			if brief, err := json.Marshal(again); err != nil || json.Unmarshal(brief, &plain) != nil || !reflect.DeepEqual(&plain, again) {
				t.Errorf("as plain JSON, the model is another: %v", err)
			}
			score, err := again.Score(&nervure.Signals{Y: last})
			if err != nil {
				t.Fatal(err)
			}
			if direct, err := Of(a).Score(&nervure.Signals{Y: last}); err != nil || direct != score {
				t.Errorf("the score is %v, without the file %v, %v", score, direct, err)
			}
			want, err := Encode(a, &nervure.Signals{Y: last})
			got, fault := again.Encode(&nervure.Signals{Y: last})
			if learn.ResultOf(a.Result) == nil {
				if err == nil || fault == nil || err.Error() != fault.Error() || again.HasCodes() {
					t.Errorf("there are codes: %v, %v", err, fault)
				}
				return
			}
			if err != nil || fault != nil {
				t.Fatal(err, fault)
			}
			if !same(want.Codes.Dense(), got.Codes.Dense()) || !same(want.Denoised, got.Denoised) || want.Explained != got.Explained {
				t.Error("the codes are others")
			}
		})
	}
}

// same reports whether two matrices have the same bits, or NaN in the same places.
func same(a, b *mat.Dense) bool {
	n, m := a.Dims()
	if bn, bm := b.Dims(); bn != n || bm != m {
		return false
	}
	for i := range n {
		for k, v := range a.RawRowView(i) {
			if w := b.At(i, k); v != w && !(math.IsNaN(v) && math.IsNaN(w)) {
				return false
			}
		}
	}
	return true
}

// On the exact graph, codes of new signals without noise reproduce nearly all of them to
// rounding, and the share explained is what the denoised signals say.
func TestModelExplainsNewSignalsOfTheGraph(t *testing.T) {
	truth := planted(t, 15, 400, 0)
	first, last := halves(truth.Signals)
	a := learned(t, &nervure.Signals{Y: first}, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}, Prepare: prepare.None()})
	_, model := written(t, Of(a))
	coded, err := model.Encode(&nervure.Signals{Y: last})
	if err != nil {
		t.Fatal(err)
	}
	n, m := last.Dims()
	exact := 0
	for k := range m {
		d := distance(mat.DenseCopyOf(coded.Denoised.Slice(0, n, k, k+1)), mat.DenseCopyOf(last.Slice(0, n, k, k+1)))
		if d <= 1e-9*mat.Norm(last.Slice(0, n, k, k+1), 2) {
			exact++
		}
	}
	if 10*exact < 9*m { // the search for codes is not exhaustive
		t.Errorf("%d of %d signals are reproduced", exact, m)
	}
	left := distance(coded.Denoised, last) / mat.Norm(last, 2)
	if want := 1 - left*left; math.Abs(coded.Explained-want) > 1e-9 {
		t.Errorf("%g is explained, want %g", coded.Explained, want)
	}
	noisy := mat.DenseCopyOf(last)
	r := rng.Stream(1, "noise of new signals")
	noisy.Apply(func(_, _ int, v float64) float64 { return v + 0.02*r.NormFloat64() }, noisy)
	coded, err = model.Encode(&nervure.Signals{Y: noisy})
	if err != nil {
		t.Fatal(err)
	}
	if before, after := distance(noisy, last), distance(coded.Denoised, last); !(after < 0.9*before) {
		t.Errorf("the noise was %g and is %g", before, after)
	}
}

// The score is the mean over signals of a difference of two multivariate normal log
// densities, of the signals as prepared, whatever order the vertices come in.
func TestScoreIsHeldOutGain(t *testing.T) {
	graphOf := planted(t, 10, 2, 0).Graph
	truth, err := synth.Field(graphOf, synth.FieldSpec{Law: synth.GaussianField, Count: 300, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := graphOf.Vertices()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("sensor %d", i)
	}
	first, last := halves(truth.Signals)
	a := learned(t, &nervure.Signals{Y: first, Names: names}, nervure.Options{Method: methodOf(t, "ggl"), Prepare: prepare.Options{Center: nervure.Yes, Scale: nervure.Yes}})
	_, model := written(t, Of(a))
	got, err := model.Score(&nervure.Signals{Y: last, Names: names})
	if err != nil {
		t.Fatal(err)
	}

	z, _, err := a.Preparation.Report.Transform.Apply(last, nil)
	if err != nil {
		t.Fatal(err)
	}
	byDefinition := model.meanLogRatio(t, z)
	if math.Abs(got-byDefinition) > 1e-9*(1+math.Abs(got)) || !(got > 0) {
		t.Errorf("the score is %g, by normal densities %g", got, byDefinition)
	}

	order := rng.Stream(1, "order").Perm(n)
	turned := &nervure.Signals{Y: matrix.Rows(last, order)}
	for _, i := range order {
		turned.Names = append(turned.Names, names[i])
	}
	if again, err := model.Score(turned); err != nil || again != got {
		t.Errorf("with the vertices in another order the score is %v, not %v: %v", again, got, err)
	}
	if alone, err := model.Score(&nervure.Signals{Y: mat.DenseCopyOf(last.Slice(0, n, 0, 1))}); err != nil || math.IsNaN(alone) {
		t.Errorf("one signal: %v, %v", alone, err)
	}
}

// meanLogRatio is the score of prepared signals from the densities of multivariate normal
// distributions, computed from covariance matrices.
func (m *Model) meanLogRatio(t *testing.T, z *mat.Dense) float64 {
	t.Helper()
	n, count := z.Dims()
	d := m.document()
	theta := mat.NewSymDense(n, nil)
	for i, v := range d.Gaussian.Diagonal {
		theta.SetSym(i, i, v)
	}
	for k, v := range d.Gaussian.Edges {
		theta.SetSym(d.Edges.Source[k], d.Edges.Target[k], v)
	}
	var covariance, scaled mat.Dense
	if err := covariance.Inverse(theta); err != nil {
		t.Fatal(err)
	}
	scale := mat.NewDiagDense(n, d.Gaussian.Scale)
	scaled.Product(scale, &covariance, scale)
	var inverse mat.Dense
	if err := inverse.Inverse(&scaled); err != nil {
		t.Fatal(err)
	}
	logDet, _ := mat.LogDet(&scaled)
	mean := 0.0
	for k := range count {
		x := mat.NewVecDense(n, nil)
		alone := 0.0
		for i, s := range d.Gaussian.Scale {
			x.SetVec(i, z.At(i, k)-d.Gaussian.Mean[i])
			alone -= math.Log(2*math.Pi*s*s)/2 + x.AtVec(i)*x.AtVec(i)/(2*s*s)
		}
		with := -(float64(n)*math.Log(2*math.Pi) + logDet + mat.Inner(x, &inverse, x)) / 2
		mean += (with - alone) / float64(count)
	}
	return mean
}

// Models do not depend on the number of threads.
func TestModelIsTheSameOnAnyThreads(t *testing.T) {
	truth := planted(t, 8, 60, 0.1)
	var first []byte
	for _, threads := range []int{1, 3} {
		a := learned(t, &nervure.Signals{Y: truth.Signals}, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}, Threads: threads})
		text, _ := written(t, Of(a))
		if first == nil {
			first = text
		}
		if !bytes.Equal(text, first) {
			t.Errorf("%d threads write another model", threads)
		}
	}
}

// Where signals have no score or no codes, a sentence says why.
func TestModelSaysWhatItCannotDo(t *testing.T) {
	truth := planted(t, 8, 200, 0.1)
	s := &nervure.Signals{Y: truth.Signals}
	_, causal := written(t, Of(learned(t, s, nervure.Options{Method: methodOf(t, "causal")})))
	if !causal.Graph.Directed() {
		t.Error("the arrows are gone")
	}
	if _, err := causal.Score(s); input.Find(err) == nil {
		t.Errorf("causal: %v", err)
	}
	if _, err := causal.Encode(s); input.Find(err) == nil {
		t.Errorf("causal: %v", err)
	}
	changes := Of(learned(t, s, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}, Prepare: prepare.Options{Difference: prepare.Yes}}))
	if _, err := changes.Score(s); err != nil {
		t.Error(err)
	}
	if _, err := changes.Encode(s); input.Find(err) == nil {
		t.Errorf("differences: %v", err)
	}
	far := mat.DenseCopyOf(truth.Signals)
	far.Scale(1e200, far)
	if _, err := changes.Score(&nervure.Signals{Y: far}); input.Find(err) == nil {
		t.Errorf("far signals: %v", err)
	}
	for name, s := range map[string]*nervure.Signals{
		"none": nil, "too many vertices": {Y: mat.NewDense(9, 3, nil)},
		"other names": {Y: mat.NewDense(8, 3, nil), Names: strings.Fields("a b c d e f g h")},
	} {
		if _, err := changes.Score(s); input.Find(err) == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The order of the edges in a file does not matter.
func TestModelsMayHaveTheirEdgesInAnyOrder(t *testing.T) {
	truth := planted(t, 10, 200, 0.1)
	s := &nervure.Signals{Y: truth.Signals}
	text, model := written(t, Of(learned(t, s, nervure.Options{Method: methodOf(t, "ggl")})))
	d := model.document()
	e, g := &d.Edges, d.Gaussian.Edges
	rng.Stream(1, "order").Shuffle(len(g), func(i, j int) {
		e.Source[i], e.Source[j] = e.Source[j], e.Source[i]
		e.Target[i], e.Target[j] = e.Target[j], e.Target[i]
		e.Weight[i], e.Weight[j] = e.Weight[j], e.Weight[i]
		g[i], g[j] = g[j], g[i]
	})
	e.Source[0], e.Target[0] = e.Target[0], e.Source[0]
	given, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	again, err := newModel(d)
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := written(t, again); !bytes.Equal(second, text) {
		t.Error("written again, the model is another")
	}
	if after, err := json.Marshal(d); err != nil || !bytes.Equal(after, given) {
		t.Errorf("the document was changed: %v", err)
	}
	want, err := model.Score(s)
	if got, fault := again.Score(s); err != nil || fault != nil || got != want {
		t.Errorf("the score is %v, in order %v: %v, %v", got, want, fault, err)
	}
}

// Nothing in a file is taken on trust.
func TestModelsAreCheckedWhenRead(t *testing.T) {
	truth := planted(t, 8, 60, 0.1)
	text, _ := written(t, Of(learned(t, &nervure.Signals{Y: truth.Signals}, nervure.Options{Method: learn.Sparse{Model: learn.PaperModel()}})))
	for name, spoil := range map[string]func(d *modelfile.Document){
		"format 0":                func(d *modelfile.Document) { d.Model = 0 },
		"a newer format":          func(d *modelfile.Document) { d.Model = 2 },
		"a weight of zero":        func(d *modelfile.Document) { d.Edges.Weight[0] = 0 },
		"a negative weight":       func(d *modelfile.Document) { d.Edges.Weight[0] = -1 },
		"a weight less":           func(d *modelfile.Document) { d.Edges.Weight = d.Edges.Weight[1:] },
		"an edge twice":           func(d *modelfile.Document) { e := d.Edges; e.Source[1], e.Target[1] = e.Target[0], e.Source[0] },
		"no vertices":             func(d *modelfile.Document) { d.Vertices = nil },
		"a vertex that is not":    func(d *modelfile.Document) { d.Edges.Target[0] = 99 },
		"a negative vertex":       func(d *modelfile.Document) { d.Edges.Source[0] = -1 },
		"a mean less":             func(d *modelfile.Document) { d.Preparation.Mean = d.Preparation.Mean[1:] },
		"a deviation of zero":     func(d *modelfile.Document) { d.Preparation.Deviation[0] = 0 },
		"nobody set aside":        func(d *modelfile.Document) { d.SetAside = []document.SetAside{{Vertex: "nobody"}} },
		"no kernels":              func(d *modelfile.Document) { d.Codes.Kernels = nil },
		"a kernel of degree 1001": func(d *modelfile.Document) { d.Codes.Kernels[0].Chebyshev = make([]float64, 1002) },
		"sparsity of 0":           func(d *modelfile.Document) { d.Codes.Sparsity = 0 },
		"sparsity of a billion":   func(d *modelfile.Document) { d.Codes.Sparsity = 1 << 30 },
		"codes on arrows":         func(d *modelfile.Document) { d.Directed = true },
		"a negative precision":    func(d *modelfile.Document) { d.Gaussian.Diagonal[2] = -1 },
		"an entry too many":       func(d *modelfile.Document) { d.Gaussian.Edges = append(d.Gaussian.Edges, 1) },
	} {
		var d modelfile.Document
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		spoil(&d)
		spoilt, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Read(bytes.NewReader(spoilt))
		if input.Find(err) == nil || regexp.MustCompile(`graph(\.New\w*)?: |assess\.`).MatchString(err.Error()) {
			t.Errorf("%s: got %v, want a fault without names of Go", name, err)
		}
	}
	for _, text := range []string{"", `{"method": "sparse"}`, `{"model": 1, "vertices": 3}`, `{"model": 1, "signals": 1e99}`} {
		if _, err := Read(strings.NewReader(text)); input.Find(err) == nil {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
