package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// However many methods there are, every pair of them is shown, within 80 columns.
func TestAgreementFitsTheTerminal(t *testing.T) {
	for _, n := range []int{2, 11, 12, 30} {
		a := agreement{F1: make([][]float64, n)}
		for i := range n {
			a.Methods = append(a.Methods, fmt.Sprintf("spectral-method-%02d", i))
			a.F1[i] = slices.Repeat([]float64{0.5}, n)
		}
		var b strings.Builder
		a.write(&b)
		if got, want := strings.Count(b.String(), "0.50"), n*(n-1); got != want {
			t.Errorf("%d methods: %d numbers, want %d", n, got, want)
		}
		for line := range strings.Lines(b.String()) {
			if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > columns {
				t.Errorf("%d methods: %d columns: %s", n, w, line)
			}
		}
	}
}

func TestHangingKeepsWordsAndWidth(t *testing.T) {
	sentence := strings.TrimSpace(strings.Repeat("some words of λ ", 20))
	got := hanging("method  ", sentence)
	if strings.Join(strings.Fields(got), " ") != "method "+sentence {
		t.Errorf("the words changed: %q", got)
	}
	for k, line := range strings.Split(got, "\n") {
		if utf8.RuneCountInString(line) > columns || k > 0 && !strings.HasPrefix(line, "        ") {
			t.Errorf("line %d: %q", k+1, line)
		}
	}
}

// A warning is told once: of all methods without names, of some with theirs.
func TestWarningsAreToldOnce(t *testing.T) {
	r := compareRecord{
		Methods:   []methodRecord{{Method: "a", Warnings: []string{"all", "some"}}, {Method: "b", Warnings: []string{"all", "one"}}, {Method: "c", Warnings: []string{"some", "all"}}},
		Agreement: agreement{Methods: []string{"a", "b", "c"}},
	}
	if got, want := r.warnings(), []string{"all", "a, c: some", "b: one"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Signals of the model have codes on the graph learned from others of their
// kind, whatever their scale and beside vertices that never vary; noise has not.
func TestHeldOutErrorTellsTheModelFromNoise(t *testing.T) {
	model := learn.PaperModel()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 15, Seed: 1}, model.Kernels, synth.SignalSpec{Count: 203, Sparsity: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n, m := truth.Signals.Dims()
	stuck := mat.NewDense(n+1, m, nil)
	for s := range m {
		stuck.Set(0, s, 5)
	}
	stuck.Slice(1, n+1, 0, m).(*mat.Dense).Copy(truth.Signals)
	tiny := mat.NewDense(n, m, nil)
	tiny.Scale(1e-180, truth.Signals)
	noise := mat.NewDense(n, m, nil)
	noise.Apply(func(i, s int, _ float64) float64 { return math.Sin(float64(i*i*7919 + s*s*104729)) }, noise)

	l := learner{method: sparseMethod, model: model, options: learn.Options{Seed: 1, Rounds: 20}}
	ignore := func(learn.Step) {}
	for name, c := range map[string]struct {
		y     *mat.Dense
		exact bool
	}{"the model": {truth.Signals, true}, "a vertex is stuck": {stuck, true}, "tiny": {tiny, true}, "noise": {noise, false}} {
		share, held, err := l.heldOutError(t.Context(), c.y, ignore)
		if err != nil || share == nil || held != 40 {
			t.Fatalf("%s: %v, %d held out, %v", name, share, held, err)
		}
		if exact := *share < 1e-15; exact != c.exact || !(*share >= 0 && *share <= 1) {
			t.Errorf("%s: %g", name, *share)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if share, _, err := l.heldOutError(ctx, truth.Signals, ignore); share != nil || err != nil {
		t.Errorf("interrupted: %v, %v", share, err)
	}
	if share, _, err := l.heldOutError(t.Context(), mat.DenseCopyOf(truth.Signals.Slice(0, n, 0, 4)), ignore); share != nil || err != nil {
		t.Errorf("four signals: %v, %v", share, err)
	}
}

// An error on the way to the held-out error costs that number and nothing else.
func TestAFailedHeldOutErrorIsAWarning(t *testing.T) {
	m := methodRecord{Method: "sparse", Warnings: []string{"another"}}
	if held := m.holdOut(nil, 5, errors.New("no luck\ntoday")); held != 0 || m.HeldOutError != nil || m.Error != "" {
		t.Errorf("%d held out, %+v", held, m)
	}
	if want := []string{"another", "there is no held-out error: no luck; today"}; !slices.Equal(m.Warnings, want) {
		t.Errorf("got warnings %q, want %q", m.Warnings, want)
	}
	share := 0.5
	if held := m.holdOut(&share, 5, nil); held != 5 || m.HeldOutError != &share || len(m.Warnings) != 2 {
		t.Errorf("%d held out, %+v", held, m)
	}
}

// An empty graph is not the best so far of a method that was stopped: it would
// replace a better one.
func TestStoppedMethodsHaveNoEmptyGraph(t *testing.T) {
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 15, Seed: 1}, learn.PaperModel().Kernels, synth.SignalSpec{Count: 50, Sparsity: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, method := range methodNames() {
		l := learner{method: method, model: learn.PaperModel(), options: learn.Options{Seed: 1}}
		r, err := l.learn(ctx, truth.Signals, func(learn.Step) {})
		if r != nil && (r.graph.EdgeCount() == 0 || err != nil) {
			t.Errorf("%s: a graph without edges, error %v", method, err)
		}
	}
}
