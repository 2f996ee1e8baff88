package fuzzing

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nervure/nervure/internal/rng"
)

// random returns bytes to choose by.
func random(k int) []byte {
	b := make([]byte, 64)
	r := rng.Stream(1, "choices", k)
	for i := range b {
		b[i] = byte(r.IntN(256))
	}
	return b
}

func TestNoBytesMakeTheFirstChoice(t *testing.T) {
	c := By(nil)
	if c.Int(7) != 0 || c.Int(1000) != 0 || c.Bool() || c.Number() != 0 || c.Text() != "" || c.Left() || Pick(c, "a", "b") != "a" {
		t.Error("not the first")
	}
}

func TestChoicesKeepWithinTheirBounds(t *testing.T) {
	for k := range 2000 {
		c := By(random(k))
		if n := c.Int(5); n < 0 || n > 4 {
			t.Errorf("%d of 5", n)
		}
		if n := c.Int(1000); n < 0 || n > 999 {
			t.Errorf("%d of 1000", n)
		}
		if v := c.Number(); math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("%g", v)
		}
		if text := c.Text(); !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			t.Errorf("%q", text)
		}
		names := c.Names(5)
		slices.Sort(names)
		if len(slices.Compact(names)) != 5 || names[0] == "" {
			t.Errorf("%q", names)
		}
	}
}

// Damage leaves what it is given alone, can be repeated, and nearly always does some.
func TestDamageIsDoneToACopy(t *testing.T) {
	content, other := []byte("%%MatrixMarket\n10 10 2\n1 2 0.5\n3 1 7e5\n"), []byte("another file")
	was, same := slices.Clone(content), 0
	for k := range 5000 {
		damaged := By(random(k)).Damage(content, other)
		if again := By(random(k)).Damage(content, other); !bytes.Equal(again, damaged) {
			t.Fatalf("%q, and then %q", damaged, again)
		}
		if !bytes.Equal(content, was) {
			t.Fatalf("the content has become %q", content)
		}
		if bytes.Equal(damaged, content) {
			same++
		}
	}
	if same > 1000 {
		t.Errorf("%d of 5000 are as before", same)
	}
	if By(nil).Damage(nil) == nil {
		t.Error("nothing was made of nothing")
	}
}

func TestFloatsAreTheNumbers(t *testing.T) {
	if got := Floats([]int16{-1, 2}); !slices.Equal(got, []float64{-1, 2}) {
		t.Errorf("got %v", got)
	}
}
