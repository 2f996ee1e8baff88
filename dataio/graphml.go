package dataio

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

var _ = register(codec{
	format: GraphML, Description: Description{Name: "GraphML", MediaType: "application/xml"}, rank: 40,
	has:         []Capability{KeepsNames, KeepsIsolated, KeepsConfidence, KeepsDirection, KeepsAttributes, Gzips},
	decodeGraph: decodeGraphML,
	encodeGraph: encodeGraphML,
})

// encodeGraphML writes vertices under their names, with what is known about them,
// and edges with a weight and, if the graph has it, a confidence.
func encodeGraphML(w io.Writer, f GraphFile) error {
	g := f.Graph
	id, err := xmlTexts(g.Names())
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
`)
	confidence := g.Confidence()
	if confidence != nil {
		b.WriteString("  <key id=\"confidence\" for=\"edge\" attr.name=\"confidence\" attr.type=\"double\"/>\n")
	}
	err = f.Vertices.eachXMLColumn(func(k int, name, kind string) {
		fmt.Fprintf(b, "  <key id=\"vertex%d\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n", k, name, kind)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "  <graph edgedefault=\"%s\">\n", directionWord(g))
	for i, v := range id {
		columns, values := f.Vertices.valuesOf(i)
		if len(columns) == 0 {
			fmt.Fprintf(b, "    <node id=\"%s\"/>\n", v)
			continue
		}
		if values, err = xmlTexts(values); err != nil {
			return err
		}
		fmt.Fprintf(b, "    <node id=\"%s\">", v)
		for k, column := range columns {
			fmt.Fprintf(b, "<data key=\"vertex%d\">%s</data>", column, values[k])
		}
		b.WriteString("</node>\n")
	}
	for k, e := range g.Edges() {
		fmt.Fprintf(b, "    <edge source=\"%s\" target=\"%s\"><data key=\"weight\">%s</data>", id[e.I], id[e.J], formatNumber(e.Weight))
		if confidence != nil {
			fmt.Fprintf(b, "<data key=\"confidence\">%s</data>", formatNumber(confidence[k]))
		}
		b.WriteString("</edge>\n")
	}
	b.WriteString("  </graph>\n</graphml>\n")
	_, err = b.WriteTo(w)
	return err
}

// decodeGraphML reads one graph, all of whose edges have a direction or none. Weights are the edge attribute called
// weight, or 1; confidences the one called confidence. All attributes of
// vertices are kept.
func decodeGraphML(r io.Reader) (*parsedGraph, error) {
	parsed := &parsedGraph{names: []string{}}
	var edges []namedEdge
	weights, confidences := xmlKey{id: "weight"}, xmlKey{id: "confidence"}
	isWeight := map[string]bool{}     // NetworkX has a key for whole numbers and one for others
	vertexKeys := map[string]string{} // identifiers to names
	var defaults []xmlKey             // of these, by name
	graphs, standard := 0, undirected
	err := eachElement(r, "graphml", func(d *xml.Decoder, e xml.StartElement, line int) error {
		switch e.Name.Local {
		case "key":
			var k struct {
				Default string `xml:"default"`
			}
			if err := d.DecodeElement(&k, &e); err != nil {
				return err
			}
			one := xmlKey{attr(e, "id"), strings.TrimSpace(k.Default)}
			name, of := attr(e, "attr.name"), cmp.Or(attr(e, "for"), "all")
			if of == "node" || of == "all" {
				vertexKeys[one.id] = name
				defaults = append(defaults, xmlKey{name, one.fallback})
			}
			if of == "edge" || of == "all" {
				switch strings.ToLower(name) {
				case "weight":
					weights, isWeight[one.id] = xmlKey{one.id, cmp.Or(one.fallback, weights.fallback)}, true
				case "confidence":
					confidences = one
				}
			}
		case "graph":
			if graphs++; graphs > 1 {
				return faultAt(line, 0, "a second graph starts here, and only files of one graph can be read")
			}
			standard = directionOf(attr(e, "edgedefault") == "directed")
		case "node":
			parsed.names = append(parsed.names, attr(e, "id"))
		case "data": // those of edges are read with them
			var text string
			if err := d.DecodeElement(&text, &e); err != nil {
				return err
			}
			if name := vertexKeys[attr(e, "key")]; name != "" && len(parsed.names) > 0 {
				parsed.attributes.set(len(parsed.names)-1, name, text)
			}
		case "edge":
			var x struct {
				Data []struct {
					Key   string `xml:"key,attr"`
					Value string `xml:",chardata"`
				} `xml:"data"`
			}
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}
			if err := parsed.sayDirection(said(attr(e, "directed"), "true", "false", standard), line); err != nil {
				return err
			}
			one := namedEdge{attr(e, "source"), attr(e, "target"), weights.fallback, confidences.fallback, line}
			for _, data := range x.Data {
				switch {
				case data.Key == weights.id || isWeight[data.Key]:
					one.weight = data.Value
				case data.Key == confidences.id:
					one.confidence = data.Value
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
		parsed.attributes.setDefault(len(parsed.names), k.id, k.fallback)
	}
	parsed.direction = cmp.Or(parsed.direction, standard)
	x, err := newVertexIndex(parsed.names)
	if err != nil {
		return nil, err
	}
	return parsed, parsed.addEdges(edges, x)
}
