package dataio

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/nervure/nervure/input"
)

// matHeader is how long a file's header is.
const matHeader = 128

// What an element of a file may hold.
const (
	miInt8       = 1
	miUint8      = 2
	miInt16      = 3
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miSingle     = 7
	miDouble     = 9
	miInt64      = 12
	miUint64     = 13
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
	miUTF16      = 17
	miUTF32      = 18
)

// matNumbers are the elements that hold numbers, as NumPy calls them.
var matNumbers = map[uint32]npyHeader{
	miInt8:   {kind: 'i', size: 1},
	miUint8:  {kind: 'u', size: 1},
	miInt16:  {kind: 'i', size: 2},
	miUint16: {kind: 'u', size: 2},
	miInt32:  {kind: 'i', size: 4},
	miUint32: {kind: 'u', size: 4},
	miSingle: {kind: 'f', size: 4},
	miDouble: {kind: 'f', size: 8},
	miInt64:  {kind: 'i', size: 8},
	miUint64: {kind: 'u', size: 8},
}

// A matStream reads elements one after another.
type matStream struct {
	r     io.Reader
	order binary.ByteOrder
	last  io.LimitedReader // what is left of the last element
}

// next starts the next element: its kind, its length in bytes, and its data.
func (s *matStream) next() (kind uint32, size int64, body io.Reader, err error) {
	if s.last.R != nil {
		if _, err := io.Copy(io.Discard, &s.last); err != nil {
			return 0, 0, nil, err
		}
	}
	tag := make([]byte, 8)
	if _, err := io.ReadFull(s.r, tag); err != nil {
		return 0, 0, nil, shortRead(err, matCut())
	}
	kind, size = s.order.Uint32(tag), int64(s.order.Uint32(tag[4:]))
	if small := int64(kind >> 16); small > 0 { // up to four bytes, in the tag
		if small > 4 {
			return 0, 0, nil, matDamaged()
		}
		s.last = io.LimitedReader{R: s.r}
		return kind & 0xFFFF, small, bytes.NewReader(tag[4 : 4+small]), nil
	}
	s.last = io.LimitedReader{R: s.r, N: size + -size&7}
	return kind, size, io.LimitReader(&s.last, size), nil
}

// short reads the next element, of at most so many bytes. What it allocates
// grows with what it has read.
func (s *matStream) short(most int64) (kind uint32, data []byte, err error) {
	kind, size, body, err := s.next()
	if err != nil {
		return 0, nil, err
	}
	if size > most {
		return 0, nil, matDamaged()
	}
	if data, err = io.ReadAll(body); err != nil {
		return 0, nil, err
	}
	if int64(len(data)) < size {
		return 0, nil, matCut()
	}
	return kind, data, nil
}

func matDamaged() *input.Error {
	return fault("the data cannot be understood: save the file again with '-v7'")
}

// header reads what stands before the values of an array.
func (s *matStream) header(v *matVariable) error {
	const mostName, mostDimensions = 1 << 12, 32
	kind, flags, err := s.short(8)
	if err != nil {
		return err
	}
	if kind != miUint32 || len(flags) != 8 {
		return matDamaged()
	}
	v.class, v.complex = byte(s.order.Uint32(flags)), s.order.Uint32(flags)&0x800 != 0
	v.shape = nil
	if v.class != matOpaque { // which have no size
		kind, sizes, err := s.short(4 * mostDimensions)
		if err != nil {
			return err
		}
		if kind != miInt32 || len(sizes) < 8 || len(sizes)%4 != 0 {
			return matDamaged()
		}
		for ; len(sizes) > 0; sizes = sizes[4:] {
			n := int32(s.order.Uint32(sizes))
			if n < 0 {
				return matDamaged()
			}
			v.shape = append(v.shape, int(n))
		}
	}
	_, name, err := s.short(mostName)
	v.name = string(name)
	return err
}

// numbers reads a matrix, column by column.
func (s *matStream) numbers(shape []int) (*array, error) {
	kind, size, body, err := s.next()
	if err != nil {
		return nil, err
	}
	h, ok := matNumbers[kind]
	if !ok || size != int64(shape[0])*int64(shape[1])*int64(h.size) {
		return nil, matDamaged()
	}
	h.order, h.fortran, h.shape = s.order, true, shape
	a, err := h.readMatrix(body)
	if err != nil {
		return nil, err
	}
	a.fromOne = true
	return a, nil
}

// vector reads an element of numbers, at most so many.
func (s *matStream) vector(most int) ([]float64, error) {
	kind, size, body, err := s.next()
	if err != nil {
		return nil, err
	}
	h, ok := matNumbers[kind]
	if !ok || size%int64(h.size) != 0 || size/int64(h.size) > int64(most) {
		return nil, matDamaged()
	}
	h.order, h.shape = s.order, []int{1, int(size) / h.size}
	a, err := h.readMatrix(body)
	if err != nil {
		return nil, err
	}
	return a.value, nil
}

// entries reads a sparse matrix: for each entry its row, for each column where
// its entries start, and the values.
func (s *matStream) entries(rows, cols int) ([]rawEdge, error) {
	row, err := s.vector(maxValues)
	if err != nil {
		return nil, err
	}
	start, err := s.vector(cols + 1)
	if err != nil {
		return nil, err
	}
	value, err := s.vector(maxValues)
	if err != nil {
		return nil, err
	}
	if len(start) != cols+1 || start[0] != 0 || start[cols] > float64(min(len(row), len(value))) {
		return nil, matDamaged()
	}
	entries := make([]rawEdge, 0, int(start[cols]))
	for j := range cols {
		if start[j+1] < start[j] || start[j+1] > start[cols] {
			return nil, matDamaged()
		}
		for k := int(start[j]); k < int(start[j+1]); k++ {
			i := row[k]
			if !(i >= 0 && i < float64(rows)) || k > int(start[j]) && i <= row[k-1] {
				return nil, matDamaged()
			}
			entries = append(entries, rawEdge{i: int(i), j: j, weight: value[k]})
		}
	}
	return entries, nil
}
