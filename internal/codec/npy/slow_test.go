package npy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/nervure/nervure/internal/fuzzing"
)

// A content is what an array holds.
type content struct {
	shape   []int
	fortran bool
	numbers []float64 // or else
	texts   []string
}

// same reports whether two arrays hold the same, to the last bit, NaN being itself.
func (c *content) same(d *content) bool { return c.String() == d.String() }

func (c *content) String() string {
	bits := make([]uint64, len(c.numbers))
	for k, v := range c.numbers {
		if bits[k] = math.Float64bits(v); math.IsNaN(v) {
			bits[k] = math.Float64bits(math.NaN())
		}
	}
	return fmt.Sprintf("%v %t %x %q", c.shape, c.fortran, bits, c.texts)
}

// most is how many items are read here.
const most = 1 << 12

// bounded reports whether an array may be read here without taking much memory.
func bounded(shape []int, item int) bool {
	n := 1
	for _, size := range shape {
		if size > most || n*size > most {
			return false
		}
		n *= size
	}
	return item <= 1<<10
}

// fast reads a file as the package does.
func fast(data []byte) *content {
	r := bytes.NewReader(data)
	h, err := ReadHeader(r)
	if err != nil || !bounded(h.Shape, h.TextBytes()) {
		return nil
	}
	c := &content{shape: h.Shape, fortran: h.Fortran}
	switch {
	case h.IsNumeric():
		c.numbers, err = h.Numbers(r)
	case h.IsText():
		c.texts, err = h.Texts(r)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return c
}

var pythonToJSON = strings.NewReplacer("'", `"`, "(", "[", ")", "]", "True", "true", "False", "false")

// slow reads a file in another way: what stands before the data is made JSON, and the data
// goes through reflection. It returns nil for what it does not know.
func slow(data []byte) *content {
	if len(data) < 12 || string(data[:6]) != "\x93NUMPY" || data[6] < 1 || data[6] > 3 {
		return nil
	}
	from, length := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 {
		from, length = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if length < 0 || length > len(data)-from {
		return nil
	}
	text := regexp.MustCompile(`(\d)L`).ReplaceAllString(string(data[from:from+length]), "$1")
	text = regexp.MustCompile(`,\s*([\]}])`).ReplaceAllString(pythonToJSON.Replace(text), "$1")
	var head struct {
		Descr   string
		Fortran bool `json:"fortran_order"`
		Shape   []int
	}
	if json.Unmarshal([]byte(text), &head) != nil || len(head.Descr) < 3 {
		return nil
	}
	count := 1
	for _, n := range head.Shape {
		if n < 0 || n > most || count*n > most {
			return nil
		}
		count *= n
	}
	rest := data[from+length:]
	var order binary.ByteOrder = binary.LittleEndian
	if head.Descr[0] == '>' {
		order = binary.BigEndian
	}
	c := &content{shape: head.Shape, fortran: head.Fortran}
	var width int
	if _, err := fmt.Sscanf(head.Descr[2:], "%d", &width); err != nil || width < 0 || width > 1<<10 || fmt.Sprint(width) != head.Descr[2:] {
		return nil
	}
	switch kind := head.Descr[1]; kind {
	case 'U', 'S':
		if kind == 'U' {
			width *= 4
		}
		if len(rest) != count*width {
			return nil
		}
		for k := range count {
			c.texts = append(c.texts, slowText(rest[k*width:(k+1)*width], kind == 'U', order))
		}
	default:
		into := slowNumbers[head.Descr[1:]]
		if into == nil || len(rest) != count*width {
			return nil
		}
		list := into(count)
		if binary.Read(bytes.NewReader(rest), order, list) != nil {
			return nil
		}
		c.numbers = asFloats(list)
	}
	return c
}

// slowText reads an item of text without the zeros after it.
func slowText(item []byte, wide bool, order binary.ByteOrder) string {
	if !wide {
		for len(item) > 0 && item[len(item)-1] == 0 {
			item = item[:len(item)-1]
		}
		return string(item)
	}
	var b strings.Builder
	for k := 0; k < len(item); k += 4 {
		switch c := order.Uint32(item[k:]); {
		case c > math.MaxInt32:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(rune(c)) // one that is no character becomes U+FFFD
		}
	}
	return strings.TrimRight(b.String(), "\x00")
}

func listOf[T any](n int) any { return make([]T, n) }

// halfFloat is a number of half precision.
type halfFloat uint16

var slowNumbers = map[string]func(n int) any{
	"f8": listOf[float64], "f4": listOf[float32], "f2": listOf[halfFloat], "i8": listOf[int64], "i4": listOf[int32], "i2": listOf[int16], "i1": listOf[int8],
	"u8": listOf[uint64], "u4": listOf[uint32], "u2": listOf[uint16], "u1": listOf[uint8], "b1": listOf[bool],
}

// asFloats converts what slowNumbers made.
func asFloats(list any) (out []float64) {
	switch list := list.(type) {
	case []bool:
		for _, v := range list {
			out = append(out, map[bool]float64{true: 1}[v])
		}
	case []halfFloat: // moved into the bits of a float32, whose exponent starts 112 higher
		for _, h := range list {
			wide := float64(math.Float32frombits(uint32(h&0x7fff)<<13)) * 0x1p112
			if h&0x7c00 == 0x7c00 {
				wide = float64(math.Float32frombits(uint32(h&0x7fff)<<13 | 0x7f800000))
			}
			out = append(out, math.Copysign(wide, 1-2*float64(h>>15)))
		}
	default:
		out = fuzzing.Floats(list)
	}
	return out
}
