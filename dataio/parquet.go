package dataio

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// decodeParquet reads signals from a Parquet file: each column of numbers is a
// vertex, or an observation if vertices are in rows. What pandas stored as the
// index of the frame, a first column of text, and columns of times label the
// rows.
func decodeParquet(r io.Reader, o ReadOptions) (s *signals.Set, err error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	defer func() {
		if recover() != nil { // the library is not made for damaged files
			s, err = nil, parquetDamaged()
		}
	}()
	f, err := openParquet(at, size)
	if err != nil {
		return nil, err
	}
	columns, label, notes, err := parquetColumns(f)
	if err != nil {
		return nil, err
	}
	rows := f.NumRows()
	if rows <= 0 {
		return nil, fault("there is a header but no row of numbers")
	}
	if rows > maxValues {
		rows = maxValues + 1
	}
	if err := o.checkSize(int(rows), len(columns), fmt.Sprintf("%d×%d", f.NumRows(), len(columns))); err != nil {
		return nil, err
	}
	if err := checkGrowth(rows*int64(len(columns)), size); err != nil {
		return nil, err
	}
	a := &array{rows: int(rows), cols: len(columns), fortran: true}
	var names []string
	for _, c := range columns {
		if a.value, err = readParquetColumn(f, at, c, a.value); err != nil {
			return nil, inColumn(c.Name(), err)
		}
		names = append(names, c.Name())
	}
	if err := checkNames(names, func(i int) string { return fmt.Sprintf("column %d", i+1) }); err != nil {
		return nil, err
	}
	if o.Transpose {
		if names = graph.DefaultNames(a.rows); label != nil {
			if names, err = readParquetText(f, at, label); err != nil {
				return nil, inColumn(label.Name(), err)
			}
			if err := checkNames(names, func(i int) string { return fmt.Sprintf("row %d", i+1) }); err != nil {
				return nil, err
			}
			notes = nil
		}
	}
	if s, err = a.signals(names, o.Transpose); err != nil {
		return nil, err
	}
	s.Notes = append(notes, s.Notes...)
	return s, nil
}

func parquetDamaged() *input.Error {
	return fault("this is not a Parquet file, or it is damaged: write it again with pandas.DataFrame.to_parquet")
}

func inColumn(name string, err error) error {
	if e, ok := err.(*input.Error); ok { //nolint:errorlint // only our own, as it is
		e.Msg = "column " + quote(name) + ": " + e.Msg
	}
	return err
}

// openParquet reads what stands at the end of the file.
func openParquet(at io.ReaderAt, size int64) (*parquet.File, error) {
	if size == 0 {
		return nil, fault("the file is empty")
	}
	end := make([]byte, 8)
	if size < 12 {
		return nil, parquetDamaged()
	}
	if _, err := at.ReadAt(end, size-8); err != nil {
		return nil, err
	}
	if int64(binary.LittleEndian.Uint32(end)) > size-12 { // what the library would allocate
		return nil, parquetDamaged()
	}
	f, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, parquetDamaged()
	}
	return f, nil
}

// parquetColumns sorts columns into those of numbers, the one whose text labels
// rows, if there is one, and others that are left out with a note.
func parquetColumns(f *parquet.File) (numbers []*parquet.Column, label *parquet.Column, notes []string, err error) {
	index := pandasIndex(f)
	for k, c := range f.Root().Columns() {
		text, time := isParquetText(c), isParquetTime(c)
		switch {
		case slices.Contains(index, c.Name()), time, text && k == 0 && len(f.Root().Columns()) > 1:
			if text && label == nil {
				label = c
			}
			if !strings.HasPrefix(c.Name(), "__index_level_") {
				notes = append(notes, fmt.Sprintf("column %s taken as labels of the observations", quote(c.Name())))
			}
		case !c.Leaf() || c.Repeated():
			return nil, nil, nil, fault("column %s holds lists or records, not numbers: leave it out", quote(c.Name()))
		case text:
			return nil, nil, nil, fault("column %s holds text, not numbers: leave it out", quote(c.Name()))
		case parquetNumber(c) == nil:
			return nil, nil, nil, fault("column %s holds %s, not numbers: convert it, or leave it out", quote(c.Name()), c.Type())
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
	text, _ := f.Lookup("pandas")
	var frame struct {
		Columns []any `json:"index_columns"` // names, or objects for what is not stored
	}
	if json.Unmarshal([]byte(text), &frame) == nil {
		for _, c := range frame.Columns {
			if name, ok := c.(string); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// meaning returns what the values of a column stand for beyond their bytes, or nil.
func meaning(c *parquet.Column) format.LogicalTypeValue {
	if t := c.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

func isParquetText(c *parquet.Column) bool {
	_, decimal := meaning(c).(*format.DecimalType)
	return c.Leaf() && !c.Repeated() && c.Type().Kind() == parquet.ByteArray && !decimal
}

func isParquetTime(c *parquet.Column) bool {
	if !c.Leaf() || c.Repeated() {
		return false
	}
	switch meaning(c).(type) {
	case *format.TimestampType, *format.DateType, *format.TimeType:
		return true
	}
	return c.Type().Kind() == parquet.Int96
}

// parquetNumber returns what makes a number of a value of the column, or nil if
// its values are none.
func parquetNumber(c *parquet.Column) func(parquet.Value) float64 {
	scale, unsigned, decimal := 1.0, false, false
	switch t := meaning(c).(type) {
	case *format.DecimalType:
		scale, decimal = math.Pow10(int(t.Scale)), true
	case *format.IntType:
		unsigned = !t.IsSigned
	}
	switch kind := c.Type().Kind(); {
	case kind == parquet.FixedLenByteArray && decimal && c.Type().Length() <= 16:
		return func(v parquet.Value) float64 { return bigEndian(v.ByteArray()) / scale }
	case kind == parquet.Boolean:
		return func(v parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}
	case kind == parquet.Int32 && unsigned:
		return func(v parquet.Value) float64 { return float64(v.Uint32()) }
	case kind == parquet.Int32:
		return func(v parquet.Value) float64 { return float64(v.Int32()) / scale }
	case kind == parquet.Int64 && unsigned:
		return func(v parquet.Value) float64 { return float64(v.Uint64()) }
	case kind == parquet.Int64:
		return func(v parquet.Value) float64 { return float64(v.Int64()) / scale }
	case kind == parquet.Float:
		return func(v parquet.Value) float64 { return float64(v.Float()) }
	case kind == parquet.Double:
		return func(v parquet.Value) float64 { return v.Double() }
	}
	return nil
}

// bigEndian returns a whole number of any length, negative if its first bit is set.
func bigEndian(b []byte) float64 {
	var n big.Int
	n.SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(&n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	v, _ := new(big.Float).SetInt(&n).Float64()
	return v
}
