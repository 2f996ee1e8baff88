package baseline_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/synth"
)

var seed = flag.Uint64("seed", 1, "seed of the problems; any must pass")

// A contender is a method under the contract: all of baseline, and the learner.
type contender struct {
	name  string
	learn func(ctx context.Context, p baseline.Problem) (*baseline.Result, error)
}

func contenders() []contender {
	list := []contender{{"sparse", fitSparse}}
	for _, m := range baseline.Methods() {
		list = append(list, contender{m.Name, func(ctx context.Context, p baseline.Problem) (*baseline.Result, error) {
			return m.Learn(ctx, p, nil)
		}})
	}
	return list
}

// fitSparse is learn.Fit as a baseline.
func fitSparse(ctx context.Context, p baseline.Problem) (*baseline.Result, error) {
	r, err := learn.Fit(ctx, p.Y, learn.Model{Kernels: p.Kernels, Sparsity: conformSparsity}, learn.Options{Names: p.Names, Cut: p.Cut, Seed: 1})
	if r == nil {
		return nil, err
	}
	return &baseline.Result{Weights: r.Weights, Graph: r.Graph, Iterations: r.Rounds, Status: r.Status, Warnings: r.Warnings}, err
}

// The problem of most tests has low-pass kernels, for with others some methods
// find no edge, and no law is easier to keep than that of an empty graph.
const (
	conformVertices = 12
	conformSignals  = 200
	conformSparsity = 3
)

func conformKernels(t *testing.T) []kernel.Kernel {
	t.Helper()
	slow, err := kernel.Heat(2, 15, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := kernel.Heat(1, 15, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	return []kernel.Kernel{slow, fast}
}

// conformTolerance is how far weights may move, relative to the heaviest, where
// only rounding can move them.
const conformTolerance = 1e-6

func conformProblem(t *testing.T) baseline.Problem {
	t.Helper()
	return drawProblem(t, conformVertices, conformSignals)
}

func drawProblem(t *testing.T, vertices, signals int) baseline.Problem {
	t.Helper()
	kernels := conformKernels(t)
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, EdgeFactor: 2, Seed: *seed}, kernels,
		synth.SignalSpec{Count: signals, Sparsity: conformSparsity, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := truth.Signals.Dims()
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("station %c%d", 'a'+i%26, i)
	}
	return baseline.Problem{Y: truth.Signals, Names: names, Kernels: kernels}
}

// eachContender runs a test for every method.
func eachContender(t *testing.T, test func(t *testing.T, c contender)) {
	t.Helper()
	for _, c := range contenders() {
		t.Run(c.name, func(t *testing.T) { test(t, c) })
	}
}

func (c contender) must(t *testing.T, p baseline.Problem) *baseline.Result {
	t.Helper()
	r, err := c.learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// weightsByName returns the weights of a graph by the names they join, in units
// of the heaviest.
func weightsByName(g *graph.Graph) map[[2]string]float64 {
	names, list, heaviest := g.Names(), map[[2]string]float64{}, 0.0
	for _, e := range g.Edges() {
		a, b := names[e.I], names[e.J]
		list[[2]string{min(a, b), max(a, b)}] = e.Weight
		heaviest = max(heaviest, e.Weight)
	}
	for pair := range list {
		list[pair] /= heaviest
	}
	return list
}

// wantSame checks that two results are the same graph: the same edges after the
// cut, and before it weights that differ by rounding.
func wantSame(t *testing.T, what string, got, want *baseline.Result) {
	t.Helper()
	a, b := weightsByName(got.Graph), weightsByName(want.Graph)
	if !maps.EqualFunc(a, b, func(float64, float64) bool { return true }) {
		t.Errorf("%s: %d edges, not the same as the %d without", what, len(a), len(b))
	}
	a, b = weightsByName(got.Weights), weightsByName(want.Weights)
	worst := 0.0
	for pair := range b {
		worst = max(worst, math.Abs(a[pair]-b[pair]))
	}
	for pair := range a {
		worst = max(worst, math.Abs(a[pair]-b[pair]))
	}
	if !(worst <= conformTolerance) {
		t.Errorf("%s: weights differ by %.2g of the heaviest", what, worst)
	}
}

// wantSound checks what holds for every result, however it came about.
func wantSound(t *testing.T, p baseline.Problem, r *baseline.Result) {
	t.Helper()
	names := p.Names
	if n, _ := p.Y.Dims(); names == nil {
		names = graph.DefaultNames(n)
	}
	weights := map[[2]int]float64{}
	for _, e := range r.Weights.Edges() {
		weights[[2]int{e.I, e.J}] = e.Weight
	}
	for what, g := range map[string]*graph.Graph{"Weights": r.Weights, "Graph": r.Graph} {
		if !slices.Equal(g.Names(), names) {
			t.Errorf("%s has vertices %q, want %q", what, g.Names(), names)
		}
		for _, e := range g.Edges() {
			if !(e.Weight > 0) || math.IsInf(e.Weight, 0) {
				t.Errorf("%s has weight %g between %d and %d", what, e.Weight, e.I, e.J)
			}
			if weights[[2]int{e.I, e.J}] == 0 { // the learner fits weights anew after the cut
				t.Errorf("edge %d–%d has weight %g after the cut and none before", e.I, e.J, e.Weight)
			}
		}
	}
	if !slices.Contains([]solver.Status{solver.Converged, solver.MaxRounds, solver.Stalled, solver.Interrupted}, r.Status) {
		t.Errorf("status %q", r.Status)
	}
	for name, v := range r.Params {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			t.Errorf("parameter %s is %g", name, v)
		}
	}
}

// isInputError says whether a method blames its input.
func isInputError(err error) bool {
	_, ours := errors.AsType[*input.Error](err)
	_, learners := errors.AsType[*input.Error](err)
	return ours || learners
}

func TestMethodsGiveSoundGraphs(t *testing.T) {
	p := conformProblem(t)
	eachContender(t, func(t *testing.T, c contender) {
		r := c.must(t, p)
		wantSound(t, p, r)
		if r.Weights.EdgeCount() == 0 || r.Graph.EdgeCount() == 0 {
			t.Errorf("%d weights and %d edges", r.Weights.EdgeCount(), r.Graph.EdgeCount())
		}
		nameless := p
		nameless.Names = nil
		wantSound(t, nameless, c.must(t, nameless))
	})
}

func TestMethodsCommuteWithRelabelling(t *testing.T) {
	p := conformProblem(t)
	n, m := p.Y.Dims()
	eachContender(t, func(t *testing.T, c contender) {
		want := c.must(t, p)
		for trial := range 3 {
			moved := p
			moved.Y, moved.Names = mat.NewDense(n, m, nil), make([]string, n)
			for k, i := range rng.Stream(*seed, "vertices", trial).Perm(n) {
				moved.Y.SetRow(k, p.Y.RawRowView(i))
				moved.Names[k] = p.Names[i]
			}
			wantSame(t, "relabelled", c.must(t, moved), want)
		}
	})
}

func TestMethodsIgnoreTheOrderOfSignals(t *testing.T) {
	p := conformProblem(t)
	n, m := p.Y.Dims()
	eachContender(t, func(t *testing.T, c contender) {
		want := c.must(t, p)
		for trial := range 3 {
			moved := p
			moved.Y = mat.NewDense(n, m, nil)
			for k, s := range rng.Stream(*seed, "signals", trial).Perm(m) {
				moved.Y.SetCol(k, mat.Col(nil, s, p.Y))
			}
			wantSame(t, "reordered", c.must(t, moved), want)
		}
	})
}

func TestMethodsIgnoreScale(t *testing.T) {
	p := conformProblem(t)
	eachContender(t, func(t *testing.T, c contender) {
		want := c.must(t, p)
		for _, scale := range []float64{1e6, 1e-6, -1} {
			scaled := p
			scaled.Y = mat.DenseCopyOf(p.Y)
			scaled.Y.Scale(scale, scaled.Y)
			wantSame(t, fmt.Sprintf("scaled by %g", scale), c.must(t, scaled), want)
		}
	})
}

// The same bits come again, whatever the number of threads.
func TestMethodsAreDeterministic(t *testing.T) {
	p := conformProblem(t)
	eachContender(t, func(t *testing.T, c contender) {
		first := c.must(t, p)
		before := runtime.GOMAXPROCS(1)
		second := c.must(t, p)
		runtime.GOMAXPROCS(before)
		switch {
		case !slices.Equal(first.Weights.Edges(), second.Weights.Edges()), !slices.Equal(first.Graph.Edges(), second.Graph.Edges()):
			t.Error("the graph is another the second time")
		case !maps.Equal(first.Params, second.Params), first.Iterations != second.Iterations, first.Status != second.Status,
			!slices.Equal(first.Warnings, second.Warnings):
			t.Errorf("the second time says %v, %d, %s, %q; the first %v, %d, %s, %q", second.Params, second.Iterations, second.Status, second.Warnings,
				first.Params, first.Iterations, first.Status, first.Warnings)
		}
	})
}

func TestMethodsLeaveTheirInputAlone(t *testing.T) {
	eachContender(t, func(t *testing.T, c contender) {
		p := conformProblem(t)
		y, names := mat.DenseCopyOf(p.Y), slices.Clone(p.Names)
		var coefs [][]float64
		for _, k := range p.Kernels {
			coefs = append(coefs, k.Series())
		}
		c.must(t, p)
		if !mat.Equal(p.Y, y) || !slices.Equal(p.Names, names) {
			t.Error("signals or names have changed")
		}
		for s, k := range p.Kernels {
			if !slices.Equal(k.Series(), coefs[s]) {
				t.Errorf("kernel %d has changed", s)
			}
		}
	})
}

// promptly is far more than a method may need to notice that its context has
// ended, and far less than the work takes that it is to give up.
const promptly = 3 * time.Second

// A context that ended before the start ends the method at once, with the cause;
// if there is a result, it is sound.
func TestMethodsDoNotStartWhenCancelled(t *testing.T) {
	p := drawProblem(t, 100, 400)
	enough := errors.New("enough")
	eachContender(t, func(t *testing.T, c contender) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(enough)
		begun := time.Now()
		r, err := c.learn(ctx, p)
		if took := time.Since(begun); took > promptly {
			t.Errorf("it took %s", took)
		}
		if !errors.Is(err, enough) {
			t.Errorf("got error %v, want the cause", err)
		}
		if r != nil {
			wantSound(t, p, r)
			if r.Status != solver.Interrupted {
				t.Errorf("status %q", r.Status)
			}
		}
	})
}

// A context that ends on the way ends the method soon, and it says so.
func TestMethodsStopWhenCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("a large problem")
	}
	p := drawProblem(t, 150, 300)
	eachContender(t, func(t *testing.T, c contender) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		begun := time.Now()
		r, err := c.learn(ctx, p)
		if took := time.Since(begun); took > promptly {
			t.Errorf("it took %s", took)
		}
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got error %v", err)
		}
		if err == nil && r == nil {
			t.Fatal("neither result nor error")
		}
		if r != nil {
			wantSound(t, p, r)
			if (r.Status == solver.Interrupted) != (err != nil) {
				t.Errorf("status %s with error %v", r.Status, err)
			}
		}
	})
}

func TestMethodsRefuseBadInput(t *testing.T) {
	good := conformProblem(t)
	n, m := good.Y.Dims()
	with := func(v float64) func(*baseline.Problem) {
		return func(p *baseline.Problem) {
			p.Y = mat.DenseCopyOf(p.Y)
			p.Y.Set(n-1, m/2, v)
		}
	}
	for name, spoil := range map[string]func(*baseline.Problem){
		"one vertex": func(p *baseline.Problem) {
			p.Y, p.Names = mat.DenseCopyOf(p.Y.Slice(0, 1, 0, m)), p.Names[:1]
		},
		"one signal":        func(p *baseline.Problem) { p.Y = mat.DenseCopyOf(p.Y.Slice(0, n, 0, 1)) },
		"a missing value":   with(math.NaN()),
		"an infinite value": with(math.Inf(-1)),
		"no vertex varies":  func(p *baseline.Problem) { p.Y = mat.NewDense(n, m, nil) },
		"only one vertex varies": func(p *baseline.Problem) {
			one := mat.NewDense(n, m, nil)
			one.SetRow(3, p.Y.RawRowView(3))
			p.Y = one
		},
		"a name too few":       func(p *baseline.Problem) { p.Names = p.Names[1:] },
		"a name given twice":   func(p *baseline.Problem) { p.Names = append([]string{p.Names[1]}, p.Names[1:]...) },
		"no edge to keep":      func(p *baseline.Problem) { p.Cut = graph.Cut{Rule: graph.CutEdges} },
		"more edges than fit":  func(p *baseline.Problem) { p.Cut = graph.Cut{Rule: graph.CutEdges, Edges: n*n/2 + 1} },
		"a negative threshold": func(p *baseline.Problem) { p.Cut = graph.Cut{Rule: graph.CutThreshold, Threshold: -1} },
		"no such cut":          func(p *baseline.Problem) { p.Cut = graph.Cut{Rule: "sharp"} },
	} {
		t.Run(name, func(t *testing.T) {
			eachContender(t, func(t *testing.T, c contender) {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("panic: %v", r)
					}
				}()
				if name == "a missing value" && c.name == "sparse" {
					return // it can do without
				}
				p := good
				spoil(&p)
				r, err := c.learn(t.Context(), p)
				if r != nil || !isInputError(err) {
					t.Errorf("got result %v and error %v, want an input.Error", r != nil, err)
				}
				if err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("more than a sentence: %v", err)
				}
			})
		})
	}
}

// A vertex that never varies is left isolated, a warning names it, and the
// others are joined as if it were not there.
func TestMethodsSetConstantVerticesAside(t *testing.T) {
	p := conformProblem(t)
	n, m := p.Y.Dims()
	without := p
	without.Y, without.Names = mat.DenseCopyOf(p.Y.Slice(1, n, 0, m)), p.Names[1:]
	eachContender(t, func(t *testing.T, c contender) {
		want := c.must(t, without)
		for _, level := range []float64{0, 7.5} {
			stuck := p
			stuck.Y = mat.DenseCopyOf(p.Y)
			for s := range m {
				stuck.Y.Set(0, s, level)
			}
			got := c.must(t, stuck)
			wantSound(t, stuck, got)
			if got.Weights.Degrees()[0] != 0 {
				t.Errorf("the vertex stuck at %g has edges", level)
			}
			if !slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, fmt.Sprintf("%q", p.Names[0])) }) {
				t.Errorf("no warning names the vertex stuck at %g: %q", level, got.Warnings)
			}
			wantSame(t, fmt.Sprintf("with a vertex stuck at %g", level), got, want)
		}
	})
}

// Cuts keep what they say, of the weights that the method reports.
func TestMethodsCutAsTold(t *testing.T) {
	p := conformProblem(t)
	n, _ := p.Y.Dims()
	eachContender(t, func(t *testing.T, c contender) {
		for _, edges := range []int{1, n, n * (n - 1) / 2} {
			cut := p
			cut.Cut = graph.Cut{Rule: graph.CutEdges, Edges: edges}
			r := c.must(t, cut)
			wantSound(t, cut, r)
			if want := r.Weights.Strongest(edges); !slices.Equal(r.Graph.Edges(), want.Edges()) {
				t.Errorf("asked for %d edges, got %d, not the %d heaviest", edges, r.Graph.EdgeCount(), want.EdgeCount())
			}
		}
		weights := c.must(t, p).Weights.Edges()
		if len(weights) == 0 {
			t.Fatal("there is nothing to cut")
		}
		threshold := weights[len(weights)/2].Weight
		cut := p
		cut.Cut = graph.Cut{Rule: graph.CutThreshold, Threshold: threshold}
		r := c.must(t, cut)
		if want := r.Weights.Above(threshold); !slices.Equal(r.Graph.Edges(), want.Edges()) {
			t.Errorf("above %g: got %d edges, want %d", threshold, r.Graph.EdgeCount(), want.EdgeCount())
		}
	})
}

// Whatever the signals, a method gives a sound graph or blames them; it does not
// panic and its weights are numbers.
func TestMethodsSurviveOddSignals(t *testing.T) {
	r := rng.Stream(*seed, "odd signals")
	draw := func(n, m int) *mat.Dense {
		y := mat.NewDense(n, m, nil)
		y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
		return y
	}
	twins := draw(6, 20)
	twins.SetRow(4, twins.RawRowView(1))
	opposite := draw(6, 20)
	floats.ScaleTo(opposite.RawRowView(2), -1, opposite.RawRowView(3))
	huge, tiny, offset := draw(6, 20), draw(6, 20), draw(6, 20)
	huge.Scale(1e150, huge)
	tiny.Scale(1e-150, tiny)
	offset.Apply(func(_, _ int, v float64) float64 { return 1e6 + v }, offset)
	uneven := draw(6, 20)
	floats.Scale(1e8, uneven.RawRowView(0))
	spikes := mat.NewDense(6, 6, nil)
	for i := range 6 {
		spikes.Set(i, i, 1)
	}
	same := mat.NewDense(6, 20, nil)
	for i := range 6 {
		same.SetRow(i, twins.RawRowView(1))
	}
	for name, y := range map[string]*mat.Dense{
		"two vertices": draw(2, 10), "two signals": draw(6, 2), "five vertices": draw(5, 50), "fewer signals than vertices": draw(10, 4),
		"two equal vertices": twins, "opposite vertices": opposite, "all vertices equal": same,
		"huge": huge, "tiny": tiny, "far from zero": offset, "uneven": uneven, "spikes": spikes,
	} {
		t.Run(name, func(t *testing.T) {
			eachContender(t, func(t *testing.T, c contender) {
				defer func() {
					if r := recover(); r != nil {
						t.Errorf("panic: %v", r)
					}
				}()
				p := baseline.Problem{Y: y, Kernels: conformKernels(t)}
				r, err := c.learn(t.Context(), p)
				switch {
				case err != nil && !isInputError(err):
					t.Errorf("got error %v", err)
				case err == nil:
					wantSound(t, p, r)
				}
			})
		})
	}
}

func TestMethodsNameTheirParameters(t *testing.T) {
	p := conformProblem(t)
	for _, m := range baseline.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			refuses := func(params baseline.Params, field string) {
				t.Helper()
				_, err := m.Learn(t.Context(), p, params)
				if e, ok := errors.AsType[*input.Error](err); !ok || string(e.Field) != field || e.Op != m.Name {
					t.Errorf("%v: got error %v, want one on %s", params, err, field)
				}
			}
			refuses(baseline.Params{"no such": 1}, "no such")
			r, err := m.Learn(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			known := map[string]bool{}
			for _, q := range m.Params {
				known[q.Name] = true
				if q.Meaning == "" {
					t.Errorf("nobody knows what %s means", q.Name)
				}
				refuses(baseline.Params{q.Name: -1}, q.Name)
				refuses(baseline.Params{q.Name: math.NaN()}, q.Name)
			}
			if len(m.Params) > 0 && len(r.Params) == 0 {
				t.Error("the result does not say what its parameters were")
			}
			for name := range r.Params {
				if !known[name] {
					t.Errorf("the result has a parameter %s that cannot be set", name)
				}
			}
			// What was chosen, set by hand, gives the same graph.
			again, err := m.Learn(t.Context(), p, r.Params)
			if err != nil {
				t.Fatal(err)
			}
			wantSame(t, fmt.Sprintf("with %v", r.Params), again, r)
		})
	}
}

func TestMethodsAreListedByName(t *testing.T) {
	word := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	last := ""
	for _, m := range baseline.Methods() {
		if m.Name <= last || !word.MatchString(m.Name) || m.Name == "sparse" {
			t.Errorf("method %q after %q", m.Name, last)
		}
		if m.About == "" || strings.ContainsAny(m.About, "\n") {
			t.Errorf("%s: %q is not a line about it", m.Name, m.About)
		}
		if found, ok := baseline.ByName(m.Name); !ok || found.Name != m.Name {
			t.Errorf("%s is not found by its name", m.Name)
		}
		last = m.Name
	}
	if _, ok := baseline.ByName("no such method"); ok {
		t.Error("there is such a method")
	}
}
