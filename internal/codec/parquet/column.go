package parquet

import (
	"errors"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
)

// Numbers appends the numbers of a column of kind Number to values, NaN for null.
// The caller has made sure that f.Rows is within its bounds.
func (f *File) Numbers(c Column, values []float64) (_ []float64, err error) {
	defer answer(&err)
	const most = 16 // bytes of a number
	err = f.each(c, most, func(v parquet.Value) {
		if v.IsNull() {
			values = append(values, math.NaN())
		} else {
			values = append(values, c.number(v))
		}
	})
	return values, err
}

// Texts reads a column of kind Text, "" for null.
func (f *File) Texts(c Column) (texts []string, err error) {
	defer answer(&err)
	const most = 1 << 10 // bytes of a text, on average
	err = f.each(c, most, func(v parquet.Value) { texts = append(texts, string(v.ByteArray())) })
	return texts, err
}

// each visits the values of a column, one for each row of the file. width bounds
// the bytes that a value may take.
func (f *File) each(c Column, width int64, visit func(parquet.Value)) error {
	k := c.column.Index()
	count, buffer := int64(0), make([]parquet.Value, 1024)
	for g, group := range f.file.RowGroups() {
		if group.NumRows() < 0 || group.NumRows() > f.Rows-count {
			return ErrPages
		}
		end := count + group.NumRows()
		if err := checkPages(f.at, f.file.Metadata().RowGroups[g].Columns[k].MetaData, group.NumRows(), width); err != nil {
			return err
		}
		n, err := eachOf(group.ColumnChunks()[k].Pages(), end-count, buffer, visit)
		if err != nil {
			return err
		}
		if count += n; count != end {
			return ErrPages
		}
	}
	if count != f.Rows {
		return ErrPages
	}
	return nil
}

// eachOf visits the values of pages, up to so many, and returns how many there
// were. Headers of further pages have not been checked.
func eachOf(pages parquet.Pages, most int64, buffer []parquet.Value, visit func(parquet.Value)) (count int64, err error) {
	defer func() {
		if fault := pages.Close(); fault != nil && err == nil {
			err = ErrPages
		}
	}()
	for count < most {
		page, err := pages.ReadPage()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return count, ErrDamaged
		}
		for values := page.Values(); ; {
			n, err := values.ReadValues(buffer)
			if count += int64(n); count > most {
				return count, ErrDamaged
			}
			for _, v := range buffer[:n] {
				visit(v)
			}
			if err != nil {
				break // io.EOF, or the count will tell
			}
		}
		parquet.Release(page)
	}
	return count, nil
}
