package dataio

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestGraphMLOfOtherProgramsIsRead(t *testing.T) {
	text := `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d1" for="edge" attr.name="weight" attr.type="double"><default>3</default></key>
  <key id="d0" for="node" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
    <edge source="a" target="b"><data key="d2">x</data><data key="d1"> 0.5 </data></edge>
    <node id="a"><data key="d0">9</data></node><node id="b"/><node id="c"/>
    <edge source="c" target="b"/>
  </graph>
</graphml>`
	want := newGraph(t, []string{"a", "b", "c"}, graph.Edge{I: 0, J: 1, Weight: 0.5}, graph.Edge{I: 1, J: 2, Weight: 3})
	if g, err := DecodeGraph(strings.NewReader(text), "g", GraphML, nil); err != nil || !sameGraph(g, want) {
		t.Errorf("%v, %v", g, err)
	}
}

// NetworkX declares an attribute once for whole numbers and once for others.
func TestGraphMLHasSeveralKeysForWeights(t *testing.T) {
	text := `<graphml><key id="d0" for="edge" attr.name="weight" attr.type="double"/><key id="d1" for="edge" attr.name="weight" attr.type="long"/>
  <graph edgedefault="undirected"><node id="a"/><node id="b"/><node id="c"/>
    <edge source="a" target="b"><data key="d0">0.5</data></edge><edge source="b" target="c"><data key="d1">2</data></edge>
  </graph></graphml>`
	want := newGraph(t, []string{"a", "b", "c"}, graph.Edge{I: 0, J: 1, Weight: 0.5}, graph.Edge{I: 1, J: 2, Weight: 2})
	if g, err := DecodeGraph(strings.NewReader(text), "g", GraphML, nil); err != nil || !sameGraph(g, want) {
		t.Errorf("%v, %v", g, err)
	}
}

func TestBadGraphMLIsAnsweredWithWhatAndWhere(t *testing.T) {
	checkBadGraphs(t, GraphML, []badGraph{
		{"an empty file", "", 0, 0, "the file is empty"},
		{"an attribute twice", "<graphml>\n<graph><node id='a' id='b'/></graph></graphml>", 2, 0, `line 2: the XML is broken: <node> has the attribute "id" twice`},
		{"an attribute twice in an edge", "<graphml><graph><node id='a'/><edge source='a' target='a'>\n<data key='w' key='v'>1</data></edge></graph></graphml>", 2, 0, `line 2: the XML is broken: <data> has the attribute "key" twice`},
		{"a vertex outside of the graph", "<graphml>\n<node id='a'/>\n<graph><node id='b'/></graph></graphml>", 2, 0, "line 2: <node> is not in <graph>: move it there"},
		{"half a file", "<graphml>\n<graph>\n<node id=", 3, 0, "line 3: the XML is broken or cut short: unexpected EOF"},
		{"another document", "<html></html>", 1, 0, "line 1: this starts with <html>, so it is not a graphml file"},
		{"another encoding", `<?xml version="1.0" encoding="latin1"?><graphml/>`, 0, 0, "the XML is in another encoding than UTF-8: save it as UTF-8"},
		{"another version", "\ufeff<?xml version='1.1'?><graphml/>", 0, 0, `the XML cannot be understood: unsupported version "1.1"; only version 1.0 is supported`},
		{"cut in its compression", gzipped(t, "<graphml>"+strings.Repeat("<graph/>", 999))[:30], 0, 0, "the compressed data is damaged or cut short: copy or compress the file again"},
		{"an undirected edge among arrows", "<graphml><graph edgedefault=\"directed\"><edge/>\n<edge directed=\"false\"/></graph></graphml>", 2, 0, "line 2: some edges are directed and some are not: give all of them a direction or none"},
		{"two graphs", "<graphml><graph/>\n<graph/></graphml>", 2, 0, "line 2: a second graph starts here, and only files of one graph can be read"},
		{"an unknown end", "<graphml><graph><node id='a'/>\n<edge source='a' target='b'/></graph></graphml>", 2, 0, `line 2: an edge ends at "b", which is not a vertex of the graph`},
		{"a bad weight", "<graphml><graph><node id='a'/><node id='b'/>\n<edge source='a' target='b'><data key='weight'>-Inf</data></edge></graph></graphml>", 2, 0, `line 2: the weight "-Inf" is not finite`},
	})
}
