package nervure

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// assessed learns a graph whose edges have a confidence.
func assessed(t *testing.T, s *Signals, o Options) *Analysis {
	t.Helper()
	o.Confidence = Yes
	return must.Get(Learn(t.Context(), s, o))
}

// surelyTrue returns how many edges are at SureLevel or above, and how many of these
// are true.
func surelyTrue(found, truth *graph.Graph) (right, all int) {
	pairs := truth.Pairs()
	for k, e := range found.Edges() {
		if found.Confidence()[k] >= SureLevel {
			all++
			if slices.Contains(pairs, [2]int{e.I, e.J}) {
				right++
			}
		}
	}
	return right, all
}

// A recording with cycles, trends, gaps and broken sensors gives nearly the graph that
// its field gives alone, and edges that are called sure are.
func TestMessyRecordingsGiveTheGraphOfCleanOnes(t *testing.T) {
	r := must.Get(simulate.Messy(simulate.MessySpec{Seed: 701}))
	score := func(y *mat.Dense) (float64, *Analysis) {
		a := assessed(t, &Signals{Y: y, Times: r.Times}, Options{})
		f1 := must.Get(metrics.EdgeF1(a.Graph, r.Graph))
		return f1, a
	}
	clean, _ := score(r.Clean)
	messy, a := score(r.Signals)
	if messy < clean-0.1 {
		t.Errorf("F1 %.3f, and %.3f clean", messy, clean)
	}
	if right, all := surelyTrue(a.Graph, r.Graph); all < 20 || float64(right) < 0.85*float64(all) {
		t.Errorf("%d of %d sure edges are true", right, all)
	}
	p := a.Preparation
	if !p.Report.Season.Done || len(p.Faults) == 0 || p.Masked == 0 || p.Sensors != prepare.SensorsChecked {
		t.Errorf("got %q, %d faults, %d values masked, sensors %s", p.Report.Sentence(), len(p.Faults), p.Masked, p.Sensors)
	}
}

// Of a sensor whose values another one has as well, in another unit, it is not known whether they
// are its own: no edge of it is sure.
func TestEdgesOfCopiedSensorsAreNotSure(t *testing.T) {
	r := must.Get(simulate.Messy(simulate.MessySpec{Seed: 703, Observations: 1000, Mess: simulate.MessNone}))
	y := mat.DenseCopyOf(r.Signals)
	for k, v := range y.RawRowView(3) {
		y.Set(7, k, 32+1.8*v)
	}
	a := assessed(t, &Signals{Y: y, Times: r.Times}, Options{})
	if len(a.Preparation.Faults) != 1 || a.Preparation.Faults[0].Kind != prepare.Copy {
		t.Fatalf("got %+v", a.Preparation.Faults)
	}
	for k, e := range a.Graph.Edges() {
		if c := a.Graph.Confidence()[k]; c > capCopiedSensor && (e.I == 3 || e.J == 3 || e.I == 7 || e.J == 7) {
			t.Errorf("edge %d–%d has confidence %g", e.I, e.J, c)
		}
	}
}

// Values that are missing and drawn must not make edges: independent vertices have none
// that is sure, however much is missing.
func TestGapsInNoiseMakeNoSureEdges(t *testing.T) {
	const n, m = 20, 120
	y, r := mat.NewDense(n, m, nil), rng.Stream(1, "noise with gaps")
	for i := range n {
		for k := range m {
			y.Set(i, k, r.NormFloat64())
			if r.Float64() < 0.5 {
				y.Set(i, k, math.NaN())
			}
		}
	}
	for _, c := range assessed(t, &Signals{Y: y}, Options{Method: baseline.GGL{}}).Graph.Confidence() {
		if c >= SureLevel {
			t.Errorf("an edge has confidence %g", c)
		}
	}
}

// outlierSample returns a graph of 20 vertices and signals on it, with noise.
func outlierSample(t *testing.T, noise float64) (*graph.Graph, *mat.Dense) {
	t.Helper()
	s := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 3}, kernel.Paper(),
		synth.SignalSpec{Count: 300, Sparsity: 3, Noise: noise, Seed: 3}))
	return s.Graph, s.Signals
}

// One value of ten thousand standard deviations that is kept is listed, and the sum of norms resists it: signals
// without noise prove the graph all the same, and in noise nothing is claimed.
func TestAnOutlierIsListedAndCostsNothing(t *testing.T) {
	for _, noise := range []float64{0, 0.05} {
		truth, y := outlierSample(t, noise)
		y.Set(3, 11, 1e4*mat.Norm(y, 2)/math.Sqrt(20*300))
		a := assessed(t, &Signals{Y: y}, Options{BadSensors: prepare.ReportFaults})
		if len(a.Preparation.Faults) != 1 || !slices.Equal(a.Preparation.Faults[0].Places, []int{11}) ||
			a.Preparation.Faults[0].Vertex != 3 {
			t.Errorf("noise %g: found the faults %+v", noise, a.Preparation.Faults)
		}
		right, sure := surelyTrue(a.Graph, truth)
		if f1 := must.Get(metrics.EdgeF1(a.Graph, truth)); noise > 0 && sure > 0 || noise == 0 &&
			(f1 < 1 || right < truth.EdgeCount()) {
			t.Errorf("noise %g: F1 %.3f, %d of %d sure edges are true, %s", noise, f1, right, sure, a.Verdict)
		}
	}
}

// A signal that is far larger than all others is set aside, and where it is kept no edge
// is called sure: it alone would decide.
func TestASignalOutOfScaleDecidesNothing(t *testing.T) {
	truth, y := outlierSample(t, 0)
	for i := range 20 {
		y.Set(i, 42, 1e4*(y.At(i, 42)+0.1*float64(i)))
	}
	a := assessed(t, &Signals{Y: y}, Options{})
	if f1, err := metrics.EdgeF1(a.Graph, truth); err != nil || f1 < 1 || !slices.Equal(a.Preparation.OutOfScale, []int{42}) {
		t.Errorf("F1 %.3f, %v, %q", f1, err, a.Warnings())
	}
	kept := assessed(t, &Signals{Y: y}, Options{BadSensors: prepare.ReportFaults})
	if kept.Verdict.Grade == Supported {
		t.Errorf("kept: %s", kept.Verdict)
	}
	if kept.Verdict.Grade != Exact && kept.Graph.Confidence() != nil {
		if _, sure := surelyTrue(kept.Graph, truth); sure > 0 {
			t.Errorf("kept: %d edges are called sure", sure)
		}
	}
}

func causalSignals(vertices int) (*Signals, *graph.Graph) {
	y, truth := checks.Causal(1, vertices, 2, 400, 0)
	return &Signals{Y: y, Names: graph.DefaultNames(vertices)}, truth
}

// What the pipeline checks of undirected graphs is not said of a directed one.
func TestADirectedGraphIsNotCheckedByWhatIsForOthers(t *testing.T) {
	s, _ := causalSignals(12)
	a := must.Get(Learn(t.Context(), s, Options{Method: baseline.Causal{}, Confidence: Yes}))
	if a.Verdict.Grade != NotChecked || a.Confidence != nil || a.Graph.Confidence() != nil || a.Structure != nil {
		t.Errorf("verdict %q, confidence %v, structure %v", a.Verdict, a.Confidence, a.Structure)
	}
	if want := "confidence was not computed: for directed graphs it is not known how"; !slices.Contains(a.LearningWarnings, want) {
		t.Errorf("warnings %q, want %q", a.LearningWarnings, want)
	}
	doc := a.Summary()
	if !doc.Directed || !slices.ContainsFunc(doc.Findings, func(s string) bool {
		return strings.Contains(s, "of the arrows are one-way") && strings.Contains(s, "spectral radius")
	}) {
		t.Errorf("directed %t, findings %q", doc.Directed, doc.Findings)
	}
	auto, err := Learn(t.Context(), s, Options{Method: baseline.Causal{}})
	if err != nil || len(auto.Warnings()) > 0 {
		t.Errorf("%q, %v", auto.Warnings(), err)
	}
}

// Held-out signals are predicted without their order, which says nothing about what
// follows from what: such a method is a row, and is not recommended.
func TestAMethodThatUsesTheOrderIsNotRanked(t *testing.T) {
	s, truth := causalSignals(12)
	c := must.Get(Compare(t.Context(), s, CompareOptions{
		Methods: []method.Method{baseline.Causal{}, baseline.Correlation{}},
		Truth:   truth,
	}))
	causal := c.Methods[0]
	if causal.Place != nil || causal.HeldOut != nil || c.Methods[1].Place == nil || c.Ranking.Recommended == "causal" {
		t.Errorf("place %v, recommended %q", causal.Place, c.Ranking.Recommended)
	}
	if want := "not ranked: held-out signals are predicted without regard to their order in time"; !slices.Contains(causal.Warnings,
		want) {
		t.Errorf("warnings %q", causal.Warnings)
	}
	if causal.Score.F1() < 0.8 || causal.Score.True != truth.EdgeCount() || c.Methods[1].Score.True != truth.Undirected().EdgeCount() {
		t.Errorf("scores %+v and %+v", causal.Score, c.Methods[1].Score)
	}
}

// The graph, its confidence and the verdict of independent rows are the same, but for rounding,
// however the rows are shuffled or sorted.
func TestOrderOfIndependentRowsDoesNotMatter(t *testing.T) {
	g := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Seed: 2}))
	field := must.Get(synth.Field(g.Graph, synth.FieldSpec{Law: synth.GaussianField, Count: 150, Seed: 2}))
	y := field.Signals
	_, m := y.Dims()
	want := assessed(t, &Signals{Y: y}, Options{})
	for name, order := range map[string][]int{
		"shuffled":          rng.Stream(2, "rows").Perm(m),
		"sorted by the sum": matrix.Sorted(m, func(a, b int) int { return cmp.Compare(mat.Sum(y.ColView(a)), mat.Sum(y.ColView(b))) }),
	} {
		got := assessed(t, &Signals{Y: matrix.Columns(y, order)}, Options{})
		if got.Verdict.String() != want.Verdict.String() || got.Graph.EdgeCount() != want.Graph.EdgeCount() {
			t.Fatalf("%s: %s, %d edges, want %s, %d", name, got.Verdict, got.Graph.EdgeCount(), want.Verdict, want.Graph.EdgeCount())
		}
		for k, e := range got.Graph.Edges() {
			w := want.Graph.Edges()[k]
			if e.I != w.I || e.J != w.J || math.Abs(e.Weight-w.Weight) > 1e-6 ||
				math.Abs(got.Graph.Confidence()[k]-want.Graph.Confidence()[k]) > 1e-6 {
				t.Fatalf("%s: edge %d is %v, want %v", name, k, e, w)
			}
		}
	}
}

// What follows depends on what rows are, not on who says so: short series, tables and sorted tables give what they
// give if somebody asks for the rows that were found.
func TestRowsFoundCountAsRowsAskedFor(t *testing.T) {
	const n = 5
	found := map[prepare.Rows]int{}
	for _, m := range []int{12, 40} {
		for name, kept := range map[string]float64{"series": 0.7, "table": 0, "sorted table": 0} {
			draw := rng.Stream(4, name)
			y := mat.NewDense(n, m, nil)
			for i := range n {
				for k := range m {
					v := math.Sqrt(1-kept*kept) * draw.NormFloat64()
					if k > 0 {
						v += kept * y.At(i, k-1)
					}
					y.Set(i, k, v)
				}
			}
			if name == "sorted table" {
				y = matrix.Columns(y, matrix.Sorted(m,
					func(a, b int) int { return cmp.Compare(mat.Sum(y.ColView(a)), mat.Sum(y.ColView(b))) }))
			}
			auto := assessed(t, &Signals{Y: y}, Options{})
			rows := auto.Preparation.Rows.Rows
			asked := assessed(t, &Signals{Y: y}, Options{Prepare: prepare.Options{Rows: rows}})
			if found[rows]++; auto.Verdict.String() != asked.Verdict.String() ||
				!mat.Equal(auto.Graph.Adjacency(), asked.Graph.Adjacency()) {
				t.Errorf("%d rows of a %s: %s, and %s where %s rows are asked for", m, name, auto.Verdict, asked.Verdict, rows)
			}
		}
	}
	if found[prepare.RowsTime] == 0 || found[prepare.RowsIndependent] == 0 {
		t.Errorf("rows found: %v, want both kinds", found)
	}
}

// Codes and prepared signals are in the order of the rows that were given.
func TestCodesAreInTheOrderGiven(t *testing.T) {
	g := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: 15, Seed: 3}))
	truth := must.Get(synth.Signals(g.Graph, kernelsOf(t, "heat:2", "highpass:1"), synth.SignalSpec{Count: 120, Sparsity: 3, Seed: 3}))
	a := must.Get(Learn(t.Context(), &Signals{Y: truth.Signals},
		Options{Method: learn.Sparse{}, Prepare: prepare.None(), Structure: No, Confidence: No}))
	if a.Preparation.Rows.Rows != prepare.RowsIndependent || a.Preparation.Order != nil || !mat.Equal(a.Preparation.Y, truth.Signals) {
		t.Fatalf("rows %+v, signals in another order", a.Preparation.Rows)
	}
	score, err := metrics.Support(learn.ResultOf(a.Result).Codes, truth.Codes)
	if err != nil || score.F1() < 0.9 {
		t.Errorf("codes: %+v, %v", score, err)
	}
}

// gridField draws a field of order 2 on a grid of 25 vertices.
func gridField(t *testing.T, count int) *synth.FieldTruth {
	t.Helper()
	g := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Weights: synth.UniformWeights, Seed: 1}))
	return must.Get(synth.Field(g.Graph, synth.FieldSpec{Count: count, Order: 2, Seed: 2}))
}

func parseKernels(t *testing.T, specs ...string) []kernel.Kernel {
	t.Helper()
	var list []kernel.Kernel
	for _, spec := range specs {
		k := must.Get(kernel.Parse(spec, 15, kernel.Taylor))
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
		a := must.Get(Learn(t.Context(), &Signals{Y: truth.Signals}, o))
		s := a.Summary()
		if a.Result.Method != c.method || len(s.Kernels) != 1 || !strings.HasPrefix(s.Kernels[0].Name, c.name) ||
			s.Kernels[0].Name != s.Field.Kernel {
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
	a := must.Get(Learn(t.Context(), &Signals{Y: gridField(t, 1000).Signals},
		Options{Method: baseline.Field{}, Structure: No, Confidence: No}))
	f := a.Field()
	variance := must.Get(f.Variance())
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
		{
			run:  document.Run{Kernels: document.RunKernels{Given: []string{"matern:2"}}, Method: document.RunMethod{Sparsity: 3}},
			want: learn.Sparse{},
		},
		{
			run:  document.Run{Kernels: document.RunKernels{Given: []string{"heat:2"}}, Method: document.RunMethod{Name: "field"}},
			want: baseline.Field{Heat: true, Scale: 2},
		},
		{
			run:  document.Run{Kernels: document.RunKernels{Given: []string{"poly:1,2"}}, Method: document.RunMethod{Name: "field"}},
			says: "poly:1,2 is no kernel of a field: give matern:ALPHA or heat:TAU",
		},
		{
			run:  document.Run{Kernels: document.RunKernels{Given: []string{"matern:2", "matern:1"}}},
			says: "a field has one kernel, and 2 were given",
		},
		{run: document.Run{
			Kernels: document.RunKernels{Given: []string{"matern:2"}},
			Method:  document.RunMethod{Name: "field", Params: document.Params{"order": 4}},
		}, says: "cannot be used together"},
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
		r := &document.Run{
			Version: document.RunVersion, Read: document.RunRead{Files: []string{"-"}},
			Kernels: document.RunKernels{Given: c.kernels}, Compare: &document.RunCompare{Methods: c.methods},
		}
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
		c := must.Get(Compare(t.Context(), &Signals{Y: y},
			CompareOptions{Methods: []method.Method{baseline.GGL{}, baseline.Field{Order: 2}}, Seed: 1}))
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
