package dataio

import (
	"fmt"
	"io"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// WriteGraph writes a graph by extension, in any format that [WritesGraphs].
func WriteGraph(path string, g *graph.Graph) error { return GraphFile{Graph: g}.Write(path) }

// EncodeGraph writes a graph to a stream. Weights are exact: they read back as
// the same number. A name that the format cannot hold is an
// [input.Error].
func EncodeGraph(w io.Writer, f Format, g *graph.Graph) error {
	return GraphFile{Graph: g}.Encode(w, f)
}

// ReadGraph reads a graph in any format that [ReadsGraphs]. Names, unless nil, are
// the vertices in order: the file may mention only some of them but no others, and
// a file that only numbers its vertices must number as many.
//
// Without names the vertices are those of the file in its order; for an edge
// list that is by first appearance, or v0, v1, …, v10 if all are named so.
//
// A self-loop, an edge given twice, and a weight that is not finite
// are errors. Everything wrong with the file is an [input.Error].
func ReadGraph(path string, names []string) (*graph.Graph, error) {
	return fromFile(path, func(r io.Reader) (*graph.Graph, error) { return DecodeGraph(r, path, "", names) })
}

// DecodeGraph reads a graph from a stream as [ReadGraph] does. name stands for
// the file in errors; an empty f means its extension.
func DecodeGraph(r io.Reader, name string, f Format, names []string) (*graph.Graph, error) {
	file, err := decodeGraph(r, name, f, names)
	if err != nil {
		return nil, err
	}
	return file.Graph, nil
}

// A GraphFile is a graph with what is known about its vertices.
type GraphFile struct {
	Graph    *graph.Graph
	Vertices *VertexTable // a row for each vertex, in order; nil if nothing is known
	Notes    []string     // what the reader took the file to mean without being told, a sentence each

	file      string       // where it was read from
	numbered  bool         // the file numbers its vertices and does not name them
	unordered bool         // the file mentions vertices in the order of its edges, and perhaps not all
	unsaid    *parsedGraph // the file if it does not report whether its edges have a direction, else nil
}

// Write writes the graph as [WriteGraph] does. What is known about vertices goes
// where the format [KeepsAttributes]; others have no place for it.
func (g GraphFile) Write(path string) error {
	err := writeAs(path, WritesGraphs, g.Encode)
	if e := input.Find(err); e != nil && e.File == "" { // there is a better name for it than that of a function
		e.Op, e.File = "", path
	}
	return err
}

const encodeGraphOp = "dataio.EncodeGraph"

// Encode writes the graph to a stream as [EncodeGraph] does, with its vertices.
func (g GraphFile) Encode(w io.Writer, f Format) error {
	if g.Vertices != nil && !slices.Equal(g.Vertices.Names, g.Graph.Names()) {
		return input.Errorf("dataio.GraphFile", "", "the table has %d vertices, not the %d of the graph in their order",
			len(g.Vertices.Names), g.Graph.Vertices())
	}
	for _, name := range g.Graph.Names() {
		if err := checkName(name); err != nil {
			return refusedBy(encodeGraphOp, err)
		}
	}
	c, err := chooseCodec("", f, WritesGraphs)
	if err != nil {
		return err
	}
	err = c.encodeGraph(w, g)
	if err == nil || input.Find(err) != nil {
		return refusedBy(encodeGraphOp, err)
	}
	return fmt.Errorf("%s: %w", encodeGraphOp, err)
}

// Lost lists in words what the graph has and the format f has no place for, such
// as "confidence"; nil if it keeps everything.
func (g GraphFile) Lost(f Format) (lost []string) {
	names := g.Graph.Names()
	if !f.Can(KeepsNames) && !slices.Equal(names, graph.DefaultNames(len(names))) {
		lost = append(lost, "names")
	}
	if n := len(g.Graph.Isolated()); !f.Can(KeepsIsolated) && n > 0 {
		lost = append(lost, words.Plural(n, "vertex")+" without an edge")
	}
	if !f.Can(KeepsConfidence) {
		if g.Graph.Confidence() != nil {
			lost = append(lost, "confidence")
		}
		if g.Graph.Evidence() != nil {
			lost = append(lost, "partial correlations")
		}
	}
	if g.LosesDirection(f) {
		lost = append(lost, "whether edges have a direction")
	}
	if g.Vertices != nil && !f.Can(KeepsAttributes) {
		lost = append(lost, "vertex attributes")
	}
	return lost
}

// ReadGraphFile reads a graph as [ReadGraph] does without names, and what the
// file says about its vertices.
func ReadGraphFile(path string) (*GraphFile, error) {
	return fromFile(path, func(r io.Reader) (*GraphFile, error) { return DecodeGraphFile(r, path, "") })
}

// DecodeGraphFile reads a graph and what is said about its vertices from a
// stream. name stands for the file in errors; an empty f means its extension.
func DecodeGraphFile(r io.Reader, name string, f Format) (*GraphFile, error) {
	return decodeGraph(r, name, f, nil)
}

// decodeGraph reads a graph on the named vertices, unless these are nil.
func decodeGraph(r io.Reader, name string, f Format, names []string) (*GraphFile, error) {
	c, err := chooseCodec(name, f, ReadsGraphs)
	if err != nil {
		return nil, err
	}
	file := &GraphFile{file: name, unordered: !c.can(KeepsIsolated)}
	parsed, err := readContent(c, r, c.decodeGraph)
	if err == nil {
		file.Graph, err = parsed.build(names)
	}
	if err != nil {
		return nil, inFile(name, err)
	}
	file.Vertices, file.numbered = parsed.attributes.table(parsed.names), parsed.numbered
	if file.Vertices != nil {
		file.Vertices.file = name
	}
	if parsed.direction == unsaid {
		file.unsaid = parsed
		file.noteArrows()
	}
	return file, nil
}

// Align returns two graphs that were read from files on the same vertices, matched
// by name: those of truth, then those that only found has.
//
// A file that only numbers its vertices has those of truth in order, if that tells
// their order; an edge list does not, unless its vertices have the default names.
// Graphs without a vertex in common are an [input.Error].
func Align(truth, found *GraphFile) (alignedTruth, alignedFound *graph.Graph, err error) {
	alignedTruth, alignedFound, err = Match(truth, found)
	if err != nil {
		return nil, nil, err
	}
	alignedTruth, alignedFound, _ = graph.Align(alignedTruth, alignedFound)
	return alignedTruth, alignedFound, nil
}

// Match returns two graphs that were read from files, named and refused as by [Align], each on its
// own vertices. An edge list leaves out vertices without an edge, so that its graph also has, after
// its own, those that only the other one mentions.
func Match(truth, found *GraphFile) (ofTruth, ofFound *graph.Graph, err error) {
	g, err := found.namedLike(truth)
	if err != nil {
		return nil, nil, inFile(found.file, err)
	}
	onBoth, _, shared := graph.Align(truth.Graph, g)
	if shared == 0 && truth.Graph.Vertices() > 0 && g.Vertices() > 0 {
		return nil, nil, inFile(
			found.file,
			fault("it has no vertex in common with %s (%q and %q, for example): are they graphs of the same signals?",
				truth.file, g.Names()[0], truth.Graph.Names()[0]),
		)
	}
	ofTruth, ofFound = truth.Graph, g
	if truth.unordered {
		ofTruth = onBoth
	}
	if found.unordered {
		ofFound, _, _ = graph.Align(g, truth.Graph)
	}
	return ofTruth, ofFound, nil
}

// With returns the graph on the named vertices, then on those that only it has. A
// file that only numbers its vertices must have as many as there are names. A graph
// without any vertex of those names is an [input.Error].
func (g *GraphFile) With(names []string) (*graph.Graph, error) {
	if g.numbered && !slices.Equal(names, graph.DefaultNames(len(names))) {
		if len(names) != g.Graph.Vertices() {
			return nil, inFile(g.file, countFault(g.Graph.Vertices(), len(names)))
		}
		return g.Graph.Rename(names)
	}
	named, err := graph.New(names, nil)
	if err != nil {
		return nil, err
	}
	_, aligned, shared := graph.Align(named, g.Graph)
	if shared == 0 && g.Graph.Vertices() > 0 {
		return nil, inFile(
			g.file,
			fault("none of its vertices is expected (%q instead of %q, for example): is it a graph of other signals?",
				g.Graph.Names()[0], names[0]),
		)
	}
	return aligned, nil
}

// namedLike returns the graph with the names of another if it has none of its own.
func (g *GraphFile) namedLike(other *GraphFile) (*graph.Graph, error) {
	names := other.Graph.Names()
	switch {
	case !g.numbered:
		return g.Graph, nil
	case other.unordered: // it may leave out vertices, but not name any that is not there
		if _, err := other.Graph.OnVertices(g.Graph.Names()); err != nil {
			return nil, fault("an array has no names, and an edge list does not tell their order: write the graph as .csv")
		}
		return g.Graph, nil
	case slices.Equal(names, graph.DefaultNames(len(names))):
		return g.Graph, nil
	case len(names) != g.Graph.Vertices():
		return nil, countFault(g.Graph.Vertices(), len(names))
	}
	return g.Graph.Rename(names)
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

// LosesDirection reports whether a directed graph would be taken for an undirected one
// in a format that has no word for it: a matrix shows direction unless it is
// symmetric, an edge list if a pair is in it both ways.
func (g GraphFile) LosesDirection(f Format) bool {
	if !g.Graph.Directed() || g.Graph.EdgeCount() == 0 || f.Can(KeepsDirection) {
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
