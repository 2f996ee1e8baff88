package dataio

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"slices"
	"strings"

	"github.com/nervure/nervure/graph"
)

// What a MATLAB array can be. Classes from matDouble to matUint64 are numbers.
const (
	matCell   = 1
	matStruct = 2
	matChar   = 4
	matSparse = 5
	matDouble = 6
	matUint8  = 9
	matUint64 = 15
	matOpaque = 17 // string arrays, tables and other objects
)

// A matFile is a MATLAB file of version 5 to 7: variables one after another,
// each perhaps compressed.
type matFile struct {
	at        io.ReaderAt
	order     binary.ByteOrder
	variables []matVariable
}

type matVariable struct {
	variable
	class   byte
	complex bool

	start, size int64 // its data in the file
	compressed  bool
}

// decodeMAT reads signals from a MATLAB file. A cell array or a matrix of text
// called names names the vertices.
func decodeMAT(r io.Reader, o ReadOptions) (*Signals, error) {
	f, err := openMAT(r)
	if err != nil {
		return nil, err
	}
	v, err := f.matrix(o.Variable)
	if err != nil {
		return nil, err
	}
	a, err := f.array(v, o)
	if err != nil {
		return nil, inVariable(v.name, err)
	}
	names, err := f.names()
	if err != nil {
		return nil, inVariable("names", err)
	}
	return a.signals(names, o.Transpose)
}

// readMAT reads a graph from the weight matrix W of a MATLAB file, or from its
// only matrix.
func readMAT(r io.Reader) (*rawGraph, error) {
	f, err := openMAT(r)
	if err != nil {
		return nil, err
	}
	asked := ""
	if slices.ContainsFunc(f.variables, func(v matVariable) bool { return v.name == "W" }) {
		asked = "W"
	}
	v, err := f.matrix(asked)
	if err != nil {
		return nil, err
	}
	raw, err := f.weights(v)
	if err != nil {
		return nil, inVariable(v.name, err)
	}
	names, err := f.names()
	switch {
	case err != nil:
		return nil, inVariable("names", err)
	case names == nil:
	case len(names) != len(raw.names):
		return nil, fault("there are %s for %d vertices: check the names", plural(len(names), "name"), len(raw.names))
	default:
		raw.names, raw.nameless = names, false
	}
	return raw, nil
}

// inVariable says in which variable something is wrong.
func inVariable(name string, err error) error {
	if e, ok := err.(*InputError); ok { //nolint:errorlint // only our own, as it is
		e.Msg = "variable " + quote(name) + ": " + e.Msg
	}
	return err
}

// openMAT finds the variables of a file without reading their values.
func openMAT(r io.Reader) (*matFile, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	if size == 0 {
		return nil, fault("the file is empty")
	}
	f := &matFile{at: at}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	for start := int64(matHeader); start < size; {
		tag := make([]byte, 8)
		if _, err := at.ReadAt(tag, start); err != nil {
			return nil, shortRead(err, matCut())
		}
		kind, length := f.order.Uint32(tag), int64(f.order.Uint32(tag[4:]))
		if kind>>16 != 0 { // the data is in the tag, and so no variable
			start += 8
			continue
		}
		start += 8
		if length > size-start {
			return nil, matCut()
		}
		if kind == miMatrix || kind == miCompressed {
			v := matVariable{start: start, size: length, compressed: kind == miCompressed}
			if _, err := f.open(&v); err != nil {
				return nil, err
			}
			if v.name != "" { // what belongs to objects has no name
				f.variables = append(f.variables, v)
			}
		}
		start += length
		if kind != miCompressed {
			start += -length & 7
		}
	}
	return f, nil
}

// readHeader tells the versions apart, and the order of bytes.
func (f *matFile) readHeader() error {
	const newer = "this is a MATLAB v7.3 (HDF5) file, which cannot be read: save it with '-v7'"
	header := make([]byte, matHeader)
	n, err := f.at.ReadAt(header, 0)
	if bytes.HasPrefix(header, []byte("\x89HDF")) || bytes.HasPrefix(header, []byte("MATLAB 7.3")) {
		return fault(newer)
	}
	if n >= 20 && slices.Contains(header[:4], 0) && header[0] < 0x80 { // four digits as a number
		return fault("this is a MATLAB v4 file, which cannot be read: save it with '-v7'")
	}
	if err != nil {
		return shortRead(err, matUnknown())
	}
	switch string(header[126:]) {
	case "IM":
		f.order = binary.LittleEndian
	case "MI":
		f.order = binary.BigEndian
	default:
		return matUnknown()
	}
	switch version := f.order.Uint16(header[124:]); version {
	case 0x0100:
		return nil
	case 0x0200:
		return fault(newer)
	}
	return matUnknown()
}

func matUnknown() *InputError {
	return fault("this is not a MATLAB file: save it with save('signals.mat', 'Y', '-v7')")
}

func matCut() *InputError { return fault("the file is cut short: copy or save it again") }

// matrix returns the matrix of numbers to read; asked may be empty.
func (f *matFile) matrix(asked string) (matVariable, error) {
	var held []variable
	var matrices []matVariable
	var others []string
	for _, v := range f.variables {
		if v.class >= matSparse && v.class <= matUint64 {
			held, matrices = append(held, v.variable), append(matrices, v)
		} else if v.name != "names" {
			others = append(others, v.name+" ("+matClass(v.class)+")")
		}
	}
	if len(held) == 0 && len(others) > 0 {
		return matVariable{}, fault("the file holds no matrix of numbers, only %s: save one as a variable of its own", strings.Join(others[:min(len(others), 8)], ", "))
	}
	if len(held) == 0 {
		return matVariable{}, fault("the file holds no matrix of numbers: save one with save('signals.mat', 'Y', '-v7')")
	}
	k, err := pick(held, asked, "file")
	if err != nil {
		return matVariable{}, err
	}
	return matrices[k], nil
}

func matClass(class byte) string {
	switch class {
	case matCell:
		return "cell array"
	case matStruct:
		return "struct"
	case matChar:
		return "text"
	}
	return "object"
}

// open returns the data of a variable after its header, and notes what that
// says in v.
func (f *matFile) open(v *matVariable) (*matStream, error) {
	var r io.Reader = io.NewSectionReader(f.at, v.start, v.size)
	if v.compressed {
		z, err := zlib.NewReader(r)
		if err != nil {
			return nil, err
		}
		s := &matStream{r: &inflater{r: z, read: func() int64 { return v.size }}, order: f.order}
		kind, _, body, err := s.next()
		if err != nil {
			return nil, err
		}
		if kind != miMatrix {
			v.name = "" // nothing that we know
			return s, nil
		}
		r = body
	}
	s := &matStream{r: r, order: f.order}
	return s, s.header(v)
}

// array reads a matrix of numbers.
func (f *matFile) array(v matVariable, o ReadOptions) (*array, error) {
	if err := v.checkMatrix(); err != nil {
		return nil, err
	}
	if err := o.checkSize(v.shape[0], v.shape[1], shapes([]variable{{"", v.shape}})); err != nil {
		return nil, err
	}
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	if v.class != matSparse {
		return s.numbers(v.shape)
	}
	entries, err := s.entries(v.shape[0], v.shape[1])
	if err != nil {
		return nil, err
	}
	a := &array{rows: v.shape[0], cols: v.shape[1], fortran: true, fromOne: true}
	a.value = make([]float64, a.rows*a.cols)
	for _, e := range entries {
		a.value[e.j*a.rows+e.i] = e.weight
	}
	return a, nil
}

// weights reads a matrix, which may be sparse, as a weight matrix.
func (f *matFile) weights(v matVariable) (*rawGraph, error) {
	if v.class != matSparse {
		a, err := f.array(v, ReadOptions{})
		if err != nil {
			return nil, err
		}
		return a.weights()
	}
	if err := v.checkMatrix(); err != nil {
		return nil, err
	}
	n := v.shape[0]
	if n != v.shape[1] || n > maxVertices {
		return nil, fault("the matrix is %d×%d, but a weight matrix is square with at most %d rows", n, v.shape[1], maxVertices)
	}
	s, err := f.open(&v)
	if err != nil {
		return nil, err
	}
	raw := &rawGraph{names: graph.DefaultNames(n), nameless: true}
	if raw.edges, err = s.entries(n, n); err != nil {
		return nil, err
	}
	for _, e := range raw.edges {
		if _, wrong := weight(formatNumber(e.weight), false); wrong != "" {
			return nil, fault("at index (%d, %d), %s", e.i+1, e.j+1, wrong)
		}
	}
	return raw, raw.dropDiagonal(true)
}

// checkMatrix refuses what is not a matrix of real numbers.
func (v matVariable) checkMatrix() error {
	switch {
	case v.complex:
		return fault("its numbers are complex: take their real parts, or moduli, and save it again")
	case len(v.shape) != 2:
		return fault("it has %d dimensions, but two are needed: reshape it and save it again", len(v.shape))
	case v.shape[0] == 0 || v.shape[1] == 0:
		return fault("the matrix is empty (%d×%d)", v.shape[0], v.shape[1])
	}
	return nil
}
