package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
