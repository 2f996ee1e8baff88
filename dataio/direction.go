package dataio

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// A direction is what a file says about the direction of its edges.
type direction int

const (
	unsaid     direction = iota // an edge list, whose pairs may be arrows
	undirected                  // edges have none
	directed                    // edges are arrows from source to target
)

// directionOf is undirected unless isDirected.
func directionOf(isDirected bool) direction {
	if isDirected {
		return directed
	}
	return undirected
}

// directionWord is the word that formats have for the direction of a graph.
func directionWord(g *graph.Graph) string {
	if g.Directed() {
		return "directed"
	}
	return "undirected"
}

// sayDirection notes the direction of one edge, in a file that says it edge by edge.
func (parsed *parsedGraph) sayDirection(of direction, line int) error {
	if parsed.direction != unsaid && parsed.direction != of {
		return atLine(line, fault("some edges are directed and some are not: give all of them a direction or none"))
	}
	parsed.direction = of
	return nil
}

// said is what the word at an edge says about its direction, which is the standard
// one of the file unless the word is one of the two.
func said(word, arrow, none string, standard direction) direction {
	switch strings.ToLower(word) {
	case arrow:
		return directed
	case none:
		return undirected
	}
	return standard
}

// infer decides whether the edges of a list that does not say so are arrows: they
// are if a pair is given both ways. If all are, with equal weights, the list is of
// an undirected graph and has its edges twice; one of each is kept.
func (parsed *parsedGraph) infer() direction {
	weight := make(map[[2]int]float64, len(parsed.edges))
	for _, e := range parsed.edges {
		weight[[2]int{e.i, e.j}] = e.weight
	}
	mirrored, equal := 0, 0
	for _, e := range parsed.edges {
		w, both := weight[[2]int{e.j, e.i}]
		if !both || e.i == e.j {
			continue
		}
		mirrored++
		if w == e.weight {
			equal++
		}
	}
	switch {
	case mirrored == 0:
		return undirected
	case equal < len(parsed.edges) || len(weight) < len(parsed.edges): // some are given twice the same way, which is a fault
		return directed
	}
	kept := parsed.edges[:0:0]
	for _, e := range parsed.edges {
		if e.i < e.j {
			kept = append(kept, e)
		}
	}
	parsed.edges = kept
	return undirected
}

// AsDirected returns the graph of an edge list that does not say so with its edges
// as arrows from source to target. It is the graph as it is if that is directed,
// and an [input.Error] if the file says that it is not.
func (g *GraphFile) AsDirected() (*GraphFile, error) {
	file := *g
	file.Notes = nil // which are about direction
	switch {
	case g.Graph.Directed():
		return &file, nil
	case g.unsaid == nil:
		return nil, inFile(g.file, fault("the file says that its edges have no direction"))
	}
	arrows := *g.unsaid
	arrows.direction = directed
	var err error
	if file.Graph, err = arrows.build(nil); err != nil {
		return nil, inFile(g.file, err)
	}
	return &file, nil
}

// noteArrows says that edges were taken for arrows, and why: an edge given again the
// other way round by mistake would make arrows of all others.
func (g *GraphFile) noteArrows() {
	if !g.Graph.Directed() {
		return
	}
	given := words.Plural((g.Graph.EdgeCount()-g.Graph.OneWay())/2, "pair") + " of vertices"
	g.Notes = append(g.Notes, "edges are taken for arrows from source to target, because the list has "+given+
		" in both directions: if edges have no direction, give each of them once")
}

// SaysDirection reports whether the file tells if its edges have a direction. An edge
// list does so only by a column called type, or by a pair that is given both ways.
func (g *GraphFile) SaysDirection() bool { return g.Graph.Directed() || g.unsaid == nil }

// losesDirection reports whether a directed graph would be taken for an undirected one
// in a format that has no word for it: a matrix shows direction unless it is
// symmetric, an edge list if a pair is in it both ways.
func (g GraphFile) losesDirection(f Format) bool {
	if !g.Graph.Directed() || g.Graph.EdgeCount() == 0 {
		return false
	}
	edges := g.Graph.Edges()
	weight := make(map[[2]int]float64, len(edges))
	for _, e := range edges {
		weight[[2]int{e.I, e.J}] = e.Weight
	}
	symmetric := !slices.ContainsFunc(edges, func(e graph.Edge) bool { return weight[[2]int{e.J, e.I}] != e.Weight })
	return symmetric || !f.Can(KeepsIsolated) && g.Graph.OneWay() == len(edges)
}

// twiceFault is the fault of an edge that is given again; first is the line of the
// other, or 0.
func (parsed *parsedGraph) twiceFault(e parsedEdge, isDirected bool, first int) *input.Error {
	before, joint, mend := "", "–", "give each edge once, in one direction"
	if isDirected {
		joint, mend = "→", "give each edge once"
	}
	if first > 0 {
		before = " (first on line " + strconv.Itoa(first) + ")"
	}
	return atLine(e.line, fault("the edge %s %s %s is given twice%s: %s", quote(parsed.names[e.i]), joint, quote(parsed.names[e.j]), before, mend))
}
