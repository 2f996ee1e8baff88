package matlab

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nervure/nervure/internal/fuzzing"
)

// told is a variable and what it holds, in words that differ if anything does.
func told(v Variable, holds any) string {
	switch holds := holds.(type) {
	case nil:
		return fmt.Sprintf("%q", v.Name)
	case []float64:
		return fmt.Sprintf("%q %v %s", v.Name, v.Shape, bitsOf(holds))
	case []Entry:
		text := fmt.Sprintf("%q %v", v.Name, v.Shape)
		for _, e := range holds {
			text += fmt.Sprintf(" (%d, %d) %s", e.Row, e.Col, bitsOf([]float64{e.Value}))
		}
		return text
	}
	return fmt.Sprintf("%q %v %q", v.Name, v.Shape, holds)
}

// bitsOf writes numbers to the last bit, NaN being itself.
func bitsOf(values []float64) string {
	var b strings.Builder
	for _, v := range values {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		fmt.Fprintf(&b, " %x", math.Float64bits(v))
	}
	return b.String()
}

// fast reads all of a file as the package does.
func fast(data []byte) (all []string, ok bool) {
	f, err := open(data)
	if err != nil {
		return nil, false
	}
	for _, v := range f.Variables {
		holds, err := read(f, v)
		if err != nil {
			return nil, false
		}
		all = append(all, told(v, holds))
	}
	return all, true
}

// An item is an element of a file, in memory.
type item struct {
	kind uint32
	data []byte
}

// items splits data into elements, each of which is padded to eight bytes unless it is
// compressed or the last.
func items(data []byte, order binary.ByteOrder) (list []item, ok bool) {
	for len(data) > 0 {
		if len(data) < 8 {
			return nil, false
		}
		kind, size, from := order.Uint32(data), int(order.Uint32(data[4:])), 8
		padded := size
		switch {
		case kind>>16 > 4:
			return nil, false
		case kind>>16 > 0:
			kind, size, from, padded = kind&0xffff, int(kind>>16), 4, 4
		case kind != miCompressed:
			padded = (size + 7) / 8 * 8
		}
		if size > len(data)-from {
			return nil, false
		}
		list = append(list, item{kind, data[from : from+size]})
		data = data[min(from+padded, len(data)):]
	}
	return list, true
}

// slow reads all of a file in another way: everything is in memory and split there. It knows
// fewer files: what it does not know is not ok.
func slow(data []byte) (all []string, ok bool) {
	if len(data) < 128 {
		return nil, false
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(data[126:128]) == "MI" {
		order = binary.BigEndian
	}
	list, ok := items(data[128:], order)
	for _, v := range list {
		if v.kind == miCompressed {
			z, err := zlib.NewReader(bytes.NewReader(v.data))
			if err != nil {
				return nil, false
			}
			plain, err := io.ReadAll(io.LimitReader(z, 1<<20))
			inside, whole := items(plain, order)
			if err != nil || !whole || len(inside) != 1 {
				return nil, false
			}
			v = inside[0]
		}
		text, known := slowVariable(v, order)
		if !known {
			return nil, false
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return all, ok
}

// slowVariable reads a variable that is a matrix; the text is empty for one without a name.
func slowVariable(v item, order binary.ByteOrder) (text string, ok bool) {
	parts, ok := items(v.data, order)
	if !ok || v.kind != miMatrix || len(parts) < 4 || len(parts[0].data) != 8 || parts[0].kind != miUint32 || len(parts[1].data) != 8 || parts[1].kind != miInt32 || len(parts[2].data) == 0 {
		return "", false
	}
	flags := order.Uint32(parts[0].data)
	one := Variable{Name: string(parts[2].data), Class: Class(flags & 0xff), Shape: []int{int(int32(order.Uint32(parts[1].data))), int(int32(order.Uint32(parts[1].data[4:])))}}
	if flags&0x800 != 0 { // complex numbers
		return "", false
	}
	switch {
	case one.Class == Sparse && len(parts) == 6:
		return slowSparse(one, parts[3:], order)
	case one.Class >= Double && one.Class <= Uint64:
		values, ok := slowNumbers(parts[3], order)
		return told(one, values), ok && len(values) == one.Shape[0]*one.Shape[1]
	case one.Class == Char:
		row, ok := slowText(parts[3], one.Shape, order)
		return told(one, []string{row}), ok
	}
	return "", false
}

func slowSparse(one Variable, parts []item, order binary.ByteOrder) (string, bool) {
	rows, isRows := slowNumbers(parts[0], order)
	starts, isStarts := slowNumbers(parts[1], order)
	values, isValues := slowNumbers(parts[2], order)
	if !isRows || !isStarts || !isValues || len(starts) != one.Shape[1]+1 || !slices.IsSorted(starts) || starts[0] != 0 || int(starts[len(starts)-1]) > min(len(rows), len(values)) {
		return "", false
	}
	entries := []Entry{}
	for j := range one.Shape[1] {
		for k := int(starts[j]); k < int(starts[j+1]); k++ {
			entries = append(entries, Entry{int(rows[k]), j, values[k]})
		}
	}
	return told(one, entries), true
}

// slowText reads a single row of text.
func slowText(part item, shape []int, order binary.ByteOrder) (string, bool) {
	var letters []rune
	switch part.kind {
	case miUTF8:
		letters = []rune(string(part.data))
		if !utf8.Valid(part.data) {
			return "", false
		}
	case miUTF32:
		for k := 0; k+4 <= len(part.data); k += 4 {
			letters = append(letters, rune(order.Uint32(part.data[k:]))) // one that is no character becomes U+FFFD
		}
	default:
		return "", false
	}
	return strings.TrimRight(string(letters), "\x00"), shape[0] == 1 && shape[1] == len(letters) && len(letters) > 0
}

// storages are the elements that hold numbers, and lists to read them into.
var storages = map[uint32]func(n int) any{
	miInt8: listOf[int8], miUint8: listOf[uint8], miInt16: listOf[int16], miUint16: listOf[uint16], miInt32: listOf[int32], miUint32: listOf[uint32],
	miSingle: listOf[float32], miDouble: listOf[float64], miInt64: listOf[int64], miUint64: listOf[uint64],
}

func listOf[T any](n int) any { return make([]T, n) }

func slowNumbers(part item, order binary.ByteOrder) ([]float64, bool) {
	into := storages[part.kind]
	if into == nil || len(part.data)%binary.Size(into(1)) != 0 {
		return nil, false
	}
	list := into(len(part.data) / binary.Size(into(1)))
	if binary.Read(bytes.NewReader(part.data), order, list) != nil {
		return nil, false
	}
	return fuzzing.Floats(list), true
}
