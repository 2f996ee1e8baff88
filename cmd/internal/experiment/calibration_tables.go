package experiment

import (
	"fmt"
	"io"

	"github.com/nervure/nervure/figure"
)

// A binned counts the edges of some records, in all or in some bins.
type binned struct {
	edges, right, sum float64
	graphEdges        float64 // of the true graphs
	graphs, byGGL     int
}

func countBins(records []Record, from, to int) binned {
	var c binned
	for _, r := range records {
		c.graphs++
		c.graphEdges += r.Number("true_edges")
		if r.Text("learned_by") == "ggl" {
			c.byGGL++
		}
		for b := from; b < to; b++ {
			c.edges += r.Number(edgesOf(b))
			c.right += r.Number(trueOf(b))
			c.sum += r.Number(sumOf(b))
		}
	}
	return c
}

// share is that of a in b, in percent.
func share(a, b float64) string {
	if b == 0 {
		return none
	}
	return fmt.Sprintf("%.0f %%", 100*a/b)
}

func calibrationTables(records []Record) []Table {
	kinds := Table{
		Title:  "Edges with confidence 0.9 or more, by kind of signals",
		Header: []string{"signals", "role", "graphs", "learned by ggl", "edges learned", "of these true", "with confidence 0.9 or more", "of these true", "share of the graph's edges"},
		Notes: []string{
			"Coefficients were fitted to signals of the kinds “fitted on”, with other seeds. Sizes (20 to 100 vertices, 60 to 1000 signals), noise (up to 30 %), skewed scales and vertices that are not measured differ from graph to graph.",
			"In the rows “wrong method” a method was asked for that does not fit the signals; in all others it was chosen automatically.",
		},
	}
	add := func(name, role string, some []Record) {
		all, sure := countBins(some, 0, calibrationBins), countBins(some, calibrationBins-1, calibrationBins)
		kinds.Rows = append(kinds.Rows, []string{
			name, role, fmt.Sprint(all.graphs), fmt.Sprint(all.byGGL), fmt.Sprintf("%.0f", all.edges), share(all.right, all.edges),
			fmt.Sprintf("%.0f", sure.edges), share(sure.right, sure.edges), share(sure.right, all.graphEdges),
		})
	}
	for _, k := range calibrationKinds() {
		add(k.name, k.role, where(records, Measuring, text("kind", k.name), text("role", k.role)))
	}
	bins := Table{Title: "Share of true edges by confidence", Header: []string{"confidence"}}
	for _, role := range calibrationRoles {
		add("all of these", role, where(records, Measuring, text("role", role)))
		bins.Header = append(bins.Header, role)
	}
	for b := range calibrationBins {
		row := []string{fmt.Sprintf("%.1f to %.1f", float64(b)/calibrationBins, float64(b+1)/calibrationBins)}
		for _, role := range calibrationRoles {
			c := countBins(where(records, Measuring, text("role", role)), b, b+1)
			row = append(row, fmt.Sprintf("%s of %.0f", share(c.right, c.edges), c.edges))
		}
		bins.Rows = append(bins.Rows, row)
	}
	return []Table{kinds, bins}
}

// leastInBin is how many edges a bin needs for a point.
const leastInBin = 20

// calibrationFigure is the reliability diagram: the share of true edges over the mean
// confidence of each bin.
func calibrationFigure(w io.Writer, records []Record) error {
	chart := figure.Chart{
		Title: "Reliability", XLabel: "mean confidence of the edges in a bin", YLabel: "share of true edges", MaxY: 1,
		Series: []figure.Series{{Name: "ideal", X: []float64{0, 1}, Y: []float64{0, 1}, Dashed: true, Plain: true, Color: 4}},
	}
	for k, role := range calibrationRoles {
		line := figure.Series{Name: role, Color: k}
		for b := range calibrationBins {
			if c := countBins(where(records, Measuring, text("role", role)), b, b+1); c.edges >= leastInBin {
				line.X, line.Y = append(line.X, c.sum/c.edges), append(line.Y, c.right/c.edges)
			}
		}
		chart.Series = append(chart.Series, line)
	}
	return figure.WriteCharts(w, "Share of true edges over confidence; on the dashed line, confidence is the share of true edges", 1, chart)
}
