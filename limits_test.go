package nervure_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
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
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

func limitedSignals(t *testing.T, vertices int) *nervure.Signals {
	t.Helper()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 1}, kernel.Paper(), synth.SignalSpec{Count: 150, Sparsity: 4, Noise: 0.3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
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
	truth, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: 1000, Order: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
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
	free, err := nervure.Learn(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	o.TimeLimit = time.Hour
	limited, err := nervure.Learn(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
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
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: n, Seed: 920_000})
	if err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
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
		truth, err := synth.Signals(drawn.Graph, kernel.Paper(), synth.SignalSpec{Count: min(some, m-from), Sparsity: 4, Seed: 920_000 + uint64(from)})
		if err != nil {
			b.Fatal(err)
		}
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
			s, err := dataio.ReadSignals(path, dataio.ReadOptions{SampleEnough: true})
			if err != nil {
				b.Fatal(err)
			}
			a, err := nervure.Learn(b.Context(), s, nervure.Options{Confidence: nervure.No})
			if err != nil {
				b.Fatal(err)
			}
			seconds = time.Since(begin).Seconds()
			if watched {
				peak = checks.PeakMemory(b)
			}
			score, err := metrics.Edges(a.Graph, truth)
			if err != nil {
				b.Fatal(err)
			}
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
		first, err := nervure.RunIdentity(signals(6), nervure.Options{})
		if err != nil {
			t.Fatal(err)
		}
		id, err := nervure.RunIdentity(s, o)
		if err != nil {
			t.Fatal(err)
		}
		return first.Difference(id)
	}
	prior, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 2}})
	if err != nil {
		t.Fatal(err)
	}
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
		id, err := nervure.RunIdentity(signals(6), nervure.Options{Method: learn.Sparse{Options: o}})
		if err != nil {
			t.Fatal(err)
		}
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
