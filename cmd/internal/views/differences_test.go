package views

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
)

// However long names are and however many edges differ, lines keep to the width and lists end.
func TestDifferencesKeepToTheWidth(t *testing.T) {
	const n = 30
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("a vertex with quite a long name, number %d", i)
	}
	of := func(partial float64, tested bool, isEdge func(i int) bool) *graph.Graph {
		var edges []graph.Edge
		var known []graph.Evidence
		for i := range n - 1 {
			if isEdge(i) {
				edges = append(edges, graph.Edge{I: i, J: i + 1, Weight: partial})
				known = append(known, graph.Evidence{Partial: partial, Low: partial - 0.1, High: partial + 0.1})
			}
		}
		g, err := graph.New(names, edges)
		if err == nil && tested {
			g, err = g.WithEvidence(known)
		}
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	all, few := func(int) bool { return true }, func(i int) bool { return i < 3 }
	for _, c := range []struct {
		a, b *graph.Graph
		want []string
	}{
		{of(-0.5, true, all), of(0.5, true, all), []string{"Partial correlations that clearly differ", "and 9 more", "-1.00", "<0.0001"}},
		{of(-0.5, true, all), of(0.5, true, few), []string{"Clearly in A, and not drawn in B", "and 6 more", "has no interval there"}},
		{of(-0.5, false, all), of(0.5, true, few), []string{"the most different ratios first", "Only in A, the heaviest first", "because A does not have"}},
		{of(0.5, true, all), of(0.5, true, all), []string{"of 29 tested, none clearly differs"}},
		{of(0.5, false, few), of(0.5, false, few), []string{"because neither graph has"}},
	} {
		d, err := document.Differ(c.a, c.b, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := PrintDifferences(&b, d, "a folder with a long name/and a file in it.csv", "b.csv"); err != nil {
			t.Fatal(err)
		}
		said := b.String()
		for _, want := range c.want {
			if !strings.Contains(strings.Join(strings.Fields(said), " "), want) {
				t.Errorf("it lacks %q:\n%s", want, said)
			}
		}
		for line := range strings.Lines(said) {
			if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > Columns {
				t.Errorf("a line has %d columns: %s", w, line)
			}
		}
	}
}
