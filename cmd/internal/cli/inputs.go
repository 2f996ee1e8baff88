package cli

import (
	"io"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/inputs"
)

// readGraph reads a graph on the named vertices from a file, or the truth of an
// example.
func readGraph(path string, names []string) (*graph.Graph, error) {
	return inputs.Graph(path, names, inputs.Open)
}

// readGraphInputOn is readGraph where "-" stands for standard input.
func readGraphInputOn(stdin io.Reader, path string, names []string) (*graph.Graph, error) {
	if path == "-" {
		return dataio.DecodeGraph(stdin, standardInput, dataio.CSV, names)
	}
	return readGraph(path, names)
}

// readGraphFile reads a graph and what its file says about vertices, or the truth
// of an example. If it is directed, the edges of an edge list are arrows.
func readGraphFile(path string, directed bool) (*dataio.GraphFile, error) {
	file, err := inputs.From(inputs.Open, path, examples.Truth, func(r io.Reader, f dataio.Format) (*dataio.GraphFile, error) {
		return dataio.DecodeGraphFile(r, path, f)
	})
	return arrows(file, directed, err)
}

// readGraphInput is readGraphFile where "-" stands for standard input.
func readGraphInput(stdin io.Reader, path string, directed bool) (*dataio.GraphFile, error) {
	if path != "-" {
		return readGraphFile(path, directed)
	}
	file, err := dataio.DecodeGraphFile(stdin, standardInput, dataio.CSV)
	return arrows(file, directed, err)
}

// arrows makes arrows of the edges of a file, if they are asked for.
func arrows(file *dataio.GraphFile, directed bool, err error) (*dataio.GraphFile, error) {
	if err != nil || !directed {
		return file, err
	}
	return file.AsDirected()
}

// noteGraph says what the reader of a graph took its file to mean.
func noteGraph(c console, path string, file *dataio.GraphFile) {
	for _, words := range file.Notes {
		c.note("%s: %s", inputName(path), words)
	}
}

// readVertices reads what a table, or an example, knows about the named vertices,
// and counts those it does not know.
func readVertices(path string, names []string) (of *dataio.VertexTable, missing int, err error) {
	table, err := inputs.From(inputs.Open, path, examples.Vertices, func(r io.Reader, f dataio.Format) (*dataio.VertexTable, error) {
		return dataio.DecodeVertices(r, path, f)
	})
	if err != nil {
		return nil, 0, err
	}
	return table.For(names)
}
