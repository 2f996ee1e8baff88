package experiment

import (
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/figure"
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

// calibrationTables are one for each role that kinds of signals have, and one of all
// bins.
func calibrationTables(records []Record) []Table {
	var tables []Table
	bins := Table{Title: "Share of true edges by confidence", Header: []string{"confidence"}}
	for _, role := range calibrationRoles {
		table := Table{
			Title:  "Edges with confidence 0.9 or more: " + role,
			Header: []string{"signals", "by ggl", "edges", "true", "≥ 0.9", "true", "recall"},
		}
		add := func(name string, some []Record) {
			all, sure := countBins(some, 0, calibrationBins), countBins(some, calibrationBins-1, calibrationBins)
			table.Rows = append(table.Rows, []string{
				name, fmt.Sprintf("%d of %d", all.byGGL, all.graphs), fmt.Sprintf("%.0f", all.edges), share(all.right, all.edges),
				fmt.Sprintf("%.0f", sure.edges), share(sure.right, sure.edges), share(sure.right, all.graphEdges),
			})
		}
		for _, k := range calibrationKinds() {
			if k.role == role {
				add(k.name, where(records, Measuring, text("kind", k.name), text("role", role)))
			}
		}
		add("all of these", where(records, Measuring, text("role", role)))
		tables = append(tables, table)
		bins.Header = append(bins.Header, role)
	}
	tables[0].Notes = []string{
		"Coefficients were fitted to signals of the kinds “fitted on”, with other seeds. Sizes (20 to 100 vertices, 60 to 1000 signals), noise (up to 30 %), skewed scales and vertices that are not measured differ from graph to graph.",
		"Of the kinds “wrong method”, a method was asked for that does not fit the signals; for all others it was chosen automatically.",
		"By ggl: graphs that it learned, of all. Edges: those learned. Recall: share of the true edges that are learned with confidence 0.9 or more.",
	}
	for b := range calibrationBins {
		row := []string{fmt.Sprintf("%.1f to %.1f", float64(b)/calibrationBins, float64(b+1)/calibrationBins)}
		for _, role := range calibrationRoles {
			c := countBins(where(records, Measuring, text("role", role)), b, b+1)
			row = append(row, fmt.Sprintf("%s of %.0f", share(c.right, c.edges), c.edges))
		}
		bins.Rows = append(bins.Rows, row)
	}
	return append(tables, bins)
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
