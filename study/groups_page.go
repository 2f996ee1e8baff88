package study

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"slices"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/report"
)

//go:embed groups.html
var groupsText string

var groupsTemplate = template.Must(template.New("groups").Funcs(template.FuncMap{"p": chance}).Parse(groupsText))

const (
	// mostRows is how many pairs and vertices at most the page lists, and mostDots how many pairs it
	// shows unit by unit.
	mostRows = 40
	mostDots = 6
	// mostGraphs is how many groups at most are drawn.
	mostGraphs = 8
)

// A groupPage is what the page about groups shows.
type groupPage struct {
	*document.GroupComparison

	Title, Different, AboutDots, Listed string
	Levels, Contrasts, Outliers         []string
	Graphs                              []drawnGroup
	Difference, Dots                    template.URL
	Rows, Places                        []comparedRow
}

type drawnGroup struct {
	Name, About string
	Picture     template.URL
}

// A comparedRow is a row of a table.
type comparedRow struct {
	Pair        string
	Means       []string
	Differences []shownDifference
	Strength    string
	P, Q        string
}

type shownDifference struct{ Size, Interval string }

func chance(p float64) string { return fmt.Sprintf("%.2g", p) }

func shown(x float64) string { return fmt.Sprintf("%.3f", x) }

// Page returns a page about the groups.
func (g *Groups) Page(title, command string) ([]byte, error) {
	d := g.Document(command)
	p := &groupPage{GroupComparison: d, Title: title, Levels: g.Test.Levels, Outliers: g.outliers()}
	if g.Test.Levels == nil {
		p.Contrasts = []string{"slope"}
	} else {
		for _, level := range g.Test.Levels[1:] {
			p.Contrasts = append(p.Contrasts, fmt.Sprintf("%s − %s", level, g.Test.Levels[0]))
		}
	}
	if len(d.Edges) > 0 {
		p.Different = fmt.Sprintf("%d of %s differ at a false discovery rate of %g.", len(d.Edges), words.Plural(d.Pairs, "pair"), different)
	}
	ranked := g.ranked()
	for _, e := range ranked[:min(len(ranked), mostRows)] {
		p.Rows = append(p.Rows, g.row(g.Names[e.I]+" – "+g.Names[e.J], e.Effects))
	}
	p.Listed = fmt.Sprintf("The clearest %d of %d pairs; differences.csv has all.", len(p.Rows), len(ranked))
	p.Places = g.places()
	return g.drawn(p)
}

func (g *Groups) row(name string, e groups.Effects) comparedRow {
	r := comparedRow{Pair: name, P: chance(e.P), Q: chance(e.Q)}
	for _, m := range e.Means {
		r.Means = append(r.Means, shown(m))
	}
	for _, d := range e.Differences {
		r.Differences = append(r.Differences, shownDifference{shown(d.Size), shown(d.Low) + " to " + shown(d.High)})
	}
	return r
}

// places are the rows of the table of vertices, the clearest first.
func (g *Groups) places() []comparedRow {
	vertices := slices.Clone(g.Test.Vertices)
	slices.SortStableFunc(vertices, func(a, b groups.Vertex) int {
		switch {
		case a.P < b.P:
			return -1
		case a.P > b.P:
			return 1
		}
		return 0
	})
	var rows []comparedRow
	for _, v := range vertices[:min(len(vertices), mostRows)] {
		r := g.row(g.Names[v.Vertex], v.Strength)
		r.Strength, r.P, r.Q = chance(v.Strength.P), chance(v.P), chance(v.Q)
		rows = append(rows, r)
	}
	return rows
}

// drawn adds the figures and returns the page.
func (g *Groups) drawn(p *groupPage) ([]byte, error) {
	x, y := plot.Places(g.Graphs[len(g.Graphs)-1], nil)
	network := func(title string, of *graph.Graph, signs [2]string) (template.URL, error) {
		n := plot.Graph(title, of, nil)
		n.Signs = signs
		for i := range n.Vertices {
			n.Vertices[i].X, n.Vertices[i].Y = x[i], y[i]
		}
		return figure.DataURL(n)
	}
	var err error
	for k, level := range g.Test.Levels {
		if k == mostGraphs {
			break
		}
		d := drawnGroup{Name: level, About: fmt.Sprintf("%s, %s", words.Plural(g.Test.Counts[k], p.Unit), words.Plural(g.Graphs[k].EdgeCount(), "edge"))}
		if d.Picture, err = network("the graph of "+level, g.Graphs[k], [2]string{}); err != nil {
			return nil, err
		}
		p.Graphs = append(p.Graphs, d)
	}
	if len(p.Edges) > 0 {
		changed, err := g.changed()
		if err != nil {
			return nil, err
		}
		if p.Difference, err = network("edges that differ", changed, g.directions()); err != nil {
			return nil, err
		}
	}
	p.AboutDots = fmt.Sprintf("Each dot is a %s, lines are means.", p.Unit)
	if g.Unit == rowUnit { // a single observation has no correlation
		p.AboutDots = "Values of the groups, with 95 % intervals."
	}
	if p.Dots, err = figure.DataURL(g.dots()); err != nil {
		return nil, err
	}
	return report.ListPage(p.Title, groupsTemplate, p)
}

// directions is what edges that differ are called in a drawing.
func (g *Groups) directions() [2]string {
	if g.Test.Levels == nil {
		return [2]string{"rise with " + g.Design.CovariateName, "fall with " + g.Design.CovariateName}
	}
	last := g.Test.Levels[len(g.Test.Levels)-1]
	return [2]string{"larger in " + last, "smaller in " + last}
}

// changed is the graph of the pairs that differ, with the last difference of each as its weight.
func (g *Groups) changed() (*graph.Graph, error) {
	var edges []graph.Edge
	for _, e := range g.ranked()[:g.found()] {
		if size := e.Differences[len(e.Differences)-1].Size; size != 0 {
			edges = append(edges, graph.Edge{I: min(e.I, e.J), J: max(e.I, e.J), Weight: size})
		}
	}
	return graph.New(g.Names, edges)
}

// mostUnits is how many units at most are shown as dots.
const mostUnits = 400

// dots draws the clearest pairs: a dot for each unit.
func (g *Groups) dots() figure.Charts {
	c := figure.Charts{Title: "values of the clearest pairs in each unit", PerRow: 3}
	place := map[[2]int]int{}
	for p, pair := range g.Values.Pairs {
		place[pair] = p
	}
	units, _ := g.Values.Of.Dims()
	step := (units + mostUnits - 1) / mostUnits
	ranked := g.ranked()
	for _, e := range ranked[:min(len(ranked), mostDots)] {
		column := place[[2]int{e.I, e.J}]
		chart := figure.Chart{Title: g.Names[e.I] + " – " + g.Names[e.J], XLabel: "group", YLabel: g.Value}
		if g.Test.Levels == nil {
			chart.XLabel = g.Design.CovariateName
			s := figure.Series{Points: true}
			for u := 0; u < units; u += step {
				s.X, s.Y = append(s.X, g.Design.Covariate[u]), append(s.Y, g.Values.Of.At(u, column))
			}
			chart.Series = append(chart.Series, s)
		}
		for k, level := range g.Test.Levels {
			chart.Series = append(chart.Series, g.dotsOf(k, level, column, step, e)...)
		}
		c.Charts = append(c.Charts, chart)
	}
	return c
}

// dotsOf draws the units of a group and their mean; of rows, the mean and its interval.
func (g *Groups) dotsOf(k int, level string, column, step int, e groups.Edge) []figure.Series {
	mean := e.Means[k]
	if g.Unit == rowUnit {
		var values []float64
		for u, of := range g.Design.Groups {
			if of == level {
				values = append(values, g.Values.Of.At(u, column))
			}
		}
		_, variance := portable.MeanVariance(values)
		half := twoSided * math.Sqrt(variance/float64(len(values)))
		at := float64(k + 1)
		return []figure.Series{
			{Name: level, X: []float64{at}, Y: []float64{mean}, Points: true, Color: k},
			{X: []float64{at, at}, Y: []float64{mean - half, mean + half}, Plain: true, Color: k},
			{X: []float64{at - 0.25, at + 0.25}, Y: []float64{mean, mean}, Plain: true, Color: k},
		}
	}
	dots := figure.Series{Name: level, Points: true, Color: k}
	units, _ := g.Values.Of.Dims()
	seen := 0
	for u := 0; u < units; u += step {
		if g.Design.Groups[u] == level {
			aside := 0.24 * (math.Mod(float64(seen)*0.618034, 1) - 0.5) // beside each other, in a fixed order
			dots.X, dots.Y = append(dots.X, float64(k+1)+aside), append(dots.Y, g.Values.Of.At(u, column))
			seen++
		}
	}
	return []figure.Series{dots, {X: []float64{float64(k) + 0.75, float64(k) + 1.25}, Y: []float64{mean, mean}, Plain: true, Color: k}}
}

// twoSided is the normal quantile of 95 % intervals.
const twoSided = 1.96

const (
	// farOut is the number of robust deviations from which on a unit stands out.
	farOut = 3.5
	// leastUnits is how many units there are at least if any can stand out.
	leastUnits = 8
)

// outliers names units whose values are far from those of their group, and where.
func (g *Groups) outliers() []string {
	units, pairs := g.Values.Of.Dims()
	if units < leastUnits || len(g.Units) != units {
		return nil
	}
	means := map[string][]float64{}
	count := map[string]float64{}
	level := func(u int) string {
		if g.Design.Groups == nil {
			return ""
		}
		return g.Design.Groups[u]
	}
	for u := range units {
		if means[level(u)] == nil {
			means[level(u)] = make([]float64, pairs)
		}
		count[level(u)]++
		for p, x := range g.Values.Of.RawRowView(u) {
			means[level(u)][p] += x
		}
	}
	away, where := make([]float64, units), make([]int, units)
	for u := range units {
		most := 0.0
		for p, x := range g.Values.Of.RawRowView(u) {
			d := x - means[level(u)][p]/count[level(u)]
			away[u] += d * d / float64(pairs)
			if math.Abs(d) > most {
				most, where[u] = math.Abs(d), p
			}
		}
		away[u] = math.Sqrt(away[u])
	}
	middle := median(away)
	spread := make([]float64, units)
	for u := range units {
		spread[u] = math.Abs(away[u] - middle)
	}
	deviation := 1.4826 * median(spread)
	var list []string
	for u := range units {
		if deviation > 0 && (away[u]-middle)/deviation > farOut {
			pair := g.Values.Pairs[where[u]]
			list = append(list, fmt.Sprintf("%s: %.1f times as far from its group as is usual, most of all between %s and %s", g.Units[u], away[u]/middle, g.Names[pair[0]], g.Names[pair[1]]))
		}
	}
	return list
}

func median(x []float64) float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}
