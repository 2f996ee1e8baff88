package words

import "testing"

func TestNothingInTextSteersATerminal(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ü 東京 🜁\n\ttabbed": "plain, ü 東京 🜁\n\ttabbed",
		"\x1b]0;title\a\x1b[2J":   `\x1b]0;title\a\x1b[2J`,
		"over\rwritten\b\x7f\x00": `over\rwritten\b\x7f\x00`,
		"\u009b2J \x9b2J":         `\u009b2J \x9b2J`,
		"\u202egnp.exe\u2069":     `\u202egnp.exe\u2069`,
		"\uFFFD stays, \xff no":   "\uFFFD stays, " + `\xff no`,
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
