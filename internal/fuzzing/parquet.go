package fuzzing

import (
	"bytes"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// PageSpans returns from where to where the data of the pages of a Parquet file lies, for
// which their headers may have a checksum, and whether all have.
func PageSpans(content []byte) (spans [][2]int, checked bool, err error) {
	f, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, false, err
	}
	checked = true
	for _, group := range f.Metadata().RowGroups {
		for _, c := range group.Columns {
			start := c.MetaData.DataPageOffset
			if first := c.MetaData.DictionaryPageOffset; first > 0 {
				start = min(start, first)
			}
			for end := start + c.MetaData.TotalCompressedSize; start < end; {
				r := bytes.NewReader(content[start:end])
				var h format.PageHeader
				if err := thrift.NewDecoder((&thrift.CompactProtocol{}).NewReader(r)).Decode(&h); err != nil {
					return nil, false, err
				}
				checked = checked && (h.CRC != 0 || h.CompressedPageSize == 0) // 0 is the checksum of nothing
				data := end - int64(r.Len())
				start = data + int64(h.CompressedPageSize)
				spans = append(spans, [2]int{int(data), int(start)})
			}
		}
	}
	return spans, checked, nil
}
