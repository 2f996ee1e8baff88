package dataio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// numpyFile returns an array of NumPy with the given item type and order.
func numpyFile(rows, cols int, single, fortran bool, value func(i, j int) float64) []byte {
	descr, order := "<f8", "False"
	if single {
		descr = "<f4"
	}
	if fortran {
		order = "True"
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", descr, order, rows, cols)
	text += strings.Repeat(" ", 63-(10+len(text))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(text)))...)
	b = append(b, text...)
	put := func(v float64) {
		if single {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	if fortran {
		for j := range cols {
			for i := range rows {
				put(value(i, j))
			}
		}
		return b
	}
	for i := range rows {
		for j := range cols {
			put(value(i, j))
		}
	}
	return b
}

// However the numbers lie, blocks are all signals in their order, and a sample is those
// of its signals.
func TestBlocksAreTheSignals(t *testing.T) {
	const n = 300_000 // vertices, so that a block has three signals
	const m = 4
	value := func(signal, vertex int) float64 { return float64(signal) + float64(vertex)/(1<<20) }
	for _, fortran := range []bool{false, true} {
		for _, single := range []bool{!fortran} {
			for _, transpose := range []bool{false, true} {
				file := numpyFile(m, n, single, fortran, value)
				if transpose {
					file = numpyFile(n, m, single, fortran, func(i, j int) float64 { return value(j, i) })
				}
				o := ReadOptions{Transpose: transpose, Sample: 3}
				b, err := openNPYBlocks(bytes.NewReader(file), int64(len(file)), o)
				if err != nil {
					t.Fatal(err)
				}
				from, parts := 0, 0
				for y, err := range b.each {
					if err != nil {
						t.Fatal(err)
					}
					_, count := y.Dims()
					for k := range count {
						for _, i := range []int{0, 1, n / 2, n - 1} {
							if got, want := y.At(i, k), value(from+k, i); float32(got) != float32(want) || !single && got != want {
								t.Fatalf("single %v, Fortran %v, transposed %v: entry (%d, %d) is %g, want %g", single, fortran, transpose, i, from+k, got, want)
							}
						}
					}
					from, parts = from+count, parts+1
				}
				if from != m || parts < 2 {
					t.Errorf("%d signals in %d blocks, want %d in several", from, parts, m)
				}
				s, err := b.sample(o)
				if err != nil {
					t.Fatal(err)
				}
				for k, m := range s.Whole.Chosen {
					if got := s.Y.At(0, k); got != float64(m) {
						t.Errorf("signal %d of the sample is %g, want %d", k, got, m)
					}
				}
			}
		}
	}
}

// A file is sampled only if it is large and a sample is asked for; the rest of it can
// be read after it was closed, and is told if it has changed.
func TestLargeFilesAreSampled(t *testing.T) {
	const n, m = 4, 1 << 22
	dir := t.TempDir()
	path := filepath.Join(dir, "large.npy")
	some := numpyFile(m+1, n, true, false, func(i, j int) float64 { return float64(i%1000) + float64(j)/4 })
	if err := os.WriteFile(path, some, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := ReadSignals(path, ReadOptions{Sample: 50, Names: []string{"a", "b", "c", "d"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, got := s.Y.Dims(); s.Whole == nil || got != 50 || s.Whole.Signals != m+1 || !slices.IsSorted(s.Whole.Chosen) {
		t.Fatalf("%d signals, of %+v", got, s.Whole)
	}
	count := 0
	for y, err := range s.Whole.Blocks() {
		if err != nil {
			t.Fatal(err)
		}
		_, here := y.Dims()
		count += here
	}
	if count != m+1 {
		t.Errorf("%d signals in blocks, want %d", count, m+1)
	}
	if err := os.WriteFile(path, numpyFile(5, n, true, false, func(int, int) float64 { return 1 }), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range s.Whole.Blocks() {
		if err == nil || !strings.Contains(err.Error(), "changed") {
			t.Errorf("a changed file is answered by %v", err)
		}
	}
	small, err := ReadSignals(path, ReadOptions{Sample: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, got := small.Y.Dims(); small.Whole != nil || got != 5 {
		t.Errorf("%d signals of a small file, want 5", got)
	}
}

// A value that is not finite ends a walk over blocks with a sentence.
func TestBlocksRefuseInfiniteValues(t *testing.T) {
	file := numpyFile(5, 3, false, false, func(i, j int) float64 {
		if i == 3 && j == 1 {
			return math.Inf(1)
		}
		return float64(i)
	})
	b, err := openNPYBlocks(bytes.NewReader(file), int64(len(file)), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range b.each {
		if err == nil || !strings.Contains(err.Error(), "observation 4, vertex 2: the value is not finite") {
			t.Errorf("got %v", err)
		}
	}
	// Also in a sample of signals, where it is another one.
	if _, err := b.sample(ReadOptions{Sample: 3}); err == nil || !strings.Contains(err.Error(), "observation 4, vertex 2") {
		t.Errorf("got %v", err)
	}
}

// Blocks of a Parquet file, whose row groups end anywhere, are what reading it at once
// gives.
func TestParquetBlocksAreTheFile(t *testing.T) {
	rows := make([]parquetRow, 0, 2001)
	for k := range cap(rows) {
		row := parquetRow{Day: "Mo", A: float64(k * k % 1009)}
		if v := int32(k); k%7 > 0 {
			row.B = &v
		}
		rows = append(rows, row)
	}
	file := parquetFile(t, rows)
	want, err := DecodeSignals(strings.NewReader(file), "f.parquet", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := openParquet(strings.NewReader(file), int64(len(file)), ReadOptions{})
	if err == nil {
		err = table.sort()
	}
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	err = table.blocks(100, func(from int, y *mat.Dense) bool {
		n, count := y.Dims()
		whole := want.Y.Slice(0, n, from, from+count).(*mat.Dense)
		if from != next || !mat.Equal(zeroed(y), zeroed(mat.DenseCopyOf(whole))) {
			t.Errorf("the block from %d on is of other signals", from)
		}
		next += count
		return true
	})
	if err != nil || next != len(rows) {
		t.Errorf("%d signals and %v, want %d", next, err, len(rows))
	}
	b, err := openParquetBlocks(strings.NewReader(file), int64(len(file)), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.all(ReadOptions{})
	if err != nil || !slices.Equal(got.Names, want.Names) || !slices.Equal(got.Notes, want.Notes) || !mat.Equal(zeroed(got.Y), zeroed(want.Y)) {
		t.Errorf("by blocks: %v, names %q, notes %q; want %q, %q", err, got.Names, got.Notes, want.Names, want.Notes)
	}
}

// zeroed returns y with zeros where values are missing.
func zeroed(y *mat.Dense) *mat.Dense {
	z := mat.DenseCopyOf(y)
	z.Apply(func(_, _ int, v float64) float64 {
		if math.IsNaN(v) {
			return 0
		}
		return v
	}, z)
	return z
}
