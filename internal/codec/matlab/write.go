package matlab

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"unicode/utf16"

	"gonum.org/v1/gonum/mat"
)

// A Writer writes a file of version 7: little-endian, every variable compressed.
// It notes neither time nor machine, so the same content is the same bytes. The
// first error stays.
type Writer struct {
	w   io.Writer
	err error
}

// NewWriter starts a file. Files name their author in the first line.
func NewWriter(w io.Writer, author string) *Writer {
	const text = 116 // then come eight bytes on data of objects, of which there is none
	header := bytes.Repeat([]byte(" "), text)
	copy(header, Magic+", written by "+author)
	header = append(header, make([]byte, 8)...)
	header = append(header, 0x00, 0x01, 'I', 'M')
	_, err := w.Write(header)
	return &Writer{w, err}
}

// Err returns the first error.
func (m *Writer) Err() error { return m.err }

// Matrix writes a matrix with all its entries.
func (m *Writer) Matrix(name string, a mat.Matrix) {
	rows, cols := a.Dims()
	if int64(rows) > math.MaxUint32/8/int64(max(cols, 1)) { // whose product may overflow
		m.err = cmp.Or(m.err, ErrTooLarge)
		return
	}
	size := 8 * int64(rows) * int64(cols)
	m.variable(head(Double, 0, rows, cols, name), 8+size, func(w io.Writer) error {
		if _, err := w.Write(tag(miDouble, size)); err != nil {
			return err
		}
		column := make([]byte, 0, 8*rows)
		for j := range cols {
			column = column[:0]
			for i := range rows {
				column = binary.LittleEndian.AppendUint64(column, math.Float64bits(a.At(i, j)))
			}
			if _, err := w.Write(column); err != nil {
				return err
			}
		}
		return nil
	})
}

// Sparse writes a matrix by its entries, which stand column by column, each by
// rising row.
func (m *Writer) Sparse(name string, rows, cols int, entries []Entry) {
	var row, start, value []byte
	next := 0 // the column that has not started yet
	for k, e := range entries {
		for ; next <= e.Col; next++ {
			start = binary.LittleEndian.AppendUint32(start, uint32(k))
		}
		row = binary.LittleEndian.AppendUint32(row, uint32(e.Row))
		value = binary.LittleEndian.AppendUint64(value, math.Float64bits(e.Value))
	}
	for ; next <= cols; next++ {
		start = binary.LittleEndian.AppendUint32(start, uint32(len(entries)))
	}
	body := element(nil, miInt32, row)
	body = element(body, miInt32, start)
	body = element(body, miDouble, value)
	m.bytes(head(Sparse, uint32(max(len(entries), 1)), rows, cols, name), body)
}

// Cells writes a column of text.
func (m *Writer) Cells(name string, texts []string) {
	var body []byte
	for _, text := range texts {
		units := utf16.Encode([]rune(text))
		var data []byte
		for _, u := range units {
			data = binary.LittleEndian.AppendUint16(data, u)
		}
		cell := element(head(Char, 0, 1, len(units), ""), textKind(units), data)
		body = append(append(body, tag(miMatrix, int64(len(cell)))...), cell...)
	}
	m.bytes(head(Cell, 0, len(texts), 1, name), body)
}

// textKind is how to declare text, so that most readers understand it: MATLAB and
// Octave take both ways; SciPy takes what is not declared as UTF-16 for ASCII, and
// fails at pairs of units in what is.
func textKind(units []uint16) uint32 {
	isPaired := func(u uint16) bool { return utf16.IsSurrogate(rune(u)) }
	if len(units) > 0 && slices.Max(units) >= 0x80 && !slices.ContainsFunc(units, isPaired) {
		return miUTF16
	}
	return miUint16
}

// variable writes one: what stands before the values, and values of that many bytes.
func (m *Writer) variable(head []byte, size int64, values func(io.Writer) error) {
	if m.err != nil {
		return
	}
	total := int64(len(head)) + size
	if total > math.MaxUint32-8 {
		m.err = ErrTooLarge
		return
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(append(tag(miMatrix, total), head...))
	if err == nil {
		err = values(z)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		_, err = m.w.Write(tag(miCompressed, int64(packed.Len())))
	}
	if err == nil {
		_, err = packed.WriteTo(m.w)
	}
	m.err = err
}

// bytes writes a variable whose values are in memory.
func (m *Writer) bytes(head, values []byte) {
	m.variable(head, int64(len(values)), func(w io.Writer) error { _, err := w.Write(values); return err })
}

// tag starts an element of that many bytes.
func tag(kind uint32, size int64) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, kind), uint32(size))
}

// element appends an element, in the short form if its data fits into the tag.
func element(b []byte, kind uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 {
		b = binary.LittleEndian.AppendUint32(b, uint32(n)<<16|kind)
		return append(append(b, data...), make([]byte, 4-n)...)
	}
	b = append(append(b, tag(kind, int64(len(data)))...), data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// head is what stands before the values of an array.
func head(class Class, nonzeros uint32, rows, cols int, name string) []byte {
	pair := func(a, b uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, a), b)
	}
	b := element(nil, miUint32, pair(uint32(class), nonzeros))
	b = element(b, miInt32, pair(uint32(rows), uint32(cols)))
	return element(b, miInt8, []byte(name))
}
