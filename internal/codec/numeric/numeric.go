// Package numeric reads the numbers of binary files.
package numeric

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// A Kind of number.
type Kind byte

// The kinds, as NumPy abbreviates them.
const (
	Float    Kind = 'f'
	Signed   Kind = 'i'
	Unsigned Kind = 'u'
	Bool     Kind = 'b' // 0 is false, all else true
)

// A Type is how a number lies in a file.
type Type struct {
	Kind  Kind
	Bytes int
	Order binary.ByteOrder
}

// Known reports whether numbers of the type can be read.
func (t Type) Known() bool { return t.decoder() != nil }

// A ShortError says that data ended early.
type ShortError struct{ Read, Want int } // items

func (e *ShortError) Error() string {
	return fmt.Sprintf("numeric: the data ends after %d of %d items", e.Read, e.Want)
}

// Read reads that many numbers of a type that is known. Data that ends early is a
// *ShortError. What is allocated grows with what has been read, whatever count
// claims.
func (t Type) Read(r io.Reader, count int) ([]float64, error) {
	decode := t.decoder()
	chunk := make([]byte, min(count, 8<<10)*t.Bytes)
	values := make([]float64, 0, min(count, 1<<16))
	for len(values) < count {
		n, err := io.ReadFull(r, chunk[:min(len(chunk), (count-len(values))*t.Bytes)])
		for b := chunk[:n]; len(b) >= t.Bytes; b = b[t.Bytes:] {
			values = append(values, decode(b))
		}
		if err != nil {
			return nil, IfShort(err, &ShortError{Read: len(values), Want: count})
		}
	}
	return values, nil
}

// IfShort returns e if a read ended early and the read's own error otherwise.
func IfShort(err, e error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return e
	}
	return err
}

// Decode sets dst to the numbers, of a type that is known, that begin b.
func (t Type) Decode(dst []float64, b []byte) {
	decode := t.decoder()
	for i := range dst {
		dst[i] = decode(b[i*t.Bytes:])
	}
}

// decoder returns what turns the bytes of an item into a number, or nil if the
// type is not known.
func (t Type) decoder() func([]byte) float64 {
	bits := t.bits()
	unused := 64 - 8*t.Bytes
	switch {
	case bits == nil:
	case t.Kind == Float && t.Bytes == 8:
		return func(b []byte) float64 { return math.Float64frombits(t.Order.Uint64(b)) }
	case t.Kind == Float && t.Bytes == 4:
		return func(b []byte) float64 { return float64(math.Float32frombits(t.Order.Uint32(b))) }
	case t.Kind == Float && t.Bytes == 2:
		return func(b []byte) float64 { return half(t.Order.Uint16(b)) }
	case t.Kind == Signed:
		return func(b []byte) float64 { return float64(int64(bits(b)<<unused) >> unused) }
	case t.Kind == Unsigned:
		return func(b []byte) float64 { return float64(bits(b)) }
	case t.Kind == Bool && t.Bytes == 1:
		return func(b []byte) float64 { return float64(min(b[0], 1)) }
	}
	return nil
}

// bits returns what reads the bits of an item, or nil if there are none of its size.
func (t Type) bits() func([]byte) uint64 {
	switch t.Bytes {
	case 1:
		return func(b []byte) uint64 { return uint64(b[0]) }
	case 2:
		return func(b []byte) uint64 { return uint64(t.Order.Uint16(b)) }
	case 4:
		return func(b []byte) uint64 { return uint64(t.Order.Uint32(b)) }
	case 8:
		return func(b []byte) uint64 { return t.Order.Uint64(b) }
	}
	return nil
}

// half widens an IEEE 754 number of half precision.
func half(h uint16) float64 {
	sign, exp, frac := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
