// Package linalg is the arithmetic under the learner: what gonum lacks, and one
// place through which all dense products on the hot path go.
package linalg

import (
	"gonum.org/v1/gonum/blas/blas64"
)

// A Dense is a row-major matrix without gonum's bounds checks between us and its data.
type Dense = blas64.General

// NewDense returns an r×c matrix of zeros.
func NewDense(r, c int) Dense {
	return Dense{Rows: r, Cols: c, Stride: max(c, 1), Data: make([]float64, r*c)}
}

// Row returns row i of a. It shares a's storage.
func Row(a Dense, i int) []float64 {
	return a.Data[i*a.Stride : i*a.Stride+a.Cols : i*a.Stride+a.Cols]
}
