package dataio

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// names reads the variable names: a cell array of text, or a matrix of
// characters with a name in each row. It returns nil if there is none.
func (f *matFile) names() ([]string, error) {
	k := slices.IndexFunc(f.variables, func(v matVariable) bool { return v.name == "names" })
	if k < 0 {
		return nil, nil
	}
	v := f.variables[k]
	if v.class != matCell && v.class != matChar {
		return nil, fault("it is not a cell array of text: save it as cellstr(names)")
	}
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	var names []string
	if v.class == matChar {
		names, err = s.text(v, 1<<26)
		for i := range names { // rows are padded to one length
			names[i] = strings.TrimRight(names[i], " ")
		}
	} else {
		names, err = s.cells(v)
	}
	if err != nil {
		return nil, err
	}
	return names, checkNames(names, func(i int) string { return fmt.Sprintf("entry (%d)", i+1) })
}

// cells reads a cell array of text, each cell one row.
func (s *matStream) cells(v matVariable) ([]string, error) {
	const mostText = 1 << 16
	n := 1
	for _, size := range v.shape {
		if n *= size; n > maxVertices {
			return nil, fault("it claims more than %d names", maxVertices)
		}
	}
	var names []string
	for i := range n {
		kind, _, body, err := s.next()
		if err != nil {
			return nil, err
		}
		cell, one := &matStream{r: body, order: s.order}, matVariable{}
		if kind != miMatrix {
			return nil, matDamaged()
		}
		if err := cell.header(&one); err != nil {
			return nil, err
		}
		if one.class != matChar {
			return nil, fault("entry (%d) is not text: save it as cellstr(names)", i+1)
		}
		text, err := cell.text(one, mostText)
		if err != nil {
			return nil, err
		}
		names = append(names, strings.Join(text, ""))
	}
	return names, nil
}

// text reads the rows of a matrix of characters. They lie column by column.
func (s *matStream) text(v matVariable, most int64) ([]string, error) {
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
			units = append(units, rune(s.order.Uint32(data)&0x1FFFFF))
		}
	case miUTF8, miInt8, miUint8:
		if utf8.Valid(data) && len(v.shape) == 2 && utf8.RuneCount(data) == v.shape[0]*v.shape[1] {
			units = []rune(string(data))
			break
		}
		for _, b := range data { // Octave counts bytes
			units = append(units, rune(b))
		}
		join = fromBytes
	default:
		return nil, matDamaged()
	}
	if len(units) == 0 {
		return nil, nil
	}
	if len(v.shape) != 2 || v.shape[0] == 0 || len(units)%v.shape[0] != 0 || v.shape[0] > 1 && len(units)/v.shape[0] != v.shape[1] {
		return nil, matDamaged()
	}
	rows := make([]string, v.shape[0])
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
