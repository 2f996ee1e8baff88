// Package parquet reads Parquet files: columns of numbers and of text.
package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Magic is how files start.
const Magic = "PAR1"

// What can be wrong with a file.
var (
	// ErrDamaged is of a file that is no Parquet file, or damaged.
	ErrDamaged = errors.New("parquet: not a Parquet file, or damaged")
	// ErrPages is of a column whose pages do not hold what the file says.
	ErrPages = errors.New("parquet: the pages of a column are damaged")
)

// A CompressionError is of a column whose compression is not known here.
type CompressionError struct{ Codec string } // in lower case, such as "lzo"

func (e *CompressionError) Error() string { return fmt.Sprintf("parquet: compressed by %s", e.Codec) }

// A File is a table in columns.
type File struct {
	Columns []Column
	Rows    int64

	at   io.ReaderAt
	file *parquet.File
}

// A Kind is what a column holds.
type Kind int

// The kinds.
const (
	Number Kind = iota
	Text
	Time   // times, dates and times of day
	Nested // lists or records
	Other
)

// A Column of a file.
type Column struct {
	Name string
	Kind Kind
	Type string // as Parquet calls it; empty for Nested

	column *parquet.Column
	number func(parquet.Value) float64
	when   func(parquet.Value) time.Time
}

// Dated reports whether the column has times or dates that [File.Times] reads, and not only
// times of day.
func (c Column) Dated() bool { return c.when != nil }

// Open reads what stands at the end of a file.
func Open(at io.ReaderAt, size int64) (f *File, err error) {
	defer answer(&err)
	const least = 12
	if size < least {
		return nil, ErrDamaged
	}
	end := make([]byte, 8)
	if _, err := at.ReadAt(end, size-8); err != nil {
		return nil, err
	}
	if int64(binary.LittleEndian.Uint32(end)) > size-least { // what the library would allocate
		return nil, ErrDamaged
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, ErrDamaged
	}
	f = &File{Rows: file.NumRows(), at: at, file: file}
	for _, c := range file.Root().Columns() {
		f.Columns = append(f.Columns, newColumn(c))
	}
	return f, nil
}

// answer turns a panic into an error, for the library is not made for damaged
// files.
func answer(err *error) {
	if recover() != nil {
		*err = ErrDamaged
	}
}

// Metadata returns what the file says under a key, or "".
func (f *File) Metadata(key string) string {
	text, _ := f.file.Lookup(key)
	return text
}

func newColumn(c *parquet.Column) Column {
	named := Column{Name: c.Name(), column: c}
	if !c.Leaf() || c.Repeated() {
		named.Kind = Nested
		return named
	}
	named.Type = c.Type().String()
	logical := logicalType(c)
	_, isDecimal := logical.(*format.DecimalType)
	switch {
	case isTime(c, logical):
		named.Kind, named.when = Time, timeOf(c, logical)
	case c.Type().Kind() == parquet.ByteArray && !isDecimal:
		named.Kind = Text
	default:
		if named.number = numberOf(c, logical); named.number == nil {
			named.Kind = Other
		}
	}
	return named
}

// logicalType returns what the values of a column stand for beyond their bytes, or
// nil.
func logicalType(c *parquet.Column) format.LogicalTypeValue {
	if t := c.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}

func isTime(c *parquet.Column, logical format.LogicalTypeValue) bool {
	switch logical.(type) {
	case *format.TimestampType, *format.DateType, *format.TimeType:
		return true
	}
	return c.Type().Kind() == parquet.Int96
}

// timeOf returns what makes a time of a value of the column, or nil if its values are
// times of day.
func timeOf(c *parquet.Column, logical format.LogicalTypeValue) func(parquet.Value) time.Time {
	const daySeconds = 24 * 60 * 60
	switch t := logical.(type) {
	case *format.TimestampType:
		if t.Unit.Value == nil || c.Type().Kind() != parquet.Int64 {
			return nil
		}
		perSecond := int64(time.Second / t.Unit.Value.Duration())
		return func(v parquet.Value) time.Time {
			n := v.Int64()
			return time.Unix(n/perSecond, n%perSecond*int64(time.Second)/perSecond).UTC()
		}
	case *format.DateType:
		if c.Type().Kind() != parquet.Int32 {
			return nil
		}
		return func(v parquet.Value) time.Time { return time.Unix(int64(v.Int32())*daySeconds, 0).UTC() }
	}
	if c.Type().Kind() != parquet.Int96 {
		return nil
	}
	const epoch = 2440588                    // the Julian day of 1970-01-01
	return func(v parquet.Value) time.Time { // nanoseconds of a Julian day, then the day
		n := v.Int96()
		return time.Unix((int64(n[2])-epoch)*daySeconds, int64(uint64(n[1])<<32|uint64(n[0]))).UTC()
	}
}

// numberOf returns what makes a number of a value of the column, or nil if its
// values are none.
func numberOf(c *parquet.Column, logical format.LogicalTypeValue) func(parquet.Value) float64 {
	scale, unsigned, decimal := 1.0, false, false
	switch t := logical.(type) {
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
