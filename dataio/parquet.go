package dataio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/internal/codec/parquet"
)

var _ = register(codec{
	format: Parquet, Description: Description{Name: "Parquet file", MediaType: "application/vnd.apache.parquet"}, rank: 110,
	has:        []Capability{KeepsNames},
	signature:  signature{parquet.Magic, "a Parquet file", "name it .parquet"},
	seeks:      true,
	openBlocks: openParquetBlocks,
})

// A parquetTable is a file whose columns of numbers are signals.
type parquetTable struct {
	file    *parquet.File
	size    int64
	options ReadOptions
	rows    int
	columns []parquet.Column
	label   *parquet.Column // whose text labels the rows, or nil
	times   []time.Time     // of the rows, or nil
	clock   string          // a column of times of day
	clocks  []string        // these, or nil
	notes   []string
}

func openParquet(at io.ReaderAt, size int64, o ReadOptions) (*parquetTable, error) {
	f, err := parquet.Open(at, size)
	if err != nil {
		return nil, parquetFault(err)
	}
	return &parquetTable{file: f, size: size, options: o, rows: int(min(max(f.Rows, 0), maxValues+1))}, nil
}

// vertexNames returns the names of the columns that are signals.
func (t *parquetTable) vertexNames() ([]string, error) {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.Name)
	}
	return names, checkNames(names, func(i int) string { return fmt.Sprintf("column %d", i+1) })
}

// openParquetBlocks opens a Parquet file: each column of numbers is a vertex, or an
// observation if vertices are in rows. What pandas stored as the index of the frame, a
// first column of text, and columns of times label the rows.
func openParquetBlocks(at io.ReaderAt, size int64, o ReadOptions) (*blocks, error) {
	t, err := openParquet(at, size, o)
	if err != nil {
		return nil, err
	}
	if b, err := t.longBlocks(); b != nil || err != nil {
		return b, err
	}
	if err := t.sort(); err != nil {
		return nil, err
	}
	b := &blocks{
		array:    array{rows: t.rows, cols: len(t.columns)},
		vertices: len(t.columns),
		signals:  t.rows,
		times:    t.times,
		notes:    t.notes,
	}
	b.read = func(yield func(from int, y *mat.Dense) bool) error {
		return t.blocks(blockSignals(len(t.columns)), yield)
	}
	b.pick = t.pick
	if b.names, err = t.vertexNames(); err != nil || !o.Transpose {
		return b, err
	}
	b.vertices, b.signals, b.times, b.names, b.read, b.pick = b.signals, b.vertices, nil, nil, t.eachColumn, nil
	if t.label != nil {
		if b.names, err = t.file.Texts(*t.label); err != nil {
			return nil, inColumn(*t.label, err)
		}
		b.notes, err = nil, checkNames(b.names, func(i int) string { return fmt.Sprintf("row %d", i+1) })
	}
	return b, err
}

// pick reads some rows as signals, column by column.
func (t *parquetTable) pick(chosen []int) (*mat.Dense, error) {
	y := mat.NewDense(len(t.columns), len(chosen), nil)
	var values []float64
	for i, c := range t.columns {
		var err error
		if values, err = t.file.Numbers(c, values[:0]); err != nil {
			return nil, inColumn(c, err)
		}
		row := y.RawRowView(i)
		for k, m := range chosen {
			row[k] = values[m]
		}
	}
	return y, nil
}

// eachColumn hands out the columns as signals.
func (t *parquetTable) eachColumn(yield func(from int, y *mat.Dense) bool) error {
	for k, c := range t.columns {
		values, err := t.file.Numbers(c, nil)
		if err != nil {
			return inColumn(c, err)
		}
		if !yield(k, mat.NewDense(t.rows, 1, values)) {
			break
		}
	}
	return nil
}

// blocks hands out the rows as signals, some at a time.
func (t *parquetTable) blocks(some int, yield func(from int, y *mat.Dense) bool) (err error) {
	readers := make([]*parquet.Reader, len(t.columns))
	for i, c := range t.columns {
		readers[i] = t.file.Reader(c)
	}
	defer func() {
		for i, r := range readers {
			if fault := r.Close(); fault != nil && err == nil {
				err = inColumn(t.columns[i], fault)
			}
		}
	}()
	for from := 0; from < t.rows; from += some {
		y := mat.NewDense(len(t.columns), min(some, t.rows-from), nil)
		for i, r := range readers {
			if err := r.Read(y.RawRowView(i)); err != nil {
				return inColumn(t.columns[i], err)
			}
		}
		if !yield(from, y) {
			return nil
		}
	}
	return nil
}

// parquetFault puts into words what is wrong with a Parquet file.
func parquetFault(err error) error {
	if e, ok := errors.AsType[*parquet.CompressionError](err); ok {
		return fault("compression by %s cannot be read: write the file with snappy, gzip or zstd", e.Codec)
	}
	if errors.Is(err, parquet.ErrDamaged) || errors.Is(err, parquet.ErrPages) {
		return fault("this is not a Parquet file, or it is damaged: write it again with pandas.DataFrame.to_parquet")
	}
	return err
}

// inColumn says in which column something is wrong, unless it is the whole file.
func inColumn(c parquet.Column, err error) error {
	if errors.Is(err, parquet.ErrDamaged) {
		return parquetFault(err)
	}
	return inPart("column", c.Name, parquetFault(err))
}

// sort sorts columns into those of numbers, the one whose text labels rows, if there is
// one, the times of the rows, and others that are left out with a note.
func (t *parquetTable) sort() error {
	index := pandasIndex(t.file)
	chosen, err := t.chosen()
	if err != nil {
		return err
	}
	parts, joined, err := t.joinTimes(chosen)
	if err != nil {
		return err
	}
	var vertices []int
	for k, c := range t.file.Columns {
		if slices.Contains(joined.Columns, k) {
			continue
		}
		isIndex, named := slices.Contains(index, c.Name), parse.SaysTime(c.Name)
		var times []time.Time
		var err error
		isLabel := isIndex || c.Kind == parquet.Time || c.Kind == parquet.Text && (k == 0 && len(t.file.Columns) > 1 || named)
		if isLabel || named && c.Kind == parquet.Number {
			var label bool
			if times, label, err = t.timesOf(c); err != nil {
				return inColumn(c, err)
			}
			isLabel = isLabel || label
		} else if k == 0 && c.Kind == parquet.Number && len(t.file.Columns) > 2 && parse.IsRowCounter(c.Name) {
			if isLabel, err = t.countsRows(c); err != nil {
				return inColumn(c, err)
			}
		}
		if times != nil && areCoarser(times, joined.Times) {
			times = nil
		}
		switch {
		case isLabel:
			t.addLabel(c, times)
		case chosen != nil && !chosen[k]:
		case c.Kind == parquet.Nested:
			return fault("column %s holds lists or records, not numbers: leave it out", quote(c.Name))
		case c.Kind == parquet.Text:
			return fault("column %s holds text, not numbers: leave it out", quote(c.Name))
		case c.Kind == parquet.Other:
			return fault("column %s holds %s, not numbers: convert it, or leave it out", quote(c.Name), c.Type)
		default:
			vertices, t.columns = append(vertices, k), append(t.columns, c)
		}
	}
	switch {
	case len(t.columns) == 0:
		return fault("there is no column of numbers")
	case t.rows == 0:
		return fault("there is a header but no row of numbers")
	}
	if err := t.checkRows(len(t.columns)); err != nil {
		return err
	}
	switch {
	case joined.Times != nil && t.times == nil:
		t.times = joined.Times
		t.notes = append(t.notes, columnsRead(parts.names, joined.Columns))
	case joined.Times != nil:
		note(&t.notes, "%s are treated as row labels", columnsOfNames(parts.names, joined.Columns))
	}
	switch {
	case t.clocks == nil:
	case t.times != nil && areDays(t.times):
		t.times = addClocks(t.times, t.clocks)
		note(&t.notes, "the times of day are those of column %s", quote(t.clock))
	default:
		note(&t.notes, "column %s is treated as row labels", quote(t.clock))
	}
	if note := parts.unread(joined, vertices); note != "" {
		t.notes = append(t.notes, note)
	}
	return t.refuseTimesAsNames(chosen)
}

// refuseTimesAsNames refuses names that are times or years above rows that are labelled by text, as a table of text does.
func (t *parquetTable) refuseTimesAsNames(chosen []bool) error {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.Name)
	}
	what := timesAmong(names)
	if what == "" || t.options.Transpose || chosen != nil || t.label == nil || t.times != nil || t.clocks != nil {
		return nil
	}
	e := fault("%s", rowsAreVertices(what, names))
	e.Option = "transpose"
	return e
}

// joinTimes joins the columns of the parts of times.
func (t *parquetTable) joinTimes(chosen []bool) (partColumns, parse.Joined, error) {
	date := -1
	var err error
	try := func(c parquet.Column, read func() error) {
		if err == nil {
			err = t.checkRows(1)
		}
		if err == nil {
			err = inColumn(c, read())
		}
	}
	parts := partColumns{
		names: t.names(), values: chosen,
		numbers: func(k int) (values []float64) {
			if c := t.file.Columns[k]; c.Kind == parquet.Number {
				try(c, func() (err error) { values, err = t.file.Numbers(c, nil); return err })
			}
			return values
		},
		texts: func(k int) (cells []string) {
			if c := t.file.Columns[k]; c.Kind == parquet.Text {
				try(c, func() (err error) { cells, err = t.file.Texts(c); return err })
			}
			return cells
		},
		days: func() []time.Time {
			for k, c := range t.file.Columns {
				if c.Kind != parquet.Time && c.Kind != parquet.Text && !parse.SaysTime(c.Name) {
					continue
				}
				var times []time.Time
				if try(c, func() (err error) { times, _, err = t.timesOf(c); return err }); times != nil && areDays(times) {
					date = k
					return times
				}
			}
			return nil
		},
	}
	joined := parts.join()
	if err == nil && joined.Bad != nil {
		err = fault("row %d: %s", joined.Bad.Row+1, parts.whyBad(joined.Bad))
	}
	if joined.Columns != nil && date >= 0 {
		joined.Columns = append(joined.Columns, date)
	}
	return parts, joined, err
}

// names returns those of all columns.
func (t *parquetTable) names() []string {
	var names []string
	for _, c := range t.file.Columns {
		names = append(names, c.Name)
	}
	return names
}

// chosen reports which columns are to be read; nil for all.
func (t *parquetTable) chosen() ([]bool, error) {
	if t.options.Columns == nil {
		return nil, nil
	}
	names := t.names()
	list := make([]bool, len(names))
	for _, what := range t.options.Columns {
		from, to, err := columnsCalled(what, names)
		if err != nil {
			return nil, err
		}
		for k := from; k <= to; k++ {
			list[k] = true
		}
	}
	return list, nil
}

// addLabel takes a column for one of labels, or of the times of the rows if it is the
// first that has them.
func (t *parquetTable) addLabel(c parquet.Column, times []time.Time) {
	if c.Kind == parquet.Text && t.label == nil {
		t.label = &c
	}
	isTime := times != nil && t.times == nil
	if isTime {
		t.times = times
	}
	switch unnamed := strings.HasPrefix(c.Name, "__index_level_"); {
	case t.clocks != nil && c.Name == t.clock: // which may belong to days that are found later
	case isTime && unnamed:
		note(&t.notes, "the index of the frame is read as the times of the observations")
	case isTime:
		note(&t.notes, "column %s is read as the times of the observations", quote(c.Name))
	case !unnamed:
		note(&t.notes, "column %s is treated as row labels", quote(c.Name))
	}
}

// countsRows reports whether a column counts the rows, as it may in text files.
func (t *parquetTable) countsRows(c parquet.Column) (bool, error) {
	if err := t.checkRows(1); err != nil {
		return false, err
	}
	values, err := t.file.Numbers(c, nil)
	return err == nil && parse.CountsByOne(values), err
}

// timesOf reads a column as times, nil if it has others or lacks some. For numbers it
// reports whether they are labels at least.
func (t *parquetTable) timesOf(c parquet.Column) (times []time.Time, label bool, err error) {
	if err := t.checkRows(1); err != nil {
		return nil, false, err
	}
	switch c.Kind {
	case parquet.Time:
		if !c.Dated() {
			return nil, true, nil
		}
		if times, err = t.file.Times(c); slices.ContainsFunc(times, time.Time.IsZero) {
			times = nil
		}
	case parquet.Text:
		var texts []string
		if texts, err = t.file.Texts(c); err == nil {
			if times, _ = parse.Times(texts); areClocks(texts) {
				t.clock, t.clocks = c.Name, texts
			}
		}
	case parquet.Number:
		var values []float64
		if values, err = t.file.Numbers(c, nil); err == nil {
			times, label = parse.NumbersAsTimes(values)
			label = label && (times != nil || len(t.file.Columns) > 2)
		}
	}
	return times, label, err
}

// checkRows refuses a file that claims more values in that many columns than can be read,
// or than its size speaks for.
func (t *parquetTable) checkRows(columns int) error {
	if err := t.options.checkSize(t.rows, columns, fmt.Sprintf("%d×%d", t.file.Rows, columns)); err != nil {
		return err
	}
	return checkGrowth(int64(t.rows)*int64(columns), t.size)
}

// pandasIndex returns the columns that pandas keeps the index of a frame in.
func pandasIndex(f *parquet.File) []string {
	names := []string{"__index_level_0__"}
	var frame struct {
		Columns []any `json:"index_columns"` // names, or objects for what is not stored
	}
	if json.Unmarshal([]byte(f.Metadata("pandas")), &frame) == nil {
		for _, c := range frame.Columns {
			if name, ok := c.(string); ok {
				names = append(names, name)
			}
		}
	}
	return names
}
