package dataio

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestEvidenceIsWrittenWithEachEdge(t *testing.T) {
	bare, err := pathGraph(t).WithEvidence([]graph.Evidence{{Partial: 0.25, Low: 0.125, High: 0.5, Q: 0.03}, {Partial: -1.0 / 3, Low: -0.5, High: 0, Q: 1}})
	if err != nil {
		t.Fatal(err)
	}
	sure, err := bare.WithConfidence([]float64{1, 0.75})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    Format
		g    *graph.Graph
		want []string
	}{
		{CSV, bare, []string{"source,target,weight,partial,low,high,q\nv0,v1,0.5,0.25,0.125,0.5,0.03\nv1,v2,2,-0.3333333333333333,-0.5,0,1\n"}},
		{CSV, sure, []string{"source,target,weight,confidence,partial,low,high,q\nv0,v1,0.5,1,0.25,0.125,0.5,0.03\n"}},
		{TSV, bare, []string{"source\ttarget\tweight\tpartial\tlow\thigh\tq\nv0\tv1\t0.5\t0.25\t0.125\t0.5\t0.03\n"}},
	} {
		var b bytes.Buffer
		if err := EncodeGraph(&b, c.f, c.g); err != nil {
			t.Fatal(err)
		}
		for _, part := range c.want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: %q is not in\n%s", c.f, part, &b)
			}
		}
	}
}

func TestEvidenceOfOtherProgramsIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		f    Format
		text string
	}{
		"columns anywhere, edges in any direction": {CSV, "Q,target,high,note,low,source,Partial\n0.5,b,0.75,x,-0.25,a,0.25\n0,b,1,y,1,c,1\n"},
		"an edge of weight zero is none":           {CSV, "source,target,weight,partial,low,high,q\na,b,1,0.25,-0.25,0.75,0.5\na,c,0,0,0,0,0\nc,b,1,1,1,1,0\n"},
		"decimal commas":                           {CSV, "source;target;weight;partial;low;high;q\na;b;1;0,25;-0,25;0,75;0,5\nb;c;1;1;1;1;0\n"},
		"each edge in both directions":             {CSV, "source,target,weight,partial,low,high,q\na,b,1,0.25,-0.25,0.75,0.5\nb,a,1,0.25,-0.25,0.75,0.5\nb,c,1,1,1,1,0\nc,b,1,1,1,1,0\n"},
		"defaults of GraphML": {GraphML, `<graphml><key id="q" for="node" attr.name="q"/>
			<key id="d1" for="edge" attr.name="Partial"><default>1</default></key><key id="d2" for="edge" attr.name="low"><default>1</default></key>
			<key id="d3" for="edge" attr.name="high"><default>1</default></key><key id="d4" for="edge" attr.name="q"><default>0</default></key><graph>
			<node id="a"><data key="q">9</data></node><node id="b"/><node id="c"/>
			<edge source="a" target="b"><data key="d1"> 0.25</data><data key="d2">-0.25</data><data key="d3">0.75</data><data key="d4">0.5</data></edge>
			<edge source="b" target="c"/></graph></graphml>`},
	} {
		g, err := DecodeGraph(strings.NewReader(c.text), "g", c.f, []string{"a", "b", "c"})
		if err != nil || !slices.Equal(g.Evidence(), []graph.Evidence{{Partial: 0.25, Low: -0.25, High: 0.75, Q: 0.5}, {Partial: 1, Low: 1, High: 1}}) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
}

func TestIdentifiersOfOtherThingsAreNoEvidence(t *testing.T) {
	const text = `<graphml><key id="q" for="edge" attr.name="quality"/><graph><node id="a"/><node id="b"/>
		<edge source="a" target="b"><data key="q">good</data><data key="low">x</data></edge></graph></graphml>`
	if g, err := DecodeGraph(strings.NewReader(text), "g", GraphML, nil); err != nil || g.Evidence() != nil || g.EdgeCount() != 1 {
		t.Errorf("got %v, %v", g, err)
	}
}

func TestArrowsAreReadWithoutEvidence(t *testing.T) {
	const list = "source,target,weight,partial,low,high,q\na,b,1,0.25,-0.25,0.75,0.5\nb,c,1,1,1,1,0\n"
	file, err := DecodeGraphFile(strings.NewReader(list), "g", CSV)
	if err != nil || file.Graph.Evidence() == nil {
		t.Fatalf("got %v, %v", file, err)
	}
	arrows, err := file.AsDirected()
	if err != nil || !arrows.Graph.Directed() || arrows.Graph.Evidence() != nil {
		t.Errorf("got %v, %v", arrows, err)
	}
}

func TestBadEvidenceIsAnsweredWithWhatAndWhere(t *testing.T) {
	header := "source,target,weight,partial,low,high,q\na,b,1,0,0,0,1\n"
	checkBadGraphs(t, CSV, []badGraph{
		{"a correlation above 1", header + "a,c,1,1.5,0,1,0\n", 3, 4, `line 3, column 4: the partial correlation "1.5" is not between -1 and 1`},
		{"a low end below −1", header + "a,c,1,0,-2,1,0\n", 3, 5, `line 3, column 5: the low end "-2" is not between -1 and 1`},
		{"an infinite high end", header + "a,c,1,0,0,inf,0\n", 3, 6, `line 3, column 6: the high end "inf" is not between -1 and 1`},
		{"a rate below 0", header + "a,c,1,0,0,0,-0.5\n", 3, 7, `line 3, column 7: the q "-0.5" is not between 0 and 1`},
		{"text", header + "a,c,1,0,0,0,small\n", 3, 7, `line 3, column 7: the q "small" is not a number`},
		{"missing", header + "a,c,1,0,,0,0\n", 3, 5, `line 3, column 5: the low end is missing`},
		{"outside of its interval", header + "a,c,1,0.5,0.6,0.7,0\n", 3, 4, `line 3, column 4: the partial correlation 0.5 is not between its low end 0.6 and its high end 0.7`},
	})
	checkBadGraphs(t, NodeLink, []badGraph{
		{"a turned interval in JSON", `{"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b", "partial": 0, "low": 1, "high": -1, "q": 0}]}`, 0, 0, `edge 1: the partial correlation 0 is not between its low end 1 and its high end -1`},
	})
	const partly = "<gexf><graph><attributes class='edge'><attribute id='1' title='partial'/><attribute id='2' title='low'/><attribute id='3' title='high'/><attribute id='4' title='q'/></attributes>" +
		"<nodes><node id='a'/><node id='b'/><node id='c'/></nodes><edges>\n<edge source='a' target='b'><attvalues><attvalue for='1' value='0'/><attvalue for='2' value='0'/><attvalue for='3' value='0'/>" +
		"<attvalue for='4' value='1'/></attvalues></edge>\n<edge source='b' target='c'/></edges></graph></gexf>"
	checkBadGraphs(t, GEXF, []badGraph{
		{"for some edges only", partly, 3, 0, `line 3: the edge "b" – "c" has no partial correlation, but others have: give it for all edges or for none`},
		{"above 1 in XML", strings.Replace(partly, "for='4' value='1'", "for='4' value='7'", 1), 2, 0, `line 2: the q "7" is not between 0 and 1`},
	})
}

// Some of the names alone are those of somebody else's columns.
func TestPartsOfEvidenceAreOtherColumns(t *testing.T) {
	for _, c := range []struct {
		format Format
		text   string
	}{
		{CSV, "source,target,weight,low\na,b,1,cold\n"},
		{CSV, "source,target,weight,partial,q\na,b,1,7,-3\n"},
		{NodeLink, `{"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b", "partial": 9, "low": -1, "high": 1}]}`},
	} {
		g, err := DecodeGraph(strings.NewReader(c.text), "g", c.format, nil)
		if err != nil || g.EdgeCount() != 1 || g.Evidence() != nil {
			t.Errorf("%s: got %v, %v", c.text, g, err)
		}
	}
}

func TestAnEdgeListWithEvidenceIsNotTakenForSignals(t *testing.T) {
	for _, header := range []string{"source,target,weight,confidence,partial,low,high,q\n1,2,1,1,0,0,0,1\n", "source,target,weight,partial,low,high,q\n1,2,1,0,0,0,1\n"} {
		_, err := DecodeSignals(strings.NewReader(header), "s.csv", ReadOptions{})
		wantFault(t, err, 1, 0, "s.csv: line 1: the header source,target,weight makes this a graph, not signals: give a table with a column for each vertex")
	}
}
