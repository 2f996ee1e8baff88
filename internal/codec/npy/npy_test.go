package npy

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/numeric"
)

// file makes a file with any header.
func file(dict, data string) string {
	return Magic + "\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))) + dict + data
}

func header(descr, order, shape string) string {
	return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }"
}

func readNumbers(text string) (Header, []float64, error) {
	r := strings.NewReader(text)
	h, err := ReadHeader(r)
	if err != nil || !h.IsNumeric() {
		return h, nil, err
	}
	values, err := h.Numbers(r)
	return h, values, err
}

// Headers may be written in several ways; numbers of all types are those of package numeric.
func TestHeadersAreUnderstood(t *testing.T) {
	const data = "\x01\x00\x01\x00\x01\x01"
	for name, head := range map[string]string{
		"by NumPy":              header("|b1", "False", "(2, 3)"),
		"by Python 2":           header("|b1", "False", "(2L, 3L)"),
		"keys in another order": `{"shape": (2,3), "fortran_order": False, "descr": "|u1"}`,
		"a key given twice, the last of which counts": "{'shape': (3, 2), 'shape': (2, 3), 'fortran_order': False, 'descr': '|u1'}\n",
	} {
		h, values, err := readNumbers(file(head, data))
		if err != nil || !slices.Equal(values, []float64{1, 0, 1, 0, 1, 1}) || !slices.Equal(h.Shape, []int{2, 3}) || h.Fortran {
			t.Errorf("%s: %+v, %v, %v", name, h, values, err)
		}
	}
	if h, _, err := readNumbers(file(header("|u1", "True", "(1,)"), "x")); err != nil || !h.Fortran || !slices.Equal(h.Shape, []int{1}) {
		t.Errorf("columns first: %+v, %v", h, err)
	}
	if _, values, err := readNumbers(file(header(">i2", "False", "(1, 2)"), "\xff\xff\x00\x02")); err != nil || !slices.Equal(values, []float64{-1, 2}) {
		t.Errorf("big-endian: %v, %v", values, err)
	}
}

func TestEachFaultHasItsError(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want error
	}{
		"no bytes":                 {"", ErrEmpty},
		"something else":           {"a,b\n1,2\n3,4\n", ErrFormat},
		"a few bytes":              {"\x93NUM", ErrFormat},
		"another version":          {"\x93NUMPY\x09\x00", ErrFormat},
		"half a length":            {"\x93NUMPY\x02\x00\x01", ErrHeaderCut},
		"half a header":            {file(header("<f8", "False", "(2, 2)"), "")[:30], ErrHeaderCut},
		"a header of nonsense":     {file("{}", ""), ErrHeader},
		"a header without end":     {"\x93NUMPY\x02\x00\xff\xff\xff\xff{", &HeaderSizeError{1<<32 - 1}},
		"a negative shape":         {file(header("<f8", "False", "(-1, 2)"), ""), &ShapeError{"-1, 2"}},
		"data that ends early":     {file(header("<f8", "False", "(2, 2)"), strings.Repeat("\x00", 20)), &numeric.ShortError{Read: 2, Want: 4}},
		"data after its end":       {file(header("|u1", "False", "(1, 2)"), "\x00\x00\x00"), ErrTrailing},
		"objects, which are no":    {file(header("|O", "False", "(2, 2)"), "\x80\x03"), nil},
		"complex, neither":         {file(header("<c16", "False", "(2, 2)"), ""), nil},
		"a shape that is no tuple": {file(header("|u1", "False", "(2)"), "12"), &ShapeError{"2"}},
		"a hole in a shape":        {file(header("|u1", "False", "(1,,2)"), "12"), &ShapeError{"1,,2"}},
		"a key that NumPy lacks":   {file("{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2), 'more': 1}", "12"), ErrHeader},
		"text after the header":    {file(header("|u1", "False", "(1, 2)")+" or None", "12"), ErrHeader},
		"brackets that cross":      {file("{'descr': [('a', '<f8'])), 'fortran_order': False, 'shape': (1, 2)}", ""), ErrHeader},
		"a list for a type":        {file("{'descr': ('|u1',), 'fortran_order': False, 'shape': (1, 2)}", "12"), ErrHeader},
		"a string without end":     {file("{'descr': '|u1", "12"), ErrHeader},
		"records, neither":         {file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 2)}", ""), nil},
	} {
		h, values, err := readNumbers(c.file)
		switch {
		case c.want == nil && (err != nil || h.IsNumeric() || values != nil):
			t.Errorf("%s: %+v, %v, %v", name, h, values, err)
		case c.want != nil && (err == nil || err.Error() != c.want.Error()):
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if h, _, _ := readNumbers(file(header("|O", "False", "(2, 2)"), "")); !h.IsObject() {
		t.Error("objects are not known as such")
	}
}

func TestMatricesReadBack(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, math.Inf(-1), 1.0 / 3, 5e-324, 0, -7})
	var b bytes.Buffer
	if err := WriteMatrix(&b, m); err != nil {
		t.Fatal(err)
	}
	if start := bytes.IndexByte(b.Bytes(), '\n') + 1; start%64 != 0 {
		t.Errorf("the data starts at byte %d", start)
	}
	h, values, err := readNumbers(b.String())
	if err != nil || h.Fortran || !slices.Equal(h.Shape, []int{2, 3}) || !slices.Equal(values, m.RawMatrix().Data) {
		t.Errorf("%+v, %v, %v", h, values, err)
	}
}

func TestTextsReadBack(t *testing.T) {
	want := []string{"a", "", "ü 東京 🜁", "two\nlines"}
	var b bytes.Buffer
	if err := WriteTexts(&b, want); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHeader(&b)
	if err != nil || !h.IsText() || h.TextBytes() != 4*9 {
		t.Fatalf("%+v, %v", h, err)
	}
	if got, err := h.Texts(&b); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}
