package model

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/learn"
)

// An Encoding holds the sparse codes of new signals on a learned graph.
type Encoding struct {
	Codes *learn.Code // X, a row for each atom, a column for each signal
	// Denoised is D·X in the units of the signals: what is left of them without
	// what a few atoms cannot explain. Missing values are filled in. Vertices that
	// were set aside are as given; those that were learned as one, because their values are
	// equal, are the same.
	Denoised *mat.Dense
	// Explained is the share of the energy of the signals, as they are coded, that the
	// atoms account for: 1 − ‖Y − DX‖²/‖Y‖² over the known values. It is 1 for signals that
	// are zero.
	Explained float64
}

// Encode codes new signals of the same vertices, matched by name, on the learned graph of an
// analysis, as [Model.Encode] does.
func Encode(a *nervure.Analysis, s *nervure.Signals) (*Encoding, error) {
	return withoutGaussian(a).Encode(s)
}

// Encode codes new signals of the same vertices, matched by name, on the learned graph, after
// the preprocessing that the first ones had. It needs the codes of the sparse method;
// signals that were differenced cannot be put together again.
func (m *Model) Encode(s *nervure.Signals) (*Encoding, error) {
	if m.codes == nil {
		return nil, input.Errorf("nervure", "method", "%s has no codes: learn the graph with sparse", m.Method)
	}
	s, err := s.OnVertices("nervure", m.Graph.Names())
	if err != nil {
		return nil, err
	}
	z, undo, err := m.transform.Apply(m.merged(s.Y), s.Times)
	switch {
	case err != nil:
		return nil, err
	case undo == nil:
		return nil, input.Errorf("nervure", input.Difference, "differences cannot be undone")
	}
	var mode []float64
	if m.removeCommonMode {
		z, mode = learn.RemoveCommonMode(z, m.idle())
	}
	for _, aside := range m.idle() { // it has no edges, and is not to take up atoms
		clear(z.RawRowView(aside.Vertex))
	}
	codes, explained, err := learn.Encode(m.distinct(), *m.codes, z, m.threads())
	if err != nil {
		return nil, err
	}
	share := explainedShare(z, explained)
	n, _ := explained.Dims()
	for i := range n {
		if mode != nil {
			floats.Add(explained.RawRowView(i), mode)
		}
	}
	denoised := undo(explained)
	m.copyEqual(denoised)
	for _, aside := range m.aside {
		denoised.SetRow(aside.Vertex, s.Y.RawRowView(aside.Vertex))
	}
	return &Encoding{codes, denoised, share}, nil
}

// explainedShare returns 1 − ‖z − explained‖²/‖z‖² over what is not missing, 1 if z is
// zero.
func explainedShare(z, explained *mat.Dense) float64 {
	n, _ := z.Dims()
	unit := 0.0 // so that no square overflows
	for i := range n {
		row := matrix.Describe(z.RawRowView(i))
		unit = max(unit, math.Abs(row.Low), math.Abs(row.High))
	}
	var left, all float64
	for i := range n {
		approx := explained.RawRowView(i)
		for k, v := range z.RawRowView(i) {
			if !math.IsNaN(v) {
				d := (v - approx[k]) / unit
				left, all = left+d*d, all+(v/unit)*(v/unit)
			}
		}
	}
	if !(all > 0) {
		return 1
	}
	return 1 - left/all
}
