package dataio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/parquet"
	"github.com/nervure/nervure/signals"
)

// Parquet is a table in columns, as pandas writes it. It is only read: columns of
// numbers are vertices; what pandas keeps the index of a frame in, columns of times
// and a first column of text label the rows.
const Parquet Format = "parquet"

var _ = register(codec{
	format: Parquet, Description: Description{Name: "Parquet file", MediaType: "application/vnd.apache.parquet"}, rank: 110,
	has:           []Capability{KeepsNames},
	signature:     signature{parquet.Magic, "a Parquet file", "name it .parquet"},
	seeks:         true,
	decodeSignals: decodeParquetSignals,
	openBlocks:    openParquetBlocks,
})

// decodeParquetSignals reads signals from a Parquet file: each column of numbers
// is a vertex, or an observation if vertices are in rows. What pandas stored as the
// index of the frame, a first column of text, and columns of times label the rows.
func decodeParquetSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	t, err := openParquet(at, size, o)
	if err != nil {
		return nil, err
	}
	f, label, notes := t.file, t.label, t.notes
	a := &array{rows: t.rows, cols: len(t.columns), byColumn: true}
	for k, c := range t.columns {
		if a.value, err = f.Numbers(c, a.value); err != nil {
			return nil, inColumn(c, err)
		}
		if k == 0 { // as many again for each other column: the first has shown that they are there
			a.value = slices.Grow(a.value, (a.cols-1)*a.rows)
		}
	}
	names, err := t.names()
	if err != nil {
		return nil, err
	}
	if o.Transpose {
		if names = nil; label != nil {
			if names, err = f.Texts(*label); err != nil {
				return nil, inColumn(*label, err)
			}
			if err := checkNames(names, func(i int) string { return fmt.Sprintf("row %d", i+1) }); err != nil {
				return nil, err
			}
			notes = nil
		}
	}
	s, err := a.signals(names, o)
	if err != nil {
		return nil, err
	}
	s.Notes = append(notes, s.Notes...)
	return s, nil
}

// A parquetTable is a file whose columns of numbers are signals.
type parquetTable struct {
	file    *parquet.File
	rows    int
	columns []parquet.Column
	label   *parquet.Column // whose text labels the rows, or nil
	notes   []string
}

func openParquet(at io.ReaderAt, size int64, o ReadOptions) (*parquetTable, error) {
	f, err := parquet.Open(at, size)
	if err != nil {
		return nil, parquetFault(err)
	}
	t := &parquetTable{file: f}
	if t.columns, t.label, t.notes, err = parquetColumns(f); err != nil {
		return nil, err
	}
	if f.Rows <= 0 {
		return nil, fault("there is a header but no row of numbers")
	}
	t.rows = int(min(f.Rows, maxValues+1))
	if err := o.checkSize(t.rows, len(t.columns), fmt.Sprintf("%d×%d", f.Rows, len(t.columns))); err != nil {
		return nil, err
	}
	return t, checkGrowth(int64(t.rows)*int64(len(t.columns)), size)
}

// names returns those of the columns.
func (t *parquetTable) names() ([]string, error) {
	var names []string
	for _, c := range t.columns {
		names = append(names, c.Name)
	}
	return names, checkNames(names, func(i int) string { return fmt.Sprintf("column %d", i+1) })
}

// openParquetBlocks opens a Parquet file whose rows are read by blocks.
func openParquetBlocks(at io.ReaderAt, size int64, o ReadOptions) (*blocks, error) {
	t, err := openParquet(at, size, o)
	if err != nil {
		return nil, err
	}
	b := &blocks{array: array{rows: t.rows, cols: len(t.columns)}, vertices: len(t.columns), signals: t.rows, notes: t.notes}
	b.read = func(yield func(from int, y *mat.Dense) bool) error {
		return t.blocks(blockSignals(len(t.columns)), yield)
	}
	if o.Transpose {
		b.vertices, b.signals = t.rows, 0 // a block would be columns: all are read at once
	}
	b.names, err = t.names()
	return b, err
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

// parquetColumns sorts columns into those of numbers, the one whose text labels
// rows, if there is one, and others that are left out with a note.
func parquetColumns(f *parquet.File) (numbers []parquet.Column, label *parquet.Column, notes []string, err error) {
	index := pandasIndex(f)
	for k, c := range f.Columns {
		isLabel := slices.Contains(index, c.Name) || c.Kind == parquet.Time || c.Kind == parquet.Text && k == 0 && len(f.Columns) > 1
		switch {
		case isLabel:
			if c.Kind == parquet.Text && label == nil {
				label = &c
			}
			if !strings.HasPrefix(c.Name, "__index_level_") {
				notes = append(notes, fmt.Sprintf("column %s is treated as row labels", quote(c.Name)))
			}
		case c.Kind == parquet.Nested:
			return nil, nil, nil, fault("column %s holds lists or records, not numbers: leave it out", quote(c.Name))
		case c.Kind == parquet.Text:
			return nil, nil, nil, fault("column %s holds text, not numbers: leave it out", quote(c.Name))
		case c.Kind == parquet.Other:
			return nil, nil, nil, fault("column %s holds %s, not numbers: convert it, or leave it out", quote(c.Name), c.Type)
		default:
			numbers = append(numbers, c)
		}
	}
	if len(numbers) == 0 {
		return nil, nil, nil, fault("there is no column of numbers")
	}
	return numbers, label, notes, nil
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
