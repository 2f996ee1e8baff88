package learn_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// fitKernels goes through the steps to their result.
func fitKernels(ctx context.Context, g *graph.Graph, y *mat.Dense, o learn.KernelOptions) (*learn.KernelResult, error) {
	var last learn.KernelStep
	for step, err := range learn.KernelSteps(ctx, g, y, o) {
		if err != nil {
			return step.Result, err
		}
		last = step
	}
	return last.Result, nil
}

func kernelsOf(specs ...string) []kernel.Kernel {
	var all []kernel.Kernel
	for _, spec := range specs {
		k := must(kernel.Parse(spec, 15, kernel.Chebyshev))
		all = append(all, k)
	}
	return all
}

// onGraph draws signals of the kernels on an Erdős–Rényi graph.
func onGraph(n, m int, noise float64, seed uint64, specs ...string) *synth.Truth {
	truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: seed}, kernelsOf(specs...),
		synth.SignalSpec{Count: m, Sparsity: 4, Noise: noise, Seed: seed}))
	return truth
}

func learnKernels(t testing.TB, truth *synth.Truth, o learn.KernelOptions) *learn.KernelResult {
	t.Helper()
	r := must(fitKernels(t.Context(), truth.Graph, truth.Signals, o))
	return r
}

func TestLearnsScalesOfKernels(t *testing.T) {
	slow(t)
	for _, c := range []struct{ noise, tolerance float64 }{{0, 1e-6}, {0.1, 0.1}} {
		truth := onGraph(30, 200, c.noise, *seed, "heat:2", "highpass:1")
		r := learnKernels(t, truth, learn.KernelOptions{Kernels: kernelsOf("heat:1", "highpass:2")})
		for s, found := range r.Kernels {
			want := truth.Kernels[s]
			if off := math.Abs(math.Log(found.Scale() / want.Scale())); found.Family() != want.Family() || off > c.tolerance {
				t.Errorf("noise %g: %s, want %s", c.noise, found.Name, want.Name)
			}
		}
	}
}

func TestKernelWithoutScaleStays(t *testing.T) {
	truth := onGraph(20, 100, 0, *seed, "heat:2", "poly:0,1,-0.3")
	r := learnKernels(t, truth, learn.KernelOptions{Kernels: kernelsOf("heat:1", "poly:0,1,-0.3")})
	if got := r.Kernels[1].Name; got != "poly:0,1,-0.3" || math.Abs(r.Kernels[0].Scale()-2) > 1e-6 {
		t.Errorf("got %s and %s, want heat:2 and poly:0,1,-0.3", r.Kernels[0].Name, got)
	}
}

// shapeError returns max |c·p − q| over the eigenvalues with the best c.
func shapeError(p, q kernel.Kernel, lambda []float64) float64 {
	var pq, pp, worst float64
	for _, l := range lambda {
		pq += p.Eval(l) * q.Eval(l)
		pp += p.Eval(l) * p.Eval(l)
	}
	for _, l := range lambda {
		worst = max(worst, math.Abs(pq/pp*p.Eval(l)-q.Eval(l)))
	}
	return worst
}

func eigenvalues(t testing.TB, g *graph.Graph) []float64 {
	t.Helper()
	var eig mat.EigenSym
	if !eig.Factorize(g.Laplacian(), false) {
		t.Fatal("no eigenvalues")
	}
	return eig.Values(nil)
}

func TestLearnsFreeKernels(t *testing.T) {
	slow(t)
	const n, m = 40, 300
	for _, c := range []struct{ noise, tolerance float64 }{{0, 0.01}, {0.1, 0.1}} {
		truth := onGraph(n, m, c.noise, *seed, "heat:2", "highpass:1")
		r := learnKernels(t, truth, learn.KernelOptions{Count: 2})
		lambda := eigenvalues(t, truth.Graph)
		for s, found := range r.Kernels {
			if off := shapeError(found, truth.Kernels[s], lambda); off > c.tolerance {
				t.Errorf("noise %g: kernel %d is off by %g", c.noise, s, off)
			}
			var low, peak float64
			for l := 0.0; l <= 2; l += 0.001 {
				low, peak = min(low, found.Eval(l)), max(peak, found.Eval(l))
			}
			if low < -0.0025 || math.Abs(peak-1) > 0.0025 {
				t.Errorf("noise %g: kernel %d runs from %g to %g, want 0 or more, and 1", c.noise, s, low, peak)
			}
			again, err := kernel.Parse(found.Name, 15, kernel.Taylor)
			if err != nil || !slices.Equal(again.Series(), found.Series()) {
				t.Errorf("%s reads back as another kernel: %v", found.Name, err)
			}
		}
	}
}

func TestCountOfKernelsIsFound(t *testing.T) {
	slow(t)
	for _, specs := range [][]string{{"heat:2"}, {"heat:4", "wavelet:2", "highpass:1"}} {
		truth := onGraph(25, 120, 0.1, *seed, specs...)
		if r := learnKernels(t, truth, learn.KernelOptions{}); len(r.Kernels) != len(specs) || len(r.Choice) != 3 || r.Options.Count != len(specs) {
			t.Errorf("%v: got %d kernels; %+v", specs, len(r.Kernels), r.Choice)
		}
	}
}

// The residual is that of the kernels and codes returned, and of nothing else.
func TestKernelResidualRecomputed(t *testing.T) {
	slow(t)
	truth := onGraph(20, 60, 0.1, *seed, "heat:2", "highpass:1")
	truth.Signals.Scale(1e-9, truth.Signals)
	for _, o := range []learn.KernelOptions{{Count: 2}, {Kernels: kernelsOf("heat:1", "highpass:2")}} {
		r := learnKernels(t, truth, o)
		d := must(dictionary.Dense(truth.Graph.Laplacian(), r.Kernels))
		var rest mat.Dense
		rest.Mul(d, r.Codes.Dense())
		rest.Sub(&rest, truth.Signals)
		want := math.Pow(mat.Norm(&rest, 2)/mat.Norm(truth.Signals, 2), 2)
		if math.Abs(r.Residual-want) > 1e-9*want {
			t.Errorf("residual %g, recomputed %g", r.Residual, want)
		}
		if r.Codes.Sparsity() != 4 || r.Residual > 0.02 {
			t.Errorf("%d atoms per signal leave %g", r.Codes.Sparsity(), r.Residual)
		}
	}
}

func TestKernelsIgnoreThreadsAndScale(t *testing.T) {
	slow(t)
	truth := onGraph(15, 60, 0.1, *seed, "heat:2", "highpass:1")
	name := func(o learn.KernelOptions) string {
		var names []string
		for _, k := range learnKernels(t, truth, o).Kernels {
			names = append(names, k.Name)
		}
		return strings.Join(names, " ")
	}
	first := name(learn.KernelOptions{Seed: 7, Count: 2})
	if got := name(learn.KernelOptions{Seed: 7, Count: 2, Threads: 3}); got != first {
		t.Errorf("three threads give %s, one %s", got, first)
	}
	truth.Signals.Scale(0x1p40, truth.Signals)
	if got := name(learn.KernelOptions{Seed: 7, Count: 2}); got != first {
		t.Errorf("scaled signals give %s, want %s", got, first)
	}
}

func TestKernelsCommuteWithRelabelling(t *testing.T) {
	slow(t)
	truth := onGraph(20, 100, 0, *seed, "heat:2", "highpass:1")
	n, m := truth.Signals.Dims()
	order := rng.Stream(*seed, "relabelling").Perm(n)
	g := must(truth.Graph.Permuted(order))
	y := mat.NewDense(n, m, nil)
	for k, i := range order {
		y.SetRow(k, truth.Signals.RawRowView(i))
	}
	o := learn.KernelOptions{Kernels: kernelsOf("heat:1", "highpass:2")}
	a := learnKernels(t, truth, o)
	truth.Graph, truth.Signals = g, y
	b := learnKernels(t, truth, o)
	for s := range a.Kernels {
		if math.Abs(a.Kernels[s].Scale()/b.Kernels[s].Scale()-1) > 1e-6 {
			t.Errorf("%s before, %s after", a.Kernels[s].Name, b.Kernels[s].Name)
		}
	}
}

func TestKernelsAreReturnedWhenInterrupted(t *testing.T) {
	slow(t)
	truth := onGraph(20, 60, 0.1, *seed, "heat:2", "highpass:1")
	for _, o := range []learn.KernelOptions{{}, {Kernels: kernelsOf("heat:1")}} {
		for _, stop := range []int{0, 1, 5} {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			cause := errors.New("enough")
			if stop == 0 {
				cancel(cause)
			}
			var last *learn.KernelResult
			var err error
			steps := 0
			for step, fault := range learn.KernelSteps(ctx, truth.Graph, truth.Signals, o) {
				last, err = step.Result, fault
				if steps++; steps == stop {
					cancel(cause)
				}
			}
			if last == nil || !errors.Is(err, cause) || last.Status != method.Interrupted || len(last.Kernels) == 0 || last.Codes == nil {
				t.Errorf("stopped after %d steps: %+v, %v", stop, last, err)
			}
		}
	}
}

func TestKernelsAreLearnedFromWhatWasObserved(t *testing.T) {
	truth := drawn(20, synth.SignalSpec{Count: 200, Sparsity: 3}, "heat:2", "highpass:1")
	r := must(fitKernels(t.Context(), truth.Graph, losing(truth.Signals, 0.1, *seed),
		learn.KernelOptions{Kernels: kernelsOf("heat:1", "highpass:2"), Sparsity: 3}))
	for s, want := range []float64{2, 1} {
		if got := r.Kernels[s].Scale(); math.Abs(got-want) > 0.01*want {
			t.Errorf("scale %g, want %g", got, want)
		}
	}
}
