package study

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
)

const (
	// mostDots is how many pairs are shown unit by unit.
	mostDots = 12
	// mostGraphs is how many groups at most are drawn.
	mostGraphs = 8
	// mostUnits is how many units at most are shown as dots, and of mostTied those of a subject are tied by lines.
	mostUnits = 400
	mostTied  = 60
	// hinted is the false discovery rate up to which a difference is drawn as one that is not sure, and mostHinted
	// how many of them.
	hinted     = 0.5
	mostHinted = 20
	// twoSided is the normal quantile of 95 % intervals.
	twoSided = 1.96
)

// A drawn figure is a file and what it shows.
type drawn struct {
	name, title string
	drawing     figure.Drawing
}

// drawings returns the figures: the graphs of groups, the difference, the pairs unit by unit, and how alike the graphs
// of units are.
func (g *Groups) drawings() ([]drawn, error) {
	x, y := plot.Places(g.Graphs[len(g.Graphs)-1], nil)
	placed := func(n figure.Network) figure.Network {
		for i := range n.Vertices {
			n.Vertices[i].X, n.Vertices[i].Y = x[i], y[i]
		}
		return n
	}
	network := func(title string, of *graph.Graph) figure.Network {
		n := plot.Graph(title, of, nil)
		n.Doubt = "in fewer than half of the graphs"
		return placed(n)
	}
	var list []drawn
	names := g.graphNames()
	for k, level := range g.Test.Levels[:min(len(g.Test.Levels), mostGraphs)] {
		list = append(list, drawn{names[k] + ".svg", "the graph of " + level, network("the graph of "+level, g.Graphs[k])})
	}
	if g.Test.Levels == nil {
		list = append(list, drawn{names[0] + ".svg", "the graph of all", network("the graph of all", g.Graphs[0])})
	}
	differences, err := g.differenceDrawings()
	if err != nil {
		return nil, err
	}
	for _, d := range differences {
		d.drawing = placed(d.drawing.(figure.Network))
		list = append(list, d)
	}
	list = append(list, drawn{"pairs.svg", "values of the clearest pairs", figure.Charts{Title: "values of the clearest pairs", PerRow: 3, Charts: g.dots()}})
	if n := len(g.alike); n > 1 && n <= mostAlike {
		m := g.alikeMatrix()
		list = append(list, drawn{"alike" + matrixEnd(n), m.Title, m})
	}
	return list, nil
}

// contrasts says what each difference is of.
func (g *Groups) contrasts() []string {
	if g.Test.Levels == nil {
		return []string{"slope"}
	}
	var list []string
	for _, level := range g.Test.Levels[1:] {
		list = append(list, level+" − "+g.Test.Levels[0])
	}
	return list
}

// differenceDrawings draws the pairs that differ, for each difference.
func (g *Groups) differenceDrawings() ([]drawn, error) {
	var list []drawn
	names := g.graphNames()
	contrasts := g.contrasts()
	for k, contrast := range contrasts[:min(len(contrasts), mostGraphs)] {
		n, err := g.difference(k)
		if err != nil {
			return nil, err
		}
		if len(n.Edges) == 0 {
			continue
		}
		name := "differences.svg"
		if len(contrasts) > 1 {
			name = "differences-" + strings.TrimPrefix(names[k+1], "group-") + ".svg"
		}
		n.Title = "where the graphs differ: " + contrast
		list = append(list, drawn{name, contrast, n})
	}
	return list, nil
}

// difference draws the pairs for which a difference is clear and, faintly, those for which it may be. Of more than two
// groups, it is clear if the pair differs at all and the interval of the difference leaves 0 out.
func (g *Groups) difference(contrast int) (figure.Network, error) {
	var edges []graph.Edge
	sureness := map[[2]int]float64{}
	hints := 0
	for _, e := range g.ranked() {
		d := e.Differences[contrast]
		leavesOut := d.Low > 0 || d.High < 0
		sure := e.Q <= different && (leavesOut || len(e.Differences) == 1)
		switch {
		case d.Size == 0 || e.Q > hinted || !sure && !leavesOut:
			continue
		case sure:
			sureness[[2]int{e.I, e.J}] = 1 - e.Q
		case hints == mostHinted:
			continue
		default:
			hints++
			sureness[[2]int{e.I, e.J}] = (1 - e.Q) / 2 // dashed
		}
		edges = append(edges, graph.Edge{I: e.I, J: e.J, Weight: d.Size})
	}
	build := graph.New
	if g.Values.Directed() {
		build = graph.NewDirected
	}
	of, err := build(g.Names, edges)
	if err != nil {
		return figure.Network{}, err
	}
	n := plot.Graph("", of, nil)
	for _, e := range n.Edges {
		n.Confidence = append(n.Confidence, sureness[[2]int{e.From, e.To}])
	}
	n.Signs = g.directions(contrast)
	n.Doubt = fmt.Sprintf("not sure: false discovery rate from %g to %g", different, hinted)
	return n, nil
}

// directions is what edges that differ are called in a drawing.
func (g *Groups) directions(contrast int) [2]string {
	if g.Test.Levels == nil {
		return [2]string{"rise with " + g.Design.CovariateName, "fall with " + g.Design.CovariateName}
	}
	level := g.Test.Levels[contrast+1]
	return [2]string{"larger in " + level, "smaller in " + level}
}

// dots draws the clearest pairs: a dot for each unit.
func (g *Groups) dots() []figure.Chart {
	var charts []figure.Chart
	at := g.columns()
	ranked := g.ranked()
	for _, e := range ranked[:min(len(ranked), mostDots)] {
		column := at[[2]int{e.I, e.J}]
		chart := figure.Chart{Title: g.pair(e), YLabel: g.Value, XNames: g.Test.Levels}
		switch {
		case g.Test.Levels == nil:
			chart.XLabel = g.Design.CovariateName
			chart.Series = []figure.Series{g.scatter(column)}
		case g.Unit == rowUnit: // a single observation has no correlation
			for k, level := range g.Test.Levels {
				chart.Series = append(chart.Series, g.mean(k, level, column, e.Means[k])...)
			}
		default:
			chart.Series = g.tied(column)
			for k, level := range g.Test.Levels {
				chart.Series = append(chart.Series, g.column(k, level, column, e.Means[k])...)
			}
		}
		chart.MinY, chart.MaxY = room(chart.Series)
		charts = append(charts, chart)
	}
	return charts
}

// room is the range of values with some room above and below.
func room(series []figure.Series) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range series {
		low, high = min(low, slices.Min(s.Y)), max(high, slices.Max(s.Y))
	}
	more := max(0.06*(high-low), 1e-3)
	return low - more, high + more
}

// stride is how many units there are for each that is shown.
func (g *Groups) stride() int {
	units, _ := g.Values.Of.Dims()
	return (units + mostUnits - 1) / mostUnits
}

// scatter draws the units by the covariate.
func (g *Groups) scatter(column int) figure.Series {
	units, _ := g.Values.Of.Dims()
	s := figure.Series{Points: true}
	for u := 0; u < units; u += g.stride() {
		s.X, s.Y = append(s.X, g.Design.Covariate[u]), append(s.Y, g.Values.Of.At(u, column))
	}
	return s
}

// mean draws the mean of a group of rows and its interval.
func (g *Groups) mean(k int, level string, column int, mean float64) []figure.Series {
	var values []float64
	for u, of := range g.Design.Groups {
		if of == level {
			values = append(values, g.Values.Of.At(u, column))
		}
	}
	_, variance := portable.PopMeanVariance(values)
	half := twoSided * math.Sqrt(variance/float64(len(values)))
	at := float64(k + 1)
	return []figure.Series{
		{X: []float64{at}, Y: []float64{mean}, Points: true, Color: k},
		{X: []float64{at, at}, Y: []float64{mean - half, mean + half}, Plain: true, Color: k},
		{X: []float64{at - 0.25, at + 0.25}, Y: []float64{mean, mean}, Plain: true, Color: k},
	}
}

// column draws the units of a group and their mean.
func (g *Groups) column(k int, level string, column int, mean float64) []figure.Series {
	dots := figure.Series{Points: true, Color: k}
	units, _ := g.Values.Of.Dims()
	seen := 0
	for u := 0; u < units; u += g.stride() {
		if g.Design.Groups[u] == level {
			dots.X, dots.Y = append(dots.X, g.across(k, seen)), append(dots.Y, g.Values.Of.At(u, column))
			seen++
		}
	}
	return []figure.Series{dots, {X: []float64{float64(k) + 0.7, float64(k) + 1.3}, Y: []float64{mean, mean}, Plain: true, Color: k}}
}

// across is where a dot is: beside the others of its group, in a fixed order; in one line if subjects are tied.
func (g *Groups) across(k, seen int) float64 {
	if g.Design.Subjects != nil {
		return float64(k + 1)
	}
	return float64(k+1) + 0.4*(math.Mod(float64(seen)*0.618034, 1)-0.5)
}

// tied draws a line through the units of each subject.
func (g *Groups) tied(column int) []figure.Series {
	if g.Design.Subjects == nil || g.stride() > 1 || g.Test.Subjects > mostTied {
		return nil
	}
	of := map[string]*figure.Series{}
	var order []string
	for k, level := range g.Test.Levels {
		for u, subject := range g.Design.Subjects {
			if g.Design.Groups[u] != level {
				continue
			}
			if of[subject] == nil {
				of[subject] = &figure.Series{Plain: true, Faint: true}
				order = append(order, subject)
			}
			s := of[subject]
			s.X, s.Y = append(s.X, float64(k+1)), append(s.Y, g.Values.Of.At(u, column))
		}
	}
	var lines []figure.Series
	for _, subject := range order {
		lines = append(lines, *of[subject])
	}
	return lines
}

// alikeMatrix draws how alike the graphs of units are, those of a group side by side.
func (g *Groups) alikeMatrix() figure.Matrix {
	m := figure.Matrix{Title: "how alike graphs are, by group", Groups: g.Test.Levels}
	var order []int
	for k, level := range g.Test.Levels {
		if k > 0 {
			m.Breaks = append(m.Breaks, len(order))
		}
		for u, of := range g.Design.Groups {
			if of == level {
				order, m.Of = append(order, u), append(m.Of, k)
			}
		}
	}
	for u := range g.alike {
		if g.Test.Levels == nil {
			order = append(order, u)
		}
	}
	for a, u := range order {
		m.Names = append(m.Names, g.Units[u])
		for b, v := range order[:a] {
			if w := g.alike[u][v]; w > 0 {
				m.Cells = append(m.Cells, figure.Cell{Row: a, Column: b, Weight: w})
			}
		}
	}
	return m
}

// largeMatrix is the number of rows from which on a matrix is drawn by points: as shapes it would take megabytes.
const largeMatrix = 120

// matrixEnd is what the name of the file of a matrix ends in.
func matrixEnd(rows int) string {
	if rows >= largeMatrix {
		return ".png"
	}
	return ".svg"
}

// picture returns a drawing for a page, as what its file is.
func (d drawn) picture() (template.URL, error) {
	if strings.HasSuffix(d.name, ".png") {
		return figure.ImageURL(d.drawing)
	}
	return figure.DataURL(d.drawing)
}

// write writes the file of a drawing.
func (d drawn) write(w io.Writer) error {
	format, _ := figure.FormatOf(d.name)
	return figure.Write(w, format, figure.Page{}, d.drawing)
}

// aboutGraph says from how many units the graph of a group is, and how many edges it has.
func (g *Groups) aboutGraph(k int) string {
	return fmt.Sprintf("%s, %s", words.Plural(g.Test.Counts[k], g.Design.Unit), words.Plural(g.Graphs[k].EdgeCount(), "edge"))
}
