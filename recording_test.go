package nervure

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/intake"
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
	a, err := Learn(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
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
	r, err := simulate.Messy(simulate.MessySpec{Seed: 701})
	if err != nil {
		t.Fatal(err)
	}
	score := func(y *mat.Dense) (float64, *Analysis) {
		a := assessed(t, &Signals{Y: y, Times: r.Times}, Options{})
		f1, err := metrics.EdgeF1(a.Graph, r.Graph)
		if err != nil {
			t.Fatal(err)
		}
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

// Sensors that break in the same way at the same time are not joined for it.
func TestBrokenSensorsAreNotJoined(t *testing.T) {
	r, err := simulate.Messy(simulate.MessySpec{Seed: 702, Observations: 600, Mess: simulate.MessNone})
	if err != nil {
		t.Fatal(err)
	}
	apart := func() [2]int { // the first two vertices that have no edge and no neighbour in common
		distance := r.Graph.Pairs()
		for i := range r.Graph.Vertices() {
			for j := i + 1; j < r.Graph.Vertices(); j++ {
				near := func(k int) bool {
					return slices.Contains(distance, [2]int{min(i, k), max(i, k)}) && slices.Contains(distance, [2]int{min(j, k), max(j, k)})
				}
				if !slices.Contains(distance, [2]int{i, j}) && !slices.ContainsFunc(indices(r.Graph.Vertices()), near) {
					return [2]int{i, j}
				}
			}
		}
		t.Fatal("all vertices are near")
		return [2]int{}
	}()
	for name, broken := range map[string]func(k int, v float64) float64{
		"codes": func(k int, v float64) float64 {
			if k > 200 && k < 300 {
				return -999
			}
			return v
		},
		"drift": func(k int, v float64) float64 { return v + max(0, float64(k-400)/30) },
	} {
		y := mat.DenseCopyOf(r.Signals)
		for _, i := range apart {
			row := y.RawRowView(i)
			for k := range row {
				row[k] = broken(k, row[k])
			}
		}
		a := assessed(t, &Signals{Y: y, Times: r.Times}, Options{})
		for k, e := range a.Graph.Edges() {
			if c := a.Graph.Confidence()[k]; e.I == apart[0] && e.J == apart[1] && c > 0.5 {
				t.Errorf("%s: they are joined at confidence %g", name, c)
			}
		}
	}
}

func indices(n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = k
	}
	return list
}

// Series that wander far, each by itself, look alike in pairs by chance. However
// strongly, they give no sure edge, and no graph that is called supported.
func TestWanderingSeriesGiveNoSureEdges(t *testing.T) {
	const n, m = 20, 500
	y := mat.NewDense(n, m, nil)
	for i := range n {
		r, x := rng.Stream(5, "walk", i), 0.0
		for k := range m {
			x += r.NormFloat64()
			y.Set(i, k, x)
		}
	}
	for _, difference := range []Choice{Auto, No} {
		a := assessed(t, &Signals{Y: y}, Options{Prepare: prepare.Options{Difference: difference}})
		if a.Verdict.Grade == Supported || a.Verdict.Grade == Exact {
			t.Errorf("differences %s: %s", difference, a.Verdict)
		}
		for _, c := range a.Graph.Confidence() {
			if c >= SureLevel {
				t.Errorf("differences %s: an edge has confidence %g", difference, c)
				break
			}
		}
		if difference == Auto && (a.Preparation.Values == nil || !a.Preparation.Values.Innovations) {
			t.Errorf("learned from values: %v", a.Preparation.Values)
		}
	}
}

// Observations that come several times in a row tell no more than once: confidence
// must not grow by them.
func TestRepeatedObservationsDoNotRaiseConfidence(t *testing.T) {
	const times = 5
	g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 30, EdgeFactor: 2.5, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	field, err := synth.Field(g.Graph, synth.FieldSpec{Law: synth.GaussianField, Count: 100, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	n, m := field.Signals.Dims()
	again := mat.NewDense(n, times*m, nil)
	for i := range n {
		for k := range times * m {
			again.Set(i, k, field.Signals.At(i, k/times))
		}
	}
	mean := func(y *mat.Dense) float64 {
		a := assessed(t, &Signals{Y: y}, Options{Prepare: prepare.Options{Difference: No}})
		sum := 0.0
		for _, c := range a.Graph.Confidence() {
			sum += c
		}
		return sum / float64(len(a.Graph.Confidence()))
	}
	if once, repeated := mean(field.Signals), mean(again); repeated > once+0.05 {
		t.Errorf("the mean confidence is %.3f, and %.3f with each observation %d times", once, repeated, times)
	}
}

// Of a sensor whose values another one has as well, in another unit, it is not known whether they
// are its own: no edge of it is sure.
func TestEdgesOfCopiedSensorsAreNotSure(t *testing.T) {
	r, err := simulate.Messy(simulate.MessySpec{Seed: 703, Observations: 600, Mess: simulate.MessNone})
	if err != nil {
		t.Fatal(err)
	}
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

// Vertices with the same values are learned as one: they have the edges of each other, and one
// between them. The rest of the graph is what it is with one of them.
func TestEqualVerticesAreLearnedAsOne(t *testing.T) {
	const n, twin = 12, 5
	single := checks.Chain(1, n, 300)
	y := mat.NewDense(n+1, 300, nil)
	y.Slice(0, n, 0, 300).(*mat.Dense).Copy(single)
	y.SetRow(n, single.RawRowView(twin))
	alone, joined := assessed(t, &Signals{Y: single}, Options{}), assessed(t, &Signals{Y: y}, Options{})
	if len(joined.Preparation.Faults) != 0 || !slices.Equal(joined.Preparation.Equal, []prepare.Equal{{Vertex: n, Origin: twin}}) {
		t.Fatalf("got %+v and %+v", joined.Preparation.Faults, joined.Preparation.Equal)
	}
	want, heaviest := map[[2]int][2]float64{}, 0.0
	for k, e := range alone.Graph.Edges() {
		value := [2]float64{e.Weight, alone.Graph.Confidence()[k]}
		want[[2]int{e.I, e.J}] = value
		heaviest = max(heaviest, e.Weight)
		switch twin {
		case e.I:
			want[[2]int{e.J, n}] = value
		case e.J:
			want[[2]int{e.I, n}] = value
		}
	}
	want[[2]int{twin, n}] = [2]float64{heaviest, 1}
	got := map[[2]int][2]float64{}
	for k, e := range joined.Graph.Edges() {
		got[[2]int{e.I, e.J}] = [2]float64{e.Weight, joined.Graph.Confidence()[k]}
	}
	if !maps.EqualFunc(got, want, func(a, b [2]float64) bool { // halves may be others
		return math.Abs(a[0]-b[0]) < 1e-9 && math.Abs(a[1]-b[1]) < 0.05
	}) {
		t.Errorf("got %v, want %v", got, want)
	}
	if said := joined.Warnings(); len(said) != 1 || !strings.Contains(said[0], `"v12" and "v5"`) || len(joined.Result.Aside) != 0 {
		t.Errorf("got %q and %v", said, joined.Result.Aside)
	}
	if c := joined.Confidence; c.Graph != joined.Graph {
		t.Error("the confidence is of another graph")
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
	a := assessed(t, &Signals{Y: y}, Options{Method: baseline.GGL{}})
	for _, c := range a.Graph.Confidence() {
		if c >= SureLevel {
			t.Errorf("an edge has confidence %g", c)
		}
	}
}

// outlierSample returns a graph of 20 vertices and signals on it, with noise.
func outlierSample(t *testing.T, noise float64) (*graph.Graph, *mat.Dense) {
	t.Helper()
	s, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 3}, kernel.Paper(),
		synth.SignalSpec{Count: 300, Sparsity: 3, Noise: noise, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return s.Graph, s.Signals
}

// One value of ten thousand standard deviations is listed and costs no edge. Where it is
// kept, the sum of norms resists it: signals without noise prove the graph all the same,
// and in noise nothing is claimed.
func TestAnOutlierIsListedAndCostsNothing(t *testing.T) {
	for _, noise := range []float64{0, 0.05} {
		truth, y := outlierSample(t, noise)
		y.Set(3, 11, 1e4*mat.Norm(y, 2)/math.Sqrt(20*300))
		for _, rule := range []prepare.FaultRule{prepare.MaskFaults, prepare.ReportFaults} {
			a := assessed(t, &Signals{Y: y}, Options{BadSensors: rule})
			if len(a.Preparation.Faults) != 1 || !slices.Equal(a.Preparation.Faults[0].Places, []int{11}) || a.Preparation.Faults[0].Vertex != 3 {
				t.Errorf("noise %g, %s: found the faults %+v", noise, rule, a.Preparation.Faults)
			}
			f1, err := metrics.EdgeF1(a.Graph, truth)
			if err != nil {
				t.Fatal(err)
			}
			right, sure := surelyTrue(a.Graph, truth)
			if kept := rule == prepare.ReportFaults && noise > 0; kept && sure > 0 || !kept && (f1 < 1 || right < truth.EdgeCount()) {
				t.Errorf("noise %g, %s: F1 %.3f, %d of %d sure edges are true, %s", noise, rule, f1, right, sure, a.Verdict)
			}
		}
	}
}

// A signal that is far larger than all others is set aside, and where it is kept no edge
// is called sure: it alone would decide.
func TestASignalOutOfScaleDecidesNothing(t *testing.T) {
	for _, scale := range []float64{1e200} {
		truth, y := outlierSample(t, 0)
		for i := range 20 {
			y.Set(i, 42, scale*(y.At(i, 42)+0.1*float64(i)))
		}
		a := assessed(t, &Signals{Y: y}, Options{})
		if f1, err := metrics.EdgeF1(a.Graph, truth); err != nil || f1 < 1 || !strings.Contains(strings.Join(a.Warnings(), "\n"), "signal 43 is more than a thousand times") {
			t.Errorf("×%g: F1 %.3f, %v, %q", scale, f1, err, a.Warnings())
		}
		kept := assessed(t, &Signals{Y: y}, Options{BadSensors: prepare.ReportFaults})
		if kept.Verdict.Grade == Supported {
			t.Errorf("×%g, kept: %s", scale, kept.Verdict)
		}
		if kept.Verdict.Grade != Exact && kept.Graph.Confidence() != nil {
			if _, sure := surelyTrue(kept.Graph, truth); sure > 0 {
				t.Errorf("×%g, kept: %d edges are called sure", scale, sure)
			}
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
	a, err := Learn(t.Context(), s, Options{Method: baseline.Causal{}, Confidence: Yes})
	if err != nil {
		t.Fatal(err)
	}
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

// That signals depend on those before is what the method learns from, and no reason
// to take differences.
func TestAdviceForAMethodThatUsesTheOrder(t *testing.T) {
	s, _ := causalSignals(40)
	for i := range 40 { // slow, with a movement that all share
		row := s.Y.RawRowView(i)
		for k := 1; k < len(row); k++ {
			row[k] = 0.9*row[k-1] + 0.1*row[k]
		}
		for k := range row {
			row[k] += 5 * float64(k%100) / 100
		}
	}
	kinds := func(m method.Method, o prepare.Options) []prepare.WarningKind {
		var list []prepare.WarningKind
		p, err := intake.Prepare(t.Context(), s, intake.Request{Prepare: o, CommonMode: method.CommonModeOf(m, s.Y, nil)})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range p.Warnings {
			list = append(list, w.Kind)
		}
		return list
	}
	if got := kinds(baseline.GGL{}, prepare.Options{}); !slices.Contains(got, prepare.Autocorrelated) {
		t.Errorf("ggl: %q", got)
	}
	if got := kinds(baseline.Causal{}, prepare.Options{}); !slices.Equal(got, []prepare.WarningKind{prepare.CommonModeInTime}) {
		t.Errorf("causal: %q", got)
	}
	if got := kinds(baseline.Causal{}, prepare.Options{Difference: prepare.Yes}); !slices.Contains(got, prepare.DifferencesInTime) || slices.Contains(got, prepare.StillAutocorrelated) {
		t.Errorf("causal with differences: %q", got)
	}
}

// Held-out signals are predicted without their order, which says nothing about what
// follows from what: such a method is a row, and is not recommended.
func TestAMethodThatUsesTheOrderIsNotRanked(t *testing.T) {
	s, truth := causalSignals(12)
	c, err := Compare(t.Context(), s, CompareOptions{Methods: []method.Method{baseline.Causal{}, baseline.Correlation{}}, Truth: truth})
	if err != nil {
		t.Fatal(err)
	}
	causal := c.Methods[0]
	if causal.Place != nil || causal.HeldOut != nil || c.Methods[1].Place == nil || c.Ranking.Recommended == "causal" {
		t.Errorf("place %v, recommended %q", causal.Place, c.Ranking.Recommended)
	}
	if want := "not ranked: held-out signals are predicted without regard to their order in time"; !slices.Contains(causal.Warnings, want) {
		t.Errorf("warnings %q", causal.Warnings)
	}
	if causal.Score.F1() < 0.8 || causal.Score.True != truth.EdgeCount() || c.Methods[1].Score.True != truth.Undirected().EdgeCount() {
		t.Errorf("scores %+v and %+v", causal.Score, c.Methods[1].Score)
	}
}

func TestTheSparseMethodRefusesADirectedStart(t *testing.T) {
	s, truth := causalSignals(12)
	for _, o := range []learn.Options{{Init: truth}, {Prior: truth}} {
		_, err := Learn(t.Context(), s, Options{Method: learn.Sparse{Options: o}})
		if fault := input.Find(err); fault == nil || fault.Msg != "the graph is directed, and edges of this model have no direction" {
			t.Errorf("got %v", err)
		}
	}
}
