package parquet

import (
	"errors"
	"io"
	"math"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Numbers appends the numbers of a column of kind Number to values, NaN for null.
// The caller has made sure that f.Rows is within its bounds.
func (f *File) Numbers(c Column, values []float64) ([]float64, error) {
	return readAll(f, c, mostNumberBytes, values, math.NaN(), c.number)
}

// mostNumberBytes is how many bytes a number may take.
const mostNumberBytes = 16

// Texts reads a column of kind Text, "" for null.
func (f *File) Texts(c Column) ([]string, error) {
	const most = 1 << 10 // bytes of a text, on average
	return readAll(f, c, most, nil, "", func(v parquet.Value) string { return string(v.ByteArray()) })
}

// Times reads a column that is [Column.Dated], in UTC, and the zero time for null.
func (f *File) Times(c Column) ([]time.Time, error) {
	return readAll(f, c, mostNumberBytes, nil, time.Time{}, c.when)
}

// readAll appends what the values of a column mean to list, one for each row of the file.
// width bounds the bytes that a value may take.
func readAll[T any](f *File, c Column, width int64, list []T, null T, of func(parquet.Value) T) (_ []T, err error) {
	defer answer(&err)
	buffer := make([]parquet.Value, 1024)
	for v := (values{file: f, column: c.column.Index(), width: width}); ; {
		n, err := v.read(buffer)
		for _, value := range buffer[:n] {
			if value.IsNull() {
				list = append(list, null)
			} else {
				list = append(list, of(value))
			}
		}
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return list, err
		}
	}
}

// A Reader reads the numbers of a column one after the other. It holds a page of them
// at a time.
type Reader struct {
	values
	number func(parquet.Value) float64
	buffer []parquet.Value
}

// Reader returns a reader of a column of kind Number. It must be closed.
func (f *File) Reader(c Column) *Reader {
	return &Reader{
		values: values{file: f, column: c.column.Index(), width: mostNumberBytes}, number: c.number,
		buffer: make([]parquet.Value, 256),
	}
}

// Read sets dst to the next numbers, NaN for null. The file must have that many.
func (r *Reader) Read(dst []float64) (err error) {
	defer answer(&err)
	for len(dst) > 0 {
		n, err := r.read(r.buffer[:min(len(r.buffer), len(dst))])
		for k, v := range r.buffer[:n] {
			if dst[k] = math.NaN(); !v.IsNull() {
				dst[k] = r.number(v)
			}
		}
		if dst = dst[n:]; err != nil && len(dst) > 0 {
			if errors.Is(err, io.EOF) {
				return ErrPages
			}
			return err
		}
	}
	return nil
}

// values are those of a column, read one after the other.
type values struct {
	file   *File
	column int
	width  int64 // bytes that a value may take

	group int           // the next
	done  int64         // rows of the groups up to it
	left  int64         // rows of the group under way
	pages parquet.Pages // of the group under way; nil if there is none
	page  parquet.Page
	from  parquet.ValueReader // of the page; nil if there is none
}

// read fills buffer with the next values and returns how many there are: more than
// none, or an error, io.EOF after the last row of the file. Headers of pages after the
// last row have not been checked, and are not read.
func (v *values) read(buffer []parquet.Value) (int, error) {
	for {
		if v.from != nil {
			n, err := v.from.ReadValues(buffer)
			if v.left -= int64(n); v.left < 0 {
				return 0, ErrDamaged
			}
			if err != nil { // io.EOF, or the count will tell
				parquet.Release(v.page)
				v.from = nil
			}
			if n > 0 {
				return n, nil
			}
			continue
		}
		if v.pages == nil {
			if err := v.open(); err != nil {
				return 0, err
			}
		}
		if v.left > 0 {
			page, err := v.pages.ReadPage()
			switch {
			case err == nil:
				v.page, v.from = page, page.Values()
				continue
			case errors.Is(err, io.EOF):
				return 0, ErrPages
			}
			return 0, ErrDamaged
		}
		if err := v.Close(); err != nil {
			return 0, err
		}
	}
}

// open begins the next group.
func (v *values) open() error {
	f := v.file
	groups := f.file.RowGroups()
	if v.group == len(groups) {
		if v.done != f.Rows {
			return ErrPages
		}
		return io.EOF
	}
	rows := groups[v.group].NumRows()
	if rows < 0 || rows > f.Rows-v.done {
		return ErrPages
	}
	if err := checkPages(f.at, f.file.Metadata().RowGroups[v.group].Columns[v.column].MetaData, rows, v.width); err != nil {
		return err
	}
	v.pages = groups[v.group].ColumnChunks()[v.column].Pages()
	v.group, v.left, v.done = v.group+1, rows, v.done+rows
	return nil
}

// Close gives back what reading holds.
func (v *values) Close() error {
	if v.from != nil {
		parquet.Release(v.page)
		v.from = nil
	}
	if v.pages == nil {
		return nil
	}
	err := v.pages.Close()
	v.pages = nil
	if err != nil {
		return ErrPages
	}
	return nil
}
