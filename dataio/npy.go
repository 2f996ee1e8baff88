package dataio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// An npyHeader is what stands before the data of a NumPy array.
type npyHeader struct {
	order   binary.ByteOrder
	kind    byte // f, i, u, b, U, S, O, …
	size    int  // bytes an item, or code points for U
	descr   string
	fortran bool // the first index runs fastest
	shape   []int
}

// An array has two dimensions, rows × cols.
type array struct {
	rows, cols int
	value      []float64
	fortran    bool
	fromOne    bool // its indices count from 1, as in MATLAB, and not from 0
}

// at writes a place in the array as those who made it do.
func (a *array) at(i, j int) string {
	if a.fromOne {
		return fmt.Sprintf("(%d, %d)", i+1, j+1)
	}
	return fmt.Sprintf("[%d, %d]", i, j)
}

// all writes a row of the array, or else a column.
func (a *array) all(i int, row bool) string {
	brackets := "[]"
	if a.fromOne {
		i, brackets = i+1, "()"
	}
	first, second := strconv.Itoa(i), ":"
	if !row {
		first, second = second, first
	}
	return brackets[:1] + first + ", " + second + brackets[1:]
}

var (
	npyDescr   = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	npyFortran = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	npyShape   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([^)]*)\)`)
	npyType    = regexp.MustCompile(`^([<>|=]?)([a-zA-Z])(\d{0,9})$`)
)

// readNPY reads a file of one numeric array of two dimensions.
func readNPY(r io.Reader, o ReadOptions) (*array, error) {
	h, err := readNPYHeader(r)
	if err != nil {
		return nil, err
	}
	if err := h.checkMatrix(o); err != nil {
		return nil, err
	}
	a, err := h.readMatrix(r)
	if err != nil {
		return nil, err
	}
	switch n, err := io.CopyN(io.Discard, r, 1); { // at the end, checksums are compared
	case n > 0:
		return nil, fault("there is more data than the header declares (%s of shape %s): save the array again", h.descr, h.shapeString())
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return a, nil
}

// readNPYHeader reads up to where the data starts.
func readNPYHeader(r io.Reader) (h npyHeader, err error) {
	notNPY := fault("this is not a NumPy array: save it with numpy.save")
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil {
		if errors.Is(err, io.EOF) {
			return h, fault("the file is empty")
		}
		return h, shortRead(err, notNPY)
	}
	if string(start[:6]) != "\x93NUMPY" || start[6] < 1 || start[6] > 3 {
		return h, notNPY
	}
	length := make([]byte, 2)
	if start[6] > 1 {
		length = make([]byte, 4)
	}
	cutShort := fault("the header is cut short: copy or save the file again")
	if _, err := io.ReadFull(r, length); err != nil {
		return h, shortRead(err, cutShort)
	}
	n := int64(binary.LittleEndian.Uint16(length))
	if start[6] > 1 {
		n = int64(binary.LittleEndian.Uint32(length))
	}
	if n > 1<<16 {
		return h, fault("the header claims to be %d bytes long: save the array again as plain numbers", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, shortRead(err, cutShort)
	}
	return parseNPYHeader(string(text))
}

// shortRead returns e if a read ended early and the read's own error otherwise.
func shortRead(err error, e *input.Error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return e
	}
	return err
}

func parseNPYHeader(text string) (h npyHeader, err error) {
	fortran, shape := npyFortran.FindStringSubmatch(text), npyShape.FindStringSubmatch(text)
	if fortran == nil || shape == nil {
		return h, fault("the header of the array cannot be understood: save it again with numpy.save")
	}
	h.fortran = fortran[1] == "True"
	for part := range strings.SplitSeq(shape[1], ",") {
		part = strings.TrimSuffix(strings.TrimSpace(part), "L") // Python 2
		if part == "" {
			continue // (5,) and ()
		}
		n, err := strconv.ParseUint(part, 10, 62)
		if err != nil || n > math.MaxInt {
			return h, fault("the header gives the shape (%s), which cannot be: save the array again", shape[1])
		}
		h.shape = append(h.shape, int(n))
	}
	h.order = binary.LittleEndian
	descr := npyDescr.FindStringSubmatch(text)
	if descr == nil { // a list of fields
		h.kind, h.descr = 'V', "a structured array"
		return h, nil
	}
	h.descr = descr[1]
	if dtype := npyType.FindStringSubmatch(h.descr); dtype != nil {
		if dtype[1] == ">" {
			h.order = binary.BigEndian
		}
		h.kind = dtype[2][0]
		h.size, _ = strconv.Atoi(dtype[3])
	}
	return h, nil
}

// checkMatrix refuses what is not a matrix of numbers.
func (h npyHeader) checkMatrix(o ReadOptions) error {
	switch {
	case h.kind == 'O':
		return fault("the array holds Python objects, not numbers: convert it with .astype(float) and save it again")
	case h.item() == nil:
		return fault("the array holds %s, not real numbers: convert it with .astype(float) and save it again", quote(h.descr))
	case len(h.shape) != 2:
		return fault("the array has shape %s, but two dimensions are needed: reshape it and save it again", h.shapeString())
	}
	if h.shape[0] == 0 || h.shape[1] == 0 {
		return fault("the array is empty (shape %s)", h.shapeString())
	}
	return o.checkSize(h.shape[0], h.shape[1], h.shapeString())
}

// shapeString writes the shape as Python does.
func (h npyHeader) shapeString() string {
	var parts []string
	for _, n := range h.shape {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// item returns what turns the bytes of an item into a number, or nil if the
// items are not real numbers.
func (h npyHeader) item() func([]byte) float64 {
	o := h.order
	switch string(h.kind) + strconv.Itoa(h.size) {
	case "f8":
		return func(b []byte) float64 { return math.Float64frombits(o.Uint64(b)) }
	case "f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(o.Uint32(b))) }
	case "f2":
		return func(b []byte) float64 { return float16(o.Uint16(b)) }
	case "i8":
		return func(b []byte) float64 { return float64(int64(o.Uint64(b))) }
	case "i4":
		return func(b []byte) float64 { return float64(int32(o.Uint32(b))) }
	case "i2":
		return func(b []byte) float64 { return float64(int16(o.Uint16(b))) }
	case "i1":
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case "u8":
		return func(b []byte) float64 { return float64(o.Uint64(b)) }
	case "u4":
		return func(b []byte) float64 { return float64(o.Uint32(b)) }
	case "u2":
		return func(b []byte) float64 { return float64(o.Uint16(b)) }
	case "u1":
		return func(b []byte) float64 { return float64(b[0]) }
	case "b1":
		return func(b []byte) float64 { return float64(min(b[0], 1)) }
	}
	return nil
}

// float16 widens an IEEE 754 half.
func float16(h uint16) float64 {
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

// readMatrix reads the data of a header that has passed checkMatrix. What it
// allocates grows with what it has read, whatever the header claims.
func (h npyHeader) readMatrix(r io.Reader) (*array, error) {
	a := &array{rows: h.shape[0], cols: h.shape[1], fortran: h.fortran}
	total, item := a.rows*a.cols, h.item()
	chunk := make([]byte, min(total, 8<<10)*h.size)
	a.value = make([]float64, 0, min(total, 1<<16))
	for len(a.value) < total {
		n, err := io.ReadFull(r, chunk[:min(len(chunk), (total-len(a.value))*h.size)])
		for b := chunk[:n]; len(b) >= h.size; b = b[h.size:] {
			a.value = append(a.value, item(b))
		}
		if err != nil {
			return nil, shortRead(err, fault("the header declares %d values (shape %s) but the data ends after %d: copy or save the file again",
				total, h.shapeString(), len(a.value)))
		}
	}
	return a, nil
}

// dense returns the array or its transpose. It takes the values over.
func (a *array) dense(transpose bool) *mat.Dense {
	if a.fortran { // row by row, these are the values of the transpose
		return dense(a.value, a.cols, a.rows, !transpose)
	}
	return dense(a.value, a.rows, a.cols, transpose)
}

// signals returns the array as signals; nil names are the default ones.
func (a *array) signals(names []string, vertexRows bool) (*signals.Set, error) {
	s := &signals.Set{Names: names, Y: a.dense(!vertexRows)}
	n, m := s.Y.Dims()
	if names == nil {
		s.Names = graph.DefaultNames(n)
	}
	if len(s.Names) != n {
		return nil, fault("there are %d names for %d vertices: check the names, or whether the file has vertices in rows", len(s.Names), n)
	}
	for j := range m { // in the order of a file of observations
		for i := range n {
			if !math.IsInf(s.Y.At(i, j), 0) {
				continue
			}
			where := a.at(j, i)
			if vertexRows {
				where = a.at(i, j)
			}
			return nil, fault("the value at index %s (%s) is not finite: it must be a number below 1.8e308 in size", where, s.Names[i])
		}
	}
	return s, dropEmptyObservations(s, func(i int) *input.Error { return noValues("index "+a.all(i, vertexRows), s.Names[i]) },
		func(m int) string { return "index " + a.all(m, !vertexRows) })
}

// writeNPY writes m as float64, row by row.
func writeNPY(w io.Writer, m mat.Matrix) error {
	r, c := m.Dims()
	if err := writeNPYHeader(w, "<f8", fmt.Sprintf("(%d, %d)", r, c)); err != nil {
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

func writeNPYHeader(w io.Writer, descr, shape string) error {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n" // the data starts at a multiple of 64
	start := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text)))
	_, err := w.Write(append(start, text...))
	return err
}
