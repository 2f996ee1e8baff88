package dataio

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func graphFile(t *testing.T, name, text string) *GraphFile {
	t.Helper()
	g, err := DecodeGraphFile(strings.NewReader(text), name, "")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// encoded is a graph as a file has it.
func encoded(t *testing.T, f Format, g *graph.Graph) *GraphFile {
	t.Helper()
	var b bytes.Buffer
	if err := EncodeGraph(&b, f, g); err != nil {
		t.Fatal(err)
	}
	return graphFile(t, "g."+string(f), b.String())
}

func TestGraphsOfTwoFilesAreMatchedByName(t *testing.T) {
	path := newGraph(t, []string{"c", "b", "a"}, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 2, Weight: 2}) // c – b – a
	for name, c := range map[string]struct {
		truth, found *GraphFile
		vertices     string
		correct      int // pairs that have an edge in both
	}{
		"in another order":                {graphFile(t, "t.csv", "a,b,2\nb,c,1\n"), graphFile(t, "f.csv", "c,b,1\nb,a,2\n"), "a b c", 2},
		"vertices that either lacks":      {graphFile(t, "t.csv", "a,b,2\n"), graphFile(t, "f.csv", "c,b,1\n"), "a b c", 0},
		"an array, by the truth's order":  {encoded(t, NodeLink, path), encoded(t, NPY, path), "c b a", 2},
		"no comments in Matrix Market":    {encoded(t, NodeLink, path), graphFile(t, "f.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n2 1 1\n"), "c b a", 1},
		"names in Matrix Market":          {graphFile(t, "t.csv", "a,b,2\n"), encoded(t, MatrixMarket, path), "a b c", 1},
		"an array, by numbers":            {graphFile(t, "t.csv", "v2,v1,2\n"), encoded(t, NPY, path), "v1 v2 v0", 1},
		"two arrays":                      {encoded(t, NPY, path), encoded(t, NPY, pathGraph(t)), "v0 v1 v2", 2},
		"an array beside default names":   {encoded(t, NodeLink, newGraph(t, graph.DefaultNames(2))), encoded(t, NPY, path), "v0 v1 v2", 0},
		"nothing at all":                  {graphFile(t, "t.csv", "source,target,weight\n"), graphFile(t, "f.csv", "a,b,1\n"), "a b", 0},
		"graphs that no file has written": {&GraphFile{Graph: path}, &GraphFile{Graph: path}, "c b a", 2},
	} {
		truth, found, err := Align(c.truth, c.found)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		correct := 0
		for _, e := range truth.Edges() {
			if slices.ContainsFunc(found.Edges(), func(o graph.Edge) bool { return o.I == e.I && o.J == e.J }) {
				correct++
			}
		}
		if got := strings.Join(truth.Names(), " "); got != c.vertices || !slices.Equal(truth.Names(), found.Names()) || correct != c.correct {
			t.Errorf("%s: vertices %s and %q, %d common edges", name, got, found.Names(), correct)
		}
	}
}

func TestGraphsThatCannotBeMatchedAreAnsweredWithWhy(t *testing.T) {
	three := encoded(t, NPY, pathGraph(t))
	_, _, err := Align(graphFile(t, "t.csv", "a,b,1\n"), graphFile(t, "f.csv", "x,y,1\n"))
	wantFault(t, err, 0, 0, `f.csv: it has no vertex in common with t.csv ("x" and "a", for example): are they graphs of the same signals?`)
	_, _, err = Align(graphFile(t, "t.csv", "b,c,2\na,b,1\n"), three)
	wantFault(t, err, 0, 0, "g.npy: an array has no names, and an edge list does not tell their order: write the graph as .csv")
	_, _, err = Align(graphFile(t, "t.csv", "v0,v5,2\n"), three)
	wantFault(t, err, 0, 0, "g.npy: an array has no names, and an edge list does not tell their order: write the graph as .csv")
	_, _, err = Align(encoded(t, GEXF, newGraph(t, []string{"a", "b"})), three)
	wantFault(t, err, 0, 0, "g.npy: the graph has 3 vertices where 2 are expected: is it a graph of other signals?")
}

func TestAGraphKeepsVerticesThatSignalsLack(t *testing.T) {
	path := newGraph(t, []string{"c", "b", "a"}, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 2, Weight: 2}) // c – b – a
	for name, c := range map[string]struct {
		file     *GraphFile
		names    []string
		vertices string
	}{
		"the same":              {graphFile(t, "g.csv", "a,b,2\n"), []string{"b", "a"}, "b a"},
		"more in the graph":     {graphFile(t, "g.csv", "a,x,2\ny,a,1\n"), []string{"b", "a"}, "b a x y"},
		"more in the signals":   {graphFile(t, "g.csv", "a,b,2\n"), []string{"c", "b", "a"}, "c b a"},
		"an array":              {encoded(t, NPY, path), []string{"p", "q", "r"}, "p q r"},
		"numbers on both sides": {encoded(t, NPY, path), []string{"v0", "v1"}, "v0 v1 v2"},
	} {
		g, err := c.file.With(c.names)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(g.Names(), " "); got != c.vertices || g.EdgeCount() != c.file.Graph.EdgeCount() {
			t.Errorf("%s: vertices %s, want %s", name, got, c.vertices)
		}
	}
	_, err := encoded(t, NPY, path).With([]string{"p", "q"})
	wantFault(t, err, 0, 0, "g.npy: the graph has 3 vertices where 2 are expected: is it a graph of other signals?")
	_, err = graphFile(t, "g.csv", "x,y,1\n").With([]string{"p", "q"})
	wantFault(t, err, 0, 0, `g.csv: none of its vertices is expected ("x" instead of "p", for example): is it a graph of other signals?`)
}
