package dataio

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/graph"
)

// writeGraphML writes vertices under their names and edges with a weight and, if
// the graph has it, a confidence.
func writeGraphML(w io.Writer, g *graph.Graph) error {
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
	b.WriteString("  <graph edgedefault=\"undirected\">\n")
	for _, v := range id {
		fmt.Fprintf(b, "    <node id=\"%s\"/>\n", v)
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

// readGraphML reads one undirected graph. Weights are the edge attribute called
// weight, or 1; confidences the one called confidence.
func readGraphML(r io.Reader) (*rawGraph, error) {
	raw := &rawGraph{names: []string{}}
	var edges []namedEdge
	weights, confidences := xmlKey{id: "weight"}, xmlKey{id: "confidence"}
	graphs := 0
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
			switch name := strings.ToLower(attr(e, "attr.name")); {
			case attr(e, "for") == "node":
			case name == "weight":
				weights = one
			case name == "confidence":
				confidences = one
			}
		case "graph":
			if graphs++; graphs > 1 {
				return faultAt(line, 0, "a second graph starts here, and only files of one graph can be read")
			}
			if attr(e, "edgedefault") == "directed" {
				return atLine(line, directedFault())
			}
		case "node":
			raw.names = append(raw.names, attr(e, "id"))
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
			if attr(e, "directed") == "true" {
				return atLine(line, directedFault())
			}
			one := namedEdge{attr(e, "source"), attr(e, "target"), weights.otherwise, confidences.otherwise, line}
			for _, data := range x.Data {
				switch data.Key {
				case weights.id:
					one.weight = data.Value
				case confidences.id:
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
	x, err := named(raw.names)
	if err != nil {
		return nil, err
	}
	return raw, raw.join(edges, x)
}
