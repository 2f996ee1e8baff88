package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/nervure/nervure/internal/fuzzing"
)

// longest is how much of an input is looked at; more of it is slower and says no more.
const longest = 8 << 10

// most is how many rows are read here.
const most = 1 << 10

// fast reads the columns of numbers and of text as the package does, each in words that
// differ if anything does. One that is refused has none.
func fast(data []byte) (columns map[string]string, rows int64) {
	f, err := open(data)
	if err != nil || f.Rows > most {
		return nil, 0
	}
	columns = map[string]string{}
	for _, c := range f.Columns {
		switch c.Kind {
		case Number:
			if values, err := f.Numbers(c, nil); err == nil {
				columns[c.Name] = toldNumbers(values)
			}
		case Text:
			if texts, err := f.Texts(c); err == nil {
				columns[c.Name] = fmt.Sprintf("%q", texts)
			}
		}
	}
	return columns, f.Rows
}

// toldNumbers writes numbers to the last bit, NaN being itself.
func toldNumbers(values []float64) string {
	var text []byte
	for _, v := range values {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		text = fmt.Appendf(text, "%x ", math.Float64bits(v))
	}
	return string(text)
}

// slow reads the columns row by row, as the library is meant to be used. It is for files
// that have been read before: the library trusts what it reads.
func slow(data []byte) (columns map[string]string) {
	defer func() {
		if recover() != nil {
			columns = nil
		}
	}()
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil
	}
	values := make([][]parquet.Value, len(file.Schema().Columns()))
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		for buffer := make([]parquet.Row, 8); ; {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				for _, v := range row {
					values[v.Column()] = append(values[v.Column()], v.Clone())
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil
			}
		}
		_ = rows.Close()
	}
	columns = map[string]string{}
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			continue
		}
		one := newColumn(c)
		var numbers []float64
		var texts []string
		for _, v := range values[c.Index()] {
			switch {
			case one.Kind == Text:
				texts = append(texts, string(v.ByteArray()))
			case one.Kind != Number:
			case v.IsNull():
				numbers = append(numbers, math.NaN())
			default:
				numbers = append(numbers, one.number(v))
			}
		}
		if columns[one.Name] = toldNumbers(numbers); one.Kind == Text {
			columns[one.Name] = fmt.Sprintf("%q", texts)
		}
	}
	return columns
}

// sameTwice reads a file in two ways: what both of them read is the same.
func sameTwice(t *testing.T, data []byte) {
	t.Helper()
	once, rows := fast(data)
	if len(once) == 0 {
		return
	}
	again := slow(data)
	for name, text := range once {
		if other, known := again[name]; known && other != text {
			t.Errorf("column %q of %d rows is %s, but read in another way %s", name, rows, text, other)
		}
	}
}

// Whatever a file holds, its columns are read or refused, one that is read has a value for
// each row, and reading by rows gives the same.
func FuzzFile(f *testing.F) {
	f.Add(write(f, sampleRows()))
	f.Add(write(f, sampleRows(), parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), longest)]
		file, err := open(data)
		if err != nil || file.Rows > most {
			return
		}
		for _, c := range file.Columns {
			count := -1
			switch c.Kind {
			case Number:
				if values, err := file.Numbers(c, nil); err == nil {
					count = len(values)
				}
			case Text:
				if texts, err := file.Texts(c); err == nil {
					count = len(texts)
				}
			}
			if count >= 0 && int64(count) != max(file.Rows, 0) {
				t.Errorf("column %q has %d of %d values", c.Name, count, file.Rows)
			}
		}
		sameTwice(t, data)
	})
}

// A builtColumn is one of a file that is built: its type, and what a value is.
type builtColumn struct {
	node  func() parquet.Node
	value func(*fuzzing.Choices) (parquet.Value, float64)
}

var builtColumns = []builtColumn{
	{func() parquet.Node { return parquet.Leaf(parquet.DoubleType) }, func(c *fuzzing.Choices) (parquet.Value, float64) { v := c.Number(); return parquet.DoubleValue(v), v }},
	{func() parquet.Node { return parquet.Leaf(parquet.FloatType) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		v := float32(c.Int(256)) / 8
		return parquet.FloatValue(v), float64(v)
	}},
	{func() parquet.Node { return parquet.Int(32) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		v := int32(c.Bits() >> 32)
		return parquet.Int32Value(v), float64(v)
	}},
	{func() parquet.Node { return parquet.Int(64) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		v := int64(c.Bits())
		return parquet.Int64Value(v), float64(v)
	}},
	{func() parquet.Node { return parquet.Uint(32) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		v := uint32(c.Bits() >> 32)
		return parquet.Int32Value(int32(v)), float64(v)
	}},
	{func() parquet.Node { return parquet.Uint(64) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		v := c.Bits()
		return parquet.Int64Value(int64(v)), float64(v)
	}},
	{func() parquet.Node { return parquet.Leaf(parquet.BooleanType) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		if c.Bool() {
			return parquet.BooleanValue(true), 1
		}
		return parquet.BooleanValue(false), 0
	}},
	{func() parquet.Node { return parquet.Decimal(2, 9, parquet.Int32Type) }, func(c *fuzzing.Choices) (parquet.Value, float64) {
		v := int32(c.Bits()>>32) % 1e9
		return parquet.Int32Value(v), float64(v) / 100
	}},
}

// build returns a valid file with page checksums, and what its columns hold.
func build(t *testing.T, c *fuzzing.Choices) (data []byte, want map[string]string) {
	t.Helper()
	group, rows, want := parquet.Group{}, make([]parquet.Row, c.Int(12)), map[string]string{}
	codec := fuzzing.Pick[compress.Codec](c, &parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd)
	for k := range 1 + c.Int(3) {
		name, optional := fmt.Sprintf("%c%s", 'a'+k, fuzzing.Pick(c, "", " ü", ".b")), c.Bool()
		isText := c.Int(4) == 3
		column := fuzzing.Pick(c, builtColumns...)
		node := column.node()
		if isText {
			node = parquet.String()
		}
		if c.Bool() {
			node = parquet.Encoded(node, &parquet.RLEDictionary)
		}
		node = parquet.Compressed(node, codec)
		if optional {
			node = parquet.Optional(node)
		}
		group[name] = node
		var numbers []float64
		var texts []string
		for r := range rows {
			var v parquet.Value
			number, text, level := math.NaN(), "", 0
			switch {
			case optional && c.Bool():
			case isText:
				text = c.Text()
				v, level = parquet.ByteArrayValue([]byte(text)), 1
			default:
				v, number = column.value(c)
				level = 1
			}
			if !optional {
				level = 0
			}
			rows[r] = append(rows[r], v.Level(0, level, k)) // names are in order
			numbers, texts = append(numbers, number), append(texts, text)
		}
		if want[name] = toldNumbers(numbers); isText {
			want[name] = fmt.Sprintf("%q", texts)
		}
	}
	var b bytes.Buffer
	w := parquet.NewWriter(&b, parquet.NewSchema("built", group), parquet.DataPageVersion(1+c.Int(2)), parquet.PageBufferSize(1+16*c.Int(20)))
	for len(rows) > 0 {
		n := min(len(rows), 12-c.Int(8))
		if _, err := w.WriteRows(rows[:n]); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		rows = rows[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), want
}

// pageBytes are the places of bytes that belong to the data of a page, for which its header has a
// checksum.
func pageBytes(t *testing.T, data []byte) (places []int) {
	t.Helper()
	spans, checked, err := fuzzing.PageSpans(data)
	if err != nil || !checked {
		t.Fatalf("every page has a checksum: %t, %v", checked, err)
	}
	for _, span := range spans {
		for k := span[0]; k < span[1]; k++ {
			places = append(places, k)
		}
	}
	return places
}

// A file of any types, stored in any way, reads as what was put in. Damaged, each column reads as
// by rows, if it reads at all; and one wrong byte in a page is noticed.
func FuzzBuiltFile(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint16(0))
	f.Add([]byte("\x05\x01\x02\x00\x00\x00\x00\x00\x00\x01\x01\x02\x03\x04\x05\x06\x07\x08\x09"), []byte{2, 20, 8}, uint16(3))
	f.Add([]byte("\x05\x02\x01\x01\x01\x03\x01\x01abcdefghijklmnopqrstuvwxyz"), []byte{2, 4, 2}, uint16(30))
	f.Add([]byte("\x0a\x03\x03\x01\x00\x01\x06\x00\x00\x00\x00\x00abcdefghijkl\x02\x01\x01\x02\x00\x00mnopqrstuvwxyz"), []byte{1, 4, 0}, uint16(40))
	f.Fuzz(func(t *testing.T, recipe, harm []byte, at uint16) {
		data, want := build(t, fuzzing.By(recipe))
		got, _ := fast(data)
		for name, text := range want {
			if got[name] != text {
				t.Fatalf("column %q is %s, want %s", name, got[name], text)
			}
		}
		damaged := fuzzing.By(harm).Damage(data)
		sameTwice(t, damaged)
		if bytes.Equal(damaged, data) {
			return
		}
		places := pageBytes(t, data)
		if len(places) == 0 {
			return
		}
		flipped := slices.Clone(data)
		flipped[places[int(at)%len(places)]] ^= byte(1 + at>>8)
		got, _ = fast(flipped)
		for name, text := range got {
			if text != want[name] {
				t.Errorf("byte %d of a page is wrong, and column %q is %s, not %s", places[int(at)%len(places)], name, text, want[name])
			}
		}
	})
}
