package terminal

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCommandsAreShownWithWhatTheyPrint(t *testing.T) {
	shell := Terminal{Dir: t.TempDir(), Bin: t.TempDir(), Env: []string{"WORD=hello"}, Prelude: "say() { echo \"$WORD $1\"; }\n"}
	if err := os.WriteFile(filepath.Join(shell.Bin, "tool"), []byte("#!/bin/sh\necho the tool >&2\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := shell.Show(t.Context(), "say you > said.txt\ncat said.txt\ntool\n")
	if want := "$ say you > said.txt\n$ cat said.txt\nhello you\n$ tool\nthe tool\n"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestCommandsEndAtTheFirstThatFails(t *testing.T) {
	shell := Terminal{Dir: t.TempDir()}
	if got, err := shell.Show(t.Context(), "echo one\nfalse | true\necho three\n"); err == nil || got != "$ echo one\none\n$ false | true\n" {
		t.Errorf("a pipe whose start fails: %q, %v", got, err)
	}
	if got, err := shell.Bash(t.Context(), "false\necho two\n"); err == nil || got != "" {
		t.Errorf("the first of two commands fails: %q, %v", got, err)
	}
	if got, err := shell.Bash(t.Context(), "echo $unset\n"); err == nil {
		t.Errorf("a variable without a value: %q", got)
	}
}
