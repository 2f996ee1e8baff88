package npy

import (
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/codec/numeric"
)

// A Matrix is a numeric array of two dimensions in a file, of which parts can be read.
type Matrix struct {
	Header
	at   io.ReaderAt
	from int64 // where the data begins
	room []byte
}

// OpenMatrix returns the array that is all of a file of the given size. The caller has
// made sure that h is the header of that file, of numbers in two dimensions.
func (h Header) OpenMatrix(at io.ReaderAt, from, size int64) (*Matrix, error) {
	item := int64(h.number().Bytes)
	switch want := int64(h.count()); {
	case size-from < want*item:
		return nil, &numeric.ShortError{Read: int((size - from) / item), Want: h.count()}
	case size-from > want*item:
		return nil, ErrTrailing
	}
	return &Matrix{Header: h, at: at, from: from}, nil
}

// Rows sets dst to the rows from up to upto, or to the columns if byColumn: one after
// the other, each whole.
func (m *Matrix) Rows(dst []float64, from, upto int, byColumn bool) error {
	count, length := m.Shape[0], m.Shape[1]
	if byColumn {
		count, length = length, count
	}
	if from < 0 || upto < from || upto > count || len(dst) != (upto-from)*length {
		panic(fmt.Sprintf("npy: rows %d to %d of %d into %d numbers", from, upto, count, len(dst)))
	}
	if byColumn == m.Fortran { // they lie one after the other
		return m.read(dst, int64(from)*int64(length))
	}
	part := make([]float64, upto-from)
	for j := range length {
		if err := m.read(part, int64(j)*int64(count)+int64(from)); err != nil {
			return err
		}
		for k, v := range part {
			dst[k*length+j] = v
		}
	}
	return nil
}

// read sets dst to the numbers from the given one on, as they lie.
func (m *Matrix) read(dst []float64, first int64) error {
	t := m.number()
	if size := len(dst) * t.Bytes; cap(m.room) < size {
		m.room = make([]byte, size)
	}
	b := m.room[:len(dst)*t.Bytes]
	if _, err := m.at.ReadAt(b, m.from+first*int64(t.Bytes)); err != nil {
		return numeric.IfShort(err, &numeric.ShortError{Read: int(first), Want: m.count()})
	}
	t.Decode(dst, b)
	return nil
}
