package views

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/figure"
)

// Characters that arrive in halves are whole again.
func TestMessagesKeepCharacters(t *testing.T) {
	var got strings.Builder
	m := &messages{w: &got}
	const text = "ü 東京 🜁 \x1b ende\n"
	for k := range len(text) {
		if n, err := m.Write([]byte{text[k]}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if want := strings.ReplaceAll(text, "\x1b", `\x1b`); got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}

func TestCharsetFollowsTheLocale(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want figure.Charset
	}{
		{"nothing is known", nil, figure.ASCII},
		{"LANG is UTF-8", map[string]string{"LANG": "en_GB.UTF-8"}, figure.Unicode},
		{"spelt otherwise", map[string]string{"LC_CTYPE": "C.utf8"}, figure.Unicode},
		{"LC_ALL overrules", map[string]string{"LC_ALL": "C", "LANG": "en_GB.UTF-8"}, figure.ASCII},
	} {
		if got := Charset(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
