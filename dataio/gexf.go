package dataio

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
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
	g := f.Graph
	id, err := xmlTexts(g.Names())
	if err != nil {
		return err
	}
	x, y := f.Vertices.drawnPlaces()
	b := bytes.NewBufferString(xml.Header + `<gexf xmlns="http://www.gexf.net/1.2draft" `)
	if x != nil {
		b.WriteString(`xmlns:viz="http://www.gexf.net/1.2draft/viz" `)
	}
	b.WriteString(`version="1.2">
  <graph mode="static" defaultedgetype="` + directionWord(g) + `">
`)
	confidence := g.Confidence()
	if confidence != nil {
		b.WriteString("    <attributes class=\"edge\">\n      <attribute id=\"confidence\" title=\"confidence\" type=\"double\"/>\n    </attributes>\n")
	}
	if err := writeGEXFColumns(b, f.Vertices); err != nil {
		return err
	}
	b.WriteString("    <nodes>\n")
	for i, v := range id {
		fmt.Fprintf(b, "      <node id=\"%s\" label=\"%s\"", v, v)
		if err := writeGEXFVertex(b, f.Vertices, i, x, y); err != nil {
			return err
		}
	}
	b.WriteString("    </nodes>\n    <edges>\n")
	for k, e := range g.Edges() {
		fmt.Fprintf(b, "      <edge id=\"%d\" source=\"%s\" target=\"%s\" weight=\"%s\"", k, id[e.I], id[e.J], formatNumber(e.Weight))
		if confidence == nil {
			b.WriteString("/>\n")
			continue
		}
		fmt.Fprintf(b, ">\n        <attvalues><attvalue for=\"confidence\" value=\"%s\"/></attvalues>\n      </edge>\n", formatNumber(confidence[k]))
	}
	b.WriteString("    </edges>\n  </graph>\n</gexf>\n")
	_, err = b.WriteTo(w)
	return err
}

// writeGEXFColumns declares what is known about vertices.
func writeGEXFColumns(b *bytes.Buffer, t *VertexTable) error {
	if t == nil || len(t.Columns) == 0 {
		return nil
	}
	b.WriteString("    <attributes class=\"node\">\n")
	err := t.eachXMLColumn(func(k int, name, kind string) {
		fmt.Fprintf(b, "      <attribute id=\"vertex%d\" title=\"%s\" type=\"%s\"/>\n", k, name, kind)
	})
	b.WriteString("    </attributes>\n")
	return err
}

// writeGEXFVertex ends the element of vertex i.
func writeGEXFVertex(b *bytes.Buffer, t *VertexTable, i int, x, y []float64) error {
	columns, values := t.valuesOf(i)
	placed := x != nil && !math.IsNaN(x[i])
	if len(columns) == 0 && !placed {
		b.WriteString("/>\n")
		return nil
	}
	values, err := xmlTexts(values)
	if err != nil {
		return err
	}
	b.WriteString(">\n")
	if len(columns) > 0 {
		b.WriteString("        <attvalues>")
		for k, column := range columns {
			fmt.Fprintf(b, "<attvalue for=\"vertex%d\" value=\"%s\"/>", column, values[k])
		}
		b.WriteString("</attvalues>\n")
	}
	if placed {
		fmt.Fprintf(b, "        <viz:position x=\"%s\" y=\"%s\" z=\"0\"/>\n", formatNumber(x[i]), formatNumber(y[i]))
	}
	b.WriteString("      </node>\n")
	return nil
}

// decodeGEXF reads one graph, all of whose edges have a direction or none. Vertices are named by their labels if all
// have one and no two the same, otherwise by their identifiers. Confidences are
// the edge attribute of that title. All attributes of vertices are kept; where
// they are drawn becomes x and y if no attributes say where they are.
func decodeGEXF(r io.Reader) (*parsedGraph, error) {
	ids, labels := []string{}, []string{}
	parsed, standard := &parsedGraph{}, undirected
	var edges []namedEdge
	var about, drawn vertexAttributes
	titles := map[string]string{}     // of what is known about vertices
	var defaults []xmlKey             // of these, by title
	class, confidence := "", xmlKey{} // of the attributes being declared; which is the confidence
	err := eachElement(r, "gexf", func(d *xml.Decoder, e xml.StartElement, line int) error {
		switch e.Name.Local {
		case "attributes":
			class = attr(e, "class")
		case "attribute":
			var a struct {
				Default string `xml:"default"`
			}
			if err := d.DecodeElement(&a, &e); err != nil {
				return err
			}
			if class == "node" {
				titles[attr(e, "id")] = attr(e, "title")
				defaults = append(defaults, xmlKey{attr(e, "title"), strings.TrimSpace(a.Default)})
			}
			if class == "edge" && strings.EqualFold(attr(e, "title"), "confidence") {
				confidence = xmlKey{attr(e, "id"), strings.TrimSpace(a.Default)}
			}
		case "graph":
			standard = directionOf(attr(e, "defaultedgetype") == "directed")
		case "node":
			ids, labels = append(ids, attr(e, "id")), append(labels, attr(e, "label"))
		case "attvalue": // those of edges are read with them
			if title := titles[attr(e, "for")]; title != "" && len(ids) > 0 {
				about.set(len(ids)-1, title, attr(e, "value"))
			}
		case "position":
			if len(ids) > 0 {
				drawn.set(len(ids)-1, "x", attr(e, "x"))
				drawn.set(len(ids)-1, "y", attr(e, "y"))
			}
		case "edge":
			if err := parsed.sayDirection(said(attr(e, "type"), "directed", "undirected", standard), line); err != nil {
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
			one := namedEdge{attr(e, "source"), attr(e, "target"), attr(e, "weight"), confidence.fallback, line}
			for _, v := range x.Values {
				if confidence.id != "" && v.For == confidence.id {
					one.confidence = v.Value
				}
			}
			edges = append(edges, one)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, k := range defaults {
		about.setDefault(len(ids), k.id, k.fallback)
	}
	x, err := newVertexIndex(ids)
	if err != nil {
		return nil, err
	}
	parsed.names, parsed.attributes, parsed.direction = ids, about, cmp.Or(parsed.direction, standard)
	parsed.addDrawnPlaces(&drawn)
	if _, err := newVertexIndex(labels); err == nil {
		parsed.names = labels
	}
	return parsed, parsed.addEdges(edges, x)
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
