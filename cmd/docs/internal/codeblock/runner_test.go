package codeblock

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkout makes a repository with a tool that says hello, and a page.
func checkout(t *testing.T, page string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module x\n\ngo 1.26\n",
		"cmd/nervure/main.go": "package main\n\nfunc main() { print(\"hello\\n\") }\n",
		"docs/page.md":        page,
		"docs/prose.md":       "# Prose\n\n```text\nnothing to run\n```\n",
		"README.md":           "# X\n\n```sh\ngo install ./cmd/nervure\nnervure\n```\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRunAndUpdate(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	t.Setenv("NERVURE_BUILT", "") // the checkout has a program of its own
	const page = "# Page\n\n```console checked\n$ nervure\ngood day\n```\n"
	dir := checkout(t, page)
	pages, err := Pages(dir)
	if err != nil || !slices.Equal(pages, []string{"README.md", "docs/page.md"}) {
		t.Fatalf("%q, %v", pages, err)
	}
	if err := (Runner{Root: dir, Log: io.Discard}).Run(t.Context(), pages); err == nil ||
		!strings.HasPrefix(err.Error(), "docs/page.md: the page shows\n$ nervure\ngood day\n") {
		t.Errorf("a page that shows something else: %v", err)
	}
	var log strings.Builder
	if err := (Runner{Root: dir, Log: &log, Update: true}).Run(t.Context(), pages); err != nil {
		t.Error(err)
	}
	if want := "README.md: 1 blocks run, 0 left out\ndocs/page.md: 1 blocks run, 0 left out\n"; log.String() != want {
		t.Errorf("logged %q, want %q", log.String(), want)
	}
	now, err := os.ReadFile(filepath.Join(dir, "docs/page.md"))
	if want := strings.Replace(page, "good day", "hello", 1); err != nil || string(now) != want {
		t.Errorf("got %q, %v; want %q", now, err, want)
	}
}

func TestReadmeOpensWithTheTwoCommands(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, Readme))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	for _, b := range Blocks(string(text)) {
		for line := range strings.Lines(b.Text) {
			command, _, _ := strings.Cut(line, "#")
			if command = strings.TrimSpace(command); command != "" {
				commands = append(commands, command)
			}
		}
	}
	if want := []string{"go run ./cmd/nervure demo", "make test"}; len(commands) < 2 || !slices.Equal(commands[:2], want) {
		t.Errorf("the first commands are %q, want %q", commands[:min(2, len(commands))], want)
	}
}
