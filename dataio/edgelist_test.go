package dataio

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestEdgeListsOfManyKindsAreRead(t *testing.T) {
	want := newGraph(t, []string{"b", "a", "c"}, graph.Edge{I: 0, J: 1, Weight: 0.5}, graph.Edge{I: 1, J: 2, Weight: 2})
	for name, text := range map[string]string{
		"a header":                   "source,target,weight\nb,a,0.5\na,c,2\n",
		"a header in capitals":       "Source,TARGET,Weight\nb,a,0.5\na,c,2\n",
		"from and to":                "from,to,weight\nb,a,0.5\na,c,2\n",
		"src and dst":                "src,dst,w\nb,a,0.5\na,c,2\n",
		"u and v":                    "u,v,value\nb,a,0.5\na,c,2\n",
		"i and j":                    "I,J,Weight\nb,a,0.5\na,c,2\n",
		"node1 and node2":            "node1,node2,weight\nb,a,0.5\na,c,2\n",
		"no header":                  "b,a,0.5\na,c,2\n",
		"columns in another order":   "weight,target,source\n0.5,a,b\n2,c,a\n",
		"columns of no concern":      "Source,Target,Type,Id,Label,Weight\nb,a,Undirected,0,,0.5\na,c,Undirected,1,,2\n",
		"semicolons, decimal commas": "source;target;weight\nb;a;0,5\na;c;2\n",
		"spaces and quotes":          "b, \"a\" , 0.5\r\n\r\na,c,2",
	} {
		g, err := DecodeGraph(strings.NewReader(text), name, CSV, nil)
		if err != nil {
			t.Error(err)
		} else if !sameGraph(g, want) {
			t.Errorf("%s: got %q %v", name, g.Names(), g.Edges())
		}
	}
}

func TestHeaderOfTwoWordsIsAnEdgeIfTheyAreVertices(t *testing.T) {
	g, err := DecodeGraph(strings.NewReader("u,v\nv,w\n"), "g", CSV, nil)
	want := newGraph(t, []string{"v", "w", "u"}, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 0, J: 2, Weight: 1})
	if err != nil || !sameGraph(g, want) {
		t.Errorf("got %q %v, %v", g.Names(), g.Edges(), err)
	}
}

func TestVerticesWithDefaultNamesAreInNaturalOrder(t *testing.T) {
	g, err := DecodeGraph(strings.NewReader("v10,v2,1\nv2,v0,3\n"), "g", CSV, nil)
	want := newGraph(t, []string{"v0", "v2", "v10"}, graph.Edge{I: 1, J: 2, Weight: 1}, graph.Edge{I: 0, J: 1, Weight: 3})
	if err != nil || !sameGraph(g, want) {
		t.Errorf("%v, %v", g, err)
	}
	for _, other := range []string{"v01", "w", "v", "v-1", "v+1"} {
		g, err := DecodeGraph(strings.NewReader("v3,"+other+",1\n"), "g", CSV, nil)
		if err != nil || g.Names()[0] != "v3" {
			t.Errorf("beside %s, v3 is no longer first: %v, %v", other, g, err)
		}
	}
}

func TestBadEdgeListsAreAnsweredWithWhatAndWhere(t *testing.T) {
	checkBadGraphs(t, CSV, []badGraph{
		{"an empty file", "", 0, 0, "the file is empty"},
		{"a self-loop", "source,target,weight\na,b,1\n\nb,b,1\n", 4, 0, `line 4: the edge joins "b" to itself: leave out such edges`},
		{"an edge twice", "a,b,1\nb,c,1\na,b,2\n", 3, 0, `line 3: the edge "a" – "b" is given twice (first on line 1): give each edge once, in one direction`},
		{"an arrow twice", "a,b,1\nb,a,1\na,b,2\n", 3, 0, `line 3: the edge "a" → "b" is given twice (first on line 1): give each edge once`},
		{"two kinds of edges", "source,target,weight,type\na,b,1,Directed\nb,c,1,Undirected\n", 3, 0, "line 3: some edges are directed and some are not: give all of them a direction or none"},
		{"an infinite negative weight", "a,b,-inf\n", 1, 3, `line 1, column 3: the weight "-inf" is not finite`},
		{"an infinite weight", "a,b,1e999\n", 1, 3, `line 1, column 3: the weight "1e999" is not finite`},
		{"a missing weight", "a,b,1\nb,c,\n", 2, 3, "line 2, column 3: the weight is missing"},
		{"text for a weight", "a,b,heavy\n", 1, 3, `line 1, column 3: the weight "heavy" is not a number: if this is a header, write source,target,weight`},
		{"text for a later weight", "a,b,1\nb,c,heavy\n", 2, 3, `line 2, column 3: the weight "heavy" is not a number`},
		{"a missing name", "a,,1\n", 1, 2, "line 1, column 2: the name of a vertex is missing"},
		{"a short row", "a,b,1\nb,c\n", 2, 0, "line 2: this row has 2 cells, not 3: an edge list has the columns source, target, weight"},
		{"signals", "1,2,3,4\n", 1, 0, "line 1: this row has 4 cells: an edge list has the columns source, target, weight; from signals, learn a graph first"},
		{"one column", "a\n", 1, 0, "line 1: this row has 1 cell: an edge list has the columns source, target, weight; from signals, learn a graph first"},
	})
}
