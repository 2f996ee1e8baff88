package learn_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

func model(sparsity int, specs ...string) learn.Model {
	m := learn.Model{Sparsity: sparsity}
	for _, spec := range specs {
		m.Kernels = append(m.Kernels, must(kernel.Parse(spec, 15, kernel.Taylor)))
	}
	return m
}

func noise(name string, n, m int) *mat.Dense {
	r := rng.Stream(*seed, name)
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	return y
}

// repeated returns the first count signals of y, over and over until there are m,
// each copy scaled by its own factor if vary is set.
func repeated(y *mat.Dense, count, m int, vary bool) *mat.Dense {
	n, _ := y.Dims()
	out := mat.NewDense(n, m, nil)
	for s := range m {
		factor := 1.0
		if vary {
			factor += float64(s) / 7
		}
		for i := range n {
			out.Set(i, s, factor*y.At(i, s%count))
		}
	}
	return out
}

// Signals that can be explained exactly, or that look as if, and still prove nothing.
func TestNothingIsCertifiedWithoutProof(t *testing.T) {
	slow(t)
	truth := small(t).Signals
	scaled := func(y *mat.Dense, f func(i, s int) float64) *mat.Dense {
		y.Apply(func(i, s int, v float64) float64 { return v * f(i, s) }, y)
		return y
	}
	delta := mat.NewDense(8, 100, nil)
	r := rng.Stream(*seed, "deltas")
	for s := range 100 {
		delta.Set(r.IntN(8), s, r.NormFloat64())
		delta.Set(r.IntN(8), s, r.NormFloat64())
	}
	rankOne := mat.NewDense(20, 100, nil)
	rankOne.Apply(func(i, s int, _ float64) float64 { return float64((i + 1) * (s + 1)) }, rankOne)
	equalRows := mat.NewDense(20, 100, nil)
	equalRows.Apply(func(_, s int, _ float64) float64 { return math.Sin(float64(s)) }, equalRows)
	paper := learn.PaperModel()
	for name, c := range map[string]struct {
		y *mat.Dense
		m learn.Model
	}{
		"two signals, a hundred times":            {repeated(truth, 2, 200, false), paper},
		"rank one":                                {rankOne, paper},
		"equal rows":                              {equalRows, paper},
		"noise, but for many zero signals":        {scaled(noise("zeros", 12, 200), func(_, s int) float64 { return float64(btoi(s < 10)) }), paper},
		"noise beside one huge value":             {scaled(noise("spike", 12, 60), func(i, s int) float64 { return 1 + 1e12*float64(btoi(i == 3 && s == 5)) }), paper},
		"a kernel that does not see the graph":    {delta, model(2, "poly:1")},
		"atoms that span all that the kernel can": {noise("span", 6, 60), model(5, "highpass:1")},
		"noise":                         {noise("plain", 12, 60), paper},
		"two signals on three vertices": {noise("tiny", 3, 2), model(2, "heat:2", "highpass:1")},
	} {
		t.Run(name, func(t *testing.T) {
			got := fit(t, c.y, c.m, learn.Options{})
			if got.Certified {
				t.Errorf("certified with %d edges, residual %.2g, %d unexplained", got.Graph.EdgeCount(), got.Residual, got.Unexplained)
			}
			if len(got.Warnings) == 0 {
				t.Error("no warning")
			}
		})
	}
}

// Small planted problems of all kinds, many too small to be solved: whatever is
// certified must be true.
func TestCertificatesAreTrue(t *testing.T) {
	slow(t)
	kernels := [][]string{{"heat:2", "highpass:1"}, {"heat:2", "heat:1"}, {"heat:1"}, {"highpass:1"}, {"poly:0,1"}}
	const problems = 80
	proved := 0
	for k := range problems {
		r := rng.Stream(*seed, "small problem", k)
		n := 4 + r.IntN(14)
		s := setting{
			graph: synth.GraphSpec{
				Family: synth.Families()[r.IntN(len(synth.Families()))], Vertices: n, EdgeFactor: min(1.5, float64(n-1)/2),
				Weights: synth.Weightings()[r.IntN(3)],
			},
			signals: synth.SignalSpec{Count: 2 + r.IntN(50), Sparsity: 1 + r.IntN(min(4, n-2))},
			model:   model(0, kernels[r.IntN(len(kernels))]...),
		}
		s.model.Sparsity = s.signals.Sparsity
		s.graph.Seed, s.signals.Seed = *seed+uint64(k), *seed+uint64(k)
		truth, err := synth.Generate(s.graph, s.model.Kernels, s.signals)
		if err != nil {
			continue // nothing left of a very sparse graph
		}
		name := fmt.Sprintf("problem %d: %s, %d vertices, %d signals of %d atoms", k, s.graph.Family, truth.Graph.Vertices(), s.signals.Count, s.signals.Sparsity)
		if s.signals.Sparsity >= truth.Graph.Vertices() {
			continue
		}
		got, err := learn.Fit(t.Context(), truth.Signals, s.model, learn.Options{})
		if err != nil || !got.Certified {
			continue
		}
		if len(got.Graph.Isolated()) > 0 {
			continue // the certificate is about the vertices that vary, and the warning says so
		}
		proved++
		if !mat.EqualApprox(got.Graph.Laplacian(), truth.Graph.Laplacian(), 1e-5) {
			t.Errorf("%s: certified and wrong (%d edges, true %d, %d unexplained)", name, got.Graph.EdgeCount(), truth.Graph.EdgeCount(), got.Unexplained)
		}
	}
	if proved < problems/10 {
		t.Errorf("only %d answers proved themselves: the test tests little", proved)
	}
}

// Signals stored with fewer digits than they had still prove their graph.
func TestRoundedSignalsAreCertified(t *testing.T) {
	truth := small(t)
	for name, round := range map[string]func(float64) float64{
		"float32":        func(v float64) float64 { return float64(float32(v)) },
		"seven decimals": func(v float64) float64 { return math.Round(1e7*v) / 1e7 },
	} {
		y := mat.DenseCopyOf(truth.Signals)
		y.Apply(func(_, _ int, v float64) float64 { return round(v) }, y)
		got := fit(t, y, learn.PaperModel(), learn.Options{})
		if s := score(t, got, truth); !got.Certified || s.f1 < 1 || s.codeRecall < 0.99 {
			t.Errorf("%s: certified %v, %d unexplained, residual %.2g, %+v", name, got.Certified, got.Unexplained, got.Residual, s)
		}
	}
}

func TestCompleteGraphsAreKept(t *testing.T) {
	const n = 6
	s := setting{
		graph:   synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Probability: 1, Weights: synth.UniformWeights},
		signals: synth.SignalSpec{Count: 300, Sparsity: 2}, model: model(2, "heat:2", "highpass:1"),
	}
	got := fit(t, s.draw(*seed).Signals, s.model, learn.Options{})
	if got.Graph.EdgeCount() != n*(n-1)/2 {
		t.Errorf("%d of %d edges of a complete graph, residual %.2g, certified %v", got.Graph.EdgeCount(), n*(n-1)/2, got.Residual, got.Certified)
	}
}

func TestExtremeSizesAreHandled(t *testing.T) {
	slow(t)
	for name, c := range map[string]struct{ scale, first float64 }{
		"near the largest number":        {1.5e307, 1},
		"a vertex that all but vanishes": {1e100, 1e-300},
		"subnormal beside one":           {1, 1e-320},
	} {
		y := noise(name, 6, 40)
		y.Apply(func(i, _ int, v float64) float64 {
			if i == 0 {
				return v * c.first
			}
			return max(min(v, 3), -3) * c.scale
		}, y)
		got, err := learn.Fit(t.Context(), y, learn.PaperModel(), learn.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if math.IsNaN(got.Residual) {
			t.Errorf("%s: residual %g", name, got.Residual)
		}
	}
}
