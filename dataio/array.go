package dataio

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// An array is a matrix as a binary file holds it.
type array struct {
	rows, cols int
	value      []float64
	byColumn   bool // the values lie column by column, and not row by row
	oneBased   bool // its indices count from 1, as in MATLAB, and not from 0
}

// at writes a place in the array as those who made it do.
func (a *array) at(i, j int) string {
	if a.oneBased {
		return fmt.Sprintf("(%d, %d)", i+1, j+1)
	}
	return fmt.Sprintf("[%d, %d]", i, j)
}

// slice writes a row of the array, or else a column, as those who made it do.
func (a *array) slice(i int, row bool) string {
	brackets := "[]"
	if a.oneBased {
		i, brackets = i+1, "()"
	}
	first, second := strconv.Itoa(i), ":"
	if !row {
		first, second = second, first
	}
	return brackets[:1] + first + ", " + second + brackets[1:]
}

// dense returns the array or its transpose. It takes the values over.
func (a *array) dense(transpose bool) *mat.Dense {
	if a.byColumn { // row by row, these are the values of the transpose
		return newDense(a.value, a.cols, a.rows, !transpose)
	}
	return newDense(a.value, a.rows, a.cols, transpose)
}

// signals returns the array as signals; nil names are those of o or the default ones, and
// nil times are those of o, if it has any.
func (a *array) signals(names []string, times []time.Time, o ReadOptions) (*signals.Set, error) {
	s := &signals.Set{Y: a.dense(!o.Transpose)}
	n, m := s.Y.Dims()
	var err error
	if s.Names, err = o.vertexNames(names, n); err != nil {
		return nil, err
	}
	if times, err = o.observationTimes(times, m); err != nil {
		return nil, err
	}
	o.setTimes(s, times, a.observation)
	return s, a.check(s, o)
}

// observation says where one is that has a time: a row.
func (a *array) observation(m int) string { return "index " + a.slice(m, true) }

// check refuses signals of the array that cannot be used, and drops those that have no
// value.
func (a *array) check(s *signals.Set, o ReadOptions) error {
	vertexRows := o.Transpose
	n, m := s.Y.Dims()
	if len(s.Names) != n {
		return fault("there are %d names for %d vertices: check the names, or whether the file has vertices in rows", len(s.Names), n)
	}
	for j := range m { // in the order of a file of observations
		for i := range n {
			if !math.IsInf(s.Y.At(i, j), 0) {
				continue
			}
			where := a.at(j, i)
			if vertexRows {
				where = a.at(i, j)
			}
			return fault("the value at index %s (%s) is not finite: it must be a number below 1.8e308 in size", where, plainly(s.Names[i]))
		}
	}
	return o.dropEmptyObservations(s, func(i int) *input.Error { return noValues("index "+a.slice(i, vertexRows), s.Names[i]) },
		func(m int) string { return "index " + a.slice(m, !vertexRows) })
}

// weightRounding is how far entries of a symmetric matrix may differ, as a share
// of the larger.
const weightRounding = 1e-12

// weights takes the array for a weight matrix. Differences between the triangles
// as rounding leaves them are passed over; others make a directed graph, with an
// arrow from i to j where entry (i, j) is positive.
func (a *array) weights() (*parsedGraph, error) {
	if a.rows != a.cols {
		return nil, fault("the array is %d×%d, but a weight matrix is square", a.rows, a.cols)
	}
	parsed := &parsedGraph{names: graph.DefaultNames(a.rows), numbered: true, direction: undirected}
	w := a.dense(false)
	var arrows []parsedEdge // what the edges are if the matrix is not symmetric
	for i := range a.rows {
		for j := range i + 1 {
			x, y := w.At(i, j), w.At(j, i)
			switch {
			case !(math.Abs(x) <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64):
				return nil, fault("the weight at index %s is missing or not finite", a.at(i, j))
			case i == j && x != 0:
				return nil, fault("the diagonal of a weight matrix is zero, but %s is %g", a.at(i, i), x)
			case x < 0 || y < 0:
				return nil, fault("the weight at index %s is negative: is this a Laplacian and not a weight matrix?", a.at(i, j))
			case math.Abs(x-y) > weightRounding*max(x, y):
				parsed.direction = directed
			}
			if y > 0 {
				parsed.edges = append(parsed.edges, parsedEdge{i: i, j: j, weight: y})
				arrows = append(arrows, parsedEdge{i: j, j: i, weight: y})
			}
			if x > 0 {
				arrows = append(arrows, parsedEdge{i: i, j: j, weight: x})
			}
		}
	}
	if parsed.direction == directed {
		parsed.edges = arrows
	}
	return parsed, nil
}
