package pages

import (
	"fmt"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/figure"
)

var (
	crossingSizes = []int{100, 200, 250, 290, 310, 350, 400, 500, 600}
	crossingNoise = []float64{0, 0.1}
)

// crossing is what was measured of a size.
func crossing(r benchmark.Results, noise float64, n int) (map[string]float64, bool) {
	got, ok := r[fmt.Sprintf("Sizes/noise=%g/n=%d", noise, n)]
	return got, ok
}

// sizesTable has the time on both sides of the size from which on the algorithm for
// large graphs is used.
func sizesTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "Seconds and F1 around 300 vertices, 1000 signals, nothing given, two threads",
		Header: []string{"N", "seconds", "F1", "seconds, noise 10 %", "F1, noise 10 %"},
	}
	for _, n := range crossingSizes {
		cells, measured := []string{whole(n)}, false
		for _, noise := range crossingNoise {
			got, ok := crossing(r, noise, n)
			if !ok {
				cells = append(cells, unmeasured, unmeasured)
				continue
			}
			cells, measured = append(cells, digits(got["s/graph"]), tenThousandths(got["F1"])), true
		}
		if measured {
			table.Rows = append(table.Rows, cells)
		}
	}
	return table
}

// sizesFigure draws the same.
func sizesFigure(r benchmark.Results) (string, error) {
	chart := figure.Chart{XLabel: "vertices", YLabel: "seconds", LogY: true}
	for k, noise := range crossingNoise {
		s := figure.Series{Name: "no noise", Color: k}
		if noise > 0 {
			s.Name = fmt.Sprintf("noise %g %%", 100*noise)
		}
		for _, n := range crossingSizes {
			if got, ok := crossing(r, noise, n); ok {
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, got["s/graph"])
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	if len(chart.Series) == 0 {
		return "", nil
	}
	var svg strings.Builder
	err := figure.WriteCharts(&svg, "Time to learn a graph around 300 vertices", 1, chart)
	return svg.String(), err
}
