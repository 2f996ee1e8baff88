package views

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
)

const (
	// mostDifferences is the most edges of a list that are printed.
	mostDifferences = 20
	// mostEdge is the width of the names of an edge: the numbers need the rest of a line.
	mostEdge = 30
)

// PrintDifferences prints which edges clearly differ between two graphs, named by their files.
func PrintDifferences(w io.Writer, d *document.Differences, fileA, fileB string) error {
	p := differencePrinter{Differences: d, joint: " – ", noun: "edge"}
	if d.Directed {
		p.joint, p.noun = " → ", "arrow"
	}
	p.counts(fileA, fileB)
	both := p.pick(func(e *document.EdgeDifference) bool { return e.WeightA != nil && e.WeightB != nil })
	onlyA := p.pick(func(e *document.EdgeDifference) bool { return e.WeightB == nil && !e.Missing })
	onlyB := p.pick(func(e *document.EdgeDifference) bool { return e.WeightA == nil && !e.Missing })
	if d.Tested > 0 {
		p.different(both)
	} else if len(both) > 0 {
		p.ratios(both)
	}
	p.only(onlyA, d.A, "A", "B")
	p.only(onlyB, d.B, "B", "A")
	p.doubts()
	_, err := io.WriteString(w, p.b.String())
	return err
}

type differencePrinter struct {
	*document.Differences

	b           strings.Builder
	joint, noun string
}

// say prints a paragraph.
func (p *differencePrinter) say(format string, args ...any) {
	p.b.WriteString(Paragraph(fmt.Sprintf(format, args...)) + "\n")
}

// rows prints a table: lines of cells, of which the first is to the left.
func (p *differencePrinter) rows(lines [][]string) {
	width := 0
	for _, line := range lines {
		width = max(width, utf8.RuneCountInString(line[0]))
	}
	t := tabwriter.NewWriter(&p.b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, line := range lines {
		fmt.Fprintf(t, "%s\t%s\t\n", line[0]+strings.Repeat(" ", width-utf8.RuneCountInString(line[0])), strings.Join(line[1:], "\t"))
	}
	_ = t.Flush() // to a builder, which takes everything
}

func (p *differencePrinter) pick(wanted func(*document.EdgeDifference) bool) (list []*document.EdgeDifference) {
	for k := range p.Edges {
		if wanted(&p.Edges[k]) {
			list = append(list, &p.Edges[k])
		}
	}
	return list
}

// list prints a table of edges, the first of them if there are many.
func (p *differencePrinter) list(titles []string, edges []*document.EdgeDifference, cells func(*document.EdgeDifference) []string) {
	lines := [][]string{append([]string{p.noun}, titles...)}
	for _, e := range edges[:min(len(edges), mostDifferences)] {
		lines = append(lines, append([]string{clipped(e.Source+p.joint+e.Target, mostEdge)}, cells(e)...))
	}
	p.rows(lines)
	if rest := len(edges) - mostDifferences; rest > 0 {
		p.say("and %d more, which --json and --out have", rest)
	}
}

// clipped shortens a text to at most that many characters.
func clipped(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

func (p *differencePrinter) counts(fileA, fileB string) {
	lines := [][]string{{"", "vertices", p.noun + "s", "only here", "clearly"}}
	for _, g := range []struct {
		name, file string
		document.ComparedGraph
	}{{"A", fileA, p.A}, {"B", fileB, p.B}} {
		clearly := "–"
		if g.Evidence {
			clearly = fmt.Sprint(g.ClearlyOnly)
		}
		lines = append(lines, []string{g.name + "  " + clipped(g.file, mostEdge), fmt.Sprint(g.Vertices), fmt.Sprint(g.Edges), fmt.Sprint(g.EdgesOnly), clearly})
	}
	p.rows(lines)
	p.b.WriteByte('\n')
	in := Plural(p.EdgesBoth, p.noun) + " in both graphs"
	if p.Tested > 0 {
		differ := fmt.Sprintf("%d clearly differ", p.Different)
		switch p.Different {
		case 0:
			differ = "none clearly differs"
		case 1:
			differ += "s"
		}
		in += fmt.Sprintf("; of %d tested, %s in strength (false discovery rate %g)", p.Tested, differ, p.FDR)
	}
	p.say("%s.", in)
	for _, g := range []struct {
		name string
		list []string
	}{{"A", p.A.VerticesOnly}, {"B", p.B.VerticesOnly}} {
		if n := len(g.list); n > 0 {
			p.say("%s only in %s, whose %ss are not compared: %s.", Plural(n, "vertex"), g.name, p.noun, words.List(firstFew(g.list), "and"))
		}
	}
}

// different lists the edges of both graphs that clearly differ.
func (p *differencePrinter) different(both []*document.EdgeDifference) {
	found := slices.DeleteFunc(both, func(e *document.EdgeDifference) bool { return !e.Clear })
	if len(found) == 0 {
		return
	}
	slices.SortStableFunc(found, func(a, b *document.EdgeDifference) int {
		return cmp.Or(cmp.Compare(a.Difference.Q, b.Difference.Q), cmp.Compare(math.Abs(b.Difference.Partial), math.Abs(a.Difference.Partial)))
	})
	p.b.WriteString("\nPartial correlations that clearly differ\n")
	p.list([]string{"A", "B", "A − B", "90 % interval", "q"}, found, func(e *document.EdgeDifference) []string {
		return []string{fmt.Sprintf("%.2f", e.A.Partial), fmt.Sprintf("%.2f", e.B.Partial), fmt.Sprintf("%+.2f", e.Difference.Partial), interval(e.Difference), rate(e.Difference.Q)}
	})
}

func interval(e *document.EdgeEvidence) string { return fmt.Sprintf("%.2f to %.2f", e.Low, e.High) }

// rate is a q-value, which has four digits.
func rate(q float64) string {
	if q < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.2g", q)
}

// ratios lists the edges of both graphs whose weights differ most, by their ratio.
func (p *differencePrinter) ratios(both []*document.EdgeDifference) {
	far := func(e *document.EdgeDifference) float64 {
		ratio := e.Ratio() / *p.MedianRatio
		if ratio < 0 {
			return math.Inf(1)
		}
		return math.Abs(math.Log(ratio))
	}
	slices.SortStableFunc(both, func(a, b *document.EdgeDifference) int { return cmp.Compare(far(b), far(a)) })
	fmt.Fprintf(&p.b, "\nWeights in both, the most different ratios first (median ratio %.3g)\n", *p.MedianRatio)
	p.list([]string{"A", "B", "A / B"}, both, func(e *document.EdgeDifference) []string {
		return []string{fmt.Sprintf("%.3g", *e.WeightA), fmt.Sprintf("%.3g", *e.WeightB), fmt.Sprintf("%.3g", e.Ratio())}
	})
}

// only lists the edges of one graph: those that are clearly there or, if none was tested, the heaviest.
func (p *differencePrinter) only(edges []*document.EdgeDifference, of document.ComparedGraph, here, there string) {
	weight := func(e *document.EdgeDifference) float64 { return *cmp.Or(e.WeightA, e.WeightB) }
	slices.SortStableFunc(edges, func(a, b *document.EdgeDifference) int {
		return cmp.Compare(math.Abs(weight(b)), math.Abs(weight(a)))
	})
	if !of.Evidence {
		if len(edges) > 0 {
			fmt.Fprintf(&p.b, "\nOnly in %s, the heaviest first\n", here)
			p.list([]string{"weight"}, edges, func(e *document.EdgeDifference) []string { return []string{fmt.Sprintf("%.3g", weight(e))} })
		}
		return
	}
	if of.ClearlyOnly == 0 {
		return
	}
	fmt.Fprintf(&p.b, "\nClearly in %s, and not drawn in %s\n", here, there)
	found := slices.DeleteFunc(edges, func(e *document.EdgeDifference) bool { return !e.Clear })
	p.list([]string{"partial correlation", "90 % interval", "q"}, found, func(e *document.EdgeDifference) []string {
		known := cmp.Or(e.A, e.B)
		return []string{fmt.Sprintf("%.2f", known.Partial), interval(known), rate(known.Q)}
	})
}

// doubts say what was not tested, and what that means.
func (p *differencePrinter) doubts() {
	if p.Tested == 0 && p.EdgesBoth > 0 {
		of := "neither graph has"
		switch {
		case p.A.Evidence && p.B.Evidence: // whose intervals know nothing
			of = "no edge in both graphs has"
		case p.A.Evidence:
			of = "B does not have"
		case p.B.Evidence:
			of = "A does not have"
		}
		p.b.WriteByte('\n')
		p.say("Strengths were not tested, because %s partial correlations with intervals.", of)
	}
	if p.A.ClearlyOnly+p.B.ClearlyOnly > 0 {
		p.b.WriteByte('\n')
		p.say("An edge that a graph does not draw has no interval there: that it is clearly in one does not mean that the other's signals rule it out. To test it, learn the other graph with more edges (--edges N).")
	}
}
