package dataio

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestConfidenceIsWrittenWithEachEdge(t *testing.T) {
	g, err := pathGraph(t).WithConfidence([]float64{1, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	for f, want := range map[Format][]string{
		CSV:      {"source,target,weight,confidence\nv0,v1,0.5,1\nv1,v2,2,0.25\n"},
		TSV:      {"source\ttarget\tweight\tconfidence\nv0\tv1\t0.5\t1\nv1\tv2\t2\t0.25\n"},
		DOT:      {`"v1" -- "v2" [weight="2", confidence="0.25"];`},
		NodeLink: {`{"source": "v1", "target": "v2", "weight": 2, "confidence": 0.25}`},
		GraphML: {
			`<key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>`,
			`<edge source="v1" target="v2"><data key="weight">2</data><data key="confidence">0.25</data></edge>`,
		},
		GEXF: {
			`<attribute id="confidence" title="confidence" type="double"/>`,
			`<attvalue for="confidence" value="0.25"/>`,
		},
	} {
		var b bytes.Buffer
		if err := EncodeGraph(&b, f, g); err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(b.String(), part) {
				t.Errorf("%s: %q is not in\n%s", f, part, &b)
			}
		}
	}
}

func TestConfidenceOfOtherProgramsIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		f    Format
		text string
	}{
		"a column anywhere, edges in any direction": {CSV, "Confidence,target,note,source\n0.5,b,x,a\n0.75,b,y,c\n"},
		"an edge of weight zero is none":            {CSV, "source,target,weight,confidence\na,b,1,0.5\na,c,0,1\nc,b,1,0.75\n"},
		"decimal commas":                            {CSV, "source;target;weight;confidence\na;b;1;0,5\nb;c;1;0,75\n"},
		"a default of GraphML": {GraphML, `<graphml><key id="d0" for="node" attr.name="confidence"/>
			<key id="d7" for="edge" attr.name="Confidence"><default> 0.75 </default></key><graph>
			<node id="a"><data key="d0">9</data></node><node id="b"/><node id="c"/>
			<edge source="a" target="b"><data key="d7"> 0.5</data></edge><edge source="b" target="c"/></graph></graphml>`},
		"a default of GEXF": {GEXF, `<gexf><graph><attributes class="node"><attribute id="0" title="confidence"/></attributes>
			<attributes class="edge"><attribute id="1" title="confidence"><default>0.75</default></attribute></attributes>
			<nodes><node id="a"><attvalues><attvalue for="0" value="9"/></attvalues></node><node id="b"/><node id="c"/></nodes><edges>
			<edge source="a" target="b"><attvalues><attvalue for="1" value="0.5"/></attvalues></edge><edge source="c" target="b"/></edges></graph></gexf>`},
	} {
		g, err := DecodeGraph(strings.NewReader(c.text), "g", c.f, []string{"a", "b", "c"})
		if err != nil || !slices.Equal(g.Confidence(), []float64{0.5, 0.75}) {
			t.Errorf("%s: %v, %v", name, g, err)
		}
	}
}

func TestBadConfidencesAreAnsweredWithWhatAndWhere(t *testing.T) {
	header := "source,target,weight,confidence\na,b,1,1\n"
	checkBadGraphs(t, CSV, []badGraph{
		{"above 1", header + "a,c,1,1.5\n", 3, 4, `line 3, column 4: the confidence "1.5" is not between 0 and 1`},
		{"below 0", header + "a,c,1,-0.5\n", 3, 4, `line 3, column 4: the confidence "-0.5" is not between 0 and 1`},
		{"infinite", header + "a,c,1,inf\n", 3, 4, `line 3, column 4: the confidence "inf" is not between 0 and 1`},
		{"text", header + "a,c,1,high\n", 3, 4, `line 3, column 4: the confidence "high" is not a number`},
		{"missing", header + "a,c,1,\n", 3, 4, `line 3, column 4: the confidence is missing`},
	})
	checkBadGraphs(t, NodeLink, []badGraph{
		{"above 1 in JSON", `{"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"source": "a", "target": "b", "confidence": 2}]}`, 0, 0, `edge 1: the confidence "2" is not between 0 and 1`},
	})
	const partly = "<graphml><graph><node id='a'/><node id='b'/><node id='c'/><edge source='a' target='b'><data key='confidence'>1</data></edge>\n<edge source='b' target='c'/></graph></graphml>"
	checkBadGraphs(t, GraphML, []badGraph{
		{"for some edges only", partly, 2, 0, `line 2: the edge "b" – "c" has no confidence, but others have: give it for all edges or for none`},
		{"above 1 in XML", strings.Replace(partly, ">1<", ">7<", 1), 1, 0, `line 1: the confidence "7" is not between 0 and 1`},
	})
}

func TestAnEdgeListWithConfidenceIsNotTakenForSignals(t *testing.T) {
	_, err := DecodeSignals(strings.NewReader("source,target,weight,confidence\n1,2,1,1\n"), "s.csv", ReadOptions{})
	wantFault(t, err, 1, 0, "s.csv: line 1: the header source,target,weight makes this a graph, not signals: give a table with a column for each vertex")
}
