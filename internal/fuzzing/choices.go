// Package fuzzing makes choices by a fuzzer's bytes, so that tests can build valid files
// of them, and damages files.
package fuzzing

import (
	"encoding/binary"
	"math"
	"strings"
)

// Choices are made by bytes, one after the other. When these have run out, every choice is
// the first one, so that a shorter input is a simpler file.
type Choices struct{ left []byte }

// By returns the choices that the bytes stand for.
func By(data []byte) *Choices { return &Choices{data} }

// Left reports whether there are bytes to choose by.
func (c *Choices) Left() bool { return len(c.left) > 0 }

func (c *Choices) byte() byte {
	if len(c.left) == 0 {
		return 0
	}
	b := c.left[0]
	c.left = c.left[1:]
	return b
}

// Int returns a number from 0 to n-1, by one byte if n is at most 256 and by four otherwise.
func (c *Choices) Int(n int) int {
	switch {
	case n <= 1:
		return 0
	case n <= 1<<8:
		return int(c.byte()) % n
	}
	return int((c.Bits() >> 32) % uint64(n))
}

// Bool returns a truth value.
func (c *Choices) Bool() bool { return c.byte()&1 == 1 }

// Bits returns any number, whose upper half is by four bytes and all of it by eight.
func (c *Choices) Bits() uint64 {
	var b [8]byte
	c.left = c.left[copy(b[:], c.left):]
	return binary.BigEndian.Uint64(b[:])
}

// Pick returns one of a list, by a byte.
func Pick[T any](c *Choices, list ...T) T { return list[c.Int(len(list))] }

// extremes are numbers at which readers go wrong.
var extremes = []float64{
	math.Copysign(0, -1), 1, -1, 0.1, 1.0 / 3, 5e-324, -2.2250738585072014e-308, math.MaxFloat64, -math.MaxFloat64,
	1 << 53, 1<<53 + 2, math.MaxInt32, math.MinInt32, 1 << 63, 1e16, 1e-7, 123456789.125,
}

// Number returns a finite number: small and whole, a decimal fraction, an extreme, or any.
func (c *Choices) Number() float64 {
	switch c.Int(4) {
	case 0:
		return float64(int8(c.byte()))
	case 1:
		return float64(int16(c.Bits()>>48)) / 100
	case 2:
		return Pick(c, extremes...)
	}
	if v := math.Float64frombits(c.Bits()); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v
	}
	return 0
}

// pieces are what texts are made of: what separates, quotes and escapes somewhere, what
// looks like a number, and letters of one to four bytes.
var pieces = []string{
	"a", "b", "Z", "0", "7", "-1", "1e5", " ", ",", ";", "\t", "\"", "'", "\n", "\r\n", "<",
	"&", "&amp;", "]]>", "%", "#", "\\", "{", "}", "=", ".",
	"NA", "nan", "ü", "ß", "東", "🜁", "\u0301", "\u00a0", "\u200b", "sensor ", "v0", "time", "2024-01-31",
}

// Text returns a text of up to eight pieces, which is valid UTF-8 without control
// characters but for ends of lines and tabs, and may be empty.
func (c *Choices) Text() string {
	var b strings.Builder
	for range c.Int(9) {
		b.WriteString(Pick(c, pieces...))
	}
	return b.String()
}

// Names returns n different texts, none of them empty.
func (c *Choices) Names(n int) []string {
	names, seen := make([]string, n), map[string]bool{"": true}
	for i := range names {
		name := c.Text()
		for k := 0; seen[name]; k++ {
			name += string(rune('A' + (i+k)%26))
		}
		names[i], seen[name] = name, true
	}
	return names
}
