package dataio

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// readParquetColumn appends the numbers of a column, NaN for null.
func readParquetColumn(f *parquet.File, at io.ReaderAt, c *parquet.Column, values []float64) ([]float64, error) {
	number := parquetNumber(c)
	err := eachParquetValue(f, at, c, 16, func(v parquet.Value) {
		if v.IsNull() {
			values = append(values, math.NaN())
		} else {
			values = append(values, number(v))
		}
	})
	return values, err
}

// readParquetText returns the text of a column.
func readParquetText(f *parquet.File, at io.ReaderAt, c *parquet.Column) ([]string, error) {
	const mostText = 1 << 10 // bytes a name, on average
	var texts []string
	err := eachParquetValue(f, at, c, mostText, func(v parquet.Value) { texts = append(texts, string(v.ByteArray())) })
	return texts, err
}

// eachParquetValue visits the values of a column, one for each row of the file.
// width bounds the bytes that a value may take.
func eachParquetValue(f *parquet.File, at io.ReaderAt, c *parquet.Column, width int64, visit func(parquet.Value)) error {
	count, buffer := int64(0), make([]parquet.Value, 1024)
	for k, group := range f.RowGroups() {
		if group.NumRows() < 0 || group.NumRows() > f.NumRows()-count {
			return parquetDamaged()
		}
		end := count + group.NumRows()
		if err := checkParquetPages(at, f.Metadata().RowGroups[k].Columns[c.Index()].MetaData, group.NumRows(), width); err != nil {
			return err
		}
		pages := group.ColumnChunks()[c.Index()].Pages()
		for count < end { // headers of further pages have not been checked
			page, err := pages.ReadPage()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return errors.Join(parquetDamaged(), pages.Close())
			}
			for values := page.Values(); ; {
				n, err := values.ReadValues(buffer)
				if count += int64(n); count > end {
					return errors.Join(parquetDamaged(), pages.Close())
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
		if err := pages.Close(); err != nil || count != end {
			return parquetDamaged()
		}
	}
	if count != f.NumRows() {
		return parquetDamaged()
	}
	return nil
}

// checkParquetPages goes through the pages of a column without decoding them,
// and refuses those that claim more values than there are rows, or take more
// memory than so many values can need: the library believes what they say.
func checkParquetPages(at io.ReaderAt, m format.ColumnMetaData, rows, width int64) error {
	start := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		start = min(start, m.DictionaryPageOffset)
	}
	r := bufio.NewReader(&bounded{r: io.NewSectionReader(at, start, m.TotalCompressedSize)})
	headers := thrift.NewDecoder((&thrift.CompactProtocol{}).NewReader(r))
	for seen := int64(0); seen < rows; {
		var h format.PageHeader
		if err := headers.Decode(&h); err != nil {
			return parquetDamaged()
		}
		values, levels := int64(0), int64(0)
		packed := m.Codec
		switch {
		case h.DataPageHeader.Valid:
			values = int64(h.DataPageHeader.V.NumValues)
			seen += values
		case h.DataPageHeaderV2.Valid:
			v2 := h.DataPageHeaderV2.V
			values, levels = int64(v2.NumValues), int64(v2.DefinitionLevelsByteLength)+int64(v2.RepetitionLevelsByteLength)
			if v2.IsCompressed.Valid && !v2.IsCompressed.V {
				packed = format.Uncompressed
			}
			seen += values
		case h.DictionaryPageHeader.Valid: // may hold what no row of the group has, each in a byte at least
			if n := h.DictionaryPageHeader.V.NumValues; n < 0 || n > h.UncompressedPageSize {
				return parquetDamaged()
			}
		}
		const slack = 64 << 10
		size := int64(h.CompressedPageSize)
		if values < 0 || values > rows || size < 0 || size > m.TotalCompressedSize || levels < 0 || levels > size ||
			int64(h.UncompressedPageSize) > slack+width*rows {
			return parquetDamaged()
		}
		page := io.LimitReader(r, size)
		if _, err := io.CopyN(io.Discard, page, levels); err != nil {
			return parquetDamaged()
		}
		if err := checkInflated(page, packed, int64(h.UncompressedPageSize)-levels); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, page); err != nil {
			return err
		}
	}
	return nil
}

// A bounded reader panics when it is read on and on after its end: where a header
// claims any number of float64s, the library looks for each of them.
type bounded struct {
	r    io.Reader
	ends int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if errors.Is(err, io.EOF) {
		if b.ends++; b.ends > 1000 {
			panic("read on after the end") // which decodeParquet answers
		}
	}
	return n, err
}

// checkInflated refuses a page that decompresses to more than it says.
func checkInflated(page io.Reader, codec format.CompressionCodec, size int64) error {
	var inflated io.Reader
	switch codec {
	case format.Uncompressed:
		return nil
	case format.Snappy: // starts with its length
		all, err := io.ReadAll(page)
		if err != nil {
			return err
		}
		if n, k := binary.Uvarint(all); k <= 0 || n > uint64(max(size, 0)) {
			return parquetDamaged()
		}
		return nil
	case format.Gzip:
		z, err := gzip.NewReader(page)
		if err != nil {
			return parquetDamaged()
		}
		inflated = z
	case format.Zstd:
		z, err := zstd.NewReader(page, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return parquetDamaged()
		}
		defer z.Close()
		inflated = z
	default:
		return fault("compression by %s cannot be read: write the file with snappy, gzip or zstd", strings.ToLower(codec.String()))
	}
	if n, err := io.CopyN(io.Discard, inflated, size+1); n > size || err != nil && !errors.Is(err, io.EOF) {
		return parquetDamaged()
	}
	return nil
}
