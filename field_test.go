package nervure

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// gridField draws a field of order 2 on a grid of 25 vertices.
func gridField(t *testing.T, count int) *synth.FieldTruth {
	t.Helper()
	g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Weights: synth.UniformWeights, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Field(g.Graph, synth.FieldSpec{Count: count, Order: 2, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

func parseKernels(t *testing.T, specs ...string) []kernel.Kernel {
	t.Helper()
	var list []kernel.Kernel
	for _, spec := range specs {
		k, err := kernel.Parse(spec, 15, kernel.Taylor)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, k)
	}
	return list
}

func TestAFieldHasAKernel(t *testing.T) {
	truth := gridField(t, 400)
	plain := Options{Structure: No, Confidence: No}
	for _, c := range []struct {
		kernels []string
		method  method.Method // as run
		name    string        // of the kernel, or how it begins
	}{
		{nil, baseline.Field{Order: 2}, "matern:2,0."},
		{[]string{"matern:2,0.7"}, baseline.Field{Order: 2, Scale: 0.7}, "matern:2,0.7"},
		{[]string{"heat:3"}, baseline.Field{Heat: true, Scale: 3}, "heat:3"},
	} {
		o := plain
		o.Method, o.Kernels = baseline.Field{}, parseKernels(t, c.kernels...)
		a, err := Learn(t.Context(), &Signals{Y: truth.Signals}, o)
		if err != nil {
			t.Fatal(err)
		}
		s := a.Summary()
		if a.Result.Method != c.method || len(s.Kernels) != 1 || !strings.HasPrefix(s.Kernels[0].Name, c.name) || s.Kernels[0].Name != s.Field.Kernel {
			t.Errorf("%v: got %+v with %+v", c.kernels, a.Result.Method, s.Kernels)
		}
		if f := a.Field(); f == nil || f != s.Field || len(f.Energy) != len(f.Frequency) || f.Size <= 0 {
			t.Errorf("%v: got %+v", c.kernels, f)
		}
		if all := strings.Join(s.Findings, "\n"); !strings.Contains(all, "kernel "+s.Kernels[0].Name) {
			t.Errorf("%v: findings %q do not name the kernel", c.kernels, all)
		}
	}
}

// The energies are those of signals in standard units: they add up to the number of vertices, and
// follow the kernel.
func TestTheKernelOfAFieldFollowsItsSpectrum(t *testing.T) {
	a, err := Learn(t.Context(), &Signals{Y: gridField(t, 1000).Signals}, Options{Method: baseline.Field{}, Structure: No, Confidence: No})
	if err != nil {
		t.Fatal(err)
	}
	f := a.Field()
	variance, err := f.Variance()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for k, l := range f.Frequency {
		sum += f.Energy[k]
		if ratio := f.Energy[k] / variance(l); ratio < 0.4 || ratio > 2.5 {
			t.Errorf("at frequency %g the energy is %g, and the kernel says %g", l, f.Energy[k], variance(l))
		}
	}
	if math.Abs(sum-25) > 1e-6 {
		t.Errorf("the energies add up to %g, want 25", sum)
	}
}

func TestKernelsOfFieldsImplyTheirMethod(t *testing.T) {
	for _, c := range []struct {
		run  document.Run
		want method.Method // of that name; with its parameters if it is that of fields
		says string        // the error, if there is one
	}{
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"matern:2"}}}, want: baseline.Field{Order: 2}},
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"heat:2"}}}, want: learn.Sparse{}},
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"matern:2"}}, Method: document.RunMethod{Sparsity: 3}}, want: learn.Sparse{}},
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"heat:2"}}, Method: document.RunMethod{Name: "field"}}, want: baseline.Field{Heat: true, Scale: 2}},
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"poly:1,2"}}, Method: document.RunMethod{Name: "field"}}, says: "poly:1,2 is no kernel of a field: give matern:ALPHA or heat:TAU"},
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"matern:2", "matern:1"}}}, says: "a field has one kernel, and 2 were given"},
		{run: document.Run{Kernels: document.RunKernels{Given: []string{"matern:2"}}, Method: document.RunMethod{Name: "field", Params: document.Params{"order": 4}}}, says: "cannot be used together"},
	} {
		c.run.Version, c.run.Read.Files = document.RunVersion, []string{"-"}
		o, err := OptionsOf(&c.run)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: got %v, want %q", c.run.Kernels.Given, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c.run.Kernels.Given, err)
			continue
		}
		if _, ok := c.want.(baseline.Field); o.Method.Name() != c.want.Name() || ok && (o.Method != c.want || o.Kernels != nil) {
			t.Errorf("%v: got %+v, want %+v", c.run.Kernels.Given, o.Method, c.want)
		}
		if again, err := o.Run(); err != nil {
			t.Errorf("%v: %v, %+v", c.run.Kernels.Given, err, again)
		}
	}
	if m := methodFor(Options{Kernels: parseKernels(t, "matern:2")}); m != (baseline.Field{}) {
		t.Errorf("the library takes %s", m.Name())
	}
}

func TestKernelsOfFieldsAreCompared(t *testing.T) {
	for _, c := range []struct {
		methods, kernels []string
		want             method.Method // that of fields
		says             string
	}{
		{[]string{"field", "sparse"}, []string{"matern:2"}, baseline.Field{Order: 2}, ""},
		{[]string{"field", "sparse"}, []string{"heat:2"}, baseline.Field{}, ""},
		{[]string{"field", "knn"}, []string{"heat:2"}, nil, "applies only to sparse, maretic2017 or kernel-inversion"},
		{[]string{"field", "knn"}, []string{"matern:2", "matern:1"}, nil, "a field has one kernel"},
	} {
		r := &document.Run{Version: document.RunVersion, Read: document.RunRead{Files: []string{"-"}}, Kernels: document.RunKernels{Given: c.kernels}, Compare: &document.RunCompare{Methods: c.methods}}
		o, err := CompareOptionsOf(r)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v: got %v, want %q", c, err, c.says)
			}
		} else if err != nil || o.Methods[0] != c.want {
			t.Errorf("%v: got %+v, %v", c, o.Methods, err)
		}
	}
}

// The field of order 2 is likelier than the edges of any graph, and a comparison says so, with
// gaps as without.
func TestAFieldIsComparedByItsModel(t *testing.T) {
	whole := gridField(t, 400).Signals
	gappy := mat.DenseCopyOf(whole)
	for k := range 40 {
		gappy.Set(k%5, 10*k, math.NaN())
	}
	var gains []float64
	for name, y := range map[string]*mat.Dense{"whole": whole, "with gaps": gappy} {
		c, err := Compare(t.Context(), &Signals{Y: y}, CompareOptions{Methods: []method.Method{baseline.GGL{}, baseline.Field{Order: 2}}, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if c.Ranking == nil || c.Ranking.Recommended != "field" || !strings.Contains(c.Ranking.Because, "its own model gains") {
			t.Errorf("%s: got %+v", name, c.Ranking)
		}
		for _, row := range c.Document().Methods {
			if (row.CodeGain != nil) != (row.Method == "field") {
				t.Errorf("%s: %s has a gain of its own: %v", name, row.Method, row.CodeGain)
			}
			if row.CodeGain != nil {
				gains = append(gains, *row.CodeGain)
			}
		}
	}
	if len(gains) == 2 && math.Abs(gains[0]-gains[1]) > 0.05*gains[0] {
		t.Errorf("a few gaps change the gain: %v", gains)
	}
}

// A vertex that was set aside and a gap leave the confidence of the others as it was.
func TestConfidenceOfAFieldStandsGapsAndVerticesSetAside(t *testing.T) {
	truth := gridField(t, 400)
	n, m := truth.Signals.Dims()
	y := mat.NewDense(n+1, m, nil)
	for i := range n {
		y.SetRow(i, truth.Signals.RawRowView(i))
	}
	y.Set(3, 5, math.NaN())
	a, err := Learn(t.Context(), &Signals{Y: y}, Options{Method: baseline.Field{}, Structure: No, Confidence: Yes})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Result.Aside) != 1 || a.Confidence == nil {
		t.Fatalf("set aside %v, confidence %v", a.Result.Aside, a.Confidence)
	}
	sure := a.Confidence.AtLeast(SureLevel)
	if sure < 30 {
		t.Errorf("%d of %d edges are sure", sure, a.Graph.EdgeCount())
	}
}
