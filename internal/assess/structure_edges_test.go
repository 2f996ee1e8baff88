package assess

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

func learnedBy(m method.Method) Learner {
	return EdgesAlone(func(ctx context.Context, y *mat.Dense) (*graph.Graph, error) {
		r, err := m.Learn(ctx, method.Problem{Y: y})
		if err != nil {
			return nil, err
		}
		return r.Graph, nil
	})
}

// Edges of any method predict the other half of a field, and none that of noise, however
// many there are.
func TestEdgesAreToldFromChance(t *testing.T) {
	for _, m := range []method.Method{baseline.KNN{}, baseline.Correlation{}, baseline.Tree{}, baseline.GGL{}} {
		field := must.Get(TestEdges(t.Context(), checks.Chain(*seed, 12, 300), learnedBy(m), StructureOptions{Seed: *seed}))
		if !field.Clear() || field.Coded || field.HeldOut != 300 || !(field.Prediction > 0.05 && field.Prediction < 1) {
			t.Errorf("%s on a chain: %+v", m.Name(), field)
		}
		none := must.Get(TestEdges(t.Context(), noise(12, 300, "edges"), learnedBy(m), StructureOptions{Seed: *seed}))
		if none.Clear() {
			t.Errorf("%s on noise: %+v", m.Name(), none)
		}
	}
}

func TestEdgesAreNotTestedOnTooLittle(t *testing.T) {
	_, err := TestEdges(t.Context(), noise(5, 9, "few"), learnedBy(baseline.Tree{}), StructureOptions{})
	if _, ok := errors.AsType[*input.Error](err); !ok {
		t.Errorf("%v, want an input.Error", err)
	}
}

// What codes say of hidden values is exact where the signals are sums of so few atoms that
// the other vertices tell which.
func TestCodesPredictHiddenValues(t *testing.T) {
	truth := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 30, Seed: *seed}, learn.PaperModel().Kernels,
		synth.SignalSpec{Count: 60, Sparsity: 1, Seed: *seed}))
	model := must.Get(CodeModel(truth.Signals, truth.Graph, learn.PaperModel().Kernels, 1, 1))
	hidden := []int{3, 11, 20}
	blind := mat.DenseCopyOf(truth.Signals)
	for _, i := range hidden {
		for k := range blind.RawRowView(i) {
			blind.Set(i, k, math.NaN()) // it must not look there
		}
	}
	got := must.Get(model.Predict(blind, hidden))
	left, all := 0.0, 0.0
	for a, i := range hidden {
		for k, v := range truth.Signals.RawRowView(i) {
			d := got.At(a, k) - v
			left, all = left+d*d, all+v*v
		}
	}
	if left > 0.05*all {
		t.Errorf("%.2g of the energy is not predicted", left/all)
	}
}
