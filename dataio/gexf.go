package dataio

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/nervure/nervure/graph"
)

// writeGEXF writes GEXF 1.2, which Gephi and NetworkX read. Names are both the
// identifiers and the labels of vertices.
func writeGEXF(w io.Writer, g *graph.Graph) error {
	id, err := xmlTexts(g.Names())
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(xml.Header + `<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
  <graph mode="static" defaultedgetype="undirected">
    <nodes>
`)
	for _, v := range id {
		fmt.Fprintf(b, "      <node id=\"%s\" label=\"%s\"/>\n", v, v)
	}
	b.WriteString("    </nodes>\n    <edges>\n")
	for k, e := range g.Edges() {
		fmt.Fprintf(b, "      <edge id=\"%d\" source=\"%s\" target=\"%s\" weight=\"%s\"/>\n", k, id[e.I], id[e.J], formatNumber(e.Weight))
	}
	b.WriteString("    </edges>\n  </graph>\n</gexf>\n")
	_, err = b.WriteTo(w)
	return err
}

// readGEXF reads one undirected graph. Vertices are named by their labels if all
// have one and no two the same, otherwise by their identifiers.
func readGEXF(r io.Reader) (*rawGraph, error) {
	ids, labels := []string{}, []string{}
	var edges []namedEdge
	err := eachElement(r, "gexf", func(_ *xml.Decoder, e xml.StartElement, line int) error {
		switch e.Name.Local {
		case "graph":
			if kind := attr(e, "defaultedgetype"); kind == "directed" {
				return atLine(line, directedFault())
			}
		case "node":
			ids, labels = append(ids, attr(e, "id")), append(labels, attr(e, "label"))
		case "edge":
			if attr(e, "type") == "directed" {
				return atLine(line, directedFault())
			}
			edges = append(edges, namedEdge{attr(e, "source"), attr(e, "target"), attr(e, "weight"), line})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x, err := named(ids)
	if err != nil {
		return nil, err
	}
	raw := &rawGraph{names: ids}
	if _, err := named(labels); err == nil {
		raw.names = labels
	}
	return raw, raw.join(edges, x)
}
