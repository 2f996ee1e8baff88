// Package gsp is graph signal processing: what to do with signals once their graph
// is known. It looks at signals by graph frequency, filters them, removes noise
// and fills gaps ([shuman2013]); [Combine] weighs several graphs by labels.
//
// A [Laplacian] is a graph with one of its two Laplacians L. Its eigenvalues
// 0 ≤ e_0 ≤ e_1 ≤ … are the frequencies, its eigenvectors the waves: those of low
// frequency hardly change along edges. Signals are columns, N×M, and are never
// modified.
//
// Components of a graph know nothing of each other, and all work is done one
// component at a time. Up to [MaxExact] vertices in the largest of them the
// spectrum is computed and answers are exact; beyond, filters are polynomials and
// linear equations are solved by conjugate gradients.
package gsp

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
)

// A Variant is one of the two Laplacians of a graph.
type Variant string

const (
	// Combinatorial is D − W. Signals that are constant on a component have
	// frequency zero. Frequencies are in units of the weights.
	Combinatorial Variant = "combinatorial"
	// Normalized is I − D^(−1/2) W D^(−1/2), with frequencies in [0, 2] whatever the
	// scale of the weights. Signals like √d have frequency zero; constants have not.
	// An isolated vertex has frequency 1, as in [graph.Graph.Laplacian].
	Normalized Variant = "normalised"
)

// Variants lists both.
func Variants() []Variant { return []Variant{Combinatorial, Normalized} }

// MaxExact is how many vertices a component may have for its spectrum to be
// computed, which takes a few seconds and 64 MB at this size.
const MaxExact = 2000

// A Laplacian is a Laplacian of a graph. It is safe for concurrent use once
// Threads is set.
type Laplacian struct {
	Variant Variant
	Threads int // zero means 1; results do not depend on it

	names      []string
	diagonal   []float64
	others     *linalg.CSR // the entries off the diagonal
	components [][]int     // vertices of each, in order
	bound      float64     // no frequency is above it
	mostExact  int         // MaxExact, but for tests

	once     sync.Once
	spectrum *Spectrum
	fault    error
}

// New returns a Laplacian of g, of a directed one that of its edges without their
// direction. A graph without vertices or with negative edges, and an unknown variant,
// are an [*input.Error].
func New(g *graph.Graph, v Variant) (*Laplacian, error) {
	const op = "gsp.New"
	switch {
	case g == nil || g.Vertices() == 0:
		return nil, input.Errorf(op, input.Graph, "it has no vertices")
	case !slices.Contains(Variants(), v):
		return nil, input.Errorf(op, "laplacian", "got %q, want %s or %s", v, Combinatorial, Normalized)
	}
	if err := input.Negative(op, input.Graph, g.Negative(), "frequencies on a graph need"); err != nil {
		return nil, err
	}
	g = g.Undirected()
	l := &Laplacian{Variant: v, names: g.Names(), mostExact: MaxExact}
	edges, degrees := g.Edges(), g.Degrees()
	if v == Normalized {
		edges, l.bound = g.NormalizedWeights(), 2
		degrees = slices.Repeat([]float64{1}, g.Vertices())
	}
	l.diagonal = degrees
	i, j, w := make([]int32, len(edges)), make([]int32, len(edges)), make([]float64, len(edges))
	for k, e := range edges {
		i[k], j[k], w[k] = int32(e.I), int32(e.J), -e.Weight
		// No eigenvalue of D − W is above the largest d_i + d_j over its edges.
		l.bound = max(l.bound, degrees[e.I]+degrees[e.J])
	}
	if math.IsInf(l.bound, 0) {
		return nil, input.Errorf(op, input.Graph, "its degrees overflow: divide the weights by a constant")
	}
	l.others = linalg.SymmetricCSR(g.Vertices(), i, j, w)
	label, count := g.Components()
	l.components = make([][]int, count)
	for vertex, c := range label {
		l.components[c] = append(l.components[c], vertex)
	}
	return l, nil
}

// Vertices returns the number of vertices N.
func (l *Laplacian) Vertices() int { return len(l.diagonal) }

// MeanFrequency returns the mean of all frequencies, which is that of white noise.
func (l *Laplacian) MeanFrequency() float64 {
	var sum float64
	for _, d := range l.diagonal {
		sum += d
	}
	return sum / float64(len(l.diagonal))
}

// IsExact reports whether the spectrum can be had: every component has at most
// [MaxExact] vertices.
func (l *Laplacian) IsExact() bool {
	return !slices.ContainsFunc(l.components, func(c []int) bool { return len(c) > l.mostExact })
}

// Mul returns L·y.
func (l *Laplacian) Mul(y *mat.Dense) (*mat.Dense, error) {
	if err := l.check("gsp.Mul", y); err != nil {
		return nil, err
	}
	n, m := y.Dims()
	out := mat.NewDense(n, m, nil)
	l.mul(out.RawMatrix(), y.RawMatrix())
	return out, nil
}

// mul sets dst = L·x.
func (l *Laplacian) mul(dst, x linalg.Dense) {
	l.others.Mul(dst, x)
	for i, d := range l.diagonal {
		linalg.Axpy(d, linalg.Row(x, i), linalg.Row(dst, i))
	}
}

// check refuses signals that are not on the vertices or not finite.
func (l *Laplacian) check(op string, y *mat.Dense) error {
	if err := checkShape(op, y, l.Vertices()); err != nil {
		return err
	}
	for i := range l.names {
		for k, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return input.Completef(op, input.Signals, "vertex %q, signal %d: %s", l.names[i], k+1, notFinite(v))
			}
		}
	}
	return nil
}

// checkShape refuses no signals, and those on another number of vertices.
func checkShape(op string, y *mat.Dense, vertices int) error {
	if y == nil || y.IsEmpty() {
		return input.Errorf(op, input.Signals, "got none")
	}
	if n, _ := y.Dims(); n != vertices {
		return input.Errorf(op, input.Vertices, "got signals on %d, want %d", n, vertices)
	}
	return nil
}

func notFinite(v float64) string {
	if math.IsNaN(v) {
		return "the value is missing: fill the gaps first"
	}
	return fmt.Sprintf("%g is not a finite number", v)
}
