package study

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/report"
)

//go:embed batch.html
var batchText string

var batchTemplate = template.Must(template.New("batch").Funcs(template.FuncMap{
	"percent": words.Percent, "deref": func(v *float64) float64 { return *v },
}).Parse(batchText))

const (
	// mostAlike is how many graphs at most are compared in a picture.
	mostAlike = 400
	// mostFrequent is how many edges at most are listed; edges.csv has all.
	mostFrequent = 60
	// drawnShare is the share of the graphs that must have an edge for it to be drawn.
	drawnShare = 0.5
)

// A listedEdge is a row of the table of edges.
type listedEdge struct {
	From, To string
	Graphs   int
	Share    float64
	Weight   float64
}

// A verdictCount is how many graphs have a verdict.
type verdictCount struct {
	Verdict string
	Graphs  int
}

// A warningCount is a warning, with the numbers of the first graph that has it, and all that have
// one that says the same with other numbers.
type warningCount struct {
	Warning string
	Graphs  int
	Names   string // of some of them
}

// page writes the page about all graphs.
func (r *run) page(w io.Writer, index *document.Index, c *comparison) error {
	p := struct {
		*document.Index

		Arrow       string
		By          string // what graphs were learned by
		Verdicts    []verdictCount
		Warned      []warningCount
		Edges       []listedEdge
		AllEdges    int
		Common      string // about the picture of common edges
		Mean, Alike template.URL
	}{
		Index: index,
		Arrow: "–", Verdicts: verdicts(index), Warned: warnings(index), AllEdges: len(c.edges),
	}
	if index.Model != nil {
		p.By = modelWords(index.Model, index.Files)
	}
	if c.mean.Directed() {
		p.Arrow = "→"
	}
	for _, e := range c.edges[:min(len(c.edges), mostFrequent)] {
		p.Edges = append(p.Edges, listedEdge{e.from, e.to, e.graphs, c.share(e), e.weight})
	}
	if err := c.draw(&p.Mean, &p.Alike, &p.Common); err != nil {
		return err
	}
	return report.ListPage(w, fmt.Sprintf("%d graphs", index.Learned), batchTemplate, p)
}

// draw draws the edges that most graphs have, and how alike the graphs are.
func (c *comparison) draw(mean, alike *template.URL, about *string) error {
	common := 0
	for common < len(c.edges) && float64(c.edges[common].graphs) >= drawnShare*float64(len(c.found)) {
		common++
	}
	*about = fmt.Sprintf("%s that at least %d of %s have; edges.csv has all %d", words.Plural(common, "edge"), (len(c.found)+1)/2, words.Plural(len(c.found), "graph"), len(c.edges))
	if common > 0 {
		g, err := (&comparison{edges: c.edges[:common], found: c.found}).meanGraph(c.mean.Directed())
		if err != nil {
			return err
		}
		if *mean, err = figure.DataURL(plot.Graph("edges of most graphs", g, nil)); err != nil {
			return err
		}
	}
	if n := len(c.names); n < 2 || n > mostAlike {
		return nil
	}
	m := figure.Matrix{Title: "how alike graphs are", Names: c.names}
	for a, row := range c.distance {
		for b, d := range row[:a] {
			if d < 1 {
				m.Cells = append(m.Cells, figure.Cell{Row: a, Column: b, Weight: 1 - d})
			}
		}
	}
	var err error
	*alike, err = drawn{"alike" + matrixEnd(len(c.names)), m.Title, m}.picture()
	return err
}

// verdicts counts the graphs by their verdict, the most frequent first.
func verdicts(index *document.Index) []verdictCount {
	var list []verdictCount
	for _, row := range index.Rows {
		verdict := row.Verdict
		if row.Error != "" {
			verdict = "no graph"
		}
		k := slices.IndexFunc(list, func(v verdictCount) bool { return v.Verdict == verdict })
		if k < 0 {
			list = append(list, verdictCount{Verdict: verdict})
			k = len(list) - 1
		}
		list[k].Graphs++
	}
	slices.SortStableFunc(list, func(a, b verdictCount) int { return b.Graphs - a.Graphs })
	return list
}

// numbers are what the same warning differs by from graph to graph.
var numbers = regexp.MustCompile(`[0-9][0-9.,]*`)

// warnings counts the graphs by what they warn of, the most frequent first.
func warnings(index *document.Index) []warningCount {
	var list []warningCount
	names, at := [][]string{}, map[string]int{}
	for _, row := range index.Rows {
		for _, w := range row.Warnings {
			key := numbers.ReplaceAllString(w, "0")
			k, ok := at[key]
			if !ok {
				k = len(list)
				at[key] = k
				list, names = append(list, warningCount{Warning: w}), append(names, nil)
			}
			if last := len(names[k]) - 1; last < 0 || names[k][last] != row.Name { // once for a graph
				names[k] = append(names[k], row.Name)
			}
		}
	}
	for k := range list {
		list[k].Graphs, list[k].Names = len(names[k]), someOf(names[k])
	}
	slices.SortStableFunc(list, func(a, b warningCount) int { return b.Graphs - a.Graphs })
	return list
}

// modelWords says what all graphs were learned by.
func modelWords(m *document.StudyModel, files int) string {
	parts := []string{strings.TrimPrefix(m.Sentence(files), "learned ")}
	if len(m.Kernels.Given) > 0 {
		parts = append(parts, "kernels "+words.List(m.Kernels.Given, "and"))
	}
	for _, key := range slices.Sorted(maps.Keys(m.Method.Params)) {
		parts = append(parts, fmt.Sprintf("%s %g", key, m.Method.Params[key]))
	}
	if m.Method.Sparsity > 0 {
		parts = append(parts, words.Plural(m.Method.Sparsity, "atom")+" per signal")
	}
	for _, said := range []struct{ key, value, words string }{
		{m.Prepare.Rows, "time", "rows are moments in time"},
		{m.Prepare.Rows, "independent", "rows are independent"},
		{m.Prepare.Season, "yes", "cycles removed"},
		{m.Prepare.Detrend, "yes", "trends removed"},
		{m.Prepare.CommonMode, "remove", "common mode removed"},
		{m.Prepare.Scores, "yes", "normal scores"},
	} {
		if said.key == said.value {
			parts = append(parts, said.words)
		}
	}
	return strings.Join(parts, "; ")
}
