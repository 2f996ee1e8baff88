package pages

import (
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A growth is jobs that differ in one number.
type growth struct {
	title, symbol string
	values        []int
	job           func(value int) job
}

var (
	byVertices = growth{"M = 2000, T₀ = 8", "N", []int{1000, 2000, 5000, 10_000}, func(n int) job { return job{"er", n, 2000, 8} }}
	bySignals  = growth{"N = 1000, T₀ = 4", "M", []int{500, 1000, 2000, 4000}, func(m int) job { return job{"er", 1000, m, 4} }}
	byAtoms    = growth{"N = 1000, M = 2000", "T₀", []int{4, 8, 16, 32}, func(t0 int) job { return job{"er", 1000, 2000, t0} }}
)

func (g growth) table(r benchmark.Results) experiment.Table {
	t := resultTable{
		title:   fmt.Sprintf("Growth with %s at %s, two threads", g.symbol, g.title),
		columns: slices.Concat(labels(g.symbol), perRun, []resultColumn{number("graphs", "graphs")}),
	}
	for _, value := range g.values {
		t.rows = append(t.rows, resultRow{name: g.job(value).on(2), labels: []string{whole(value)}})
	}
	first, last := g.values[0], g.values[len(g.values)-1]
	from, to := r[g.job(first).on(2)], r[g.job(last).on(2)]
	if from != nil && to != nil {
		power := func(unit string) string {
			if from[unit] == 0 || to[unit] == 0 {
				return unmeasured
			}
			return fmt.Sprintf("%s^%.2f", g.symbol, exponent(float64(first), float64(last), from[unit], to[unit]))
		}
		t.notes = []string{fmt.Sprintf("Between %s = %d and %d, the time per round grows as %s and the time of a whole run as %s.",
			g.symbol, first, last, power("s/round"), power("s/graph"))}
	}
	return t.of(r)
}

// exponent returns the p for which y goes as xᵖ from (x0, y0) to (x1, y1).
func exponent(x0, x1, y0, y1 float64) float64 { return math.Log(y1/y0) / math.Log(x1/x0) }
