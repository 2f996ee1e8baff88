package matlab

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/fuzzing"
)

// longest is how much of an input is looked at; more of it is slower and says no more.
const longest = 4 << 10

// Whatever a file holds, its variables are read or refused, each time alike, and another
// reader agrees with what is read.
func FuzzFile(f *testing.F) {
	var b bytes.Buffer
	w := NewWriter(&b, "test")
	w.Matrix("Y", mat.NewDense(2, 2, []float64{1, 2, 3, 4}))
	w.Sparse("S", 2, 2, []Entry{{0, 1, 5}})
	w.Cells("names", []string{"a", "ü"})
	f.Add(b.Bytes())
	f.Add(plainFile(bytesMatrix("Y", 2, 2, 1, 2, 3, 4), charMatrix("names", 2, 2, miUTF8, []byte("ab c"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), longest)]
		once, ok := fast(data)
		if again, same := fast(data); same != ok || !slices.Equal(again, once) {
			t.Errorf("got %q and then %q", once, again)
		}
		sameTwice(t, data)
	})
}

// sameTwice reads a file in two ways: what both of them read is the same.
func sameTwice(t *testing.T, data []byte) {
	t.Helper()
	once, ok := fast(data)
	if again, known := slow(data); ok && known && !slices.Equal(once, again) {
		t.Errorf("%q: %s, but read in another way %s", data, once, again)
	}
}

// A builder writes a file of any version, from its parts.
type builder struct {
	*fuzzing.Choices
	order binary.ByteOrder
}

// part returns an element, in the short form if that is chosen and it fits.
func (b *builder) part(kind uint32, list any) []byte {
	var data bytes.Buffer
	_ = binary.Write(&data, b.order, list)
	n := data.Len()
	head := make([]byte, 8)
	if n > 0 && n <= 4 && b.Bool() {
		b.order.PutUint32(head, uint32(n)<<16|kind)
		copy(head[4:], data.Bytes())
		return head
	}
	b.order.PutUint32(head, kind)
	b.order.PutUint32(head[4:], uint32(n))
	return append(append(head, data.Bytes()...), make([]byte, -n&7)...)
}

// numbers returns an element of any numbers, and these.
func (b *builder) numbers(n int, kinds ...uint32) ([]byte, []float64) {
	kind := fuzzing.Pick(b.Choices, kinds...)
	list := storages[kind](n)
	raw := make([]byte, binary.Size(list))
	for k := range raw {
		raw[k] = byte(b.Int(256))
	}
	_, _ = binary.Decode(raw, b.order, list)
	return b.part(kind, list), fuzzing.Floats(list)
}

// array returns an array without its tag, and what it holds.
func (b *builder) array(name string) ([]byte, string) {
	v := Variable{Name: name, Class: fuzzing.Pick(b.Choices, Double, Double+1, Uint8, Uint8-1, Uint64, Sparse, Char, Cell), Shape: []int{b.Int(5), b.Int(5)}}
	var body []byte
	var holds any
	switch v.Class {
	case Sparse:
		body, holds = b.sparse(v.Shape)
	case Char:
		letters := []rune(b.Text() + "x")
		v.Shape = []int{1, len(letters)}
		body, holds = b.letters(letters), []string{string(letters)}
	case Cell:
		texts := []string{}
		for range v.Shape[0] * v.Shape[1] {
			letters := []rune(b.Text())
			cell := append(b.head(Char, []int{min(len(letters), 1), len(letters)}, ""), b.letters(letters)...)
			body = append(body, b.part(miMatrix, cell)...)
			texts = append(texts, string(letters))
		}
		if holds = texts; len(texts) == 0 {
			holds = []string(nil)
		}
	default:
		body, holds = b.numbers(v.Shape[0]*v.Shape[1], miDouble, miSingle, miInt8, miUint8, miInt16, miUint16, miInt32, miUint32, miInt64, miUint64)
	}
	return append(b.head(v.Class, v.Shape, name), body...), told(v, holds)
}

func (b *builder) head(class Class, shape []int, name string) []byte {
	head := b.part(miUint32, []uint32{uint32(class) | uint32(b.Int(2))<<9, 0}) // 0x200 is of truth values
	head = append(head, b.part(miInt32, []int32{int32(shape[0]), int32(shape[1])})...)
	return append(head, b.part(miInt8, []byte(name))...)
}

// sparse returns the parts of a sparse matrix, and its entries.
func (b *builder) sparse(shape []int) ([]byte, []Entry) {
	entries, rows, starts := []Entry{}, []int32{}, []int32{0}
	for j := range shape[1] {
		for i := range shape[0] {
			if b.Bool() {
				entries, rows = append(entries, Entry{Row: i, Col: j}), append(rows, int32(i))
			}
		}
		starts = append(starts, int32(len(rows)))
	}
	values, numbers := b.numbers(len(entries), miDouble, miUint8, miInt16)
	for k := range entries {
		entries[k].Value = numbers[k]
	}
	return slices.Concat(b.part(miInt32, rows), b.part(miInt32, starts), values), entries
}

// letters returns an element of text.
func (b *builder) letters(letters []rune) []byte {
	if b.Bool() {
		return b.part(miUTF32, letters)
	}
	return b.part(miUTF8, []byte(string(letters)))
}

// compressor makes no memory again for each variable.
var compressor, _ = zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)

// build returns a valid file, what it holds, and whether all of it is compressed.
func build(c *fuzzing.Choices) (data []byte, holds []string, compressed bool) {
	b := &builder{c, binary.LittleEndian}
	mark := "\x00\x01IM"
	if c.Bool() {
		b.order, mark = binary.BigEndian, "\x01\x00MI"
	}
	data = append(bytes.Repeat([]byte(" "), 124), mark...)
	copy(data, fuzzing.Pick(c, Magic, "written by hand"))
	compressed = true
	for k := range 1 + c.Int(3) {
		one, text := b.array(fmt.Sprint(fuzzing.Pick(c, "Y", "names", "a_longer_name", "x"), k))
		holds = append(holds, text)
		element := b.part(miMatrix, one)
		if len(element) == 8 { // the short form is for parts alone
			element = append(make([]byte, 8), one...)
		}
		if !c.Bool() {
			compressed = false
			data = append(data, element...)
			continue
		}
		var packed bytes.Buffer
		compressor.Reset(&packed)
		_, _ = compressor.Write(element)
		_ = compressor.Close()
		head := make([]byte, 8)
		b.order.PutUint32(head, miCompressed)
		b.order.PutUint32(head[4:], uint32(packed.Len()))
		data = slices.Concat(data, head, packed.Bytes())
	}
	return data, holds, compressed
}

// A file of any classes, stored in any way, reads as what was put in. Damaged, it reads as
// another reader reads it, if both do; and if a single bit of a compressed variable is wrong, it
// is refused.
func FuzzBuiltFile(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint16(0))
	f.Add([]byte("\x00\x00\x02\x00\x02\x02\x00\x00abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\x01\x01"), []byte{0, 130, 2}, uint16(99))
	f.Add([]byte("\x01\x01\x01\x05\x03\x03\x01\x01\x00\x01\x01\x00\x00\x01\x06\x02\x02\x04abcd\x01"), []byte{1, 30, 3}, uint16(300))
	f.Add([]byte("\x01\x01\x01\x07\x02\x02\x03abc\x01\x02de\x00\x01f\x01\x00"), []byte{1, 9, 0}, uint16(1200))
	f.Fuzz(func(t *testing.T, recipe, harm []byte, bit uint16) {
		data, want, compressed := build(fuzzing.By(recipe))
		if got, ok := fast(data); !ok || !slices.Equal(got, want) {
			t.Fatalf("%q: got %q, want %q", data, got, want)
		}
		if got, ok := slow(data); ok && !slices.Equal(got, want) {
			t.Fatalf("%q: the other reader has %q, want %q", data, got, want)
		}
		sameTwice(t, fuzzing.By(harm).Damage(data))
		if compressed {
			at := 8*headerBytes + int(bit)%(8*(len(data)-headerBytes))
			data[at/8] ^= 1 << (at % 8)
			if got, ok := fast(data); ok && !slices.Equal(got, want) {
				t.Errorf("bit %d of byte %d is wrong, and %q is read, not %q", at%8, at/8, got, want)
			}
		}
	})
}

// What the builder makes is what it says of text, too.
func TestTextsCanBeBuilt(t *testing.T) {
	b := &builder{fuzzing.By([]byte{0, 1, 0, 1}), binary.BigEndian}
	for _, text := range []string{"aü東🜁", strings.Repeat("x", 20)} {
		list, ok := items(b.letters([]rune(text)), b.order)
		if got, known := slowText(list[0], []int{1, utf8.RuneCountInString(text)}, b.order); !ok || !known || got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	}
}
