package experiment

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/figure"
)

// A judgedEdge is an edge of a learned graph of which it is known whether it is true. What the
// confidence of a method with codes comes from is not recorded, only what it is.
type judgedEdge struct {
	assess.JudgedEdge
	byField bool
}

// judgedKey is what a record calls its edges.
const judgedKey = "judged"

// judgedText writes edges one after another: 1 for a true one, the most confidence it may have, and the
// regressors of the calibration without the constant.
func judgedText(edges []judgedEdge) string {
	words := make([]string, len(edges))
	for k, e := range edges {
		list := []string{"0", strconv.FormatFloat(e.Most, 'g', 4, 64)}
		if e.True {
			list[0] = "1"
		}
		if e.byField {
			for _, x := range e.Regressors[1:] {
				list = append(list, strconv.FormatFloat(x, 'g', 3, 64))
			}
		}
		words[k] = strings.Join(list, " ")
	}
	return strings.Join(words, ";")
}

// judgedEdges reads what judgedText writes. Words that are no numbers count as 0.
func judgedEdges(text string) []judgedEdge {
	if text == "" {
		return nil
	}
	var edges []judgedEdge
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		number := func(k int) float64 {
			v, _ := strconv.ParseFloat(words[k], 64)
			return v
		}
		e := judgedEdge{byField: len(words) > 2}
		e.True, e.Most = words[0] == "1", number(1)
		e.Regressors[0] = 1
		for k := 2; k < len(words); k++ {
			e.Regressors[k-1] = number(k)
		}
		edges = append(edges, e)
	}
	return edges
}

// A calibrator gives the confidence of edges as it would be without having seen their family.
type calibrator struct {
	records  []Record
	edges    [][]judgedEdge                                  // of each record
	families map[string][len(assess.FieldRegressors)]float64 // coefficients fitted without each
}

func newCalibrator(records []Record) *calibrator {
	c := &calibrator{records: records, families: map[string][len(assess.FieldRegressors)]float64{}}
	for _, r := range records {
		c.edges = append(c.edges, judgedEdges(r.Text(judgedKey)))
	}
	for _, r := range records {
		if family := r.Text("family"); c.families[family] == ([len(assess.FieldRegressors)]float64{}) {
			c.families[family] = c.coefficients(family)
		}
	}
	return c
}

// coefficients returns those fitted to all fields but those of a family.
func (c *calibrator) coefficients(without string) [len(assess.FieldRegressors)]float64 {
	var samples [][]assess.JudgedEdge
	for k, r := range c.records {
		if r.Text("role") != fieldRole || r.Text("family") == without {
			continue
		}
		var sample []assess.JudgedEdge
		for _, e := range c.edges[k] {
			if e.byField {
				sample = append(sample, e.JudgedEdge)
			}
		}
		samples = append(samples, sample)
	}
	return assess.CalibrateField(samples)
}

// A binned counts the edges of some records, in all or in some bins.
type binned struct {
	edges, right, sum float64
	graphEdges        float64 // of the true graphs
	graphs, asField   int
}

// count counts edges of records of some labels whose confidence is in bins.
func (c *calibrator) count(from, to int, labels ...Label) binned {
	var b binned
	for k, r := range c.records {
		if !r.has(labels...) {
			continue
		}
		b.graphs++
		b.graphEdges += r.Number("true_edges")
		if by := r.Text("learned_by"); by == "ggl" || by == "field" { // a field of order one is ggl's
			b.asField++
		}
		coefficients := c.families[r.Text("family")]
		for _, e := range c.edges[k] {
			confidence := e.Most
			if e.byField {
				confidence = e.Confidence(&coefficients)
			}
			if bin := binOf(confidence); bin >= from && bin < to {
				b.edges++
				b.sum += confidence
				b.right += truthValue(e.True)
			}
		}
	}
	return b
}

// share is that of a in b, in percent.
func share(a, b float64) string {
	if b == 0 {
		return none
	}
	return fmt.Sprintf("%.0f %%", 100*a/b)
}

// calibrationTables are one for each role that kinds of signals have, one of all
// bins, and the coefficients.
func calibrationTables(records []Record) []Table {
	c := newCalibrator(slices.DeleteFunc(slices.Clone(records), func(r Record) bool { return r.Stage != Measuring }))
	var tables []Table
	bins := Table{Title: "Share of true edges by confidence", Header: []string{"confidence"}}
	for _, role := range calibrationRoles {
		tables = append(tables, c.roleTable(role))
		bins.Header = append(bins.Header, role)
	}
	tables[0].Notes = []string{
		"Worst first. Each family of fields (gaussian, diffusion, var, voltage, and each of the others) is judged by a calibration that was fitted to all the other families and has seen nothing of this one. Sizes (20 to 100 vertices, 60 to 1000 signals), noise (up to 30 %), skewed scales and vertices that are not measured differ from graph to graph.",
		"Of the kinds “wrong method”, a method was asked for that does not fit the signals; for all others it was chosen automatically.",
		"Fields: graphs learned by the method for fields, or by ggl, of all. Edges: those learned. Recall: share of the true edges that are learned with confidence 0.9 or more.",
	}
	for b := range calibrationBins {
		row := []string{fmt.Sprintf("%.1f to %.1f", float64(b)/calibrationBins, float64(b+1)/calibrationBins)}
		for _, role := range calibrationRoles {
			n := c.count(b, b+1, Text("role", role))
			row = append(row, fmt.Sprintf("%s of %.0f", share(n.right, n.edges), n.edges))
		}
		bins.Rows = append(bins.Rows, row)
	}
	return append(tables, bins, coefficientTable(c.coefficients("")))
}

// roleTable has a row for each kind of signals of a role, that with the least share of true edges among
// the sure ones first.
func (c *calibrator) roleTable(role string) Table {
	table := Table{
		Title:  "Edges with confidence 0.9 or more: " + role,
		Header: []string{"signals", "fields", "edges", "true", "≥ 0.9", "true", "recall"},
	}
	type line struct {
		cells []string
		right float64
	}
	lineOf := func(name string, labels ...Label) line {
		all, sure := c.count(0, calibrationBins, labels...), c.count(calibrationBins-1, calibrationBins, labels...)
		right := 2.0 // nothing is sure: last
		if sure.edges > 0 {
			right = sure.right / sure.edges
		}
		return line{[]string{
			name, fmt.Sprintf("%d of %d", all.asField, all.graphs), fmt.Sprintf("%.0f", all.edges), share(all.right, all.edges),
			fmt.Sprintf("%.0f", sure.edges), share(sure.right, sure.edges), share(sure.right, all.graphEdges),
		}, right}
	}
	var lines []line
	for _, k := range calibrationKinds() {
		if k.role == role {
			lines = append(lines, lineOf(k.name, Text("kind", k.name), Text("role", role)))
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.right, b.right) })
	for _, l := range append(lines, lineOf("all of these", Text("role", role))) {
		table.Rows = append(table.Rows, l.cells)
	}
	return table
}

// Reliability returns what confidence is worth, as a table in CSV with a line for each family of signals,
// that with the least share of true edges among the sure ones first. Shares are cut off after two digits, so
// that what is promised by them is kept.
func Reliability(records []Record) string { return newCalibrator(records).reliability() }

func (c *calibrator) reliability() string {
	type line struct {
		family string
		binned
	}
	var lines []line
	for _, k := range calibrationKinds() {
		if k.role == forcedRole || slices.ContainsFunc(lines, func(l line) bool { return l.family == k.family }) {
			continue
		}
		lines = append(lines, line{k.family, c.count(calibrationBins-1, calibrationBins, Text("family", k.family), Text("role", k.role))})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.right/a.edges, b.right/b.edges) })
	var b strings.Builder
	b.WriteString("family,sure,true,recall\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "%s,%.0f,%.2f,%.2f\n", l.family, l.edges, cutOff(l.right, l.edges), cutOff(l.right, l.graphEdges))
	}
	return b.String()
}

// cutOff returns the share that some edges are of all, without what is beyond hundredths.
func cutOff(some, all float64) float64 { return math.Floor(100*some/all) / 100 }

// coefficientTable has the coefficients of the calibration in use, fitted to all families.
func coefficientTable(coefficients [len(assess.FieldRegressors)]float64) Table {
	table := Table{Title: "Coefficients of the calibration", Header: []string{"of", "fitted to all families", "in use"}}
	for k, name := range assess.FieldRegressors {
		table.Rows = append(table.Rows, []string{name, fmt.Sprintf("%.3g", coefficients[k]), fmt.Sprintf("%.3g", assess.FieldCoefficients[k])})
	}
	return table
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
	c := newCalibrator(records)
	for k, role := range calibrationRoles {
		line := figure.Series{Name: role, Color: k}
		for b := range calibrationBins {
			if n := c.count(b, b+1, Text("role", role)); n.edges >= leastInBin {
				line.X, line.Y = append(line.X, n.sum/n.edges), append(line.Y, n.right/n.edges)
			}
		}
		chart.Series = append(chart.Series, line)
	}
	return figure.WriteCharts(w, "Share of true edges over confidence; on the dashed line, confidence is the share of true edges", 1, chart)
}
