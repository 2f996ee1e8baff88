package dataio

import (
	"cmp"
	"encoding/xml"
	"io"
)

var _ = register(codec{
	format: GraphML, Description: Description{Name: "GraphML", MediaType: "application/xml"}, rank: 40,
	has:         []Capability{KeepsNames, KeepsIsolated, KeepsConfidence, KeepsDirection, KeepsAttributes, Gzips},
	decodeGraph: decodeGraphML,
	encodeGraph: encodeGraphML,
})

// encodeGraphML writes vertices under their names, with what is known about them,
// and edges with a weight and the other numbers that the graph has of them.
func encodeGraphML(w io.Writer, f GraphFile) error {
	names, numbers := f.Graph.Names(), numberColumns(f.Graph)
	b := &xmlWriter{}
	b.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
`)
	for _, c := range numbers {
		b.printf("  <key id=\"%s\" for=\"edge\" attr.name=\"%s\" attr.type=\"double\"/>\n", c.name, c.name)
	}
	for k, c := range f.Vertices.columns() {
		b.printf("  <key id=\"vertex%d\" for=\"node\" attr.name=\"%s\" attr.type=\"%s\"/>\n", k, c.Name, c.xmlType())
	}
	b.printf("  <graph edgedefault=\"%s\">\n", directionWord(f.Graph))
	for i, name := range names {
		columns, values := f.Vertices.valuesOf(i)
		if len(columns) == 0 {
			b.printf("    <node id=\"%s\"/>\n", name)
			continue
		}
		b.printf("    <node id=\"%s\">", name)
		for k, column := range columns {
			b.printf("<data key=\"vertex%d\">%s</data>", column, values[k])
		}
		b.WriteString("</node>\n")
	}
	for k, e := range f.Graph.Edges() {
		b.printf("    <edge source=\"%s\" target=\"%s\"><data key=\"weight\">%s</data>", names[e.I], names[e.J], formatNumber(e.Weight))
		for _, c := range numbers {
			b.printf("<data key=\"%s\">%s</data>", c.name, formatNumber(c.values[k]))
		}
		b.WriteString("</edge>\n")
	}
	b.WriteString("  </graph>\n</graphml>\n")
	return b.end(w)
}

// decodeGraphML reads one graph, all of whose edges have a direction or none. Weights are the edge attribute called
// weight, or 1; other numbers those of their names. All attributes of
// vertices are kept.
func decodeGraphML(r io.Reader) (*parsedGraph, error) {
	g, graphs := newXMLGraph(), 0
	g.weights.id, g.numbers[0].id = "weight", edgeNumbers[0].name // others are common identifiers of something else
	err := eachElement(r, "graphml", func(d *xml.Decoder, e xml.StartElement, line int) error {
		switch e.Name.Local {
		case "key":
			of := cmp.Or(attr(e, "for"), "all")
			return g.declare(d, e, attr(e, "attr.name"), of == "node" || of == "all", of == "edge" || of == "all")
		case "graph":
			if graphs++; graphs > 1 {
				return faultAt(line, 0, "a second graph starts here, and only files of one graph can be read")
			}
			g.standard = directionOf(attr(e, "edgedefault") == "directed")
		case "node":
			g.names = append(g.names, attr(e, "id"))
		case "data": // those of edges are read with them
			var text string
			if err := d.DecodeElement(&text, &e); err != nil {
				return err
			}
			g.know(attr(e, "key"), text)
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
			one := g.newEdge(e, g.weights.fallback, line)
			for _, data := range x.Data {
				if data.Key == g.weights.id || g.isWeight[data.Key] {
					one.weight = data.Value
				} else {
					g.knowOf(&one, data.Key, data.Value)
				}
			}
			g.joined = append(g.joined, one)
			return g.sayDirection(said(attr(e, "directed"), "true", "false", g.standard), line)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g.finish()
}
