package dataio

import (
	"io"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// A delimited format is text with a row on each line: tables of signals, of
// matrices and about vertices, and edge lists.
type delimited struct {
	format    Format
	separator byte // between the cells that are written
	fixed     bool // and read; else files tell by their first lines
}

// codec is the format's entry in the table.
func (d delimited) codec(rank int, about Description) codec {
	about.GraphAs = "edge list"
	return codec{
		format: d.format, Description: about, rank: rank, matrixRank: 1,
		has:           []Capability{KeepsNames, KeepsConfidence, Gzips},
		isText:        true,
		decodeSignals: d.decodeSignals, encodeSignals: d.encodeSignals, encodeMatrix: d.encodeMatrix,
		decodeGraph: d.decodeGraph, encodeGraph: d.encodeGraph,
		decodeVertices: d.decodeVertices,
	}
}

// rows starts reading a table.
func (d delimited) rows(r io.Reader) (*rowReader, error) {
	if d.fixed {
		return newRowReader(r, d.separator)
	}
	return newRowReader(r, 0)
}

func (d delimited) decodeSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
	rows, err := d.rows(r)
	if err != nil {
		return nil, err
	}
	t, err := readTable(rows, o.limit())
	if err != nil {
		return nil, err
	}
	if o.Transpose {
		return t.verticesInRows(o)
	}
	return t.verticesInColumns(o)
}

func (d delimited) encodeSignals(w io.Writer, s *signals.Set) error {
	if !slices.ContainsFunc(s.Names, func(name string) bool { _, k := parseNumber(name, false); return k == isText }) {
		return fault("the vertex names are numbers (%s, …), which a .%s file cannot tell from data", quote(s.Names[0]), d.format)
	}
	if err := checkVertexColumns(s); err != nil {
		return err
	}
	return d.write(w, s.Names, s.Times, s.Y.T())
}

func (d delimited) encodeMatrix(w io.Writer, m Matrix) error {
	var header []string
	if r, c := m.Values.Dims(); r == c { // vertices stand in columns as well
		header = m.Names
	}
	return d.write(w, header, nil, m.Values)
}

// write writes a header, unless it is nil, and the rows of m, each after its time unless
// these are nil.
func (d delimited) write(w io.Writer, header []string, times []time.Time, m mat.Matrix) error {
	var line []byte
	end := func() error {
		line[len(line)-1] = '\n' // in place of the last separator
		_, err := w.Write(line)
		line = line[:0]
		return err
	}
	if times != nil {
		header = append([]string{timeHeader(header)}, header...)
	}
	for _, name := range header {
		line = append(appendCell(line, name), d.separator)
	}
	if len(header) > 0 {
		if err := end(); err != nil {
			return err
		}
	}
	r, c := m.Dims()
	for i := range r {
		if times != nil {
			line = append(append(line, words.Time(times[i])...), d.separator)
		}
		for j := range c {
			line = append(appendNumber(line, m.At(i, j)), d.separator)
		}
		if err := end(); err != nil {
			return err
		}
	}
	return nil
}

func (d delimited) decodeGraph(r io.Reader) (*parsedGraph, error) {
	rows, err := d.rows(r)
	if err != nil {
		return nil, err
	}
	return readEdgeList(rows)
}

func (d delimited) encodeGraph(w io.Writer, g GraphFile) error {
	return writeEdgeList(w, d.separator, g.Graph)
}

func (d delimited) decodeVertices(r io.Reader) (*VertexTable, error) {
	rows, err := d.rows(r)
	if err != nil {
		return nil, err
	}
	return readVertexTable(rows)
}
