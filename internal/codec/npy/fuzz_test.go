package npy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nervure/nervure/internal/fuzzing"
)

// longest is how much of an input is looked at; more of it is slower and says no more.
const longest = 4 << 10

// sameTwice reads an array in two ways: what both of them read is the same.
func sameTwice(t *testing.T, data []byte) {
	t.Helper()
	if a, b := fast(data), slow(data); a != nil && b != nil && !a.same(b) {
		t.Errorf("%q: %v, but read in another way %v", data, a, b)
	}
}

// Whatever a file holds, it is read or refused, and another reader agrees with what is read.
func FuzzArray(f *testing.F) {
	f.Add([]byte(file(header("|u1", "False", "(2, 3)"), "123456")))
	f.Add([]byte(file(header(">f2", "True", "(2, 3)"), "123456789012")))
	f.Add([]byte(file(header("<f8", "False", "(1000000, 1000000)"), "")))
	f.Add([]byte(file(header("<U1", "False", "(2,)"), "a\x00\x00\x00b\x00\x00\x00")))
	f.Fuzz(func(t *testing.T, data []byte) {
		sameTwice(t, data[:min(len(data), longest)])
	})
}

// build returns a valid array, and what it holds.
func build(c *fuzzing.Choices) ([]byte, *content) {
	want := &content{fortran: c.Bool()}
	count := 1
	for range c.Int(4) {
		n := c.Int(6)
		want.shape, count = append(want.shape, n), count*n
	}
	orderMark := fuzzing.Pick(c, "<", ">", "|")
	var order binary.ByteOrder = binary.LittleEndian
	if orderMark == ">" {
		order = binary.BigEndian
	}
	var data bytes.Buffer
	kind := fuzzing.Pick(c, "f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "b1", "U", "S")
	switch kind {
	case "U", "S":
		kind = buildTexts(c, &data, kind, count, order, want)
	default:
		list := slowNumbers[kind](count)
		raw := make([]byte, binary.Size(list))
		for k := range raw {
			if raw[k] = byte(c.Int(256)); kind == "b1" {
				raw[k] &= 1
			}
		}
		_, _ = binary.Decode(raw, binary.LittleEndian, list)
		_ = binary.Write(&data, order, list)
		want.numbers = asFloats(list)
	}
	return append(buildHeader(c, orderMark+kind, want), data.Bytes()...), want
}

// buildTexts writes texts, and returns their type.
func buildTexts(c *fuzzing.Choices, data *bytes.Buffer, kind string, count int, order binary.ByteOrder, want *content) string {
	width, length := 1, func(text string) int { return len(text) }
	if kind == "U" {
		length = utf8.RuneCountInString
	}
	for range count {
		text := c.Text()
		want.texts, width = append(want.texts, text), max(width, length(text))
	}
	for _, text := range want.texts {
		if kind == "S" {
			data.WriteString(text + strings.Repeat("\x00", width-len(text)))
			continue
		}
		letters := make([]rune, width)
		copy(letters, []rune(text))
		_ = binary.Write(data, order, letters)
	}
	return fmt.Sprint(kind, width)
}

// buildHeader writes what stands before the data as one of the programs that write arrays.
func buildHeader(c *fuzzing.Choices, descr string, want *content) []byte {
	quote, blank := fuzzing.Pick(c, "'", "\""), fuzzing.Pick(c, " ", "", "  ", "\n")
	var sizes []string
	for _, n := range want.shape {
		sizes = append(sizes, fmt.Sprint(n)+fuzzing.Pick(c, "", "", "L"))
	}
	shape := strings.Join(sizes, ","+blank)
	if len(sizes) == 1 || len(sizes) > 1 && c.Bool() {
		shape += ","
	}
	order := "False"
	if want.fortran {
		order = "True"
	}
	entries := []string{
		quote + "descr" + quote + ":" + blank + quote + descr + quote,
		quote + "fortran_order" + quote + ":" + blank + order,
		quote + "shape" + quote + ":" + blank + "(" + shape + ")",
	}
	first := c.Int(3)
	entries = append(slices.Clone(entries[first:]), entries[:first]...)
	text := "{" + strings.Join(entries, ","+blank) + fuzzing.Pick(c, "", ",", ", ") + "}" + strings.Repeat(" ", c.Int(70)) + fuzzing.Pick(c, "\n", "")
	version := 1 + c.Int(3)
	head := []byte(Magic + string(rune(version)) + "\x00")
	if version == 1 {
		head = binary.LittleEndian.AppendUint16(head, uint16(len(text)))
	} else {
		head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	}
	return append(head, text...)
}

// An array of any type, shape and order reads as what was put in, and damaged as another
// reader reads it, if both do.
func FuzzBuiltArray(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("\x00\x02\x02\x03\x01\x00abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"), []byte{1, 9, 2})
	f.Add([]byte("\x01\x01\x04\x00\x0c\x02ab\x03cde\x01f"), []byte{2, 40, 8})
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		data, want := build(fuzzing.By(recipe))
		if got := fast(data); got == nil || !got.same(want) {
			t.Fatalf("%q: got %v, want %v", data, got, want)
		}
		if got := slow(data); got == nil || !got.same(want) {
			t.Fatalf("%q: the other reader has %v, want %v", data, got, want)
		}
		sameTwice(t, fuzzing.By(harm).Damage(data))
	})
}

// readMembers reads all arrays of an archive that can be read.
func readMembers(data []byte) (held map[string]*content, err error) {
	members, err := open(data)
	if err != nil {
		return nil, err
	}
	held = map[string]*content{}
	for _, m := range members {
		err := m.Read(func(h Header, r io.Reader) (err error) {
			c := &content{shape: h.Shape, fortran: h.Fortran}
			switch {
			case !bounded(h.Shape, h.TextBytes()):
				return nil
			case h.IsNumeric():
				c.numbers, err = h.Numbers(r)
			case h.IsText():
				c.texts, err = h.Texts(r)
			default:
				return nil
			}
			if err == nil {
				held[m.Name] = c
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return held, nil
}

// Whatever an archive holds, its arrays are read or refused, and read as they are without
// an archive.
func FuzzArchive(f *testing.F) {
	f.Add(archive(f, "Y.npy", file(header("|u1", "False", "(1, 2)"), "12"), "names.npy", file(header("|S1", "False", "(2,)"), "ab")))
	f.Add(archive(f, "a.npy", file(header("<f8", "False", "(9999, 9999)"), "")))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), longest)]
		held, err := readMembers(data)
		if err != nil {
			return
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range z.File {
			name := strings.TrimSuffix(file.Name, ".npy")
			r, err := file.Open()
			if err != nil || held[name] == nil || name == file.Name {
				continue
			}
			alone, err := io.ReadAll(io.LimitReader(r, 1<<20))
			if want := slow(alone); err == nil && want != nil && len(z.File) == 1 && !held[name].same(want) {
				t.Errorf("%q: got %v, want %v", name, held[name], want)
			}
		}
	})
}

// An archive reads as what was put in; with anything wrong with it, it is refused, or each of
// its arrays is one of those: they have checksums.
func FuzzBuiltArchive(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("\x02\x01\x00\x02\x02\x03\x01\x00abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"), []byte{2, 9, 9, 0, 3})
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		c := fuzzing.By(recipe)
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		want, all := map[string]*content{}, map[string]bool{}
		for k := range 1 + c.Int(3) {
			head := &zip.FileHeader{Name: fuzzing.Pick(c, "Y", "names", "a/b", "ü") + fmt.Sprint(k) + ".npy", Method: fuzzing.Pick(c, zip.Store, zip.Deflate)}
			data, holds := build(c)
			want[strings.TrimSuffix(head.Name, ".npy")] = holds
			all[holds.String()] = true
			w, err := z.CreateHeader(head)
			if err == nil {
				_, err = w.Write(data)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := readMembers(b.Bytes())
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
		for name, c := range got {
			if !c.same(want[name]) {
				t.Errorf("%q: got %v, want %v", name, c, want[name])
			}
		}
		got, _ = readMembers(fuzzing.By(harm).Damage(b.Bytes()))
		for name, c := range got {
			if !all[c.String()] {
				t.Errorf("%q: %v is no array of the archive before it was damaged", name, c)
			}
		}
	})
}
