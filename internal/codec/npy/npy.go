// Package npy is the files of NumPy: arrays (.npy) and archives of them (.npz).
package npy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/numeric"
)

// Magic is how every array starts.
const Magic = "\x93NUMPY"

// What can be wrong with an array, beside the errors below and those of numeric.
var (
	ErrEmpty     = errors.New("npy: there is no data")
	ErrFormat    = errors.New("npy: not a NumPy array")
	ErrHeaderCut = errors.New("npy: the header is cut short")
	ErrHeader    = errors.New("npy: the header cannot be understood")
	ErrTrailing  = errors.New("npy: there is more data than the header declares")
)

// A HeaderSizeError is a header that claims to be longer than any is.
type HeaderSizeError struct{ Bytes int64 }

func (e *HeaderSizeError) Error() string {
	return fmt.Sprintf("npy: the header claims to be %d bytes long", e.Bytes)
}

// A ShapeError is a shape that cannot be, as the header writes it without brackets.
type ShapeError struct{ Shape string }

func (e *ShapeError) Error() string { return fmt.Sprintf("npy: shape (%s)", e.Shape) }

// A Header is what stands before the data of an array.
type Header struct {
	Descr   string // the type of an item, as NumPy writes it, such as "<f8"
	Fortran bool   // the first index runs fastest
	Shape   []int

	kind  byte // f, i, u, b, U, S, O, …
	size  int  // bytes of an item, or code points for U
	order binary.ByteOrder
}

var itemType = regexp.MustCompile(`^([<>|=]?)([a-zA-Z])(\d{0,9})$`)

// ReadHeader reads up to where the data starts.
func ReadHeader(r io.Reader) (Header, error) {
	const longest = 1 << 16
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil {
		if errors.Is(err, io.EOF) {
			return Header{}, ErrEmpty
		}
		return Header{}, numeric.IfShort(err, ErrFormat)
	}
	version := start[6]
	if string(start[:6]) != Magic || version < 1 || version > 3 {
		return Header{}, ErrFormat
	}
	length := make([]byte, 4) // little-endian, of which version 1 writes two bytes
	written := length
	if version == 1 {
		written = length[:2]
	}
	if _, err := io.ReadFull(r, written); err != nil {
		return Header{}, numeric.IfShort(err, ErrHeaderCut)
	}
	n := int64(binary.LittleEndian.Uint32(length))
	if n > longest {
		return Header{}, &HeaderSizeError{n}
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, numeric.IfShort(err, ErrHeaderCut)
	}
	return parseHeader(string(text))
}

// parseHeader reads a Python dictionary of exactly three keys, as NumPy does. Anything else
// might mean something else there.
func parseHeader(text string) (Header, error) {
	values, ok := dictionary(text)
	fortran, hasOrder := values["fortran_order"]
	shape, hasShape := values["shape"]
	descr, hasDescr := values["descr"]
	if !ok || len(values) != 3 || !hasOrder || !hasShape || !hasDescr || fortran != "True" && fortran != "False" || shape[0] != '(' {
		return Header{}, ErrHeader
	}
	h := Header{Fortran: fortran == "True", order: binary.LittleEndian}
	var err error
	if h.Shape, err = sizes(shape[1 : len(shape)-1]); err != nil {
		return Header{}, err
	}
	switch descr[0] {
	case '\'', '"':
		h.Descr = descr[1 : len(descr)-1]
	case '[': // a list of fields
		h.kind, h.Descr = 'V', "a structured array"
		return h, nil
	default:
		return Header{}, ErrHeader
	}
	if t := itemType.FindStringSubmatch(h.Descr); t != nil {
		if t[1] == ">" {
			h.order = binary.BigEndian
		}
		h.kind = t[2][0]
		h.size, _ = strconv.Atoi(t[3])
	}
	return h, nil
}

// sizes reads what stands between the brackets of a shape.
func sizes(text string) (shape []int, err error) {
	parts := strings.Split(text, ",")
	if last := len(parts) - 1; strings.TrimSpace(parts[last]) == "" { // (5,) and ()
		parts = parts[:last]
	} else if last == 0 { // (5), which is a number
		return nil, &ShapeError{text}
	}
	for _, part := range parts {
		part = strings.TrimSuffix(strings.TrimSpace(part), "L") // Python 2
		n, err := strconv.ParseUint(part, 10, 62)
		if err != nil || n > math.MaxInt || part[0] == '0' && len(part) > 1 {
			return nil, &ShapeError{text}
		}
		shape = append(shape, int(n))
	}
	return shape, nil
}

// IsObject reports whether the items are Python objects.
func (h Header) IsObject() bool { return h.kind == 'O' }

// IsNumeric reports whether the items are real numbers.
func (h Header) IsNumeric() bool { return h.number().Known() }

func (h Header) number() numeric.Type {
	return numeric.Type{Kind: numeric.Kind(h.kind), Bytes: h.size, Order: h.order}
}

// Numbers reads the data of a numeric array, which must be all that is left of r.
// The caller has made sure that the product of the shape is within its bounds.
func (h Header) Numbers(r io.Reader) ([]float64, error) {
	values, err := h.number().Read(r, h.count())
	if err != nil {
		return nil, err
	}
	return values, atEnd(r)
}

// atEnd refuses more data. At the end, checksums are compared.
func atEnd(r io.Reader) error {
	switch n, err := io.CopyN(io.Discard, r, 1); {
	case n > 0:
		return ErrTrailing
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

func (h Header) count() int {
	n := 1
	for _, size := range h.Shape {
		n *= size
	}
	return n
}

// IsText reports whether the items are text.
func (h Header) IsText() bool { return h.kind == 'U' || h.kind == 'S' }

// TextBytes returns how many bytes an item of text takes.
func (h Header) TextBytes() int {
	if h.kind == 'U' {
		return 4 * h.size
	}
	return h.size
}

// Texts reads the data of an array of text, without the zeros that pad it, which must be
// all that is left of r. The
// caller has made sure that its size is within its bounds. Data that ends early is
// a *numeric.ShortError.
func (h Header) Texts(r io.Reader) ([]string, error) {
	var texts []string
	item := make([]byte, h.TextBytes())
	for i := range h.count() {
		if _, err := io.ReadFull(r, item); err != nil {
			return nil, numeric.IfShort(err, &numeric.ShortError{Read: i, Want: h.count()})
		}
		text := string(bytes.TrimRight(item, "\x00"))
		if h.kind == 'U' {
			text = utf32(item, h.order)
		}
		texts = append(texts, text)
	}
	return texts, atEnd(r)
}

// utf32 decodes text padded with zeros. What is not a character becomes U+FFFD.
func utf32(b []byte, order binary.ByteOrder) string {
	var s []rune
	for ; len(b) >= 4; b = b[4:] {
		c := order.Uint32(b)
		if c > utf8.MaxRune {
			c = utf8.RuneError
		}
		s = append(s, rune(c))
	}
	return strings.TrimRight(string(s), "\x00")
}

// WriteMatrix writes m as float64, row by row.
func WriteMatrix(w io.Writer, m mat.Matrix) error {
	r, c := m.Dims()
	if err := writeHeader(w, "<f8", fmt.Sprintf("(%d, %d)", r, c)); err != nil {
		return err
	}
	row := make([]byte, 0, 8*c)
	for i := range r {
		row = row[:0]
		for j := range c {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(m.At(i, j)))
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// WriteTexts writes an array of text, as numpy.save writes a list of strings.
func WriteTexts(w io.Writer, texts []string) error {
	width := 1
	for _, text := range texts {
		width = max(width, utf8.RuneCountInString(text))
	}
	if err := writeHeader(w, fmt.Sprintf("<U%d", width), fmt.Sprintf("(%d,)", len(texts))); err != nil {
		return err
	}
	for _, text := range texts {
		item := make([]byte, 0, 4*width)
		for _, c := range text {
			item = binary.LittleEndian.AppendUint32(item, uint32(c))
		}
		if _, err := w.Write(item[:cap(item)]); err != nil {
			return err
		}
	}
	return nil
}

func writeHeader(w io.Writer, descr, shape string) error {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n" // the data starts at a multiple of 64
	start := binary.LittleEndian.AppendUint16([]byte(Magic+"\x01\x00"), uint16(len(text)))
	_, err := w.Write(append(start, text...))
	return err
}
