package dataio

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/internal/words"
)

// A VertexTable says more about vertices than their names: where they are, what
// they belong to, and so on, a column for each.
type VertexTable struct {
	Names   []string // distinct
	Columns []VertexColumn

	file       string // where it was read from
	nameColumn string // the column of names, in its header
	duplicate  error  // why a column that would come first does not name them
}

// A VertexColumn is one thing that is known about vertices.
type VertexColumn struct {
	Name    string
	Text    []string  // as it is written; empty where nothing is known
	Numbers []float64 // NaN where empty; nil unless every other cell is a finite number and not a code such as 007 or 9007199254740993
}

// nameWords are what headers call the column that names vertices, in order of
// preference.
var nameWords = []string{"name", "vertex", "id", "label", "station", "node"}

// DecodeVertices reads a table about vertices from a stream, in any format that
// [ReadsVertexTables]: a header, then a row for each vertex. Vertices are named by
// the first column called name, vertex, id, label, station or node, in any case,
// that names no two alike; without a column called so, by the first of all.
// name stands for the file in errors; an empty f means its extension. Everything wrong
// with the file is an [input.Error].
func DecodeVertices(r io.Reader, name string, f Format) (*VertexTable, error) {
	c, err := chooseCodec(name, f, ReadsVertexTables)
	if err != nil {
		return nil, err
	}
	t, err := c.readVertices(r)
	if err != nil {
		return nil, inFile(name, err)
	}
	t.file = name
	return t, nil
}

func (c *codec) readVertices(r io.Reader) (*VertexTable, error) {
	return readContent(c, r, c.decodeVertices)
}

// readVertexTable reads a header and a row for each vertex.
func readVertexTable(rows *rowReader) (*VertexTable, error) {
	cells, lines, err := rows.all()
	if err != nil {
		return nil, err
	}
	if err := checkVertexHeader(cells[0], lines[0], rows); err != nil {
		return nil, err
	}
	if len(cells) == 1 {
		return nil, faultAt(lines[0], 0, "there is a header but no vertex below it")
	}
	t := &VertexTable{}
	for c, name := range cells[0] {
		text := make([]string, len(cells)-1)
		for i, row := range cells[1:] {
			text[i] = row[c]
		}
		t.Columns = append(t.Columns, newVertexColumn(name, text, rows.decimalComma()))
	}
	c, err := t.naming(lines[1:])
	if err != nil {
		return nil, err
	}
	t.nameBy(c)
	if cells[0][0] == "" && c > 0 { // the row numbers of a data frame
		t.Columns = t.Columns[1:]
	}
	return t, nil
}

// naming returns the column to name vertices by. Their lines come for errors.
func (t *VertexTable) naming(lines []int) (int, error) {
	var columns []int
	for _, word := range nameWords {
		if c := t.find(word); c >= 0 {
			columns = append(columns, c)
		}
	}
	if columns == nil {
		columns = []int{0}
	}
	for _, c := range columns {
		err := distinct(t.Columns[c].Text, func(i int) (string, int, int) { return place(lines[i], c+1), lines[i], c + 1 })
		if err == nil {
			return c, nil
		}
		if t.duplicate == nil {
			t.duplicate = err
		}
	}
	return 0, t.duplicate
}

// all returns every row as cells, all of the same number, and their lines.
func (r *rowReader) all() (cells [][]string, lines []int, err error) {
	for {
		row, line, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if len(cells) > 0 && len(row) != len(cells[0]) {
			return nil, nil, faultAt(line, 0, "this row has %s where line %d has %d: give every row the same number of cells",
				words.Plural(len(row), "cell"), lines[0], len(cells[0]))
		}
		if len(cells) > maxVertices {
			return nil, nil, faultAt(line, 0, "there are more than %d vertices", maxVertices)
		}
		cells, lines = append(cells, slices.Clone(row)), append(lines, line)
	}
	if len(cells) == 0 {
		return nil, nil, fault("the file is empty")
	}
	return cells, lines, nil
}

// checkVertexHeader refuses a first row that cannot be a header. Columns may be
// called by a number, such as a year, if the first one has a usual name.
func checkVertexHeader(header []string, line int, r *rowReader) error {
	usual := slices.ContainsFunc(nameWords, func(word string) bool { return strings.EqualFold(word, header[0]) })
	if !usual && !slices.ContainsFunc(header[min(1, len(header)-1):], r.isText) {
		return faultAt(line, 0, "there is no header: name the columns in the first row, such as name,lat,lon")
	}
	seen := map[string]int{}
	for c, name := range header {
		if name == "" && c > 0 {
			return faultAt(line, c+1, "a column has no name here: name it, or leave it out")
		}
		if first, twice := seen[name]; twice {
			return faultAt(line, c+1, "the column name %s is given twice, the first time in column %d: names must differ", quote(name), first+1)
		}
		seen[name] = c
	}
	return nil
}

func newVertexColumn(name string, text []string, decimalComma bool) VertexColumn {
	c := VertexColumn{Name: name, Text: text}
	numbers, some := make([]float64, len(text)), false
	for i, cell := range text {
		cell = strings.TrimSpace(cell)
		v, k := parseNumber(cell, decimalComma)
		if k == isText || math.IsInf(v, 0) || isCode(cell, v) {
			return c
		}
		numbers[i], some = v, some || k == isNumber
	}
	if some {
		c.Numbers = numbers
	}
	return c
}

// isCode tells a cell whose digits would not survive as the number v: zeros lead
// them, or there are more than a float64 holds.
func isCode(cell string, v float64) bool {
	if len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9' {
		return true
	}
	return math.Abs(v) >= 1<<53 && strings.Trim(cell, "0123456789+-") == ""
}

// find returns the column of a name in any case, or −1.
func (t *VertexTable) find(name string) int {
	return slices.IndexFunc(t.Columns, func(c VertexColumn) bool { return strings.EqualFold(c.Name, name) })
}

// nameBy takes the names of vertices from column c, which is one no longer.
func (t *VertexTable) nameBy(c int) {
	t.Names, t.nameColumn = t.Columns[c].Text, t.Columns[c].Name
	t.Columns = slices.Delete(slices.Clone(t.Columns), c, c+1)
}
