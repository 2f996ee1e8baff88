package dataio

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"unicode/utf16"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// errTooLargeForMAT is because sizes in these files have 32 bits.
var errTooLargeForMAT = errors.New("the matrix is too large for a .mat file, which holds up to 4 GiB a variable")

// A matWriter writes a MATLAB file of version 7: little-endian, every variable
// compressed. It notes neither time nor machine, so the same content is the same
// bytes. The first error stays.
type matWriter struct {
	w   io.Writer
	err error
}

func newMATWriter(w io.Writer) *matWriter {
	header := bytes.Repeat([]byte(" "), 124)
	copy(header, "MATLAB 5.0 MAT-file, written by nervure")
	copy(header[116:], make([]byte, 8)) // no data of objects
	header = append(header, 0x00, 0x01, 'I', 'M')
	_, err := w.Write(header)
	return &matWriter{w, err}
}

// variable writes one: what stands before the values, and values of so many bytes.
func (m *matWriter) variable(head []byte, size int64, values func(io.Writer) error) {
	if m.err != nil {
		return
	}
	total := int64(len(head)) + size
	if total > math.MaxUint32-8 {
		m.err = errTooLargeForMAT
		return
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(append(matTag(miMatrix, total), head...))
	if err == nil {
		err = values(z)
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		_, err = m.w.Write(matTag(miCompressed, int64(packed.Len())))
	}
	if err == nil {
		_, err = packed.WriteTo(m.w)
	}
	m.err = err
}

// bytes writes a variable whose values are in memory.
func (m *matWriter) bytes(head, values []byte) {
	m.variable(head, int64(len(values)), func(w io.Writer) error { _, err := w.Write(values); return err })
}

// dense writes a matrix with all its entries.
func (m *matWriter) dense(name string, a mat.Matrix) {
	rows, cols := a.Dims()
	size := 8 * int64(rows) * int64(cols)
	if max(rows, cols) > math.MaxInt32 || size > math.MaxUint32 {
		m.err = errTooLargeForMAT
		return
	}
	m.variable(matHead(matDouble, 0, rows, cols, name), 8+size, func(w io.Writer) error {
		if _, err := w.Write(matTag(miDouble, size)); err != nil {
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

// symmetric writes a sparse matrix by its entries off the diagonal, each once,
// and the number on all of the diagonal.
func (m *matWriter) symmetric(name string, n int, edges []graph.Edge, diagonal float64) {
	columns := make([][]graph.Edge, n) // I is the row; in rising order
	for _, e := range edges {
		columns[e.J] = append(columns[e.J], e)
	}
	if diagonal != 0 {
		for j := range n {
			columns[j] = append(columns[j], graph.Edge{I: j, J: j, Weight: diagonal})
		}
	}
	for _, e := range edges { // the lower triangle follows
		columns[e.I] = append(columns[e.I], graph.Edge{I: e.J, J: e.I, Weight: e.Weight})
	}
	var rows, starts, values []byte
	count := 0
	for _, column := range columns {
		starts = binary.LittleEndian.AppendUint32(starts, uint32(count))
		for _, e := range column {
			rows = binary.LittleEndian.AppendUint32(rows, uint32(e.I))
			values = binary.LittleEndian.AppendUint64(values, math.Float64bits(e.Weight))
			count++
		}
	}
	starts = binary.LittleEndian.AppendUint32(starts, uint32(count))
	body := matElement(nil, miInt32, rows)
	body = matElement(body, miInt32, starts)
	body = matElement(body, miDouble, values)
	m.bytes(matHead(matSparse, uint32(max(count, 1)), n, n, name), body)
}

// names writes a cell array of text.
func (m *matWriter) names(names []string) {
	var body []byte
	for _, name := range names {
		units := utf16.Encode([]rune(name))
		var data []byte
		for _, u := range units {
			data = binary.LittleEndian.AppendUint16(data, u)
		}
		cell := matElement(matHead(matChar, 0, 1, len(units), ""), matText(units), data)
		body = append(append(body, matTag(miMatrix, int64(len(cell)))...), cell...)
	}
	m.bytes(matHead(matCell, 0, len(names), 1, "names"), body)
}

// matText is how to declare text, so that most readers understand it: MATLAB and
// Octave take both ways; SciPy takes what is not declared as UTF-16 for ASCII, and
// fails at pairs of units in what is.
func matText(units []uint16) uint32 {
	isPaired := func(u uint16) bool { return utf16.IsSurrogate(rune(u)) }
	if len(units) > 0 && slices.Max(units) >= 0x80 && !slices.ContainsFunc(units, isPaired) {
		return miUTF16
	}
	return miUint16
}

// matTag starts an element of so many bytes.
func matTag(kind uint32, size int64) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, kind), uint32(size))
}

// matElement appends an element, in the short form if its data fits into the tag.
func matElement(b []byte, kind uint32, data []byte) []byte {
	if n := len(data); n > 0 && n <= 4 {
		b = binary.LittleEndian.AppendUint32(b, uint32(n)<<16|kind)
		return append(append(b, data...), make([]byte, 4-n)...)
	}
	b = append(append(b, matTag(kind, int64(len(data)))...), data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// matHead is what stands before the values of an array.
func matHead(class byte, nonzeros uint32, rows, cols int, name string) []byte {
	pair := func(a, b uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, a), b)
	}
	head := matElement(nil, miUint32, pair(uint32(class), nonzeros))
	head = matElement(head, miInt32, pair(uint32(rows), uint32(cols)))
	return matElement(head, miInt8, []byte(name))
}

// writeMAT writes a matrix and, unless they are nil, names.
func writeMAT(w io.Writer, a namedMatrix, names []string) error {
	m := newMATWriter(w)
	m.dense(a.name, a.m)
	if names != nil {
		m.names(names)
	}
	return m.err
}

// writeGraphMAT writes the weights W and the normalised Laplacian L, both sparse,
// and the names.
func writeGraphMAT(w io.Writer, g *graph.Graph) error {
	m, n := newMATWriter(w), g.Vertices()
	m.symmetric("W", n, g.Edges(), 0)
	normalized := g.NormalizedWeights()
	for k := range normalized {
		normalized[k].Weight = -normalized[k].Weight
	}
	m.symmetric("L", n, normalized, 1)
	m.names(g.Names())
	return m.err
}
