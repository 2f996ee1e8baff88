package dataio

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

var _ = register(codec{
	format: DOT, Description: Description{Name: "Graphviz DOT", MediaType: "text/vnd.graphviz; charset=utf-8"}, rank: 60,
	has:         []Capability{KeepsNames, KeepsIsolated, KeepsConfidence, KeepsDirection, KeepsAttributes, Gzips},
	encodeGraph: encodeDOT,
})

// encodeDOT writes the graph for Graphviz. Numbers are quoted because DOT has no
// exponents outside quotes.
func encodeDOT(w io.Writer, f GraphFile) error {
	id := f.Graph.Names()
	for i, name := range id {
		id[i] = dotText(name)
	}
	kind, joint := "graph", "--"
	if f.Graph.Directed() {
		kind, joint = "digraph", "->"
	}
	b := bytes.NewBufferString(kind + " {\n")
	for i, v := range id {
		columns, values := f.Vertices.valuesOf(i)
		var about []string
		for k, column := range columns {
			about = append(about, dotText(f.Vertices.Columns[column].Name)+"="+dotText(values[k]))
		}
		if len(about) > 0 {
			v += " [" + strings.Join(about, ", ") + "]"
		}
		fmt.Fprintf(b, "  %s;\n", v)
	}
	numbers := numberColumns(f.Graph)
	for k, e := range f.Graph.Edges() {
		fmt.Fprintf(b, "  %s %s %s [weight=\"%s\"", id[e.I], joint, id[e.J], formatNumber(e.Weight))
		for _, c := range numbers {
			fmt.Fprintf(b, ", %s=\"%s\"", c.name, formatNumber(c.values[k]))
		}
		b.WriteString("];\n")
	}
	b.WriteString("}\n")
	_, err := b.WriteTo(w)
	return err
}

func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
