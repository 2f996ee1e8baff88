package nervure_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

func limitedSignals(t *testing.T, vertices int) *nervure.Signals {
	t.Helper()
	truth := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 1}, kernel.Paper(),
		synth.SignalSpec{Count: 150, Sparsity: 4, Noise: 0.3, Seed: 1}))
	return &nervure.Signals{Y: truth.Signals}
}

// A run that takes much longer than its limit ends with a graph, no error, and a
// sentence about it. On a busy machine the limit may leave too little work for a graph;
// then there is one with a longer limit.
func TestTimeLimitEndsWithAGraph(t *testing.T) {
	s := limitedSignals(t, 120)
	for _, m := range []method.Method{nil, learn.Sparse{}} {
		limit := 700 * time.Millisecond
		begun := checks.CPUTime(t)
		a, err := nervure.Learn(t.Context(), s, nervure.Options{Method: m, TimeLimit: limit})
		for err != nil && limit < time.Minute && strings.HasPrefix(err.Error(), "no graph could be learned within the time limit") {
			limit *= 2
			begun = checks.CPUTime(t)
			a, err = nervure.Learn(t.Context(), s, nervure.Options{Method: m, TimeLimit: limit})
		}
		if err != nil {
			t.Fatal(err)
		}
		if took := checks.CPUTime(t) - begun; took > 10*limit {
			t.Errorf("%s of work with a limit of %s", took, limit)
		}
		d := a.Summary()
		if a.Graph.EdgeCount() == 0 || a.Status != method.Interrupted || !d.LimitReached || d.TimeLimit != limit.Seconds() {
			t.Errorf("%d edges, status %s, limit of %g s reached: %v", a.Graph.EdgeCount(), a.Status, d.TimeLimit, d.LimitReached)
		}
		if a.Verdict.Grade != nervure.NotChecked || !strings.Contains(a.Verdict.String(), "time limit") {
			t.Errorf("verdict %q", a.Verdict)
		}
		if !slices.ContainsFunc(d.Warnings, func(w string) bool {
			return strings.HasPrefix(w, fmt.Sprintf("the time limit of %s ended learning", limit))
		}) {
			t.Errorf("warnings %q", d.Warnings)
		}
	}
}

// A field that there was no time to tell from sums of patterns is learned as one, and it is said
// that there was none.
func TestTimeLimitDoesNotMakeAFieldSparse(t *testing.T) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	truth := must.Get(synth.Field(drawn.Graph, synth.FieldSpec{Count: 1000, Order: 2, Seed: 1}))
	var a *nervure.Analysis
	// On a busy machine there may be no time for any edges: then a longer limit is tried, and a shorter one if
	// it is not reached.
	limit := 400 * time.Millisecond
	for range 8 {
		o := nervure.Options{TimeLimit: limit, Prepare: prepare.None(), Confidence: nervure.No}
		if a, err = nervure.Learn(t.Context(), &nervure.Signals{Y: truth.Signals}, o); err != nil {
			t.Fatal(err)
		}
		switch {
		case !a.Choice.IsField():
			limit *= 3
		case !a.LimitReached:
			limit /= 2
		default:
			limit = 0
		}
		if limit == 0 {
			break
		}
	}
	if !a.Choice.IsField() || a.Result.Method.Name() != "field" || !a.LimitReached {
		t.Errorf("got %s by %s, limit reached: %t", a.Choice, a.Result.Method.Name(), a.LimitReached)
	}
	if why := a.Choice.Uncompared(); why != "" && why != "the time limit left no time to compare methods" {
		t.Errorf("it says %q", why)
	}
	if f1, err := metrics.EdgeF1(a.Graph, truth.Graph); err != nil || f1 < 0.9 {
		t.Errorf("F1 %g, %v", f1, err)
	}
}

// A limit that is not reached changes nothing.
func TestGenerousTimeLimitChangesNothing(t *testing.T) {
	s := limitedSignals(t, 15)
	o := nervure.Options{Confidence: nervure.No}
	free := must.Get(nervure.Learn(t.Context(), s, o))
	o.TimeLimit = time.Hour
	limited := must.Get(nervure.Learn(t.Context(), s, o))
	if limited.LimitReached || !slices.Equal(free.Graph.Edges(), limited.Graph.Edges()) || free.Verdict.Grade != limited.Verdict.Grade {
		t.Errorf("with an hour: %v %s, without a limit %s", limited.LimitReached, limited.Verdict, free.Verdict)
	}
}

// A method that finds nothing in its time is an error that says so.
func TestNoGraphInTimeIsAnError(t *testing.T) {
	_, err := nervure.Learn(t.Context(), limitedSignals(t, 30), nervure.Options{Method: baseline.KNN{}, TimeLimit: 1})
	if err == nil || !strings.Contains(err.Error(), "time limit") {
		t.Errorf("error %v", err)
	}
}

// Who interrupts a limited run gets the cause, not the limit.
func TestInterruptedLimitedRunSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	var last nervure.Step
	var err error
	for last, err = range nervure.Steps(ctx, limitedSignals(t, 30), nervure.Options{Method: learn.Sparse{}, TimeLimit: time.Hour}) {
		if last.Method.Round == 2 {
			cancel(why)
		}
	}
	if a := last.Analysis; !errors.Is(err, why) || a == nil || a.LimitReached || a.Status != method.Interrupted || !a.PrunedEarly() {
		t.Errorf("error %v, analysis %+v", err, last.Analysis)
	}
}

// manySignals writes signals on a graph of n vertices to an array of NumPy, some at a
// time, and returns the graph.
func manySignals(b testing.TB, path string, n, m int) *graph.Graph {
	b.Helper()
	drawn := must.Get(synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: 920_000}))
	file := must.Get(os.Create(path))
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	header := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", m, n)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	start := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	if _, err := w.Write(append(start, header...)); err != nil {
		b.Fatal(err)
	}
	const some = 10_000
	for from := 0; from < m; from += some {
		truth := must.Get(synth.Signals(drawn.Graph, kernel.Paper(),
			synth.SignalSpec{Count: min(some, m-from), Sparsity: 4, Seed: 920_000 + uint64(from)}))
		_, count := truth.Signals.Dims()
		row := make([]byte, 0, 8*n)
		for s := range count {
			row = row[:0]
			for i := range n {
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(truth.Signals.At(i, s)))
			}
			if _, err := w.Write(row); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return drawn.Graph
}

// BenchmarkManySignals learns from a million signals in a file, and reports how much
// memory that takes beyond the file. `make performance` keeps what it prints.
func BenchmarkManySignals(b *testing.B) {
	const n, m = 200, 1_000_000
	b.Run(fmt.Sprintf("er/n=%d/m=%d", n, m), func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "signals.npy")
		truth := manySignals(b, path, n, m)
		var seconds, peak, f1 float64
		for b.Loop() {
			debug.FreeOSMemory()
			watched := memory.WatchPeak()
			begin := time.Now()
			s := must.Get(dataio.ReadSignals(path, dataio.ReadOptions{SampleEnough: true}))
			a := must.Get(nervure.Learn(b.Context(), s, nervure.Options{Confidence: nervure.No}))
			seconds = time.Since(begin).Seconds()
			if watched {
				peak = checks.PeakMemory(b)
			}
			score := must.Get(metrics.Edges(a.Graph, truth))
			f1 = score.F1()
			b.Log(a.Verdict.Reasons())
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(1, "graphs")
		b.ReportMetric(seconds, "s/graph")
		b.ReportMetric(f1, "F1")
		if peak > 0 {
			b.ReportMetric(peak, "peak-MB")
		}
	})
}

// A run can go on with whatever does not change its result, and with nothing else.
func TestRunIdentity(t *testing.T) {
	signals := func(last float64) *nervure.Signals {
		return &nervure.Signals{Y: mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, last}), Names: []string{"a", "b"}}
	}
	identity := func(s *nervure.Signals, o nervure.Options) string {
		t.Helper()
		first := must.Get(nervure.RunIdentity(signals(6), nervure.Options{}))
		id := must.Get(nervure.RunIdentity(s, o))
		return first.Difference(id)
	}
	prior := must.Get(graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 2}}))
	renamed := signals(6)
	renamed.Names = []string{"a", "c"}
	timed := signals(6)
	timed.Times = []time.Time{time.Unix(0, 0), time.Unix(1, 0), time.Unix(2, 0)}
	for _, c := range []struct {
		name    string
		signals *nervure.Signals
		options nervure.Options
		want    string
	}{
		{"the same", signals(6), nervure.Options{}, ""},
		{"threads, and the default seed", signals(6), nervure.Options{Threads: 7, Seed: 1}, ""},
		{"another seed", signals(6), nervure.Options{Seed: 2}, "the seed 2"},
		{"another value", signals(6.000001), nervure.Options{}, "other signals"},
		{"another name", renamed, nervure.Options{}, "other signals"},
		{"times", timed, nervure.Options{}, "other signals"},
		{"another method", signals(6), nervure.Options{Method: baseline.GGL{}}, "other options"},
		{"preprocessing", signals(6), nervure.Options{Prepare: prepare.Options{Center: prepare.Yes}}, "other options"},
	} {
		if got := identity(c.signals, c.options); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	sparse := func(o learn.Options) string {
		t.Helper()
		id := must.Get(nervure.RunIdentity(signals(6), nervure.Options{Method: learn.Sparse{Options: o}}))
		return id.Options
	}
	if sparse(learn.Options{Prior: prior}) == sparse(learn.Options{}) || sparse(learn.Options{Threads: 3}) != sparse(learn.Options{}) {
		t.Error("the identity has not what the result depends on, or more than that")
	}
	for _, e := range nervure.Methods() {
		if id, err := nervure.RunIdentity(signals(6), nervure.Options{Method: e.Default}); err != nil || id.Options == "" {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	if _, err := nervure.RunIdentity(nil, nervure.Options{}); input.Find(err) == nil {
		t.Errorf("no signals: got %v", err)
	}
}

// sampled returns some of the signals with all of them as blocks.
func sampled(y *mat.Dense, some int) *nervure.Signals {
	n, m := y.Dims()
	chosen := signals.Sample(m, some)
	return &nervure.Signals{Y: matrix.Columns(y, chosen), Whole: &signals.Whole{
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
		truth := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: seed}, kernel.Paper(),
			synth.SignalSpec{Count: m / 2, Sparsity: 2, Noise: 0.02, Seed: uint64(41 + half)}))
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
				s.Y = matrix.Columns(y, s.Whole.Chosen)
				want = "learned from 150 of 600 signals; the rest does not agree"
			}
			a := must.Get(nervure.Learn(t.Context(), s,
				nervure.Options{Method: m, Structure: nervure.No, Confidence: nervure.No, Prepare: prepare.None()}))
			reasons := a.Verdict.Reasons()
			if got := reasons[len(reasons)-1]; !strings.HasPrefix(got, want) {
				t.Errorf("%s, other graph %v: %q (%+v), want %q", m.Name(), others, got, a.Rest, want)
			}
		}
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
	a := must.Get(nervure.Learn(t.Context(), s, nervure.Options{
		Method: learn.Sparse{Model: learn.Model{Kernels: kernel.Paper(), Sparsity: 2}}, Structure: nervure.No, Confidence: nervure.No,
		Prepare: prepare.Options{Center: prepare.Yes, Scale: prepare.Yes, CommonMode: prepare.No},
	}))
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

var familySeeds = flag.Int("family-seeds", 0,
	"seeds of each family of small graphs, of 12, 20 and 30 vertices; 0 is one of 10 vertices of the quicker families")

// A smallFamily is a kind of graph that has a name.
type smallFamily struct {
	name string
	draw func(n int, r *rand.Rand) []graph.Edge
	// hard says that such a graph may not be found, because its atoms are nearly the same
	// or its weights have no gap: then it must not be called exact, and sure edges must be
	// right.
	hard  bool
	quick bool // enough to be run each time
}

func smallFamilies() []smallFamily {
	pairs := func(n int, joined func(i, j int) bool) (edges []graph.Edge) {
		for i := range n {
			for j := i + 1; j < n; j++ {
				if joined(i, j) {
					edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
				}
			}
		}
		return edges
	}
	fixed := func(joined func(n, i, j int) bool) func(int, *rand.Rand) []graph.Edge {
		return func(n int, _ *rand.Rand) []graph.Edge {
			return pairs(n, func(i, j int) bool { return joined(n, i, j) })
		}
	}
	return []smallFamily{
		{name: "star", draw: fixed(func(_, i, _ int) bool { return i == 0 }), quick: true},
		{name: "path", draw: fixed(func(_, i, j int) bool { return j == i+1 }), quick: true},
		{name: "two paths", draw: fixed(func(n, i, j int) bool { return j == i+1 && j != n/2 })},
		{name: "wheel", draw: fixed(func(n, i, j int) bool { return i == 0 || j == i+1 || i == 1 && j == n-1 })},
		{name: "bipartite", draw: fixed(func(n, i, j int) bool { return i < n/3 && j >= n/3 })},
		{name: "complete", draw: fixed(func(int, int, int) bool { return true }), hard: true},
		{name: "tree", draw: func(n int, r *rand.Rand) (edges []graph.Edge) {
			for j := 1; j < n; j++ {
				edges = append(edges, graph.Edge{I: r.IntN(j), J: j, Weight: 1})
			}
			return edges
		}, quick: true},
		{name: "weights of 1 to 1000", draw: func(n int, r *rand.Rand) []graph.Edge {
			edges := pairs(n, func(i, j int) bool { return j == i+1 || r.Float64() < 0.1 })
			for k := range edges {
				edges[k].Weight = math.Pow(1000, r.Float64())
			}
			return edges
		}, hard: true},
	}
}

// Small graphs of every family are found where the signals determine them, and where
// they are not found, nothing is said that is not so: with nothing given, and without
// noise or with a trace of it.
func TestSmallFamiliesAreFoundOrDoubted(t *testing.T) {
	sizes, noises, seeds := []int{10}, []float64{0}, 1
	if *familySeeds > 0 {
		sizes, noises, seeds = []int{12, 20, 30}, []float64{0, 1e-8}, *familySeeds
	}
	for _, f := range smallFamilies() {
		t.Run(f.name, func(t *testing.T) {
			if *familySeeds == 0 && !f.quick {
				t.Skip("it takes long; -family-seeds 1 does it")
			}
			found, faults := 0, 0
			for _, noise := range noises {
				for _, n := range sizes {
					right, wrong := f.learn(t, n, noise, seeds)
					found, faults = found+right, faults+wrong
				}
			}
			all := len(noises) * len(sizes) * seeds
			t.Attr("tried", strconv.Itoa(all))
			t.Attr("faults", strconv.Itoa(faults))
			t.Attr("note", fmt.Sprintf("%s: %d of %d found", f.name, found, all))
		})
	}
}

// learn learns graphs of a family from signals, holds what is said of them to the truth,
// and returns how many are found, and of how many something is said that is not so.
func (f smallFamily) learn(t *testing.T, n int, noise float64, seeds int) (found, faults int) {
	t.Helper()
	fault := func(format string, args ...any) {
		t.Helper()
		faults++
		t.Errorf(format, args...)
	}
	worst, sure, sureTrue := 1.0, 0, 0
	for seed := range uint64(seeds) {
		g := must.Get(graph.New(graph.DefaultNames(n), f.draw(n, rng.Stream(seed, "family", n))))
		truth := must.Get(synth.Signals(g, kernel.Paper(), synth.SignalSpec{Count: 200, Sparsity: 4, Noise: noise, Seed: seed}))
		o := nervure.Options{Seed: seed}
		if n > 12 {
			o.Confidence = nervure.No // it takes ten times as long as learning
		}
		a := must.Get(nervure.Learn(t.Context(), &nervure.Signals{Y: truth.Signals}, o))
		score := must.Get(metrics.Edges(a.Graph, g))
		f1 := score.F1()
		if worst = min(worst, f1); f1 >= 0.99 {
			found++
		} else if !f.hard {
			fault("%d vertices, noise %g, seed %d: F1 %.3f, %s", n, noise, seed, f1, a.Verdict)
		}
		if a.Verdict.Grade == nervure.Exact && f1 < 1 {
			fault("%d vertices, noise %g, seed %d: called exact with F1 %.3f", n, noise, seed, f1)
		}
		confidence := a.Graph.Confidence()
		for k, e := range a.Graph.Edges() {
			if confidence != nil && confidence[k] >= 0.9 {
				if sure++; g.HasEdge(e.I, e.J) {
					sureTrue++
				}
			}
		}
	}
	t.Logf("%d vertices, noise %g: %d of %d found, F1 at least %.3f; %d of %d sure edges are true", n, noise, found, seeds, worst,
		sureTrue, sure)
	if float64(sureTrue) < 0.9*float64(sure) {
		fault("%d vertices, noise %g: %d of %d sure edges are true", n, noise, sureTrue, sure)
	}
	return found, faults
}

// commandSeed is that of the graphs that the command is timed on. No constant was chosen by
// looking at these.
const commandSeed = 920_000

// BenchmarkCommand takes the CPU time of what `nervure learn FILE` does with signals without
// noise, once they are read: with no flags, with the method sparse, and by learn.Fit, which only
// learns. `make performance` keeps what it prints.
func BenchmarkCommand(b *testing.B) {
	for _, n := range []int{20, 50, 100, 200, 500, 1000} {
		b.Run(fmt.Sprintf("er/n=%d/m=%d", n, 2*n), func(b *testing.B) {
			truth := must.Get(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: commandSeed}, kernel.Paper(),
				synth.SignalSpec{Count: 2 * n, Sparsity: 4, Seed: commandSeed}))
			s := &nervure.Signals{Y: truth.Signals, Names: truth.Graph.Names()}
			took := func(work func() error) float64 {
				from := checks.CPUTime(b)
				if err := work(); err != nil {
					b.Fatal(err)
				}
				return (checks.CPUTime(b) - from).Seconds()
			}
			for b.Loop() {
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(took(func() error { _, err := nervure.Learn(b.Context(), s, nervure.Options{}); return err }),
					"default-s")
				b.ReportMetric(took(func() error {
					_, err := nervure.Learn(b.Context(), s, nervure.Options{Method: learn.Sparse{}})
					return err
				}), "sparse-s")
				b.ReportMetric(took(func() error {
					_,
						err := learn.Fit(b.Context(), s.Y, learn.Model{}, learn.Options{})
					return err
				}), "fit-s")
			}
		})
	}
}
