package auto_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/auto"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

func exactSignals(t *testing.T) *mat.Dense {
	t.Helper()
	s := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 5}, kernel.Paper(),
		synth.SignalSpec{Count: 60, Sparsity: 4, Seed: 5}))
	return s.Clean
}

// What the sparse method proves is its result, to the last bit, and no methods are compared.
func TestExactSignalsAreLearnedOnce(t *testing.T) {
	p := method.Problem{Y: exactSignals(t), Seed: 1}
	steps := 0
	p.Progress = func(method.Step) { steps++ }
	d, err := auto.Choose(t.Context(), t.Context(), p, nil, func(int, int) { t.Error("methods were compared") })
	if err != nil || d.Result == nil || !d.Choice.Proved || !d.Choice.CodesAreClear() || steps == 0 {
		t.Fatalf("got %+v after %d steps, %v", d.Choice, steps, err)
	}
	want, err := learn.Sparse{}.Learn(t.Context(), p)
	if err != nil || !reflect.DeepEqual(d.Result.Graph.Edges(), want.Graph.Edges()) {
		t.Errorf("the graph is not that of the sparse method, %v", err)
	}
}

// Fields are given up in the first rounds, and then methods are compared.
func TestFieldsAreNotLearnedBySparse(t *testing.T) {
	p := method.Problem{Y: checks.Chain(3, 20, 200), Seed: 1}
	rounds := 0
	p.Progress = func(s method.Step) { rounds = max(rounds, s.Round) }
	compared := 0
	d, err := auto.Choose(t.Context(), t.Context(), p, nil, func(int, int) { compared++ })
	if err != nil || d.Result != nil || !d.Choice.IsField() || rounds > 2 || compared == 0 {
		t.Errorf("got %+v after %d rounds, compared on %d halves, %v", d.Choice, rounds, compared, err)
	}
}

// A run that is stopped keeps the best graph so far.
func TestTheBestSoFarIsKeptWhileTheMethodIsChosen(t *testing.T) {
	stop := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	p := method.Problem{Y: exactSignals(t), Seed: 1}
	p.Progress = func(s method.Step) {
		if s.Round == 3 {
			cancel(stop)
		}
	}
	d, err := auto.Choose(ctx, ctx, p, nil, nil)
	if !errors.Is(err, stop) || d.Result == nil || d.Result.Status != method.Interrupted || d.Result.Graph.EdgeCount() == 0 ||
		d.Choice.Uncompared() == "" {
		t.Errorf("got %+v, %v", d, err)
	}
}

// A run that goes on from a checkpoint takes what was proved from there, and does not try again what was given up.
func TestChoosingGoesOnFromACheckpoint(t *testing.T) {
	for name, y := range map[string]*mat.Dense{"exact": exactSignals(t), "field": checks.Chain(3, 20, 200)} {
		store := &checkpoint.Memory{}
		var graphs []method.Result
		for again := range 2 {
			p := method.Problem{Y: y, Seed: 1}
			steps := 0
			p.Progress = func(method.Step) { steps++ }
			ctx := checkpoint.With(t.Context(), store)
			d, err := auto.Choose(ctx, ctx, p, nil, nil)
			if err != nil || (steps > 0) == (again > 0) {
				t.Errorf("%s: %d steps in run %d, %v", name, steps, again+1, err)
			}
			if d.Result != nil {
				graphs = append(graphs, *d.Result)
			}
		}
		if len(graphs) == 2 && !reflect.DeepEqual(graphs[0].Graph.Edges(), graphs[1].Graph.Edges()) || len(graphs) == 1 {
			t.Errorf("%s: another graph", name)
		}
	}
}

// Where edges predict too little of few signals to be sure, and codes are clearly worse, a field
// is learned, and its edges are the result.
func TestCodesThatLoseAreNotTaken(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	y := checks.Chain(1, 5, 60)
	y.Apply(func(_, _ int, v float64) float64 { return v + 1.5*draw.NormFloat64() }, y)
	d, err := auto.Choose(t.Context(), t.Context(), method.Problem{Y: y, Seed: 1}, nil, nil)
	if err != nil || !d.Choice.IsField() || d.Result == nil || d.Result.Graph.EdgeCount() == 0 ||
		d.Choice.Because() != "it finds edges, and the sparse model makes held-out signals less likely than these do" {
		t.Errorf("got %v, %v", d.Choice, err)
	}
}
