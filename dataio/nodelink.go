package dataio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/nervure/nervure/graph"
)

// writeNodeLink writes the JSON that networkx.node_link_graph reads, with the
// edges under "edges", its default from version 3.4 on.
func writeNodeLink(w io.Writer, g *graph.Graph) error {
	names, edges, confidence := g.Names(), g.Edges(), g.Confidence()
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = jsonString(name)
	}
	var b bytes.Buffer
	b.WriteString("{\n  \"directed\": false,\n  \"multigraph\": false,\n  \"graph\": {},\n  \"nodes\": [")
	for i, t := range text {
		fmt.Fprintf(&b, "%s\n    {\"id\": %s}", comma(i), t)
	}
	b.WriteString("\n  ],\n  \"edges\": [")
	for k, e := range edges {
		fmt.Fprintf(&b, "%s\n    {\"source\": %s, \"target\": %s, \"weight\": %s", comma(k), text[e.I], text[e.J], formatNumber(e.Weight))
		if confidence != nil {
			fmt.Fprintf(&b, ", \"confidence\": %s", formatNumber(confidence[k]))
		}
		b.WriteString("}")
	}
	b.WriteString("\n  ]\n}\n")
	_, err := b.WriteTo(w)
	return err
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

func jsonString(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string into memory
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// readNodeLink reads node-link JSON with the edges under "edges" or, as older
// versions of NetworkX write it, "links". An edge without a weight has 1.
func readNodeLink(r io.Reader) (*rawGraph, error) {
	type edge struct {
		Source     jsonName     `json:"source"`
		Target     jsonName     `json:"target"`
		Weight     *json.Number `json:"weight"`
		Confidence *json.Number `json:"confidence"`
	}
	var file struct {
		Directed bool `json:"directed"`
		Nodes    *[]struct {
			ID jsonName `json:"id"`
		} `json:"nodes"`
		Edges []edge `json:"edges"`
		Links []edge `json:"links"`
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(all, &file); err != nil {
		return nil, jsonFault(all, err)
	}
	if file.Nodes == nil {
		return nil, fault("this JSON has no \"nodes\": write it with networkx.node_link_data")
	}
	if file.Directed {
		return nil, directedFault()
	}
	raw := &rawGraph{names: make([]string, len(*file.Nodes))}
	for i, n := range *file.Nodes {
		raw.names[i] = string(n.ID)
	}
	x, err := named(raw.names)
	if err != nil {
		return nil, err
	}
	for k, e := range append(file.Edges, file.Links...) {
		one := rawEdge{weight: 1}
		if e.Weight != nil {
			var wrong string
			if one.weight, wrong = weight(e.Weight.String(), false); wrong != "" {
				return nil, fault("edge %d: %s", k+1, wrong)
			}
		}
		if e.Confidence != nil {
			if wrong := one.trust(e.Confidence.String(), false); wrong != "" {
				return nil, fault("edge %d: %s", k+1, wrong)
			}
		}
		if one.i, err = x.find(string(e.Source), 0); err != nil {
			return nil, err
		}
		if one.j, err = x.find(string(e.Target), 0); err != nil {
			return nil, err
		}
		raw.edges = append(raw.edges, one)
	}
	return raw, nil
}

func directedFault() *InputError {
	return fault("the graph is directed, and only undirected ones can be read: make it undirected first")
}

// A jsonName is a vertex named by a string or a number.
type jsonName string

// UnmarshalJSON keeps a number as it is written.
func (n *jsonName) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, (*string)(n))
	}
	var number json.Number
	if err := json.Unmarshal(b, &number); err != nil {
		return errors.New("a vertex is named neither by a string nor by a number")
	}
	*n = jsonName(number)
	return nil
}

// jsonFault says where JSON goes wrong.
func jsonFault(all []byte, err error) error {
	offset, what := int64(-1), err.Error()
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = e.Offset
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset, what = e.Offset, fmt.Sprintf("%s cannot be %s", quote(e.Field), e.Value)
	}
	if len(bytes.TrimSpace(all)) == 0 {
		return fault("the file is empty")
	}
	if offset < 0 {
		return fault("this is not a node-link graph: %s", what)
	}
	line := 1 + bytes.Count(all[:min(offset, int64(len(all)))], []byte("\n"))
	return faultAt(line, 0, "this is not a node-link graph: %s", what)
}
