package dataio

import (
	"bytes"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/codec/npy"
)

// npyFile makes a file with any header.
func npyFile(dict, data string) string {
	return "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(dict)))) + dict + data
}

func header(descr, order, shape string) string {
	return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }"
}

// Two observations of three vertices: (1, 0, 1), (0, 1, 1).
func TestArraysAreReadEitherWayRound(t *testing.T) {
	for name, file := range map[string]string{
		"rows first":    npyFile(header("|b1", "False", "(2, 3)"), "\x01\x00\x01\x00\x01\x01"),
		"columns first": npyFile(header("|b1", "True", "(2, 3)"), "\x01\x00\x00\x01\x01\x01"),
	} {
		for _, transpose := range []bool{false, true} {
			s, err := decode(file, NPY, ReadOptions{Transpose: transpose})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var want mat.Matrix = mat.NewDense(2, 3, []float64{1, 0, 1, 0, 1, 1})
			if !transpose {
				want = want.T()
			}
			if !mat.Equal(s.Y, want) {
				t.Errorf("%s, transpose %t: got %v", name, transpose, mat.Formatted(s.Y))
			}
		}
	}
}

func TestBadArraysAreAnsweredWithWhatAndHow(t *testing.T) {
	var nan bytes.Buffer
	if err := npy.WriteMatrix(&nan, mat.NewDense(2, 2, []float64{1, math.NaN(), 2, math.NaN()})); err != nil {
		t.Fatal(err)
	}
	const again = "copy or save the file again"
	for name, c := range map[string]struct{ file, want string }{
		"a header without end": {"\x93NUMPY\x02\x00\xff\xff\xff\xff{", "the header claims to be 4294967295 bytes long: save the array again as plain numbers"},
		"a negative shape":     {npyFile(header("<f8", "False", "(-1, 2)"), ""), "the header gives the shape \"(-1, 2)\", which cannot be: save the array again"},
		"truncated data":       {npyFile(header("<f8", "False", "(2, 2)"), strings.Repeat("\x00", 20)), "the header declares 4 values (shape (2, 2)) but the data ends after 2: " + again},
		"a product past 2^64":  {npyFile(header("<f8", "False", "(4294967296, 4294967297)"), ""), "the array claims shape (4294967296, 4294967297), more than the 268435456 values that can be read: take fewer observations"},
		"one dimension":        {npyFile(header("<f8", "False", "(5,)"), ""), "the array has shape (5,), but two dimensions are needed: reshape it and save it again"},
		"no rows":              {npyFile(header("<f8", "False", "(0, 3)"), ""), "the array is empty (shape (0, 3))"},
		"objects":              {npyFile(header("|O", "False", "(2, 2)"), "\x80\x03"), "the array holds Python objects, not numbers: convert it with .astype(float) and save it again"},
		"complex numbers":      {npyFile(header("<c16", "False", "(2, 2)"), ""), `the array holds "<c16", not real numbers: convert it with .astype(float) and save it again`},
		"an infinite float16":  {npyFile(header("<f2", "False", "(1, 2)"), "\x00\x00\x00\x7c"), "the value at index [0, 1] (v1) is not finite: it must be a number below 1.8e308 in size"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := decode(c.file, NPY, ReadOptions{})
			wantFault(t, err, 0, 0, "stdin: "+c.want)
		})
	}
}

func TestClaimsOfAHeaderAllocateNothing(t *testing.T) {
	// Within the limit, but a hundred million times what is there.
	file := npyFile(header("<f8", "False", "(16384, 16384)"), "12345678")
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
