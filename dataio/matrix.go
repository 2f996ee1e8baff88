package dataio

import (
	"io"
	"math"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/memory"
	"github.com/nervure/nervure/internal/sparse"
)

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
	if err := CheckMatrixName(path); err != nil {
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
