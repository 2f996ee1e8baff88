package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

func TestMessagesDoNotSteerTheTerminal(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, args := range map[string][]string{
		"a file":           {"learn", file("a.csv", "a,b\n1,\x1b[2J\n")},
		"a name in a note": {"learn", file("b.csv", "t\x1b[2J,a\x1b[2J,b\n2024-01-01,1,2\n2024-01-02,,3\n")},
		"a name of a file": {"learn", filepath.Join(dir, "\x1b[2J.csv")},
		"a flag":           {"learn", "--\x1b[2J"},
		"a command":        {"\x1b[2J"},
	} {
		var out, errs strings.Builder
		if code := Run(context.Background(), args, strings.NewReader(""), &out, &errs); code != exitMisuse {
			t.Errorf("%s: exit code %d", name, code)
		}
		if text := strings.ReplaceAll(errs.String(), "\n", ""); text == "" || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("%s: %q", name, text)
		}
	}
}
