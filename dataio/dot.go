package dataio

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/graph"
)

// writeDOT writes the graph for Graphviz. Numbers are quoted because DOT has no
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
	confidence := g.Confidence()
	for k, e := range g.Edges() {
		fmt.Fprintf(b, "  %s -- %s [weight=\"%s\"", id[e.I], id[e.J], formatNumber(e.Weight))
		if confidence != nil {
			fmt.Fprintf(b, ", confidence=\"%s\"", formatNumber(confidence[k]))
		}
		b.WriteString("];\n")
	}
	b.WriteString("}\n")
	_, err := b.WriteTo(w)
	return err
}
