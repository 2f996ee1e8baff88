package dataio

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/sparse"
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
	return o.dropEmptyObservations(s, func(m int) string { return "index " + a.slice(m, !vertexRows) })
}

// weightRounding is how far entries of a symmetric matrix may differ, as a share
// of the larger.
const weightRounding = 1e-12

// weights takes the array for a weight matrix. Differences between the triangles
// as rounding leaves them are passed over; others make a directed graph, with an
// arrow from i to j where entry (i, j) is not zero.
func (a *array) weights() (*parsedGraph, error) {
	if a.rows != a.cols {
		return nil, fault("the array is %d×%d, but a weight matrix is square", a.rows, a.cols)
	}
	parsed := &parsedGraph{names: graph.DefaultNames(a.rows), numbered: true, direction: undirected}
	w := a.dense(false)
	negative := slices.ContainsFunc(w.RawMatrix().Data, func(v float64) bool { return v < 0 })
	var arrows []parsedEdge // what the edges are if the matrix is not symmetric
	for i := range a.rows {
		for j := range i + 1 {
			x, y := w.At(i, j), w.At(j, i)
			switch {
			case !(math.Abs(x) <= math.MaxFloat64 && math.Abs(y) <= math.MaxFloat64):
				return nil, fault("the weight at index %s is missing or not finite", a.at(i, j))
			case i == j && x != 0 && negative:
				return nil, fault(
					"the diagonal of a weight matrix is zero, but %s is %g, and there are negative entries: is this a Laplacian and not a weight matrix?",
					a.at(i, i), x)
			case i == j && x != 0:
				return nil, fault("the diagonal of a weight matrix is zero, but %s is %g", a.at(i, i), x)
			case math.Abs(x-y) > weightRounding*max(math.Abs(x), math.Abs(y)):
				parsed.direction = directed
			}
			if y != 0 {
				parsed.edges = append(parsed.edges, parsedEdge{i: i, j: j, weight: y})
				arrows = append(arrows, parsedEdge{i: j, j: i, weight: y})
			}
			if x != 0 {
				arrows = append(arrows, parsedEdge{i: i, j: j, weight: x})
			}
		}
	}
	if parsed.direction == directed {
		parsed.edges = arrows
	}
	return parsed, nil
}

// A variable is an array that a file of several holds under a name.
type variable struct {
	name  string
	shape []int
}

// usualVariables are the names under which signals are looked for, in this order,
// in a file of several matrices.
var usualVariables = []string{"signals", "Y", "X", "data", "arr_0"}

// pickVariable returns which variable to read: the one asked for or, if that is
// empty, the only matrix, or the one among several with a usual name. Scalars and
// vectors count as matrices only where there are no others. of says in words what
// kind of file it is.
func pickVariable(held []variable, asked, of string) (int, error) {
	if asked != "" {
		if i := slices.IndexFunc(held, func(v variable) bool { return v.name == asked }); i >= 0 {
			return i, nil
		}
		return 0, choiceFault(held, "the %s has no variable %s (it holds %s)", of, quote(asked), shapes(held))
	}
	var pool []int
	for _, least := range []int{2, 0} {
		for i, v := range held {
			if len(v.shape) == 2 && min(v.shape[0], v.shape[1]) >= least {
				pool = append(pool, i)
			}
		}
		if len(pool) > 0 {
			break
		}
	}
	switch len(pool) {
	case 0:
		return 0, fault("no array in the %s has two dimensions (%s): reshape it and save it again", of, shapes(held))
	case 1:
		return pool[0], nil
	}
	for _, name := range usualVariables {
		for _, i := range pool {
			if held[i].name == name {
				return i, nil
			}
		}
	}
	return 0, choiceFault(held, "the %s holds several matrices (%s)", of, shapes(held))
}

// choiceFault says that somebody has to choose among variables.
func choiceFault(held []variable, format string, args ...any) *input.Error {
	e := fault(format, args...)
	e.Msg += ": say which to read, or call it signals"
	for _, v := range held {
		e.Variables = append(e.Variables, v.name)
	}
	return e
}

// shapes lists variables with their sizes, the first few of many.
func shapes(held []variable) string {
	const most = 8
	var words []string
	for _, v := range held[:min(len(held), most)] {
		var sizes []string
		for _, n := range v.shape {
			sizes = append(sizes, strconv.Itoa(n))
		}
		words = append(words, strings.TrimSpace(v.name+" "+strings.Join(sizes, "×")))
	}
	if len(held) > most {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}

// A Matrix is one to be written, such as codes or a Laplacian.
type Matrix struct {
	Name   string     // of the variable in a .mat file; empty for matrix
	Values mat.Matrix // finite
	Names  []string   // of its rows, if they are vertices; in text they stand above a square matrix
}

// Write writes the matrix as it stands, by extension, in any format that
// [HoldsMatrices]. In an archive of NumPy it is the array arr_0. One that would not
// read back is an [input.Error].
func (m Matrix) Write(path string) error {
	return writeAs(path, HoldsMatrices, func(w io.Writer, f Format) error {
		if err := m.check(); err != nil {
			return refusedBy("dataio.WriteMatrix", err)
		}
		return refusedBy("dataio.WriteMatrix", codecOf(f).encodeMatrix(w, m))
	})
}

// WriteCodes writes sparse codes X as a matrix, atoms × signals, as [Matrix.Write] does.
func WriteCodes(path string, x *sparse.Code) error {
	atoms, m := x.Dims()
	if err := checkDense(atoms, m, "code fewer signals at a time"); err != nil {
		return inFile(path, err)
	}
	return Matrix{Name: "X", Values: x.Dense()}.Write(path)
}

// WriteLaplacian writes the normalised Laplacian L of a graph as a matrix, as
// [Matrix.Write] does.
func WriteLaplacian(path string, g *graph.Graph) error {
	if err := checkDense(g.Vertices(), g.Vertices(), "write the graph as .mat, which has L as a sparse matrix"); err != nil {
		return inFile(path, err)
	}
	return Matrix{Name: "L", Values: g.Laplacian(), Names: g.Names()}.Write(path)
}

// checkDense refuses a matrix with all of its zeros that memory cannot hold; mend says what
// to do instead.
func checkDense(rows, cols int, mend string) error {
	if size := 8 * float64(rows) * float64(cols); !memory.CanHold(size) {
		return fault("a dense matrix of %d×%d takes %.3g GB, more than half of the %.3g GB of memory there is: %s",
			rows, cols, size/1e9, float64(memory.Limit())/1e9, mend)
	}
	return nil
}

// check refuses what would not read back.
func (m Matrix) check() error {
	r, c := m.Values.Dims()
	if r == 0 || c == 0 {
		return fault("the matrix is empty")
	}
	if m.Names != nil && len(m.Names) != r {
		return fault("got %d names for %d rows", len(m.Names), r)
	}
	for i := range r {
		for j := range c {
			if v := m.Values.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return fault("entry (%d, %d) is %g", i, j, v)
			}
		}
	}
	return nil
}

// ReadMatrix reads a matrix as it stands in the file. A header row and a first
// column of labels are skipped. A missing entry is an error.
func ReadMatrix(path string) (*mat.Dense, error) {
	if err := HoldsMatrices.Check(path); err != nil {
		return nil, err
	}
	s, err := ReadSignals(path, ReadOptions{Transpose: true})
	if err != nil {
		return nil, err
	}
	if matrix.Missing(s.Y)+s.Dropped > 0 {
		e := fault("entries are missing: give a matrix that is complete")
		e.File = path
		return nil, e
	}
	return s.Y, nil
}
