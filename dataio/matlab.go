package dataio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/codec/matlab"
	"github.com/nervure/nervure/internal/codec/numeric"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

var _ = register(codec{
	format: MAT, rank: 100, matrixRank: 2,
	Description:   Description{Name: "MATLAB file, v5 to v7", Remark: "MATLAB, up to v7", GraphAs: "W, L and names"},
	has:           []Capability{KeepsNames, KeepsIsolated, HoldsVariables, Gzips},
	signature:     signature{matlab.Magic, "a MATLAB file", "name it .mat"},
	seeks:         true,
	decodeSignals: decodeMATSignals,
	encodeSignals: func(w io.Writer, s *signals.Set) error { return writeMAT(w, "signals", s.Y.T(), s.Names) },
	encodeMatrix:  func(w io.Writer, m Matrix) error { return writeMAT(w, cmp.Or(m.Name, "matrix"), m.Values, m.Names) },
	decodeGraph:   decodeMATGraph,
	encodeGraph:   func(w io.Writer, g GraphFile) error { return writeGraphMAT(w, g.Graph) },
})

// decodeMATSignals reads signals from a MATLAB file. A cell array or a matrix of
// text called names names the vertices.
func decodeMATSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
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
		return nil, inPart("variable", v.Name, err)
	}
	names, err := f.names()
	if err != nil {
		return nil, inPart("variable", "names", err)
	}
	return a.signals(names, nil, o)
}

// decodeMATGraph reads a graph from the weight matrix W of a MATLAB file, or from
// its only matrix.
func decodeMATGraph(r io.Reader) (*parsedGraph, error) {
	f, err := openMAT(r)
	if err != nil {
		return nil, err
	}
	asked := ""
	if f.find("W") >= 0 {
		asked = "W"
	}
	v, err := f.matrix(asked)
	if e := input.Find(err); e != nil && len(e.Variables) > 0 {
		return nil, fault("the file holds several matrices, and none of them is called W: call the matrix of weights so")
	}
	if err != nil {
		return nil, err
	}
	parsed, err := f.weights(v)
	if err != nil {
		return nil, inPart("variable", v.Name, err)
	}
	names, err := f.names()
	switch {
	case err != nil:
		return nil, inPart("variable", "names", err)
	case names == nil:
	case len(names) != len(parsed.names):
		return nil, fault("there are %s for %d vertices: check the names", words.Plural(len(names), "name"), len(parsed.names))
	default:
		parsed.names, parsed.numbered = names, false
	}
	return parsed, nil
}

// A matFile is a MATLAB file in which matrices and names are looked for.
type matFile struct{ *matlab.File }

func openMAT(r io.Reader) (matFile, error) {
	at, size, err := seekable(r)
	if err != nil {
		return matFile{}, err
	}
	f, err := matlab.Open(at, size)
	if err != nil {
		return matFile{}, matFault(nil, err)
	}
	return matFile{f}, nil
}

// find returns the variable of a name, or −1.
func (f matFile) find(name string) int {
	return slices.IndexFunc(f.Variables, func(v matlab.Variable) bool { return v.Name == name })
}

// matrix returns the matrix of numbers to read; asked may be empty.
func (f matFile) matrix(asked string) (matlab.Variable, error) {
	var held []variable
	var matrices []matlab.Variable
	var others []string
	for _, v := range f.Variables {
		if v.Class.IsNumeric() {
			held, matrices = append(held, variable{v.Name, v.Shape}), append(matrices, v)
		} else if v.Name != "names" {
			others = append(others, v.Name+" ("+matClass(v.Class)+")")
		}
	}
	if len(held) == 0 && len(others) > 0 {
		return matlab.Variable{}, fault(
			"the file holds no matrix of numbers, only %s: save one as a variable of its own",
			strings.Join(others[:min(len(others), 8)], ", "))
	}
	if len(held) == 0 {
		return matlab.Variable{}, fault("the file holds no matrix of numbers: save one with save('signals.mat', 'Y', '-v7')")
	}
	if k := f.find(asked); k >= 0 && !f.Variables[k].Class.IsNumeric() {
		return matlab.Variable{}, choiceFault(held, "variable %s (%s) is not a matrix of numbers (the file holds %s)",
			quote(asked), matClass(f.Variables[k].Class), shapes(held))
	}
	k, err := pickVariable(held, asked, "file")
	if err != nil {
		return matlab.Variable{}, err
	}
	return matrices[k], nil
}

func matClass(class matlab.Class) string {
	switch class {
	case matlab.Cell:
		return "cell array"
	case matlab.Struct:
		return "struct"
	case matlab.Char:
		return "text"
	}
	return "object"
}

// array reads a matrix of numbers.
func (f matFile) array(v matlab.Variable, o ReadOptions) (*array, error) {
	if err := checkMATMatrix(v); err != nil {
		return nil, err
	}
	if err := o.checkSize(v.Shape[0], v.Shape[1], shapes([]variable{{"", v.Shape}})); err != nil {
		return nil, err
	}
	a := &array{rows: v.Shape[0], cols: v.Shape[1], byColumn: true, oneBased: true}
	if v.Class != matlab.Sparse {
		var err error
		if a.value, err = f.Numbers(v); err != nil {
			return nil, matFault(v.Shape, err)
		}
		return a, nil
	}
	if err := checkGrowth(int64(a.rows)*int64(a.cols), v.Bytes); err != nil {
		return nil, err
	}
	entries, err := f.entries(v)
	if err != nil {
		return nil, err
	}
	a.value = make([]float64, a.rows*a.cols)
	for _, e := range entries {
		a.value[e.Col*a.rows+e.Row] = e.Value
	}
	return a, nil
}

func (f matFile) entries(v matlab.Variable) ([]matlab.Entry, error) {
	entries, err := f.Entries(v, maxValues)
	if e, ok := errors.AsType[*numeric.ShortError](err); ok {
		return nil, shortFault(e, []int{1, e.Want})
	}
	if err != nil {
		return nil, matFault(nil, err)
	}
	return entries, nil
}

// weights reads a matrix, which may be sparse, as a weight matrix.
func (f matFile) weights(v matlab.Variable) (*parsedGraph, error) {
	if v.Class != matlab.Sparse {
		a, err := f.array(v, ReadOptions{})
		if err != nil {
			return nil, err
		}
		return a.weights()
	}
	if err := checkMATMatrix(v); err != nil {
		return nil, err
	}
	n := v.Shape[0]
	if n != v.Shape[1] || n > maxVertices {
		return nil, fault("the matrix is %d×%d, but a weight matrix is square with at most %d rows", n, v.Shape[1], maxVertices)
	}
	entries, err := f.entries(v)
	if err != nil {
		return nil, err
	}
	parsed := &parsedGraph{names: graph.DefaultNames(n), numbered: true}
	for _, e := range entries {
		if _, wrong := parseWeight(formatNumber(e.Value), false); wrong != "" {
			return nil, fault("at index (%d, %d), %s", e.Row+1, e.Col+1, wrong)
		}
		parsed.edges = append(parsed.edges, parsedEdge{i: e.Row, j: e.Col, weight: e.Value})
	}
	parsed.dropSecondTriangle(true)
	return parsed, nil
}

// checkMATMatrix refuses what is not a matrix of real numbers.
func checkMATMatrix(v matlab.Variable) error {
	switch {
	case v.Complex:
		return fault("its numbers are complex: take their real parts, or moduli, and save it again")
	case len(v.Shape) != 2:
		return fault("it has %d dimensions, but two are needed: reshape it and save it again", len(v.Shape))
	case v.Shape[0] == 0 || v.Shape[1] == 0:
		return fault("the matrix is empty (%d×%d)", v.Shape[0], v.Shape[1])
	}
	return nil
}

// names reads the variable names: a cell array of text, or a matrix of characters
// with a name in each row. It returns nil if there is none.
func (f matFile) names() ([]string, error) {
	k := f.find("names")
	if k < 0 {
		return nil, nil
	}
	v := f.Variables[k]
	var names []string
	var err error
	switch v.Class {
	case matlab.Char:
		names, err = f.Rows(v)
		for i := range names { // rows are padded to one length
			names[i] = strings.TrimRight(names[i], " ")
		}
	case matlab.Cell:
		n := 1
		for _, size := range v.Shape {
			if n *= size; n > maxVertices {
				return nil, fault("it claims more than %d names", maxVertices)
			}
		}
		names, err = f.Cells(v)
	default:
		return nil, fault("it is not a cell array of text: save it as cellstr(names)")
	}
	if err != nil {
		return nil, matFault(nil, err)
	}
	return names, checkNames(names, func(i int) string { return fmt.Sprintf("entry (%d)", i+1) })
}

// matFault puts into words what is wrong with a MATLAB file, in an array of this
// shape.
func matFault(shape []int, err error) error {
	if e, ok := errors.AsType[*numeric.ShortError](err); ok {
		return shortFault(e, shape)
	}
	if e, ok := errors.AsType[*matlab.NotTextError](err); ok {
		return fault("entry (%d) is not text: save it as cellstr(names)", e.Cell+1)
	}
	return inSentence(inflateFault(err), map[error]string{
		matlab.ErrFormat:   "this is not a MATLAB file: save it with save('signals.mat', 'Y', '-v7')",
		matlab.ErrVersion4: "this is a MATLAB v4 file, which cannot be read: save it with '-v7'",
		matlab.ErrHDF5:     "this is a MATLAB v7.3 (HDF5) file, which cannot be read: save it with '-v7'",
		matlab.ErrCut:      "the file is cut short: copy or save it again",
		matlab.ErrDamaged:  "the data cannot be understood: save the file again with '-v7'",
		matlab.ErrTooLarge: "the matrix is too large for a .mat file, which holds up to 4 GiB a variable",
	})
}

// writeMAT writes a matrix and, unless they are nil, names.
func writeMAT(w io.Writer, name string, m mat.Matrix, names []string) error {
	file := newMATWriter(w)
	file.Matrix(name, m)
	if names != nil {
		file.Cells("names", names)
	}
	return matFault(nil, file.Err())
}

func newMATWriter(w io.Writer) *matlab.Writer { return matlab.NewWriter(w, "nervure") }

// writeGraphMAT writes the weights W and the normalised Laplacian L, both sparse,
// and the names. A directed graph has no L, and W(i, j) is the weight of its arrow
// from i to j.
func writeGraphMAT(w io.Writer, g *graph.Graph) error {
	m, n, edges := newMATWriter(w), g.Vertices(), g.Edges()
	if g.Directed() {
		m.Sparse("W", n, n, byColumn(n, edges))
	} else {
		m.Sparse("W", n, n, byColumn(n, edges, mirrored(edges)))
		var ones []graph.Edge
		for j := range n {
			ones = append(ones, graph.Edge{I: j, J: j, Weight: 1})
		}
		normalized := g.NormalizedWeights()
		for k := range normalized {
			normalized[k].Weight = -normalized[k].Weight
		}
		m.Sparse("L", n, n, byColumn(n, normalized, ones, mirrored(normalized)))
	}
	m.Cells("names", g.Names())
	return matFault(nil, m.Err())
}

// byColumn lists the entries of a matrix column by column, from lists that follow each
// other down its columns.
func byColumn(n int, lists ...[]graph.Edge) []matlab.Entry {
	columns := make([][]matlab.Entry, n)
	for _, list := range lists {
		for _, e := range list {
			columns[e.J] = append(columns[e.J], matlab.Entry{Row: e.I, Col: e.J, Value: e.Weight})
		}
	}
	return slices.Concat(columns...)
}

// mirrored returns the lower triangle of a symmetric matrix from the upper one.
func mirrored(edges []graph.Edge) []graph.Edge {
	lower := slices.Clone(edges)
	for k, e := range lower {
		lower[k].I, lower[k].J = e.J, e.I
	}
	return lower
}
