package matlab

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	mostText     = 1 << 26 // bytes of a matrix of characters
	mostCellText = 1 << 16 // bytes of a cell
)

// Rows reads the rows of a matrix of characters, which are padded with blanks to
// one length.
func (f *File) Rows(v Variable) ([]string, error) {
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	return s.text(v, mostText)
}

// A NotTextError is a cell, counting from zero, that holds something else.
type NotTextError struct{ Cell int }

func (e *NotTextError) Error() string { return fmt.Sprintf("matlab: cell %d is not text", e.Cell) }

// Cells reads a cell array of text. The caller has made sure that the product of
// its shape is within its bounds.
func (f *File) Cells(v Variable) ([]string, error) {
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	n := 1
	for _, size := range v.Shape {
		n *= size
	}
	var texts []string
	for i := range n {
		kind, _, body, err := s.next()
		if err != nil {
			return nil, err
		}
		cell, one := &stream{r: body, order: s.order}, Variable{}
		if kind != miMatrix {
			return nil, ErrDamaged
		}
		if err := cell.header(&one); err != nil {
			return nil, err
		}
		if one.Class != Char {
			return nil, &NotTextError{i}
		}
		rows, err := cell.text(one, mostCellText)
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.Join(rows, ""))
	}
	return texts, nil
}

// text reads the rows of a matrix of characters. They lie column by column.
func (s *stream) text(v Variable, most int64) ([]string, error) {
	kind, data, err := s.short(most)
	if err != nil {
		return nil, err
	}
	var units []rune // characters, or the parts that they are made of
	join := func(units []rune) string { return string(units) }
	switch kind {
	case miUint16, miUTF16:
		for ; len(data) >= 2; data = data[2:] {
			units = append(units, rune(s.order.Uint16(data)))
		}
		join = fromUTF16
	case miUTF32, miUint32, miInt32:
		for ; len(data) >= 4; data = data[4:] {
			u := s.order.Uint32(data)
			if u > utf8.MaxRune {
				return nil, ErrDamaged
			}
			units = append(units, rune(u))
		}
	case miUTF8, miInt8, miUint8:
		if utf8.Valid(data) && len(v.Shape) == 2 && utf8.RuneCount(data) == v.Shape[0]*v.Shape[1] {
			units = []rune(string(data))
			break
		}
		for _, b := range data { // Octave counts bytes
			units = append(units, rune(b))
		}
		join = fromBytes
	default:
		return nil, ErrDamaged
	}
	if len(units) == 0 {
		return nil, nil
	}
	if len(v.Shape) != 2 || v.Shape[0] == 0 || len(units)%v.Shape[0] != 0 || v.Shape[0] > 1 && len(units)/v.Shape[0] != v.Shape[1] {
		return nil, ErrDamaged
	}
	rows := make([]string, v.Shape[0])
	row := make([]rune, len(units)/len(rows))
	for i := range rows {
		for j := range row {
			row[j] = units[j*len(rows)+i]
		}
		rows[i] = strings.TrimRight(join(row), "\x00")
	}
	return rows, nil
}

func fromUTF16(units []rune) string {
	parts := make([]uint16, len(units))
	for i, u := range units {
		parts[i] = uint16(u)
	}
	return string(utf16.Decode(parts))
}

func fromBytes(units []rune) string {
	bytes := make([]byte, len(units))
	for i, u := range units {
		bytes[i] = byte(u)
	}
	return string(bytes)
}
