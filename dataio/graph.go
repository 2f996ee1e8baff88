package dataio

import (
	"io"

	"github.com/nervure/nervure/graph"
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
// A self-loop, an edge given twice, and a weight that is negative or not finite
// are errors. Everything wrong with the file is an [input.Error].
func ReadGraph(path string, names []string) (*graph.Graph, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return DecodeGraph(file, path, "", names)
}

// DecodeGraph reads a graph from a stream as [ReadGraph] does. name stands for
// the file in errors; an empty f means its extension.
func DecodeGraph(r io.Reader, name string, f Format, names []string) (*graph.Graph, error) {
	c, err := chooseCodec(name, f, ReadsGraphs)
	if err != nil {
		return nil, err
	}
	parsed, err := c.readGraph(r)
	if err != nil {
		return nil, inFile(name, err)
	}
	g, err := parsed.build(names)
	return g, inFile(name, err)
}
