package dataio

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// npy makes a file with any header.
func npy(dict, data string) string {
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))) + dict + data
}

func header(descr, order, shape string) string {
	return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }"
}

func TestArraysOfEveryNumericTypeAreRead(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	f64 := func(o binary.AppendByteOrder, values ...float64) (b []byte) {
		for _, v := range values {
			b = o.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	f32 := func(o binary.AppendByteOrder, values ...float32) (b []byte) {
		for _, v := range values {
			b = o.AppendUint32(b, math.Float32bits(v))
		}
		return b
	}
	// Two observations of three vertices: (1, 0, 1), (0, 1, 1).
	for name, c := range map[string]struct{ head, data string }{
		"<f8":                  {header("<f8", "False", "(2, 3)"), string(f64(le, 1, 0, 1, 0, 1, 1))},
		">f8":                  {header(">f8", "False", "(2, 3)"), string(f64(be, 1, 0, 1, 0, 1, 1))},
		"<f4":                  {header("<f4", "False", "(2, 3)"), string(f32(le, 1, 0, 1, 0, 1, 1))},
		">f4":                  {header(">f4", "False", "(2, 3)"), string(f32(be, 1, 0, 1, 0, 1, 1))},
		"<f2":                  {header("<f2", "False", "(2, 3)"), "\x00\x3c\x00\x00\x00\x3c\x00\x00\x00\x3c\x00\x3c"},
		"<i2":                  {header("<i2", "False", "(2, 3)"), "\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x01\x00"},
		">u2":                  {header(">u2", "False", "(2, 3)"), "\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x01"},
		"|i1":                  {header("|i1", "False", "(2, 3)"), "\x01\x00\x01\x00\x01\x01"},
		"|u1":                  {header("|u1", "False", "(2, 3)"), "\x01\x00\x01\x00\x01\x01"},
		"|b1":                  {header("|b1", "False", "(2, 3)"), "\x01\x00\x01\x00\x01\x01"},
		"columns first":        {header("|b1", "True", "(2, 3)"), "\x01\x00\x00\x01\x01\x01"},
		"a header by Python 2": {header("|b1", "False", "(2L, 3L)"), "\x01\x00\x01\x00\x01\x01"},
		"keys in another order": {
			`{"shape": (2,3), "fortran_order": False, "descr": "|u1"}`, "\x01\x00\x01\x00\x01\x01",
		},
	} {
		for _, transpose := range []bool{false, true} {
			s, err := decode(npy(c.head, c.data), NPY, ReadOptions{Transpose: transpose})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want := mat.NewDense(2, 3, []float64{1, 0, 1, 0, 1, 1})
			if !transpose {
				want = mat.DenseCopyOf(want.T())
			}
			if !mat.Equal(s.Y, want) {
				t.Errorf("%s, transpose %t: got %v", name, transpose, mat.Formatted(s.Y))
			}
		}
	}
	s, err := decode(npy(header("<i8", "False", "(1, 2)"), "\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x00\x00\x00"), NPY, ReadOptions{})
	if err != nil || s.Y.At(0, 0) != -1 || s.Y.At(1, 0) != 2 {
		t.Errorf("<i8: %v, %v", s, err)
	}
}

func TestHalfPrecision(t *testing.T) {
	for bits, want := range map[uint16]float64{ // IEEE 754-2008, binary16
		0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: math.Ldexp(1, -14), 0x0001: math.Ldexp(1, -24), 0x3555: 0.333251953125, 0xfc00: math.Inf(-1),
	} {
		if got := float16(bits); got != want {
			t.Errorf("%#04x: got %g, want %g", bits, got, want)
		}
	}
	if !math.IsNaN(float16(0x7e00)) {
		t.Error("0x7e00 is not NaN")
	}
}

func TestBadArraysAreAnsweredWithWhatAndHow(t *testing.T) {
	var nan bytes.Buffer
	if err := writeNPY(&nan, mat.NewDense(2, 2, []float64{1, math.NaN(), 2, math.NaN()})); err != nil {
		t.Fatal(err)
	}
	const again = "copy or save the file again"
	for name, c := range map[string]struct{ file, want string }{
		"an empty file":           {"", "the file is empty"},
		"something else":          {"a,b\n1,2\n3,4\n", "this is not a NumPy array: save it with numpy.save"},
		"a few bytes":             {"\x93NUM", "this is not a NumPy array: save it with numpy.save"},
		"half a header":           {npy(header("<f8", "False", "(2, 2)"), "")[:30], "the header is cut short: " + again},
		"a header without end":    {"\x93NUMPY\x02\x00\xff\xff\xff\xff{", "the header claims to be 4294967295 bytes long: save the array again as plain numbers"},
		"a header of nonsense":    {npy("{}", ""), "the header of the array cannot be understood: save it again with numpy.save"},
		"a negative shape":        {npy(header("<f8", "False", "(-1, 2)"), ""), "the header gives the shape (-1, 2), which cannot be: save the array again"},
		"truncated data":          {npy(header("<f8", "False", "(2, 2)"), strings.Repeat("\x00", 20)), "the header declares 4 values (shape (2, 2)) but the data ends after 2: " + again},
		"too much data":           {npy(header("|u1", "False", "(1, 2)"), "\x00\x00\x00"), "there is more data than the header declares (|u1 of shape (1, 2)): save the array again"},
		"10^12 values":            {npy(header("<f8", "False", "(1000000, 1000000)"), "12345678"), "the array claims shape (1000000, 1000000), more than the 268435456 values that can be read: take fewer observations"},
		"a product past 2^64":     {npy(header("<f8", "False", "(4294967296, 4294967297)"), ""), "the array claims shape (4294967296, 4294967297), more than the 268435456 values that can be read: take fewer observations"},
		"one dimension":           {npy(header("<f8", "False", "(5,)"), ""), "the array has shape (5,), but two dimensions are needed: reshape it and save it again"},
		"three dimensions":        {npy(header("<f8", "False", "(1, 2, 3)"), ""), "the array has shape (1, 2, 3), but two dimensions are needed: reshape it and save it again"},
		"no rows":                 {npy(header("<f8", "False", "(0, 3)"), ""), "the array is empty (shape (0, 3))"},
		"objects":                 {npy(header("|O", "False", "(2, 2)"), "\x80\x03"), "the array holds Python objects, not numbers: convert it with .astype(float) and save it again"},
		"complex numbers":         {npy(header("<c16", "False", "(2, 2)"), ""), `the array holds "<c16", not real numbers: convert it with .astype(float) and save it again`},
		"records":                 {npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 2)}", ""), `the array holds "a structured array", not real numbers: convert it with .astype(float) and save it again`},
		"a vertex without values": {nan.String(), "index [:, 1] (v1) has no values: leave it out"},
		"an infinite float16":     {npy(header("<f2", "False", "(1, 2)"), "\x00\x00\x00\x7c"), "the value at index [0, 1] (v1) is not finite: it must be a number below 1.8e308 in size"},
		"a version of the future": {"\x93NUMPY\x09\x00", "this is not a NumPy array: save it with numpy.save"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(c.file, NPY, ReadOptions{})
			wantFault(t, err, 0, 0, "stdin: "+c.want)
		})
	}
}

func TestClaimsOfAHeaderAllocateNothing(t *testing.T) {
	// Within the limit, but a hundred million times what is there.
	file := npy(header("<f8", "False", "(16384, 16384)"), "12345678")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := decode(file, NPY, ReadOptions{})
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Fatal("a truncated array was accepted")
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
		t.Errorf("%d bytes allocated for a file of %d", got, len(file))
	}
}

func FuzzNPY(f *testing.F) {
	f.Add([]byte(npy(header("|u1", "False", "(2, 3)"), "123456")), false)
	f.Add([]byte(npy(header(">f2", "True", "(2, 3)"), "123456789012")), true)
	f.Add([]byte(npy(header("<f8", "False", "(1000000, 1000000)"), "")), true)
	f.Fuzz(func(t *testing.T, file []byte, transpose bool) {
		s, err := DecodeSignals(bytes.NewReader(file), "fuzz", ReadOptions{Format: NPY, Transpose: transpose})
		checkAccepted(t, s, err, NPY)
	})
}
