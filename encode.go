package nervure

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/sparse"
)

// A Encoding is new signals in terms of the atoms of a learned graph.
type Encoding struct {
	Codes *sparse.Code // X, a row for each atom, a column for each signal
	// Denoised is D·X in the units of the signals: what is left of them without
	// what a few atoms cannot explain. Missing values are filled in. Vertices that
	// were set aside are as given.
	Denoised *mat.Dense
}

// Encode codes new signals of the same vertices, matched by name, on the learned
// graph, after the preprocessing that the first ones had. It needs the codes of the sparse method;
// signals that were differenced cannot be put together again.
func (a *Analysis) Encode(s *Signals) (*Encoding, error) {
	if a.Sparse == nil {
		return nil, input.Errorf("nervure", "method", "%s has no codes: learn the graph with sparse", a.Result.Method.Name())
	}
	s, err := s.OnVertices("nervure", a.Graph.Names())
	if err != nil {
		return nil, err
	}
	z, undo, err := a.Preparation.Report.Transform.Apply(s.Y)
	switch {
	case err != nil:
		return nil, err
	case undo == nil:
		return nil, input.Errorf("nervure", input.Difference, "differences cannot be undone")
	}
	rest, mode := a.Sparse.RemoveCommonMode(z)
	for _, aside := range a.Sparse.Aside { // it has no edges, and is not to take up atoms
		clear(rest.RawRowView(aside.Vertex))
	}
	codes, explained, err := learn.Encode(a.Graph, a.Sparse.Model, rest, a.Options.Threads)
	if err != nil {
		return nil, err
	}
	n, _ := explained.Dims()
	for i := range n {
		if mode != nil {
			floats.Add(explained.RawRowView(i), mode)
		}
	}
	denoised := undo(explained)
	for _, aside := range a.Sparse.Aside {
		denoised.SetRow(aside.Vertex, s.Y.RawRowView(aside.Vertex))
	}
	return &Encoding{codes, denoised}, nil
}
