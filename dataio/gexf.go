package dataio

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

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
`)
	confidence := g.Confidence()
	if confidence != nil {
		b.WriteString("    <attributes class=\"edge\">\n      <attribute id=\"confidence\" title=\"confidence\" type=\"double\"/>\n    </attributes>\n")
	}
	b.WriteString("    <nodes>\n")
	for _, v := range id {
		fmt.Fprintf(b, "      <node id=\"%s\" label=\"%s\"/>\n", v, v)
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

// readGEXF reads one undirected graph. Vertices are named by their labels if all
// have one and no two the same, otherwise by their identifiers. Confidences are
// the edge attribute of that title.
func readGEXF(r io.Reader) (*rawGraph, error) {
	ids, labels := []string{}, []string{}
	var edges []namedEdge
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
			if class == "edge" && strings.EqualFold(attr(e, "title"), "confidence") {
				confidence = xmlKey{attr(e, "id"), strings.TrimSpace(a.Default)}
			}
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
			var x struct {
				Values []struct {
					For   string `xml:"for,attr"`
					Value string `xml:"value,attr"`
				} `xml:"attvalues>attvalue"`
			}
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}
			one := namedEdge{attr(e, "source"), attr(e, "target"), attr(e, "weight"), confidence.otherwise, line}
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
