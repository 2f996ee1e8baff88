package matlab

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/nervure/nervure/internal/codec/numeric"
)

// A stream reads elements one after another.
type stream struct {
	r     io.Reader
	order binary.ByteOrder
	last  io.LimitedReader // what is left of the last element
}

// next starts the next element: its kind, its length in bytes, and its data.
func (s *stream) next() (kind uint32, size int64, body io.Reader, err error) {
	if s.last.R != nil {
		if _, err := io.Copy(io.Discard, &s.last); err != nil {
			return 0, 0, nil, err
		}
	}
	tag := make([]byte, 8)
	if _, err := io.ReadFull(s.r, tag); err != nil {
		return 0, 0, nil, numeric.IfShort(err, ErrCut)
	}
	kind, size = s.order.Uint32(tag), int64(s.order.Uint32(tag[4:]))
	if small := int64(kind >> 16); small > 0 { // up to four bytes, in the tag
		if small > 4 {
			return 0, 0, nil, ErrDamaged
		}
		s.last = io.LimitedReader{R: s.r}
		return kind & 0xFFFF, small, bytes.NewReader(tag[4 : 4+small]), nil
	}
	s.last = io.LimitedReader{R: s.r, N: size + -size&7}
	return kind, size, io.LimitReader(&s.last, size), nil
}

// short reads the next element, of at most that many bytes. What it allocates
// grows with what it has read.
func (s *stream) short(most int64) (kind uint32, data []byte, err error) {
	kind, size, body, err := s.next()
	if err != nil {
		return 0, nil, err
	}
	if size > most {
		return 0, nil, ErrDamaged
	}
	if data, err = io.ReadAll(body); err != nil {
		return 0, nil, err
	}
	if int64(len(data)) < size {
		return 0, nil, ErrCut
	}
	return kind, data, nil
}

// header reads what stands before the values of an array.
func (s *stream) header(v *Variable) error {
	const mostName, mostDimensions = 1 << 12, 32
	kind, flags, err := s.short(8)
	if err != nil {
		return err
	}
	if kind != miUint32 || len(flags) != 8 {
		return ErrDamaged
	}
	v.Class, v.Complex = Class(s.order.Uint32(flags)), s.order.Uint32(flags)&0x800 != 0
	v.Shape = nil
	if v.Class != opaque { // which have no size
		kind, sizes, err := s.short(4 * mostDimensions)
		if err != nil {
			return err
		}
		if kind != miInt32 || len(sizes) < 8 || len(sizes)%4 != 0 {
			return ErrDamaged
		}
		for ; len(sizes) > 0; sizes = sizes[4:] {
			n := int32(s.order.Uint32(sizes))
			if n < 0 {
				return ErrDamaged
			}
			v.Shape = append(v.Shape, int(n))
		}
	}
	_, name, err := s.short(mostName)
	v.Name = string(name)
	return err
}

// numbers starts an element of numbers: their type, and how many there are.
func (s *stream) numbers() (t numeric.Type, count int64, body io.Reader, err error) {
	kind, size, body, err := s.next()
	if err != nil {
		return t, 0, nil, err
	}
	t, ok := numberTypes[kind]
	if !ok || size%int64(t.Bytes) != 0 {
		return t, 0, nil, ErrDamaged
	}
	t.Order = s.order
	return t, size / int64(t.Bytes), body, nil
}

// numberTypes are the elements that hold numbers.
var numberTypes = map[uint32]numeric.Type{
	miInt8:   {Kind: numeric.Signed, Bytes: 1},
	miUint8:  {Kind: numeric.Unsigned, Bytes: 1},
	miInt16:  {Kind: numeric.Signed, Bytes: 2},
	miUint16: {Kind: numeric.Unsigned, Bytes: 2},
	miInt32:  {Kind: numeric.Signed, Bytes: 4},
	miUint32: {Kind: numeric.Unsigned, Bytes: 4},
	miSingle: {Kind: numeric.Float, Bytes: 4},
	miDouble: {Kind: numeric.Float, Bytes: 8},
	miInt64:  {Kind: numeric.Signed, Bytes: 8},
	miUint64: {Kind: numeric.Unsigned, Bytes: 8},
}
