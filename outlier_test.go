package nervure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

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
	for _, scale := range []float64{1e4, 1e200} {
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
