package dataio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/graph"
)

// An edgeNumber is a number that edges may have beside their weight.
type edgeNumber struct {
	name        string // of its column or attribute in all formats
	what        string // it is called in sentences
	least, most float64
}

// edgeNumbers are in the order in which they are written: first confidence, then those of
// graph.Evidence, which come together.
var edgeNumbers = [...]edgeNumber{
	{"confidence", "confidence", 0, 1},
	{"partial", "partial correlation", -1, 1},
	{"low", "low end", -1, 1},
	{"high", "high end", -1, 1},
	{"q", "q", 0, 1},
}

// ofEvidence is where those of graph.Evidence start.
const ofEvidence = 1

// A numberColumn is one number for each edge of a graph, in order.
type numberColumn struct {
	name   string
	values []float64
}

// numberColumns returns the numbers that edges of g have, in the order of edgeNumbers.
func numberColumns(g *graph.Graph) (columns []numberColumn) {
	if confidence := g.Confidence(); confidence != nil {
		columns = append(columns, numberColumn{edgeNumbers[0].name, confidence})
	}
	evidence := g.Evidence()
	if evidence == nil {
		return columns
	}
	for k, number := range edgeNumbers[ofEvidence:] {
		values := make([]float64, len(evidence))
		for i, e := range evidence {
			values[i] = [...]float64{e.Partial, e.Low, e.High, e.Q}[k]
		}
		columns = append(columns, numberColumn{number.name, values})
	}
	return columns
}

// isEvidence reports whether all the numbers that come together are there. Some of them alone are
// columns of somebody else, which are not read: low and q are names of many things.
func isEvidence(has func(k int) bool) bool {
	for k := ofEvidence; k < len(edgeNumbers); k++ {
		if !has(k) {
			return false
		}
	}
	return true
}

// readNumber reads number k of an edge, and says what is wrong with it, if anything.
func (e *parsedEdge) readNumber(k int, cell string, decimalComma bool) (wrong string) {
	number := edgeNumbers[k]
	v, kind := parse.Cell(strings.TrimSpace(cell), decimalComma)
	switch {
	case kind == parse.Missing:
		return "the " + number.what + " is missing"
	case kind == parse.Text:
		return "the " + number.what + " " + quote(cell) + " is not a number"
	case !(v >= number.least && v <= number.most):
		return fmt.Sprintf("the %s %s is not between %g and %g", number.what, quote(cell), number.least, number.most)
	}
	e.numbers[k], e.has[k] = v, true
	return ""
}

// readNumbers reads the numbers of an edge that are not empty, and says what is wrong
// with them, if anything.
func (e *parsedEdge) readNumbers(texts [len(edgeNumbers)]string) (wrong string) {
	if !isEvidence(func(k int) bool { return texts[k] != "" }) {
		clear(texts[ofEvidence:])
	}
	for k, text := range texts {
		if text != "" && wrong == "" {
			wrong = e.readNumber(k, text, false)
		}
	}
	return cmp.Or(wrong, e.checkInterval())
}

// evidence returns the evidence of an edge that has it.
func (e *parsedEdge) evidence() graph.Evidence {
	v := e.numbers[ofEvidence:]
	return graph.Evidence{Partial: v[0], Low: v[1], High: v[2], Q: v[3]}
}

// checkInterval says what is wrong with the interval of an edge that has evidence, if anything.
func (e *parsedEdge) checkInterval() (wrong string) {
	v := e.evidence()
	if !e.has[ofEvidence] || v.Low <= v.Partial && v.Partial <= v.High {
		return ""
	}
	return fmt.Sprintf("the partial correlation %s is not between its low end %s and its high end %s",
		formatNumber(v.Partial), formatNumber(v.Low), formatNumber(v.High))
}

// withNumbers gives the edges of g, whose vertices are to[i], the numbers that the file has
// for them. Arrows get no evidence, which has no direction: an edge list may be read as arrows
// that was written as edges.
func (parsed *parsedGraph) withNumbers(g *graph.Graph, to []int) (*graph.Graph, error) {
	sure, err := parsed.allHave(0)
	if err != nil {
		return nil, err
	}
	tested := false
	if parsed.direction != directed {
		if tested, err = parsed.allHave(ofEvidence); err != nil {
			return nil, err
		}
	}
	if !sure && !tested {
		return g, nil
	}
	of := make(map[[2]int]*parsedEdge, len(parsed.edges))
	for k, e := range parsed.edges {
		of[parsed.pair(to[e.i], to[e.j])] = &parsed.edges[k]
	}
	var confidence []float64
	var evidence []graph.Evidence
	for _, e := range g.Edges() { // those of weight 0 are none
		one := of[[2]int{e.I, e.J}]
		if sure {
			confidence = append(confidence, one.numbers[0])
		}
		if tested {
			evidence = append(evidence, one.evidence())
		}
	}
	g, err = g.WithConfidence(confidence)
	if err == nil {
		g, err = g.WithEvidence(evidence)
	}
	if err != nil {
		return nil, fault("%s", err)
	}
	return g, nil
}

// allHave reports whether edges have number k: all of them do or none.
func (parsed *parsedGraph) allHave(k int) (bool, error) {
	with := slices.ContainsFunc(parsed.edges, func(e parsedEdge) bool { return e.has[k] })
	without := slices.IndexFunc(parsed.edges, func(e parsedEdge) bool { return !e.has[k] })
	if with && without >= 0 {
		e := parsed.edges[without]
		return false, atLine(e.line, fault("the edge %s – %s has no %s, but others have: give it for all edges or for none",
			quote(parsed.names[e.i]), quote(parsed.names[e.j]), edgeNumbers[k].what))
	}
	return with, nil
}
