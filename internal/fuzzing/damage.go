package fuzzing

import (
	"bytes"
	"encoding/binary"
	"math"
	"regexp"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Damage returns the content with one thing wrong with it. Most of these are wrong in the
// structure: lengths, types, counts, numbers in text, parts that are missing, twice there, out
// of order, or those of another file. It may return the content as it is.
func (c *Choices) Damage(content []byte, others ...[]byte) []byte {
	if len(content) == 0 {
		return []byte{c.byte()}
	}
	out := slices.Clone(content)
	at := c.place(len(out))
	switch c.Int(12) {
	case 0:
		out[at] ^= 1 << c.Int(8)
	case 1:
		out[at] = Pick(c, 0, 0xff, 0x7f, 0x80, '"', '\n', 0x1b, ',', c.byte())
	case 2: // a length, a count or an offset
		c.setInteger(out[at:])
	case 3:
		return out[:at]
	case 4:
		return slices.Delete(out, at, at+c.length(len(out)-at))
	case 5: // twice there
		end := at + c.length(len(out)-at)
		return slices.Insert(out, end, slices.Clone(out[at:end])...)
	case 6:
		return slices.Insert(out, at, slices.Repeat([]byte{Pick(c, 0, 0xff, ' ', '\n', '9', c.byte())}, 1<<c.Int(12))...)
	case 7: // out of order
		a, b := out[:at], out[at:]
		return slices.Concat(b, a)
	case 8, 9:
		return c.changeNumber(out)
	case 10: // two parts are exchanged
		n := min(c.length(len(out)-at), len(out)/2)
		to := c.place(len(out) - n + 1)
		if from := min(at, len(out)-n); from+n <= to || to+n <= from {
			a, b := slices.Clone(out[from:from+n]), slices.Clone(out[to:to+n])
			copy(out[from:], b)
			copy(out[to:], a)
		}
	case 11: // the end of another file
		if len(others) > 0 {
			other := Pick(c, others...)
			return append(out[:at], other[min(c.place(len(other)+1), len(other)):]...)
		}
	}
	return out
}

// place returns one of n places, near the beginning or the end as often as anywhere.
func (c *Choices) place(n int) int {
	switch c.Int(3) {
	case 0:
		return c.Int(min(n, 256))
	case 1:
		return n - 1 - c.Int(min(n, 256))
	}
	return c.Int(n)
}

// length returns the length of a part of up to n bytes, short ones as often as long ones.
func (c *Choices) length(n int) int {
	return 1 + c.Int(min(n, 1<<c.Int(12)))
}

// setInteger puts another integer where b begins: an extreme one, or one that is off by a bit.
func (c *Choices) setInteger(b []byte) {
	size := Pick(c, 4, 2, 8, 1)
	if len(b) < size {
		return
	}
	var order binary.ByteOrder = binary.LittleEndian
	if c.Bool() {
		order = binary.BigEndian
	}
	var all [8]byte
	copy(all[:], b[:size])
	was := binary.LittleEndian.Uint64(all[:])
	if order == binary.BigEndian {
		slices.Reverse(all[:size])
		was = binary.LittleEndian.Uint64(all[:])
	}
	now := Pick(c, was+1, was-1, 0, math.MaxUint64, math.MaxUint64>>(65-8*size), 1<<(8*size-1), was*2, was<<8, 1<<16, 1<<28, c.Bits())
	binary.LittleEndian.PutUint64(all[:], now)
	if order == binary.BigEndian {
		slices.Reverse(all[:size])
	}
	copy(b[:size], all[:size])
}

var number = regexp.MustCompile(`[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?`)

// odd are what numbers in text are changed to.
var odd = []string{
	"0", "-1", "1", "2", "3", "65536", "1048576", "268435456", "9999999999", "18446744073709551616",
	"1e999", "-1e999", "1e-999", "NaN", "-nan", "inf", "", "1,5", "1.5", "0x10", "1_000", "٣", "--1", "1e", "007",
	"100000000000000000000000000000000000000000000000000",
}

// changeNumber changes a number that is written in digits, if there is one.
func (c *Choices) changeNumber(content []byte) []byte {
	found := number.FindAllIndex(content, 1<<8)
	if len(found) == 0 {
		return content
	}
	span := Pick(c, found...)
	return slices.Concat(content[:span[0]], []byte(Pick(c, odd...)), content[span[1]:])
}

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
