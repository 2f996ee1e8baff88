package codeblock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiguresAreThoseThatThePageMakes(t *testing.T) {
	const page = "# A\n![a](figures/x/a.svg)\n![b](figures/x/b.svg)\n"
	s := newSession(t)
	s.root = t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shown := filepath.Join(s.root, "docs", "figures", "x")
	if err := s.figures(page); err != nil {
		t.Errorf("figures that no block makes: %v", err)
	}
	write(s.Dir, "a.svg", `<path id="m1f" d="M 1.5 2"/>`)
	if err := s.figures(page); err == nil {
		t.Error("a figure that is not committed is no fault")
	}
	write(shown, "a.svg", `<path id="m2e" d="M 1.4999 2"/>`)
	if err := s.figures(page); err != nil {
		t.Errorf("a figure that is rounded differently: %v", err)
	}
	write(shown, "a.svg", `<path id="m2e" d="M 1.4999 2 L 3 4"/>`)
	if err := s.figures(page); err == nil || !strings.Contains(err.Error(), "a.svg is not what the page makes") {
		t.Errorf("another figure: %v", err)
	}
	s.update = true
	if err := s.figures(page); err != nil {
		t.Error(err)
	}
	if now, err := os.ReadFile(filepath.Join(shown, "a.svg")); err != nil || string(now) != `<path id="m1f" d="M 1.5 2"/>` {
		t.Errorf("%s, %v", now, err)
	}
}
