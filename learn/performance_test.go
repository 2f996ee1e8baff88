package learn_test

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// performanceSeed begins the seeds of the graphs that speed is measured on. No
// constant was chosen by looking at these.
const performanceSeed = 910_000

// From that many bytes of signals on, the collector comes as often as the command has it
// come.
const muchMemory, collectorPercent = 8 << 20, 15

// A load is some graphs of a setting, to be learned on some threads.
type load struct {
	setting
	threads, graphs int
}

// sized is a setting of the paper's kind, in any size.
func sized(family synth.Family, n, m, sparsity int) setting {
	model := learn.PaperModel()
	model.Sparsity = sparsity
	return setting{
		fmt.Sprintf("%s/n=%d/m=%d/t0=%d", family, n, m, sparsity),
		synth.GraphSpec{Family: family, Vertices: n},
		synth.SignalSpec{Count: m, Sparsity: sparsity},
		model,
	}
}

// truths draws the graphs, the same for every number of threads.
func (l load) truths() iter.Seq[*synth.Truth] {
	return func(yield func(*synth.Truth) bool) {
		for k := range l.graphs {
			if !yield(l.draw(performanceSeed + uint64(k))) {
				return
			}
		}
	}
}

// performanceLoads is each load once; the tables of docs/performance.md share some.
func performanceLoads() []load {
	er := func(n, m, sparsity, threads, graphs int) load {
		return load{sized(synth.FamilyER, n, m, sparsity), threads, graphs}
	}
	var loads []load
	for threads := 1; threads <= 2; threads++ {
		loads = append(loads, er(100, 200, 4, threads, 10), er(200, 400, 4, threads, 5), er(1000, 2000, 4, threads, 3))
	}
	for _, m := range []int{500, 1000, 4000} {
		loads = append(loads, er(1000, m, 4, 2, 3))
	}
	for _, sparsity := range []int{8, 16, 32} {
		loads = append(loads, er(1000, 2000, sparsity, 2, 3))
	}
	for _, n := range []int{2000, 5000, 10_000} {
		loads = append(loads, er(n, 2000, 8, 2, 1))
	}
	return append(loads, er(10_000, 4000, 40, 2, 1), load{sized(synth.FamilyRBF, 10_000, 4000, 40), 2, 1})
}

// BenchmarkPerformance learns graphs of growing size, signals and sparsity on one
// thread and on two. `make performance` keeps what it prints.
func BenchmarkPerformance(b *testing.B) {
	for _, l := range performanceLoads() {
		b.Run(fmt.Sprintf("%s/threads=%d", l.name, l.threads), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(l.threads))
			var m measurement
			for b.Loop() {
				m = measurement{}
				for truth := range l.truths() {
					m.learn(b, truth, l.model, learn.Options{Threads: l.threads})
				}
			}
			m.report(b)
		})
	}
}

// BenchmarkBothWays learns each graph by the engine of large graphs and by the
// other, and counts on how many both find the same edges.
func BenchmarkBothWays(b *testing.B) {
	l := load{sized(synth.FamilyER, 200, 400, 4), 2, 20}
	b.Run(fmt.Sprintf("%s/threads=%d", l.name, l.threads), func(b *testing.B) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(l.threads))
		var large, dense measurement
		var same int
		for b.Loop() {
			large, dense, same = measurement{}, measurement{}, 0
			for truth := range l.truths() {
				one := large.learn(b, truth, l.model, learn.Options{Threads: l.threads, LargeFrom: 2})
				other := dense.learn(b, truth, l.model, learn.Options{Threads: l.threads, LargeFrom: 1000})
				if slices.Equal(pairs(one.Graph), pairs(other.Graph)) {
					same++
				}
			}
		}
		large.report(b)
		b.ReportMetric(dense.mean(dense.seconds), "dense-s/graph")
		b.ReportMetric(dense.mean(dense.f1), "dense-F1")
		b.ReportMetric(float64(same), "same")
	})
}

// BenchmarkSizes learns graphs of sizes on both sides of the one from which on the
// engine of large graphs is used, with nothing given but the signals.
func BenchmarkSizes(b *testing.B) {
	for _, noise := range []float64{0, 0.1} {
		for _, n := range []int{100, 150, 200, 230, 250, 290, 310, 350, 400, 500, 600} {
			l := load{sized(synth.FamilyER, n, 1000, 4), 2, 3}
			l.signals.Noise = noise
			b.Run(fmt.Sprintf("noise=%g/n=%d", noise, n), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(l.threads))
				var m measurement
				for b.Loop() {
					m = measurement{}
					for truth := range l.truths() {
						m.learn(b, truth, learn.Model{}, learn.Options{Threads: l.threads})
					}
				}
				m.report(b)
			})
		}
	}
}

// A measurement is what learning some graphs took and came to, all together.
type measurement struct {
	graphs, rounds, gradients int
	seconds, f1               float64

	// Of rounds but the first, which also prepares: how many, and their seconds.
	laterRounds  int
	laterSeconds float64

	peak float64 // memory in MB, the largest; 0 where it cannot be had
}

// learn learns a graph and adds what it took.
func (m *measurement) learn(b *testing.B, truth *synth.Truth, model learn.Model, o learn.Options) *learn.Result {
	b.Helper()
	if n, m := truth.Signals.Dims(); 8*n*m >= muchMemory {
		defer debug.SetGCPercent(debug.SetGCPercent(collectorPercent))
	}
	debug.FreeOSMemory()
	watched := memory.WatchPeak()
	begin := time.Now()
	before, rounds := begin, 0
	var last learn.Step
	for step, err := range learn.Steps(b.Context(), truth.Signals, model, o) {
		if err != nil {
			b.Fatal(err)
		}
		now := time.Now()
		if rounds > 0 && (step.Phase == learn.Coding || step.Phase == learn.GraphUpdate) {
			m.laterSeconds += now.Sub(before).Seconds()
		}
		if step.Phase == learn.GraphUpdate {
			rounds++
		}
		before, last = now, step
	}
	seconds := time.Since(begin).Seconds()
	if watched {
		m.peak = max(m.peak, checks.PeakMemory(b))
	}
	got := score(b, last.Result, truth)
	m.graphs++
	m.rounds += rounds
	m.laterRounds += max(0, rounds-1)
	m.gradients += last.Gradients
	m.seconds += seconds
	m.f1 += got.f1
	if testing.Verbose() {
		b.Logf("graph %d: %.2f s, %d rounds, F1 %.4f", m.graphs, seconds, rounds, got.f1)
	}
	return last.Result
}

func (m *measurement) mean(sum float64) float64 { return sum / float64(m.graphs) }

// report reports means over the graphs.
func (m *measurement) report(b *testing.B) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // which has the drawing of the graphs in it
	b.ReportMetric(float64(m.graphs), "graphs")
	b.ReportMetric(m.mean(m.seconds), "s/graph")
	b.ReportMetric(m.mean(float64(m.rounds)), "rounds")
	b.ReportMetric(m.mean(float64(m.gradients)), "gradients")
	b.ReportMetric(m.mean(m.f1), "F1")
	if m.laterRounds > 0 {
		b.ReportMetric(m.laterSeconds/float64(m.laterRounds), "s/round")
	}
	if m.peak > 0 {
		b.ReportMetric(m.peak, "peak-MB")
	}
}
