package parquet

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// checkPages goes through the pages of a column without decoding them, and refuses
// those that claim more values than there are rows, or take more memory than so
// many values can need: the library believes what they say.
func checkPages(at io.ReaderAt, m format.ColumnMetaData, rows, width int64) error {
	start := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		start = min(start, m.DictionaryPageOffset)
	}
	r := bufio.NewReader(&finite{r: io.NewSectionReader(at, start, m.TotalCompressedSize)})
	headers := thrift.NewDecoder((&thrift.CompactProtocol{}).NewReader(r))
	for seen := int64(0); seen < rows; {
		var h format.PageHeader
		if err := headers.Decode(&h); err != nil {
			return ErrPages
		}
		values, levels := int64(0), int64(0)
		codec := m.Codec
		switch {
		case h.DataPageHeader.Valid:
			values = int64(h.DataPageHeader.V.NumValues)
			seen += values
		case h.DataPageHeaderV2.Valid:
			v2 := h.DataPageHeaderV2.V
			values, levels = int64(v2.NumValues), int64(v2.DefinitionLevelsByteLength)+int64(v2.RepetitionLevelsByteLength)
			if v2.IsCompressed.Valid && !v2.IsCompressed.V {
				codec = format.Uncompressed
			}
			seen += values
		case h.DictionaryPageHeader.Valid: // may hold what no row of the group has, each in a bit at least
			if n := int64(h.DictionaryPageHeader.V.NumValues); n < 0 || n > 8*int64(h.UncompressedPageSize) {
				return ErrPages
			}
		}
		const slack = 64 << 10
		size := int64(h.CompressedPageSize)
		if values < 0 || values > rows || size < 0 || size > m.TotalCompressedSize || levels < 0 || levels > size ||
			int64(h.UncompressedPageSize) > slack+width*rows {
			return ErrPages
		}
		page := io.LimitReader(r, size)
		if _, err := io.CopyN(io.Discard, page, levels); err != nil {
			return ErrPages
		}
		if err := checkInflated(page, codec, int64(h.UncompressedPageSize)-levels); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, page); err != nil {
			return err
		}
	}
	return nil
}

// A finite reader panics when it is read on and on after its end: where a header
// claims any number of float64s, the library looks for each of them.
type finite struct {
	r    io.Reader
	ends int
}

func (b *finite) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if errors.Is(err, io.EOF) {
		if b.ends++; b.ends > 1000 {
			panic("read on after the end") // which answer turns into an error
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
			return ErrPages
		}
		return nil
	case format.Gzip:
		z, err := gzip.NewReader(page)
		if err != nil {
			return ErrPages
		}
		inflated = z
	case format.Zstd:
		z, err := zstd.NewReader(page, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		if err != nil {
			return ErrPages
		}
		defer z.Close()
		inflated = z
	default:
		return &CompressionError{strings.ToLower(codec.String())}
	}
	if n, err := io.CopyN(io.Discard, inflated, size+1); n > size || err != nil && !errors.Is(err, io.EOF) {
		return ErrPages
	}
	return nil
}
