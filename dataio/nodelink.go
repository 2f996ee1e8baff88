package dataio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

var _ = register(codec{
	format: NodeLink, rank: 30,
	Description: Description{Name: "JSON", GraphAs: "node-link, as NetworkX has it", MediaType: "application/json"},
	has:         []Capability{KeepsNames, KeepsIsolated, KeepsConfidence, KeepsDirection, KeepsAttributes, Gzips},
	decodeGraph: decodeNodeLink,
	encodeGraph: encodeNodeLink,
})

// encodeNodeLink writes the JSON that networkx.node_link_graph reads, with the
// edges under "edges", its default from version 3.4 on.
func encodeNodeLink(w io.Writer, f GraphFile) error {
	names, edges, numbers := f.Graph.Names(), f.Graph.Edges(), numberColumns(f.Graph)
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = jsonString(name)
	}
	keys := jsonKeys(f.Vertices)
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"directed\": %t,\n", f.Graph.Directed())
	b.WriteString("  \"multigraph\": false,\n  \"graph\": {},\n  \"nodes\": [")
	for i, t := range text {
		fmt.Fprintf(&b, "%s\n    {\"id\": %s", comma(i), t)
		columns, values := f.Vertices.valuesOf(i)
		for k, column := range columns {
			if f.Vertices.Columns[column].Numbers == nil {
				values[k] = jsonString(values[k])
			}
			fmt.Fprintf(&b, ", %s: %s", keys[column], values[k])
		}
		b.WriteString("}")
	}
	b.WriteString("\n  ],\n  \"edges\": [")
	for k, e := range edges {
		fmt.Fprintf(&b, "%s\n    {\"source\": %s, \"target\": %s, \"weight\": %s", comma(k), text[e.I], text[e.J], formatNumber(e.Weight))
		for _, c := range numbers {
			fmt.Fprintf(&b, ", \"%s\": %s", c.name, formatNumber(c.values[k]))
		}
		b.WriteString("}")
	}
	b.WriteString("\n  ]\n}\n")
	_, err := b.WriteTo(w)
	return err
}

// jsonKeys returns under which key each column is written: its name, unless
// that is the one under which vertices are named.
func jsonKeys(t *VertexTable) []string {
	var keys []string
	for _, c := range t.columns() {
		name := c.Name
		for name == "id" || name != c.Name && t.find(name) >= 0 {
			name += "_"
		}
		keys = append(keys, jsonString(name))
	}
	return keys
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

// decodeNodeLink reads node-link JSON with the edges under "edges" or, as older
// versions of NetworkX write it, "links". An edge without a weight has 1.
func decodeNodeLink(r io.Reader) (*parsedGraph, error) {
	type edge struct {
		Source     jsonEnd     `json:"source"`
		Target     jsonEnd     `json:"target"`
		Weight     json.Number `json:"weight"`
		Confidence json.Number `json:"confidence"`
		Partial    json.Number `json:"partial"`
		Low        json.Number `json:"low"`
		High       json.Number `json:"high"`
		Q          json.Number `json:"q"`
	}
	var file struct {
		Directed bool          `json:"directed"`
		Nodes    *[]jsonVertex `json:"nodes"`
		Edges    []edge        `json:"edges"`
		Links    []edge        `json:"links"`
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
	parsed := &parsedGraph{names: make([]string, len(*file.Nodes)), direction: directionOf(file.Directed)}
	for i, n := range *file.Nodes {
		parsed.names[i] = string(n.name)
		for k, key := range n.keys {
			parsed.attributes.set(i, key, n.texts[k])
		}
	}
	var edges []namedEdge
	for _, e := range append(file.Edges, file.Links...) {
		numbers := [...]string{e.Confidence.String(), e.Partial.String(), e.Low.String(), e.High.String(), e.Q.String()}
		edges = append(edges, namedEdge{string(e.Source.name), string(e.Target.name), e.Weight.String(), numbers, 0})
	}
	return parsed, parsed.addEdges(edges, parsed.names)
}

// A jsonEnd is an end of an edge, which must not be given twice. In a second list of edges it
// is, for the decoder would put the edges of that over those of the first, and keep the weights of
// these where it gives none.
type jsonEnd struct {
	name  jsonName
	given bool
}

// UnmarshalJSON refuses the second name.
func (e *jsonEnd) UnmarshalJSON(b []byte) error {
	if e.given {
		return errors.New("an end of an edge is given twice: give one list of edges, and each key once")
	}
	e.given = true
	return e.name.UnmarshalJSON(b)
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

// A jsonVertex is an object with an id and perhaps more.
type jsonVertex struct {
	name        jsonName
	keys, texts []string // of text, numbers and truth values, in the order of the file
}

// UnmarshalJSON keeps the order of the keys.
func (v *jsonVertex) UnmarshalJSON(b []byte) error {
	*v = jsonVertex{} // which the decoder may have used before
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if open, _ := d.Token(); open != json.Delim('{') {
		return errors.New("a vertex is not an object")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "id" {
			if err := d.Decode(&v.name); err != nil {
				return err
			}
			continue
		}
		var value any
		if err := d.Decode(&value); err != nil {
			return err
		}
		switch value := value.(type) {
		case string:
			v.add(key, value)
		case json.Number:
			v.add(key, value.String())
		case bool:
			v.add(key, strconv.FormatBool(value))
		}
	}
	return nil
}

func (v *jsonVertex) add(key json.Token, text string) {
	name, _ := key.(string)
	v.keys, v.texts = append(v.keys, name), append(v.texts, text)
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
