package nervure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/kernel"
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
	r, err := simulate.Messy(simulate.MessySpec{Seed: 702, Observations: 1000, Mess: simulate.MessNone})
	if err != nil {
		t.Fatal(err)
	}
	apart := [2]int{0, 1} // the first vertex, and one that has no edge to it and no neighbour in common
	for near := true; near; {
		i, j := 0, apart[1]
		near = r.Graph.HasEdge(i, j)
		for k := range r.Graph.Vertices() {
			near = near || r.Graph.HasEdge(i, k) && r.Graph.HasEdge(k, j)
		}
		if near {
			apart[1]++
		}
	}
	for name, broken := range map[string]func(k int, v float64) float64{
		"codes": func(k int, v float64) float64 {
			if k > 300 && k < 500 {
				return -999
			}
			return v
		},
		"drift": func(k int, v float64) float64 { return v + max(0, float64(k-700)/30) },
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
	r, err := simulate.Messy(simulate.MessySpec{Seed: 703, Observations: 1000, Mess: simulate.MessNone})
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
	if sure := assessed(t, &Signals{Y: y}, Options{Method: baseline.GGL{}}).Confidence.AtLeast(SureLevel); sure > 0 {
		t.Errorf("%d edges are sure", sure)
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
