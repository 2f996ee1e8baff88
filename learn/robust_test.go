package learn_test

import (
	"errors"
	"flag"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/linalg"
)

// robustSeed begins the seeds of the graphs that robustness is measured on.
// Nothing else uses them.
const robustSeed = 920_000

var robustGraphs = flag.Int("graphs", 20, "how many graphs a row of BenchmarkRobust is the mean of")

// A row is a setting that is measured on some graphs. Rows of one group are one
// table of docs/real-data.md; their names are held to it there.
type row struct {
	group, name string
	try         func(b *testing.B, seed uint64) (figures, error)
	fewer       int // graphs, for what takes long; zero means all
	more        int // times as many graphs; zero means once
}

// figures are what came of one graph: unit → value. Over graphs the worst… are
// the least, the most… the greatest, and all others the mean.
type figures map[string]float64

// gather puts the figures of some graphs together.
func gather(all []figures) figures {
	sum, count := figures{}, map[string]float64{}
	for _, one := range all {
		for unit, v := range one {
			switch old, seen := sum[unit]; {
			case seen && strings.HasPrefix(unit, "worst"):
				sum[unit] = min(old, v)
			case seen && strings.HasPrefix(unit, "most"):
				sum[unit] = max(old, v)
			default:
				sum[unit] += v
			}
			count[unit]++
		}
	}
	for unit := range sum {
		if !strings.HasPrefix(unit, "worst") && !strings.HasPrefix(unit, "most") {
			sum[unit] /= count[unit]
		}
	}
	return sum
}

func TestFiguresAreMeansAndExtremes(t *testing.T) {
	got := gather([]figures{{"F1": 1, "worstF1": 1, "most-off": 0}, {"F1": 0.5, "worstF1": 0.5, "most-off": 2}, {"F1": 0.6, "worstF1": 0.6, "most-off": 1}})
	if math.Abs(got["F1"]-0.7) > 1e-12 || got["worstF1"] != 0.5 || got["most-off"] != 2 {
		t.Errorf("got %v, want the mean 0.7, the least 0.5 and the greatest 2", got)
	}
}

// BenchmarkRobust measures how well graphs are learned where not all is as the
// model has it. Graphs are shared out over the cores, each on one thread;
// `make robust` keeps what it prints. Some of it, on few graphs:
//
//	go test ./learn -run '^$' -bench 'Robust/noise' -benchtime 1x -graphs 3
func BenchmarkRobust(b *testing.B) {
	for _, r := range robustRows() {
		b.Run(r.group+"/"+r.name, func(b *testing.B) {
			graphs := *robustGraphs * max(r.more, 1)
			if r.fewer > 0 {
				graphs = min(graphs, r.fewer)
			}
			all, faults := make([]figures, graphs), make([]error, graphs)
			for b.Loop() {
				linalg.ForEach(runtime.GOMAXPROCS(0), graphs, func(_, k int) {
					begin := time.Now()
					all[k], faults[k] = r.try(b, robustSeed+uint64(k))
					if faults[k] == nil {
						all[k]["s/graph"] = time.Since(begin).Seconds()
					}
				})
			}
			done(errors.Join(faults...))
			for unit, v := range gather(all) {
				b.ReportMetric(v, unit)
			}
			b.ReportMetric(float64(graphs), "graphs")
		})
	}
}
