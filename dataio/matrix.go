package dataio

import (
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"
)

// WriteMatrix writes a matrix of finite numbers, such as codes or a Laplacian,
// as it stands: .npy, .csv and .tsv (also with .gz), or .npz, where it is the
// array arr_0.
func WriteMatrix(path string, m mat.Matrix) error {
	return writeAs(path, matrixFormats, "matrix", func(w io.Writer, f Format) error {
		if r, c := m.Dims(); r == 0 || c == 0 {
			return errors.New("dataio.WriteMatrix: the matrix is empty")
		}
		if err := checkFinite(m); err != nil {
			return fmt.Errorf("dataio.WriteMatrix: %w", err)
		}
		switch f {
		case NPY:
			return writeNPY(w, m)
		case NPZ:
			return writeNPZ(w, namedMatrix{"arr_0", m}, nil)
		}
		return writeTable(w, separatorOf(f), nil, m)
	})
}

// ReadMatrix reads a matrix as it stands in the file. A header row and a first
// column of labels are skipped. A missing entry is an error.
func ReadMatrix(path string) (*mat.Dense, error) {
	f, err := choose(path, "", matrixFormats, "matrix")
	if err != nil {
		return nil, err
	}
	s, err := ReadSignals(path, ReadOptions{Format: f, Transpose: true})
	if err != nil {
		return nil, err
	}
	if s.Missing+s.emptied > 0 {
		e := fault("entries are missing: give a matrix that is complete")
		e.File = path
		return nil, e
	}
	return s.Y, nil
}
