package dataio

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/signals"
)

// Txt is numbers with blanks between them, as numpy.savetxt writes signals; a graph
// is a line for each edge, with its ends, each as a Go string, and its weight.
const Txt Format = "lst"

var _ = register(codec{
	format: Txt, Description: Description{Name: "numbers with blanks between", Remark: "as numpy.savetxt", GraphAs: "edge list", MediaType: "text/plain; charset=utf-8"}, rank: 29,
	has:           []Capability{KeepsNames, Gzips},
	decodeSignals: decodeTxtSignals,
	decodeGraph:   decodeTxtGraph,
	encodeGraph:   encodeTxtGraph,
})

func decodeTxtSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
	a := &array{}
	for lines := bufio.NewScanner(r); lines.Scan(); a.rows++ {
		for _, field := range strings.Fields(lines.Text()) {
			v, _ := parse.Cell(field, false)
			a.value = append(a.value, v)
		}
	}
	if a.rows == 0 || len(a.value)%a.rows != 0 {
		return nil, fault("the lines have not the same number of numbers: give as many on each")
	}
	a.cols = len(a.value) / a.rows
	return a.signals(nil, nil, o)
}

func decodeTxtGraph(r io.Reader) (*parsedGraph, error) {
	parsed, vertices := &parsedGraph{}, vertexIndex{}
	number := func(name string) int {
		if _, known := vertices[name]; !known {
			vertices[name] = len(parsed.names)
			parsed.names = append(parsed.names, name)
		}
		return vertices[name]
	}
	line := 0
	for lines := bufio.NewScanner(r); lines.Scan(); {
		line++
		var source, target, cell string
		if n, _ := fmt.Sscanf(lines.Text(), "%q %q %s", &source, &target, &cell); n != 3 {
			return nil, faultAt(line, 0, "this line is not two names in quotation marks and a weight")
		}
		weight, wrong := parseWeight(cell, false)
		if wrong != "" {
			return nil, faultAt(line, 0, "%s", wrong)
		}
		parsed.edges = append(parsed.edges, parsedEdge{i: number(source), j: number(target), weight: weight, line: line})
	}
	parsed.sortNaturally()
	return parsed, nil
}

func encodeTxtGraph(w io.Writer, file GraphFile) error {
	names := file.Graph.Names()
	for _, e := range file.Graph.Edges() {
		if _, err := fmt.Fprintf(w, "%q %q %s\n", names[e.I], names[e.J], formatNumber(e.Weight)); err != nil {
			return err
		}
	}
	return nil
}
