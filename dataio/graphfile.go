package dataio

import (
	"fmt"
	"io"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

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
		return input.Errorf("dataio.GraphFile", "", "the table has %d vertices, not the %d of the graph in their order", len(g.Vertices.Names), g.Graph.Vertices())
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

// LostDirection is what [GraphFile.Lost] says if a format does not show that a graph is
// directed.
const LostDirection = "whether edges have a direction"

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
	if g.Graph.Confidence() != nil && !f.Can(KeepsConfidence) {
		lost = append(lost, "confidence")
	}
	if !f.Can(KeepsDirection) && g.losesDirection(f) {
		lost = append(lost, LostDirection)
	}
	if g.Vertices != nil && !f.Can(KeepsAttributes) {
		lost = append(lost, "vertex attributes")
	}
	return lost
}

// ReadGraphFile reads a graph as [ReadGraph] does without names, and what the
// file says about its vertices.
func ReadGraphFile(path string) (*GraphFile, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return DecodeGraphFile(file, path, "")
}

// DecodeGraphFile reads a graph and what is said about its vertices from a
// stream. name stands for the file in errors; an empty f means its extension.
func DecodeGraphFile(r io.Reader, name string, f Format) (*GraphFile, error) {
	c, err := chooseCodec(name, f, ReadsGraphs)
	if err != nil {
		return nil, err
	}
	parsed, err := c.readGraph(r)
	if err != nil {
		return nil, inFile(name, err)
	}
	g, err := parsed.build(nil)
	if err != nil {
		return nil, inFile(name, err)
	}
	file := &GraphFile{Graph: g, Vertices: parsed.attributes.table(g.Names()), file: name, numbered: parsed.numbered, unordered: !c.can(KeepsIsolated)}
	if file.Vertices != nil {
		file.Vertices.file = name
	}
	if parsed.direction == unsaid {
		file.unsaid = parsed
		file.noteArrows()
	}
	return file, nil
}

func (c *codec) readGraph(r io.Reader) (*parsedGraph, error) {
	return readContent(c, r, c.decodeGraph)
}
