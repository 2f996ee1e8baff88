package dataio

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
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

// IsMissing reports whether nothing is known of vertex i, or as much as NA.
func (c VertexColumn) IsMissing(i int) bool { return parse.IsMissing(c.Text[i]) }

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
	t, err := readContent(c, r, c.decodeVertices)
	if err != nil {
		return nil, inFile(name, err)
	}
	t.file = name
	return t, nil
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
	err = r.each(func(row []string, line int) error {
		if len(cells) > 0 && len(row) != len(cells[0]) {
			return faultAt(line, 0, "this row has %s where line %d has %d: give every row the same number of cells",
				words.Plural(len(row), "cell"), lines[0], len(cells[0]))
		}
		if len(cells) > maxVertices {
			return faultAt(line, 0, "there are more than %d vertices", maxVertices)
		}
		cells, lines = append(cells, slices.Clone(row)), append(lines, line)
		return nil
	})
	if err == nil && len(cells) == 0 {
		err = fault("the file is empty")
	}
	return cells, lines, err
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
			return faultAt(line, c+1,
				"the column name %s is given twice, the first time in column %d: names must differ", quote(name),
				first+1)
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
		v, k := parse.Cell(cell, decimalComma)
		if k == parse.Text || math.IsInf(v, 0) || isCode(cell, v) {
			return c
		}
		numbers[i], some = v, some || k == parse.Number
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

// For returns the table with a row for each of names, in that order, and how
// many of them it does not know. If it knows none of them, but another column
// that names vertices does, such as id beside name, that one counts; if there is
// none either, the error is an [input.Error]. t is not changed.
func (t *VertexTable) For(names []string) (of *VertexTable, missing int, err error) {
	rows, by := t.rowsOf(names), t
	if rows == nil {
		if by, rows = t.namedByOtherColumn(names); rows == nil {
			if t.duplicate != nil {
				return nil, 0, inFile(t.file, t.duplicate)
			}
			first := func(names []string) string { return quote(strings.Join(names[:min(len(names), 1)], "")) }
			return nil, 0, inFile(t.file,
				fault("it knows none of the %d vertices (%s, …): its vertices are called %s, …", len(names), first(names), first(t.Names)))
		}
	}
	of = &VertexTable{Names: slices.Clone(names), file: t.file}
	for _, c := range by.Columns {
		one := VertexColumn{Name: c.Name, Text: make([]string, len(names))}
		if c.Numbers != nil {
			one.Numbers = slices.Repeat([]float64{math.NaN()}, len(names))
		}
		for i, from := range rows {
			if from < 0 {
				continue
			}
			if one.Text[i] = c.Text[from]; c.Numbers != nil {
				one.Numbers[i] = c.Numbers[from]
			}
		}
		of.Columns = append(of.Columns, one)
	}
	for _, from := range rows {
		if from < 0 {
			missing++
		}
	}
	return of, missing, nil
}

// rowsOf returns the row of each of names, −1 where the table does not know it; nil if it
// knows none.
func (t *VertexTable) rowsOf(names []string) []int {
	row := make(map[string]int, len(t.Names))
	for i, name := range t.Names {
		row[name] = i
	}
	rows, some := make([]int, len(names)), false
	for i, name := range names {
		from, known := row[name]
		if !known {
			from = -1
		}
		rows[i], some = from, some || known
	}
	if !some {
		return nil
	}
	return rows
}

// namedByOtherColumn returns the table with its vertices named by another column
// with a usual name, one that knows some of names and does not name two vertices
// alike, and where it has them; nil if there is none.
func (t *VertexTable) namedByOtherColumn(names []string) (*VertexTable, []int) {
	for _, word := range nameWords {
		c := t.find(word)
		if c < 0 {
			continue
		}
		other := &VertexTable{Columns: t.Columns, file: t.file}
		if other.nameBy(c); t.nameColumn != "" {
			other.Columns = append([]VertexColumn{newVertexColumn(t.nameColumn, t.Names, false)}, other.Columns...)
		}
		alike := distinct(other.Names, func(i int) (string, int, int) { return strconv.Itoa(i), 0, 0 }) != nil
		if rows := other.rowsOf(names); rows != nil && !alike {
			return other, rows
		}
	}
	return nil, nil
}

// Places returns where the vertices lie in the plane, y pointing up, from
// columns of latitude and longitude (lat or latitude; lon, lng, long or
// longitude; degrees) or else from columns x and y. Degrees are drawn to scale:
// x is the longitude times the cosine of the mean latitude, and geographic is
// true. Where a place is not known, both are NaN. Unless at least two are, ok is
// false and the rest nil.
func (t *VertexTable) Places() (x, y []float64, geographic, ok bool) {
	lat := t.numbers(90, "lat", "latitude")
	lon := t.numbers(360, "lon", "lng", "long", "longitude")
	if x, y, ok = pairs(lon, lat); ok {
		mean, known := 0.0, 0
		for _, v := range y {
			if !math.IsNaN(v) {
				mean += v
				known++
			}
		}
		stretch := math.Cos(mean / float64(known) * math.Pi / 180)
		for i := range x {
			x[i] *= stretch
		}
		return x, y, true, true
	}
	x, y, ok = pairs(t.numbers(math.MaxFloat64, "x"), t.numbers(math.MaxFloat64, "y"))
	return x, y, false, ok
}

// numbers returns the first column of numbers with one of the names, in any
// case, or nil if there is none or a number in it is larger than most.
func (t *VertexTable) numbers(most float64, names ...string) []float64 {
	for _, name := range names {
		c := t.find(name)
		if c < 0 || t.Columns[c].Numbers == nil {
			continue
		}
		for _, v := range t.Columns[c].Numbers {
			if math.Abs(v) > most {
				return nil
			}
		}
		return t.Columns[c].Numbers
	}
	return nil
}

// pairs copies two columns and leaves a vertex that lacks one without both.
func pairs(a, b []float64) (x, y []float64, ok bool) {
	if a == nil || b == nil {
		return nil, nil, false
	}
	x, y = make([]float64, len(a)), make([]float64, len(a))
	known := 0
	for i := range a {
		x[i], y[i] = math.NaN(), math.NaN()
		if !math.IsNaN(a[i]) && !math.IsNaN(b[i]) {
			x[i], y[i] = a[i], b[i]
			known++
		}
	}
	if known < 2 {
		return nil, nil, false
	}
	return x, y, true
}

// WithPlaces returns the table with columns x and y of where the vertices lie in the
// plane, y pointing up.
func (t VertexTable) WithPlaces(places [][2]float64) *VertexTable {
	for c, name := range []string{"x", "y"} {
		column := VertexColumn{Name: name}
		for _, place := range places {
			column.Text, column.Numbers = append(column.Text, formatNumber(place[c])), append(column.Numbers, place[c])
		}
		t.Columns = append(slices.Clip(t.Columns), column)
	}
	return &t
}

// Encode writes the table as CSV, which [DecodeVertices] reads: the names first,
// then its columns, as they are written.
func (t *VertexTable) Encode(w io.Writer) error {
	rows := [][]string{{cmp.Or(t.nameColumn, nameWords[0])}}
	for _, name := range t.Names {
		rows = append(rows, []string{name})
	}
	for _, c := range t.Columns {
		rows[0] = append(rows[0], c.Name)
		for i, cell := range c.Text {
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// columns returns those of a table, none of one that is nil.
func (t *VertexTable) columns() []VertexColumn {
	if t == nil {
		return nil
	}
	return t.Columns
}

// valuesOf returns the columns of the table that have a value for vertex i, each
// value as it is to be written.
func (t *VertexTable) valuesOf(i int) (columns []int, values []string) {
	for k, c := range t.columns() {
		switch {
		case c.Numbers == nil && c.Text[i] != "":
			columns, values = append(columns, k), append(values, c.Text[i])
		case c.Numbers != nil && !math.IsNaN(c.Numbers[i]):
			columns, values = append(columns, k), append(values, formatNumber(c.Numbers[i]))
		}
	}
	return columns, values
}
