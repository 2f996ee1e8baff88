package dataio

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestNodeLinkOfOtherProgramsIsRead(t *testing.T) {
	want := newGraph(t, []string{"7", "b"}, graph.Edge{I: 0, J: 1, Weight: 1})
	for name, text := range map[string]string{
		"links, as NetworkX wrote before 3.4": `{"nodes": [{"id": 7}, {"id": "b"}], "links": [{"source": 7, "target": "b"}]}`,
		"a multigraph without doubles":        `{"multigraph": true, "nodes": [{"id": 7}, {"id": "b", "size": 3}], "edges": [{"source": "b", "target": 7, "key": 0, "weight": 1.0}]}`,
	} {
		if g, err := DecodeGraph(strings.NewReader(text), "g", NodeLink, nil); err != nil || !sameGraph(g, want) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
}

func TestBadNodeLinkIsAnsweredWithWhatAndWhere(t *testing.T) {
	nodes := `{"nodes": [{"id": "a"}, {"id": "b"}], "edges": `
	checkBadGraphs(t, NodeLink, []badGraph{
		{"an empty file", " \n", 0, 0, "the file is empty"},
		{"half a file", "{\n\"nodes\": [\n", 3, 0, "line 3: this is not a node-link graph: unexpected end of JSON input"},
		{"another document", `{"a": 1}`, 0, 0, `this JSON has no "nodes": write it with networkx.node_link_data`},
		{"a list", `[1]`, 1, 0, `line 1: this is not a node-link graph: "" cannot be array`},
		{"a vertex without a name", `{"nodes": [{"id": "a"}, {}]}`, 0, 0, "vertex 2: a vertex needs a name"},
		{"a vertex that is a list", `{"nodes": [{"id": [1]}]}`, 0, 0, "this is not a node-link graph: a vertex is named neither by a string nor by a number"},
		{"a vertex twice", `{"nodes": [{"id": "a"}, {"id": "a"}]}`, 0, 0, `vertices 1 and 2 have the same name "a": names must differ`},
		{"an unknown end", nodes + `[{"source": "a", "target": "c"}]}`, 0, 0, `an edge ends at "c", which is not a vertex of the graph`},
		{"a self-loop", nodes + `[{"source": "a", "target": "a"}]}`, 0, 0, `the edge joins "a" to itself: leave out such edges`},
		{"an edge twice", nodes + `[{"source": "a", "target": "b"}, {"source": "b", "target": "a"}]}`, 0, 0, `the edge "b" – "a" is given twice: give each edge once, in one direction`},
		{"two lists of edges", nodes + `[{"source": "a", "target": "b", "weight": 7}], "edges": [{"source": "a", "target": "b"}]}`, 0, 0, "this is not a node-link graph: an end of an edge is given twice: give one list of edges, and each key once"},
		{"an end in two cases", nodes + `[{"source": "a", "target": "b", "Source": "b"}]}`, 0, 0, "this is not a node-link graph: an end of an edge is given twice: give one list of edges, and each key once"},
		{"an infinite negative weight", nodes + `[{"source": "a", "target": "b", "weight": -1e999}]}`, 0, 0, `edge 1: the weight "-1e999" is not finite`},
		{"text for a weight", nodes + `[{"source": "a", "target": "b", "weight": true}]}`, 1, 0, `line 1: this is not a node-link graph: "edges.weight" cannot be bool`},
	})
}
