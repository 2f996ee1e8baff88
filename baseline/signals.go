package baseline

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
)

// mostVertices is what the pairs of all vertices leave room for.
const mostVertices = 5000

// check reports what makes a problem unusable by a method that needs at least so
// many signals.
func (p Problem) check(method string, least int) error {
	fault := func(field, format string, args ...any) error {
		return &input.Error{Op: method, Field: input.Field(field), Msg: fmt.Sprintf(format, args...)}
	}
	n, signals := p.Y.Dims()
	switch {
	case n < 2 || signals < least:
		return fault("signals", "got %d vertices and %d signals, want at least 2 and %d", n, signals, least)
	case n > mostVertices:
		return fault("vertices", "got %d, want at most %d", n, mostVertices)
	case p.Names == nil:
		p.Names = graph.DefaultNames(n)
	case len(p.Names) != n:
		return fault("names", "got %d, want %d", len(p.Names), n)
	}
	if _, err := graph.New(p.Names, nil); err != nil {
		return fault("names", "%v", err)
	}
	if field, sentence := p.Cut.Fault(n); sentence != "" {
		return fault(field, "%s", sentence)
	}
	for i := range n {
		for s, v := range p.Y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fault("signals", "vertex %q, signal %d: %g is not a finite number", p.Names[i], s+1, v)
			}
		}
	}
	return nil
}

// varies says whether a row differs between signals by more than rounding.
func varies(row []float64) bool {
	low, high := slices.Min(row), slices.Max(row)
	return high/2-low/2 > 1e-12*max(math.Abs(low), math.Abs(high))
}

// unscaled returns y divided by a power of two so that its largest entry is
// about 1: no digit changes, and no square overflows.
func unscaled(y *mat.Dense) *mat.Dense {
	var largest float64
	n, _ := y.Dims()
	for i := range n {
		largest = max(largest, floats.Norm(y.RawRowView(i), math.Inf(1)))
	}
	_, exponent := math.Frexp(largest)
	var scaled mat.Dense
	scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, -exponent) }, y)
	return &scaled
}

// standardised returns the rows of y with mean 0 and mean square 1; rows that do
// not vary are zero. Each row has its own unit, so that none is lost beside others.
func standardised(y *mat.Dense) linalg.Dense {
	n, signals := y.Dims()
	u := linalg.NewDense(n, signals)
	for i := range n {
		if !varies(y.RawRowView(i)) {
			continue
		}
		row := linalg.Row(u, i)
		_, exponent := math.Frexp(floats.Norm(y.RawRowView(i), math.Inf(1)))
		for k, v := range y.RawRowView(i) {
			row[k] = math.Ldexp(v, -exponent) // so that no square overflows
		}
		floats.AddConst(-floats.Sum(row)/float64(signals), row)
		floats.Scale(1/floats.Norm(row, math.Inf(1)), row)
		floats.AddConst(-floats.Sum(row)/float64(signals), row)
		floats.Scale(math.Sqrt(float64(signals))/floats.Norm(row, 2), row)
	}
	return u
}
