package dataio

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestGEXFVerticesAreNamedByDistinctLabels(t *testing.T) {
	for labels, want := range map[[2]string][]string{
		{"a", "b"}: {"a", "b"},
		{"a", "a"}: {"0", "1"},
		{"a", ""}:  {"0", "1"},
	} {
		text := `<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph><nodes><node id="0" label="` + labels[0] +
			`"/><node id="1" label="` + labels[1] + `"/></nodes><edges><edge source="1" target="0"/></edges></graph></gexf>`
		g, err := DecodeGraph(strings.NewReader(text), "g", GEXF, nil)
		if err != nil || !sameGraph(g, newGraph(t, want, graph.Edge{I: 0, J: 1, Weight: 1})) {
			t.Errorf("labels %q: %v, %v", labels, g, err)
		}
	}
}

func TestBadGEXFIsAnsweredWithWhatAndWhere(t *testing.T) {
	checkBadGraphs(t, GEXF, []badGraph{
		{"an undirected edge among arrows", "<gexf><graph><edges><edge type='directed'/>\n<edge/></edges></graph></gexf>", 2, 0, "line 2: some edges are directed and some are not: give all of them a direction or none"},
		{"a vertex among the edges", "<gexf><graph>\n<edges><node id='a'/></edges></graph></gexf>", 2, 0, "line 2: <node> is not in <nodes>: move it there"},
		{"a vertex without identifier", "<gexf><graph><nodes><node/></nodes></graph></gexf>", 0, 0, "vertex 1: a vertex needs a name"},
	})
}
