package nervure_test

import (
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// sampled returns some of the signals with all of them as blocks.
func sampled(y *mat.Dense, some int) *nervure.Signals {
	n, m := y.Dims()
	chosen := signals.Sample(m, some)
	return &nervure.Signals{Y: signals.Columns(y, chosen), Whole: &signals.Whole{
		Signals: m, Chosen: chosen,
		Blocks: func() iter.Seq2[*mat.Dense, error] {
			return func(yield func(*mat.Dense, error) bool) {
				for from := 0; from < m; from += 37 {
					if !yield(mat.DenseCopyOf(y.Slice(0, n, from, min(from+37, m))), nil) {
						return
					}
				}
			}
		},
	}}
}

// restSignals draws signals on a graph; with others, the later half is on another one, and larger.
func restSignals(t *testing.T, others bool) *mat.Dense {
	t.Helper()
	const n, m = 12, 600
	y := mat.NewDense(n, m, nil)
	for half := range 2 {
		seed := uint64(31)
		if others {
			seed += uint64(half)
		}
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: seed}, kernel.Paper(),
			synth.SignalSpec{Count: m / 2, Sparsity: 2, Noise: 0.02, Seed: uint64(41 + half)})
		if err != nil {
			t.Fatal(err)
		}
		if others && half == 1 {
			truth.Signals.Scale(3, truth.Signals) // which matters to a density
		}
		y.Slice(0, n, half*m/2, (half+1)*m/2).(*mat.Dense).Copy(truth.Signals)
	}
	return y
}

// What was not learned from is held against the graph, by any method, and the verdict
// says what came of it.
func TestTheRestIsHeldAgainstTheGraph(t *testing.T) {
	for _, m := range []method.Method{learn.Sparse{Model: learn.Model{Sparsity: 2}}, baseline.GGL{}} {
		for _, others := range []bool{false, true} {
			y := restSignals(t, others)
			s := sampled(y, 150)
			want := "learned from 150 of 600 signals; the rest agrees"
			if others { // the sample is of the first half alone
				s.Whole.Chosen = signals.Sample(300, 150)
				s.Y = signals.Columns(y, s.Whole.Chosen)
				want = "learned from 150 of 600 signals; the rest does not agree"
			}
			a, err := nervure.Learn(t.Context(), s, nervure.Options{Method: m, Structure: nervure.No, Confidence: nervure.No, Prepare: prepare.None()})
			if err != nil {
				t.Fatal(err)
			}
			reasons := a.Verdict.Reasons()
			if got := reasons[len(reasons)-1]; !strings.HasPrefix(got, want) {
				t.Errorf("%s, other graph %v: %q (%+v), want %q", m.Name(), others, got, a.Rest, want)
			}
		}
	}
}

// A signal of the rest that was written in another unit is told of. It must not hide that
// the rest is on another graph, by making everything a matter of chance.
func TestSignalsOfTheRestMayBeOutOfScale(t *testing.T) {
	for others, want := range map[bool]string{
		false: "learned from 150 of 600 signals; the rest (except 1 signal far larger than all others) agrees",
		true:  "learned from 150 of 600 signals; the rest (except 1 signal far larger than all others) does not agree",
	} {
		y := restSignals(t, others)
		n, m := y.Dims()
		for i := range n {
			y.Set(i, m-1, 1e6*y.At(i, m-1))
		}
		s := sampled(y, 150)
		s.Whole.Chosen = signals.Sample(300, 150)
		s.Y = signals.Columns(y, s.Whole.Chosen)
		a, err := nervure.Learn(t.Context(), s, nervure.Options{Method: baseline.GGL{}, Structure: nervure.No, Confidence: nervure.No, Prepare: prepare.None()})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Rest.String(); !strings.HasPrefix(got, want) {
			t.Errorf("other graph %v: %q, want %q", others, got, want)
		}
	}
}

// Large signals that are too many for faults are compared like all others.
func TestEventsOfTheRestAreNoFaults(t *testing.T) {
	y := restSignals(t, false)
	n, m := y.Dims()
	for k := 0; k < m; k += 10 {
		for i := range n {
			y.Set(i, k, 1e4*y.At(i, k))
		}
	}
	a, err := nervure.Learn(t.Context(), sampled(y, 150), nervure.Options{Method: baseline.GGL{}, Structure: nervure.No, Confidence: nervure.No, Prepare: prepare.None()})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := a.Rest.String(), "learned from 150 of 600 signals; the rest agrees"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The check does with blocks what preprocessing did with the sample, and leaves out
// signals without any value.
func TestTheRestIsPreparedLikeTheSample(t *testing.T) {
	y := restSignals(t, false)
	n, m := y.Dims()
	empty := 0
	for slices.Contains(signals.Sample(m, 150), empty) {
		empty++
	}
	for i := range n {
		for k := range m {
			y.Set(i, k, 100*float64(i+1)*(y.At(i, k)+5))
		}
		y.Set(i, empty, math.NaN())
	}
	s := sampled(y, 150)
	a, err := nervure.Learn(t.Context(), s, nervure.Options{
		Method: learn.Sparse{Model: learn.Model{Kernels: kernel.Paper(), Sparsity: 2}}, Structure: nervure.No, Confidence: nervure.No,
		Prepare: prepare.Options{Center: prepare.Yes, Scale: prepare.Yes, CommonMode: prepare.No},
	})
	if err != nil {
		t.Fatal(err)
	}
	if a.Rest == nil || !a.Rest.Agrees {
		t.Errorf("%+v, warnings %q", a.Rest, a.Warnings())
	}
}

// What needs the order of the signals refuses a sample in one sentence.
func TestASampleHasNoOrder(t *testing.T) {
	s := sampled(restSignals(t, false), 150)
	for name, o := range map[string]nervure.Options{
		"differences in time": {Prepare: prepare.Options{Difference: prepare.Yes}},
		"the method causal":   {Method: baseline.Causal{}},
	} {
		if _, err := nervure.Learn(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "150 of 600, but "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Signals that fit are never sampled, and a sample has its signals from all over.
func TestOnlyVeryManySignalsAreSampled(t *testing.T) {
	for _, c := range []struct {
		n, m int
		want bool
	}{{207, 34_272, false}, {10_000, 4000, false}, {10_000, 39_999, false}, {200, 80_000, false}, {200, 100_000, true}, {200, 1_000_000, true}} {
		if got := signals.WorthSampling(c.n, c.m, nervure.SampleSignals); got != c.want {
			t.Errorf("%d vertices, %d signals: %v, want %v", c.n, c.m, got, c.want)
		}
	}
	chosen := signals.Sample(1000, 100)
	for k, m := range chosen {
		if m/10 != k {
			t.Errorf("signal %d is number %d of the sample", m, k)
		}
	}
}
