package dataio

import (
	"encoding/xml"
	"io"
	"math"
)

var _ = register(codec{
	format: GEXF, Description: Description{Name: "GEXF", MediaType: "application/xml"}, rank: 50,
	has:         []Capability{KeepsNames, KeepsIsolated, KeepsConfidence, KeepsDirection, KeepsAttributes, Gzips},
	decodeGraph: decodeGEXF,
	encodeGraph: encodeGEXF,
})

// encodeGEXF writes GEXF 1.2, which Gephi and NetworkX read. Names are both the
// identifiers and the labels of vertices. Known places are where Gephi draws
// vertices at first.
func encodeGEXF(w io.Writer, f GraphFile) error {
	names, numbers := f.Graph.Names(), numberColumns(f.Graph)
	x, y := f.Vertices.drawnPlaces()
	b := &xmlWriter{}
	b.WriteString(xml.Header + `<gexf xmlns="http://www.gexf.net/1.2draft" `)
	if x != nil {
		b.WriteString(`xmlns:viz="http://www.gexf.net/1.2draft/viz" `)
	}
	b.WriteString(`version="1.2">
  <graph mode="static" defaultedgetype="` + directionWord(f.Graph) + `">
`)
	if len(numbers) > 0 {
		b.WriteString("    <attributes class=\"edge\">\n")
		for _, c := range numbers {
			b.printf("      <attribute id=\"%s\" title=\"%s\" type=\"double\"/>\n", c.name, c.name)
		}
		b.WriteString("    </attributes>\n")
	}
	if columns := f.Vertices.columns(); len(columns) > 0 {
		b.WriteString("    <attributes class=\"node\">\n")
		for k, c := range columns {
			b.printf("      <attribute id=\"vertex%d\" title=\"%s\" type=\"%s\"/>\n", k, c.Name, c.xmlType())
		}
		b.WriteString("    </attributes>\n")
	}
	b.WriteString("    <nodes>\n")
	for i, name := range names {
		b.printf("      <node id=\"%s\" label=\"%s\"", name, name)
		b.gexfVertex(f.Vertices, i, x, y)
	}
	b.WriteString("    </nodes>\n    <edges>\n")
	for k, e := range f.Graph.Edges() {
		b.printf("      <edge id=\"%d\" source=\"%s\" target=\"%s\" weight=\"%s\"", k, names[e.I], names[e.J], formatNumber(e.Weight))
		if len(numbers) == 0 {
			b.WriteString("/>\n")
			continue
		}
		b.WriteString(">\n        <attvalues>")
		for _, c := range numbers {
			b.printf("<attvalue for=\"%s\" value=\"%s\"/>", c.name, formatNumber(c.values[k]))
		}
		b.WriteString("</attvalues>\n      </edge>\n")
	}
	b.WriteString("    </edges>\n  </graph>\n</gexf>\n")
	return b.end(w)
}

// gexfVertex ends the element of vertex i.
func (w *xmlWriter) gexfVertex(t *VertexTable, i int, x, y []float64) {
	columns, values := t.valuesOf(i)
	placed := x != nil && !math.IsNaN(x[i])
	if len(columns) == 0 && !placed {
		w.WriteString("/>\n")
		return
	}
	w.WriteString(">\n")
	if len(columns) > 0 {
		w.WriteString("        <attvalues>")
		for k, column := range columns {
			w.printf("<attvalue for=\"vertex%d\" value=\"%s\"/>", column, values[k])
		}
		w.WriteString("</attvalues>\n")
	}
	if placed {
		w.printf("        <viz:position x=\"%s\" y=\"%s\" z=\"0\"/>\n", formatNumber(x[i]), formatNumber(y[i]))
	}
	w.WriteString("      </node>\n")
}

// decodeGEXF reads one graph, all of whose edges have a direction or none. Vertices are named by their labels if all
// have one and no two the same, otherwise by their identifiers. Numbers of edges
// are the edge attributes of their titles. All attributes of vertices are kept; where
// they are drawn becomes x and y if no attributes say where they are.
func decodeGEXF(r io.Reader) (*parsedGraph, error) {
	g := newXMLGraph()
	class, labels := "", []string{} // of the attributes being declared; of the vertices
	var drawn vertexAttributes
	err := eachElement(r, "gexf", func(d *xml.Decoder, e xml.StartElement, line int) error {
		switch e.Name.Local {
		case "attributes":
			class = attr(e, "class")
		case "attribute":
			return g.declare(d, e, attr(e, "title"), class == "node", class == "edge")
		case "graph":
			g.standard = directionOf(attr(e, "defaultedgetype") == "directed")
		case "node":
			g.names, labels = append(g.names, attr(e, "id")), append(labels, attr(e, "label"))
		case "attvalue": // those of edges are read with them
			g.know(attr(e, "for"), attr(e, "value"))
		case "position":
			if last := len(g.names) - 1; last >= 0 {
				drawn.set(last, "x", attr(e, "x"))
				drawn.set(last, "y", attr(e, "y"))
			}
		case "edge":
			if err := g.sayDirection(said(attr(e, "type"), "directed", "undirected", g.standard), line); err != nil {
				return err
			}
			var x struct {
				Values []struct {
					For   string `xml:"for,attr"`
					Value string `xml:"value,attr"`
				} `xml:"attvalues>attvalue"`
			}
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}
			one := g.newEdge(e, attr(e, "weight"), line)
			for _, v := range x.Values {
				g.knowOf(&one, v.For, v.Value)
			}
			g.joined = append(g.joined, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	parsed, err := g.finish()
	if err != nil {
		return nil, err
	}
	parsed.addDrawnPlaces(&drawn)
	if _, err := newVertexIndex(labels); err == nil {
		parsed.names = labels
	}
	return parsed, nil
}

// drawnPlaces returns the places of vertices on a drawing a thousand units wide or
// high, centred at zero, which suits the size at which Gephi draws vertices; nil
// if they are not known.
func (t *VertexTable) drawnPlaces() (x, y []float64) {
	if t == nil {
		return nil, nil
	}
	x, y, _, ok := t.Places()
	if !ok {
		return nil, nil
	}
	left, right := bounds(x)
	low, high := bounds(y)
	scale := 1.0
	if size := max(right-left, high-low); size > 0 && size <= math.MaxFloat64 {
		scale = 1000 / size
	}
	for i := range x {
		x[i] = scale * (x[i] - (left/2 + right/2))
		y[i] = scale * (y[i] - (low/2 + high/2))
	}
	return x, y
}

// bounds returns the least and the largest of the numbers that are known.
func bounds(values []float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) {
			least, most = min(least, v), max(most, v)
		}
	}
	return least, most
}

// addDrawnPlaces adds where vertices are drawn to what is known, unless that says
// where they are.
func (parsed *parsedGraph) addDrawnPlaces(drawn *vertexAttributes) {
	if known := parsed.attributes.table(parsed.names); known != nil {
		if _, _, _, ok := known.Places(); ok || known.find("x") >= 0 || known.find("y") >= 0 {
			return
		}
	}
	for _, name := range drawn.names {
		for i := range parsed.names {
			if text, ok := drawn.text[name][i]; ok {
				parsed.attributes.set(i, name, text)
			}
		}
	}
}
