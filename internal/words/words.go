// Package words writes numbers as people read them, the same in the terminal, in
// the report and in warnings.
package words

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Plural returns "1 edge" or "3 edges".
func Plural(n int, noun string) string {
	switch {
	case n == 1:
	case noun == "vertex":
		noun = "vertices"
	default:
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Thousands returns a number with its digits in groups of three, such as 200,000.
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	for k := len(digits) - 3; k > 0; k -= 3 {
		digits = digits[:k] + "," + digits[k:]
	}
	return digits
}

// Percent returns a share in two digits.
func Percent(share float64) string {
	if share > 0.1 {
		return fmt.Sprintf("%.0f%%", 100*share)
	}
	return fmt.Sprintf("%.2g%%", 100*share)
}

// List returns "a, b and c" for the word and.
func List(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + word + " " + items[last]
}

// Time writes a time as tables have it: with as many parts as it needs, in UTC and
// without a zone.
func Time(t time.Time) string {
	t = t.UTC()
	switch {
	case t.Nanosecond() != 0:
		return t.Format("2006-01-02 15:04:05.999999999")
	case t.Second() != 0:
		return t.Format("2006-01-02 15:04:05")
	}
	return t.Format("2006-01-02 15:04")
}

// Visible returns a text in which characters that would steer a terminal, or hide and
// reorder what stands around them, are written as in Go: \x1b for escape. Ends of lines
// and tabs stay.
func Visible(text string) string {
	var b strings.Builder
	for k, c := range text {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(text[k:], string(utf8.RuneError)): // a byte that is no text
			b.WriteString(`\x` + strconv.FormatUint(uint64(text[k])|0x100, 16)[1:])
		case c == '\n' || c == '\t' || !unicode.IsControl(c) && !unicode.Is(unicode.Bidi_Control, c) && c != '\u2028' && c != '\u2029':
			b.WriteRune(c)
		default:
			quoted := strconv.QuoteRuneToASCII(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

// OneLine returns the text of an error, joined errors after one another.
func OneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
