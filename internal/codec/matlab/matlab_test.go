package matlab

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// plainFile is a file of elements that are not compressed.
func plainFile(elements ...[]byte) []byte {
	var b bytes.Buffer
	NewWriter(&b, "test")
	for _, e := range elements {
		b.Write(tag(miMatrix, int64(len(e))))
		b.Write(e)
	}
	return b.Bytes()
}

func open(b []byte) (*File, error) { return Open(bytes.NewReader(b), int64(len(b))) }

func mustOpen(t *testing.T, b []byte) *File {
	t.Helper()
	f, err := open(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func ints(values ...int32) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, values)
	return b
}

func doubles(values ...float64) []byte {
	b, _ := binary.Append(nil, binary.LittleEndian, values)
	return b
}

func bytesMatrix(name string, rows, cols int, values ...byte) []byte {
	return element(head(Uint8, 0, rows, cols, name), miUint8, values)
}

func charMatrix(name string, rows, cols int, kind uint32, data []byte) []byte {
	return element(head(Char, 0, rows, cols, name), kind, data)
}

func TestWhatIsWrittenReadsBack(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, math.Inf(-1), 1.0 / 3, 5e-324, 0, -7})
	entries := []Entry{{1, 0, 0.5}, {0, 2, -1}, {2, 2, 3}}
	texts := []string{"a", "", "ü 東京", "beyond 🜁", "two\nlines"}
	var b bytes.Buffer
	w := NewWriter(&b, "test")
	w.Matrix("full", m)
	w.Sparse("some", 3, 4, entries)
	w.Sparse("none", 2, 2, nil)
	w.Cells("text", texts)
	if w.Err() != nil {
		t.Fatal(w.Err())
	}
	f := mustOpen(t, b.Bytes())
	if got, err := f.Numbers(f.Variables[0]); err != nil || !slices.Equal(got, []float64{1, 5e-324, math.Inf(-1), 0, 1.0 / 3, -7}) {
		t.Errorf("column by column: %v, %v", got, err)
	}
	if got, err := f.Entries(f.Variables[1], 3); err != nil || !slices.Equal(got, entries) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := f.Entries(f.Variables[2], 3); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := f.Cells(f.Variables[3]); err != nil || !slices.Equal(got, texts) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := f.Entries(f.Variables[1], 2); !errors.Is(err, ErrDamaged) {
		t.Errorf("three entries where two are the most: %v", err)
	}
}

func TestEachFaultHasItsError(t *testing.T) {
	whole := plainFile(bytesMatrix("Y", 1, 2, 1, 2))
	cells := func(cell []byte) []byte {
		return append(head(Cell, 0, 1, 1, "c"), append(tag(miMatrix, int64(len(cell))), cell...)...)
	}
	sparse := func(rows, starts []byte) []byte {
		return plainFile(element(element(element(head(Sparse, 1, 2, 2, "S"), miInt32, rows), miInt32, starts), miUint8, []byte{1}))
	}
	for name, c := range map[string]struct {
		file []byte
		want error
	}{
		"something else":        {[]byte("a,b\n1,2\n"), ErrFormat},
		"something longer":      {[]byte(strings.Repeat("1,2\n", 99)), ErrFormat},
		"version 7.3":           {[]byte("MATLAB 7.3 MAT-file" + strings.Repeat(" ", 600)), ErrHDF5},
		"HDF5":                  {[]byte("\x89HDF\r\n\x1a\n" + strings.Repeat("\x00", 200)), ErrHDF5},
		"version 4":             {append(ints(0, 1, 2, 0, 2), "Y\x00"...), ErrVersion4},
		"half a file":           {whole[:len(whole)-4], ErrCut},
		"half a tag":            {append(slices.Clone(whole), "abc"...), ErrCut},
		"a size without data":   {plainFile(bytesMatrix("Y", 9999, 9999, 1, 2)), ErrDamaged},
		"zeros, then more":      {append(slices.Clone(whole), strings.Repeat("\x00", 1<<16)+"abc"...), ErrDamaged},
		"a name twice":          {append(slices.Clone(whole), whole[headerBytes:]...), ErrDamaged},
		"a row out of bounds":   {sparse(ints(2), ints(0, 1, 1)), ErrDamaged},
		"a start below zero":    {sparse(ints(0), ints(0, 0, -1)), ErrDamaged},
		"a start that is none":  {plainFile(element(element(element(head(Sparse, 1, 2, 2, "S"), miInt32, ints(0)), miDouble, doubles(0, math.NaN(), 1)), miUint8, []byte{1})), ErrDamaged},
		"a start out of bounds": {sparse(ints(0), ints(0, 7, 1)), ErrDamaged},
		"a cell of numbers":     {plainFile(cells(bytesMatrix("", 1, 1, 1))), &NotTextError{0}},
		"a cell of nothing":     {plainFile(head(Cell, 0, 1, 1, "c")), ErrCut},
	} {
		f, err := open(c.file)
		if err == nil {
			_, err = read(f, f.Variables[0])
		}
		if err == nil || err.Error() != c.want.Error() {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

// Some programs and disks fill up files with zeros, to any length.
func TestZerosMayFollowTheVariables(t *testing.T) {
	whole := plainFile(bytesMatrix("Y", 1, 2, 1, 2))
	want := mustOpen(t, whole).Variables
	for _, zeros := range []int{1, 7, 8, 13, 512, 1 << 16} {
		f := mustOpen(t, append(slices.Clone(whole), make([]byte, zeros)...))
		if !reflect.DeepEqual(f.Variables, want) {
			t.Errorf("%d zeros: got %+v, want %+v", zeros, f.Variables, want)
		}
	}
}

// read reads a variable as what it is.
func read(f *File, v Variable) (any, error) {
	switch {
	case v.Class == Char:
		return f.Rows(v)
	case v.Class == Cell && product(v.Shape) <= 1<<10:
		return f.Cells(v)
	case len(v.Shape) != 2 || v.Complex:
		return nil, nil
	case v.Class == Sparse && v.Shape[1] <= 1<<16:
		return f.Entries(v, 1<<16)
	case v.Class.IsNumeric() && v.Class != Sparse:
		return f.Numbers(v)
	}
	return nil, nil
}

func product(shape []int) int {
	n := 1.0
	for _, size := range shape {
		n *= float64(size)
	}
	return int(min(n, math.MaxInt32))
}

func TestTheFirstErrorOfAWriterStays(t *testing.T) {
	w := NewWriter(io.Discard, "test")
	w.Matrix("huge", huge{})
	w.Cells("names", []string{"a"})
	if !errors.Is(w.Err(), ErrTooLarge) {
		t.Errorf("got %v", w.Err())
	}
}

// A huge matrix has 2³⁰ rows and 2³⁰ columns.
type huge struct{ mat.Matrix }

func (huge) Dims() (rows, cols int) { return 1 << 30, 1 << 30 }
