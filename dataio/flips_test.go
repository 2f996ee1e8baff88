package dataio

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/fuzzing"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/signals"
)

var (
	flips    = flag.Int("flips", 50, "how many bits are flipped, one at a time, in each file that has a checksum")
	flipSeed = flag.Uint64("flip-seed", 1, "which bits are flipped")
)

// sums shows bits that the digits of a matrix may not.
func sums(m *mat.Dense) (bits []uint64) {
	for _, v := range m.RawMatrix().Data {
		bits = append(bits, math.Float64bits(v))
	}
	return bits
}

// flipped returns the content with its k-th bit flipped, as drawn, and where that is.
func (c readable) flipped(k int) (content []byte, at string) {
	random := rng.Stream(*flipSeed, "flip "+c.name, k)
	size := 0
	for _, s := range c.covered {
		size += s[1] - s[0]
	}
	byteAt := random.IntN(size)
	for _, s := range c.covered {
		if byteAt < s[1]-s[0] {
			byteAt += s[0]
			break
		}
		byteAt -= s[1] - s[0]
	}
	bit := random.IntN(8)
	content = slices.Clone(c.content)
	content[byteAt] ^= 1 << bit
	return content, fmt.Sprintf("bit %d of byte %d", bit, byteAt)
}

// flipSignals are signals with names and no two values alike.
func flipSignals() *signals.Set {
	const n, m = 5, 40
	s := &signals.Set{Y: mat.NewDense(n, m, nil)}
	random := rng.Stream(1, "flip signals")
	for i := range n {
		s.Names = append(s.Names, "sensor "+string(rune('a'+i)))
		for j := range m {
			s.Y.Set(i, j, math.Round(1e3*random.NormFloat64())/1e3)
		}
	}
	return s
}

// checkedFiles are the readable files that a checksum covers: those compressed by
// gzip, NumPy archives, variables of MATLAB files, and pages of Parquet files.
func checkedFiles(t *testing.T) []readable {
	t.Helper()
	return slices.DeleteFunc(readables(t), func(c readable) bool { return c.covered == nil || strings.HasSuffix(c.name, "in rows") })
}

// pageSpans is where the data of the pages of a Parquet file lies, for which their headers
// have a checksum.
func pageSpans(t *testing.T, content []byte) [][2]int {
	t.Helper()
	spans, checked, err := fuzzing.PageSpans(content)
	if err != nil || !checked {
		t.Fatalf("every page has a checksum: %t, %v", checked, err)
	}
	return spans
}

// A flipped bit that a checksum covers is noticed, or makes no difference. A longer campaign:
//
//	go test ./dataio -run Flipped -flips 2000 -flip-seed 2 -v
func TestFlippedBitsAreNoticed(t *testing.T) {
	all, refused, faults := 0, 0, 0
	for _, c := range checkedFiles(t) {
		want, err := c.said(c.content)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		silent := 0
		for k := range *flips {
			content, at := c.flipped(k)
			got, err := c.said(content)
			all++
			switch {
			case err != nil:
				refused++
			case got != want:
				if silent++; silent == 1 {
					t.Errorf("%s: %s is flipped, and something else is read without a word", c.name, at)
				}
			}
		}
		if faults += silent; silent > 1 {
			t.Errorf("%s: %d of %d flips make a silent difference", c.name, silent, *flips)
		}
	}
	t.Logf("of %d flipped bits, %d were refused, and the others make no difference", all, refused)
	t.Attr("tried", strconv.Itoa(all))
	t.Attr("faults", strconv.Itoa(faults))
}

// What comes after compressed data, or is missing of it, is noticed in every format.
func TestCompressedFilesEndWhereTheyShould(t *testing.T) {
	for _, c := range checkedFiles(t) {
		if !strings.Contains(c.name, ".gz") {
			continue
		}
		for name, content := range map[string][]byte{
			"half a checksum":    c.content[:len(c.content)-6],
			"no length":          c.content[:len(c.content)-4],
			"all but a byte":     c.content[:len(c.content)-1],
			"garbage behind":     append(slices.Clone(c.content), "garbage"...),
			"half a member more": append(slices.Clone(c.content), c.content[:9]...),
		} {
			if _, err := c.said(content); err == nil || !strings.Contains(err.Error(), "the compressed data is damaged or cut short") {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
		}
	}
}
