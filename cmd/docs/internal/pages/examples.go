package pages

import (
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/signals"
)

// signalsOf are the signals of an example.
func signalsOf(example string) (*signals.Set, error) {
	file, err := examples.Open(example, examples.Signals)
	if err != nil {
		return nil, err
	}
	return dataio.DecodeSignals(file, examples.Signals, dataio.ReadOptions{})
}

// truthOf is the true graph of an example.
func truthOf(example string, names []string) (*graph.Graph, error) {
	file, err := examples.Open(example, examples.Truth)
	if err != nil {
		return nil, err
	}
	return dataio.DecodeGraph(file, examples.Truth, dataio.CSV, names)
}

// verticesOf is the table about the vertices of an example: the two numbers that
// say where they are come first.
func verticesOf(example string) (*dataio.VertexTable, error) {
	file, err := examples.Open(example, examples.Vertices)
	if err != nil {
		return nil, err
	}
	return dataio.DecodeVertices(file, examples.Vertices, dataio.CSV)
}
