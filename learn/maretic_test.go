package learn_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// One round of the paper's algorithm, put together from its words with none of
// the learner's machinery: literal OMP, and the gradient by finite differences.
func TestMareticRoundIsThePapers(t *testing.T) {
	slow(t)
	const step, penalty, decay = 0.02, 0.3, 0.9
	truth := drawn(10, synth.SignalSpec{Count: 30, Sparsity: 4}, "heat:2", "highpass:1")
	kernels := learn.PaperModel().Kernels
	y := arranged(truth.Signals) // so that the learner draws its start in the same order
	n, m := y.Dims()
	all := dictionary.AllPairs(n)
	unit := math.Pow(mat.Norm(y, 2), 2) / float64(4*m)

	random := rng.Stream(*seed, "start")
	w := make([]float64, all.Len())
	for e := range w {
		w[e] = random.Float64()
	}
	dense := func(w []float64) *mat.Dense {
		g := must(graph.New(graph.DefaultNames(n), all.Edges(w)))
		d := must(dictionary.Dense(g.Laplacian(), kernels))
		return d
	}
	for round := range 2 {
		x := checks.LiteralOMP(dense(w), y, 4).Dense()
		f := func(w []float64) float64 {
			var r mat.Dense
			r.Mul(dense(w), x)
			r.Sub(&r, y)
			return math.Pow(mat.Norm(&r, 2), 2)
		}
		grad := make([]float64, len(w))
		for e := range w {
			const h = 1e-5
			up, down := slices.Clone(w), slices.Clone(w)
			up[e] += h
			down[e] = max(0, w[e]-h) // there is no graph of negative weights
			// Half the joint derivative: the Frobenius gradient of a symmetric W.
			grad[e] = (f(up) - f(down)) / (up[e] - down[e]) / 2
		}
		for e := range w {
			sign := 0.0
			if w[e] > 0 {
				sign = 1
			}
			w[e] = max(0, w[e]-step*math.Pow(decay, float64(round))/unit*(grad[e]+penalty*unit*sign))
		}
		got := ran(t, func(ctx context.Context) (*learn.Result, error) {
			m := learn.Maretic2017{StepSize: step, EdgePenalty: penalty, StepDecay: decay, Rounds: round + 1}
			return runPaper(ctx, y, m, learn.Options{Seed: *seed}, nil)
		})
		want := slices.Clone(w)
		floats.Scale(float64(n)/2/floats.Sum(want), want)
		found := make([]float64, len(w))
		for e := range found {
			found[e] = got.Weights.Weights().At(int(all.I[e]), int(all.J[e]))
		}
		if d := floats.Distance(found, want, 2) / floats.Norm(want, 2); d > 1e-4 { // what differences allow
			t.Errorf("round %d: weights are off by %.2g", round+1, d)
		}
		if got.Status != method.MaxRounds || got.Rounds != round+1 || got.Gradients != round+1 {
			t.Errorf("status %s, %d rounds, %d gradients", got.Status, got.Rounds, got.Gradients)
		}
	}
}

// arranged returns y with its rows in the order of their sorted values.
func arranged(y *mat.Dense) *mat.Dense {
	n, m := y.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = y.RawRowView(i)
	}
	slices.SortFunc(rows, func(a, b []float64) int {
		return slices.Compare(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	})
	return mat.NewDense(n, m, slices.Concat(rows...))
}

func TestMareticRecoversMostOfPlantedGraph(t *testing.T) {
	slow(t)
	truth := small(t)
	r := fitPaper(t, truth.Signals, learn.PaperModel(), learn.Options{Seed: *seed, Rounds: 250})
	if got := score(t, r, truth); got.precision < 0.95 || got.codePrecision < 0.6 {
		t.Errorf("edge precision %.3f, code precision %.3f", got.precision, got.codePrecision)
	}
}

func TestSeedsOfMareticDiffer(t *testing.T) {
	truth := small(t)
	run := func(seed uint64) []graph.Edge {
		return fitPaper(t, truth.Signals, learn.PaperModel(), learn.Options{Rounds: 3, Seed: seed}).Weights.Edges()
	}
	if !slices.Equal(run(1), run(1)) {
		t.Error("the same seed gives other weights")
	}
	if slices.Equal(run(1), run(2)) {
		t.Error("another seed gives the same weights")
	}
}

func TestMareticDoesNotCallAnApproximationExact(t *testing.T) {
	truth := small(t)
	r := fitPaper(t, truth.Signals, learn.PaperModel(), learn.Options{Rounds: 3})
	if _, m := truth.Signals.Dims(); r.Unexplained != m || strings.Contains(strings.Join(r.Warnings, " "), "explained exactly") {
		t.Errorf("residual %.2g, %d signals unexplained, warnings %q", r.Residual, r.Unexplained, r.Warnings)
	}
}

// Zero is the tuned value, so that no penalty has a parameter of its own.
func TestNoPenaltyIsNotTheDefault(t *testing.T) {
	y := small(t).Signals
	objective := func(m learn.Maretic2017) (float64, learn.Maretic2017) {
		m.Rounds = 3
		r := must(m.Learn(t.Context(), method.Problem{Y: y}))
		own := r.Own.(*learn.Result)
		return own.Objective - own.Residual, r.Method.(learn.Maretic2017)
	}
	if got, m := objective(learn.Maretic2017{}); got <= 0 || m.EdgePenalty == 0 {
		t.Errorf("by default the penalty comes to %g, with β = %g", got, m.EdgePenalty)
	}
	for _, m := range []learn.Maretic2017{{NoPenalty: true}, {NoPenalty: true, EdgePenalty: 0.3}} {
		if got, used := objective(m); got != 0 || used.EdgePenalty != 0 || !used.NoPenalty {
			t.Errorf("without a penalty it comes to %g, with %+v", got, used)
		}
	}
}

// A result says with which parameters it was learned: learning with them again repeats it.
func TestMareticRepeatsItself(t *testing.T) {
	p := method.Problem{Y: small(t).Signals, Seed: 4}
	first := must(learn.Maretic2017{Rounds: 3}.Learn(t.Context(), p))
	again := must(first.Method.Learn(t.Context(), p))
	if !slices.Equal(again.Weights.Edges(), first.Weights.Edges()) || !reflect.DeepEqual(again.Method, first.Method) {
		t.Errorf("%+v gives other weights than %+v", again.Method, first.Method)
	}
}
