package dataio

import (
	"io"
	"slices"
	"strings"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// decodeMAT reads signals from a MATLAB file. A cell array or a matrix of text
// called names names the vertices.
func decodeMAT(r io.Reader, o ReadOptions) (*signals.Set, error) {
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
	if e, ok := err.(*input.Error); ok && len(e.Variables) > 0 { //nolint:errorlint // our own, as it is
		return nil, fault("the file holds several matrices, and none of them is called W: call the matrix of weights so")
	}
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
	if e, ok := err.(*input.Error); ok { //nolint:errorlint // only our own, as it is
		e.Msg = "variable " + quote(name) + ": " + e.Msg
	}
	return err
}

// matrix returns the matrix of numbers to read; asked may be empty.
func (f *matFile) matrix(asked string) (matVariable, error) {
	var held []variable
	var matrices []matVariable
	var others []string
	for _, v := range f.variables {
		if v.isMatrix() {
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
	if k := slices.IndexFunc(f.variables, func(v matVariable) bool { return v.name == asked }); k >= 0 && !f.variables[k].isMatrix() {
		return matVariable{}, choiceFault(held, "variable %s (%s) is not a matrix of numbers (the file holds %s)", quote(asked), matClass(f.variables[k].class), shapes(held))
	}
	k, err := pick(held, asked, "file")
	if err != nil {
		return matVariable{}, err
	}
	return matrices[k], nil
}

func (v matVariable) isMatrix() bool { return v.class >= matSparse && v.class <= matUint64 }

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

// array reads a matrix of numbers.
func (f *matFile) array(v matVariable, o ReadOptions) (*array, error) {
	if err := v.checkMatrix(); err != nil {
		return nil, err
	}
	if err := o.checkSize(v.shape[0], v.shape[1], shapes([]variable{{"", v.shape}})); err != nil {
		return nil, err
	}
	if v.class == matSparse {
		if err := checkGrowth(int64(v.shape[0])*int64(v.shape[1]), v.size); err != nil {
			return nil, err
		}
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
