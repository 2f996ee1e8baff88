package cli

import (
	"strings"
	"testing"
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
