package dataio

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/graph"
)

// writeDOT writes the graph for Graphviz. Weights are quoted because DOT has no
// exponents outside quotes.
func writeDOT(w io.Writer, g *graph.Graph) error {
	id := g.Names()
	for i, name := range id {
		id[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	}
	b := bytes.NewBufferString("graph {\n")
	for _, v := range id {
		fmt.Fprintf(b, "  %s;\n", v)
	}
	for _, e := range g.Edges() {
		fmt.Fprintf(b, "  %s -- %s [weight=\"%s\"];\n", id[e.I], id[e.J], formatNumber(e.Weight))
	}
	b.WriteString("}\n")
	_, err := b.WriteTo(w)
	return err
}
