package dataio

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/graph"
)

// writeGraphML writes vertices under their names and edges with a weight.
func writeGraphML(w io.Writer, g *graph.Graph) error {
	id, err := xmlTexts(g.Names())
	if err != nil {
		return err
	}
	b := bytes.NewBufferString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
`)
	for _, v := range id {
		fmt.Fprintf(b, "    <node id=\"%s\"/>\n", v)
	}
	for _, e := range g.Edges() {
		fmt.Fprintf(b, "    <edge source=\"%s\" target=\"%s\"><data key=\"weight\">%s</data></edge>\n", id[e.I], id[e.J], formatNumber(e.Weight))
	}
	b.WriteString("  </graph>\n</graphml>\n")
	_, err = b.WriteTo(w)
	return err
}

// readGraphML reads one undirected graph. Weights are the edge attribute called
// weight, or 1.
func readGraphML(r io.Reader) (*rawGraph, error) {
	raw := &rawGraph{names: []string{}}
	var edges []namedEdge
	key, otherwise := "weight", "" // its identifier and default
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
			if strings.EqualFold(attr(e, "attr.name"), "weight") && attr(e, "for") != "node" {
				key, otherwise = attr(e, "id"), strings.TrimSpace(k.Default)
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
			one := namedEdge{attr(e, "source"), attr(e, "target"), otherwise, line}
			for _, data := range x.Data {
				if data.Key == key {
					one.weight = data.Value
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
