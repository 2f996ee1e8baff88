package nervure

import (
	"math"
	"slices"

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
	// what a few atoms cannot explain. Missing values are filled in.
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
	mode := a.removeCommonMode(z)
	codes, explained, err := learn.Encode(a.Graph, a.Sparse.Model, z, a.Options.Threads)
	if err != nil {
		return nil, err
	}
	a.addCommonMode(explained, mode, 1)
	return &Encoding{codes, undo(explained)}, nil
}

// removeCommonMode subtracts the common mode from each signal if the learner did,
// and returns it; else nil.
func (a *Analysis) removeCommonMode(z *mat.Dense) []float64 {
	if !a.Sparse.Options.RemoveCommonMode {
		return nil
	}
	n, m := z.Dims()
	vary := a.varies(n)
	mode := make([]float64, m)
	for k := range mode {
		sum, count := 0.0, 0
		for i := range n {
			if v := z.At(i, k); vary[i] && !math.IsNaN(v) {
				sum += v
				count++
			}
		}
		mode[k] = sum / float64(max(count, 1))
	}
	a.addCommonMode(z, mode, -1)
	return mode
}

// addCommonMode adds a multiple of a mode, which may be nil, to the vertices that
// were not set aside.
func (a *Analysis) addCommonMode(z *mat.Dense, mode []float64, times float64) {
	if mode == nil {
		return
	}
	n, _ := z.Dims()
	for i, vary := range a.varies(n) {
		if vary {
			floats.AddScaled(z.RawRowView(i), times, mode)
		}
	}
}

// varies says of each vertex whether it was learned from.
func (a *Analysis) varies(n int) []bool {
	vary := slices.Repeat([]bool{true}, n)
	for _, aside := range a.Result.Aside {
		vary[aside.Vertex] = false
	}
	return vary
}
