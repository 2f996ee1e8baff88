package dataio

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/parquet"
	"github.com/nervure/nervure/internal/words"
)

// A Parquet file with a row for each value is read as such a table of text: few columns, one of which names what the
// values are of.

// longBlocks reads the file as a table with a row for each value; nil if it is none.
func (t *parquetTable) longBlocks() (*blocks, error) {
	if !t.mayBeLong() {
		return nil, nil
	}
	table, err := t.table()
	if table == nil || err != nil {
		return nil, err
	}
	o := t.options
	o.Names, o.Times = nil, nil // those that are given beside a file are joined to what was read
	if err := table.choose(o.Columns, 1); err != nil {
		return nil, err
	}
	index := pandasIndex(t.file)
	for k, c := range t.file.Columns {
		if c.Kind == parquet.Number && slices.Contains(index, c.Name) {
			table.leave(k)
		}
	}
	if err := table.joinTimes(1); err != nil {
		return nil, err
	}
	s, err := table.long(1, o)
	if s == nil || err != nil {
		return nil, err
	}
	n, m := s.Y.Dims()
	return &blocks{
		array: array{rows: m, cols: n}, names: s.Names, times: s.Times, notes: s.Notes, vertices: n, signals: m,
		read: func(yield func(from int, y *mat.Dense) bool) error {
			yield(0, s.Y)
			return nil
		},
	}, nil
}

// mayBeLong reports whether the file can be read at once, columns are few enough, and one of them may name what values
// are of.
func (t *parquetTable) mayBeLong() bool {
	const fewest, most = 3, 12
	columns, whole := t.file.Columns, *t
	whole.options.parts = false
	return !t.options.Transpose && whole.checkRows(len(columns)) == nil && len(columns) >= fewest && len(columns) <= most &&
		slices.ContainsFunc(columns, func(c parquet.Column) bool {
			return c.Kind == parquet.Text || saysOneOf(c.Name, keyWords) || namesIdentifiers(c.Name)
		})
}

// table returns the file as a table of text with a header; nil if some columns are neither numbers nor text nor times.
func (t *parquetTable) table() (*table, error) {
	width := len(t.file.Columns)
	x := &table{
		width:    width,
		firstRow: t.names(),
		sheet:    true,
		text:     map[int][]string{},
		words:    map[int][]string{},
		value:    make([]float64, (t.rows+1)*width),
	}
	for k := range x.value {
		x.value[k] = math.NaN()
	}
	for r := range t.rows + 1 {
		x.line = append(x.line, r) // the header has no number
	}
	x.firstColumn = make([]string, t.rows+1)
	x.firstColumn[0] = x.firstRow[0]
	for c, column := range t.file.Columns {
		var cells []string
		switch column.Kind {
		case parquet.Number:
			values, err := t.file.Numbers(column, nil)
			if err != nil {
				return nil, inColumn(column, err)
			}
			for r, v := range values {
				if x.value[(r+1)*width+c] = v; c == 0 && v == v {
					x.firstColumn[r+1] = formatNumber(v)
				}
			}
			continue
		case parquet.Text:
			texts, err := t.file.Texts(column)
			if err != nil {
				return nil, inColumn(column, err)
			}
			cells = texts
		case parquet.Time:
			if !column.Dated() {
				return nil, nil
			}
			times, err := t.file.Times(column)
			if err != nil {
				return nil, inColumn(column, err)
			}
			for _, at := range times {
				cell := ""
				if !at.IsZero() {
					cell = words.Time(at)
				}
				cells = append(cells, cell)
			}
		default:
			return nil, nil
		}
		if cells = slices.Insert(cells, 0, column.Name); c == 0 {
			x.firstColumn = cells
		} else {
			x.words[c] = cells
		}
	}
	return x, nil
}
