package dataio

import (
	"bytes"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/graph"
)

// awkwardFile has much to say about awkward vertices, not all about all.
func awkwardFile(t testing.TB) GraphFile {
	t.Helper()
	g := evident(t, confident(t, awkwardGraph(t)))
	names := g.Names()
	blank := func(n int, text string) []string {
		texts := make([]string, len(names))
		for i := range n {
			texts[i] = text
		}
		return texts
	}
	lat, lon := blank(0, ""), blank(0, "")
	for i := range len(names) - 1 {
		lat[i], lon[i] = formatNumber(48+float64(i)/3), formatNumber(-4-float64(i)/7)
	}
	codes := blank(len(names), "007")
	codes[1] = ""
	return GraphFile{Graph: g, Vertices: &VertexTable{Names: names, Columns: []VertexColumn{
		newVertexColumn("lat", lat, false), newVertexColumn("lon", lon, false),
		newVertexColumn("id", codes, false), newVertexColumn("label <&>", slices.Clone(names), false),
		newVertexColumn("pop, 2020", blank(2, "1e+21"), false),
	}}}
}

func sameTable(a, b *VertexTable) bool {
	sameNumbers := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	return slices.Equal(a.Names, b.Names) && slices.EqualFunc(a.Columns, b.Columns, func(a, b VertexColumn) bool {
		return strings.TrimSuffix(b.Name, "_") == a.Name && slices.Equal(a.Text, b.Text) && slices.EqualFunc(a.Numbers, b.Numbers, sameNumbers)
	})
}

// sameKnowledge is sameTable, but for how numbers are written and what is missing.
func sameKnowledge(a, b *VertexTable) bool {
	if b == nil {
		b = &VertexTable{Names: a.Names}
	}
	written := func(t *VertexTable) (cells []string) {
		for i := range t.Names {
			columns, values := t.valuesOf(i)
			for k, column := range columns {
				cells = append(cells, t.Names[i], strings.TrimSuffix(t.Columns[column].Name, "_"), values[k])
			}
		}
		slices.Sort(cells)
		return cells
	}
	return slices.Equal(written(a), written(b))
}

// formatsWithVertices are those that read back what is known about vertices.
var formatsWithVertices = []Format{NodeLink, GraphML, GEXF}

func TestWhatIsKnownAboutVerticesReadsBack(t *testing.T) {
	file := awkwardFile(t)
	for _, f := range formatsWithVertices {
		path := filepath.Join(t.TempDir(), "g."+string(f)+".gz")
		if err := file.Write(path); err != nil {
			t.Fatal(err)
		}
		back, err := ReadGraphFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !sameGraph(file.Graph, back.Graph) || !sameTable(file.Vertices, back.Vertices) {
			t.Errorf("%s: got %+v", f, back.Vertices)
		}
		x, y, _, _ := file.Vertices.Places()
		x2, y2, geographic, ok := back.Vertices.Places()
		if !ok || !geographic || x2[3] != x[3] || y2[3] != y[3] {
			t.Errorf("%s: places are %v, %v", f, x2, y2)
		}
	}
	for _, f := range Formats(WritesGraphs) { // the others pass over it
		var with, without bytes.Buffer
		if err := file.Encode(&with, f); err != nil {
			t.Fatal(err)
		}
		if err := EncodeGraph(&without, f, file.Graph); err != nil {
			t.Fatal(err)
		}
		if holds := f.Can(KeepsAttributes); holds == bytes.Equal(with.Bytes(), without.Bytes()) {
			t.Errorf("%s: vertices make a difference: %t", f, !holds)
		}
	}
}

func TestTablesOfOtherVerticesAreRefused(t *testing.T) {
	var b bytes.Buffer
	err := GraphFile{Graph: pathGraph(t), Vertices: &VertexTable{Names: []string{"v0", "v2", "v1"}}}.Encode(&b, GEXF)
	if err == nil || b.Len() > 0 {
		t.Errorf("got error %v and %d bytes", err, b.Len())
	}
}

// Gephi keeps where it draws vertices beside their attributes.
func TestDrawnPlacesArePlacesIfThereAreNoOthers(t *testing.T) {
	text := `<gexf><graph><nodes><node id="a"><viz:position x="1" y="2"/></node><node id="b"><position x="3" y="5"/></node></nodes><edges/></graph></gexf>`
	g, err := DecodeGraphFile(strings.NewReader(text), "g.gexf", "")
	if err != nil {
		t.Fatal(err)
	}
	if x, y, geographic, ok := g.Vertices.Places(); !ok || geographic || !slices.Equal(x, []float64{1, 3}) || !slices.Equal(y, []float64{2, 5}) {
		t.Errorf("places are %v, %v", x, y)
	}
}

func TestKnownPlacesAreDrawnAThousandUnitsWide(t *testing.T) {
	v := vertexTable(t, "name,x,y\nA,10,0\nB,14,1\nC,12,\n")
	g := newGraph(t, v.Names, graph.Edge{I: 0, J: 1, Weight: 1})
	var b bytes.Buffer
	if err := (GraphFile{Graph: g, Vertices: v}).Encode(&b, GEXF); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<viz:position x="-500" y="-125" z="0"/>`, `<viz:position x="500" y="125" z="0"/>`, `xmlns:viz="http://www.gexf.net/1.2draft/viz"`} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("there is no %s in\n%s", want, &b)
		}
	}
}

// What a file declares for all vertices counts for those that say nothing else.
func TestAttributesOfVerticesHaveDefaults(t *testing.T) {
	for f, text := range map[Format]string{
		GraphML: `<graphml><key id="k" for="node" attr.name="kind" attr.type="string"><default>sea</default></key>
<key id="n" for="all" attr.name="note" attr.type="string"/><key id="g" for="node"><default>grey</default></key><graph>
<node id="a"><data key="k">hill</data><data key="n">x</data></node><node id="b"/></graph></graphml>`,
		GEXF: `<gexf><graph><attributes class="node"><attribute id="k" title="kind"><default>sea</default></attribute>
<attribute id="n" title="note"/></attributes>
<nodes><node id="a"><attvalues><attvalue for="k" value="hill"/><attvalue for="n" value="x"/></attvalues></node><node id="b"/></nodes></graph></gexf>`,
	} {
		g, err := DecodeGraphFile(strings.NewReader(text), "g", f)
		if err != nil {
			t.Fatal(f, err)
		}
		if len(g.Vertices.Columns) != 2 {
			t.Fatalf("%s: columns %+v", f, g.Vertices.Columns)
		}
		if kind, note := g.Vertices.Columns[0].Text, g.Vertices.Columns[1].Text; !slices.Equal(kind, []string{"hill", "sea"}) || !slices.Equal(note, []string{"x", ""}) {
			t.Errorf("%s: kind %q, note %q", f, kind, note)
		}
	}
}

func TestWhatAFormatHasNoPlaceForIsLost(t *testing.T) {
	g, err := graph.New([]string{"a", "b", "c", "d"}, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	file := GraphFile{Graph: evident(t, confident(t, g)), Vertices: &VertexTable{Names: g.Names(), Columns: []VertexColumn{newVertexColumn("kind", []string{"x", "", "", ""}, false)}}}
	for format, want := range map[Format]string{
		CSV: "2 vertices without an edge, vertex attributes", NPY: "names, confidence, partial correlations, vertex attributes", NodeLink: "",
	} {
		if got := strings.Join(file.Lost(format), ", "); got != want {
			t.Errorf(".%s: got %q, want %q", format, got, want)
		}
	}
}
