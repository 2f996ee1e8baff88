package codeblock

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/terminal"
)

func newSession(t *testing.T) *session {
	t.Helper()
	return &session{Terminal: terminal.Terminal{Dir: t.TempDir(), Bin: t.TempDir()}}
}

// program puts a program into a directory of its own and returns its path.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBlocksShareADirectory(t *testing.T) {
	s := newSession(t)
	page := "# A\n<!-- setup\necho hello > x\n-->\n```sh\ncat x > y\n```\n\n## B\n```console checked\n$ cat y\nhello\n$ cat none\ncat: none: No such file or directory\n```\n"
	if got := s.run(t.Context(), page); got != page || s.ran != 3 || len(s.faults) > 0 {
		t.Errorf("ran %d blocks, %v:\n%s", s.ran, errors.Join(s.faults...), got)
	}
}

func TestABlockThatFailsIsTheLast(t *testing.T) {
	s := newSession(t)
	s.run(t.Context(), "# A\n```sh\necho why\nfalse\n```\n```sh\necho next > next\n```\n")
	if len(s.faults) != 1 || !strings.Contains(s.faults[0].Error(), "why") || s.ran != 0 {
		t.Errorf("ran %d, %v", s.ran, s.faults)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "next")); err == nil {
		t.Error("the block after it was run")
	}
}

// A section whose Python block cannot be run is left out from there on.
func TestMissingPythonLeavesOutTheSection(t *testing.T) {
	const page = "# A\n```python\nimport x\n```\n```sh\nfalse\n```\n\n## B\n```sh\ntrue\n```\n"
	for name, c := range map[string]struct{ python, reason string }{
		"no interpreter": {filepath.Join(t.TempDir(), "none"), "there is no "},
		"no module":      {program(t, "echo \"ModuleNotFoundError: No module named 'x'\" >&2\nexit 1\n"), "No module named 'x'"},
	} {
		t.Setenv("NERVURE_PYTHON", c.python)
		t.Setenv("CI", "")
		s := newSession(t)
		s.run(t.Context(), page)
		if s.ran != 1 || len(s.leftOut) != 1 || !strings.Contains(s.leftOut[0], c.reason) || len(s.faults) > 0 {
			t.Errorf("%s: ran %d, left out %q, %v", name, s.ran, s.leftOut, s.faults)
		}
		t.Setenv("CI", "true")
		s = newSession(t)
		s.run(t.Context(), page)
		if len(s.faults) != 1 || !strings.Contains(s.faults[0].Error(), c.reason) {
			t.Errorf("%s with CI=true: %v", name, s.faults)
		}
	}
}

func TestPythonRunsTheBlock(t *testing.T) {
	t.Setenv("NERVURE_PYTHON", program(t, "echo \"$2\" > said\n"))
	s := newSession(t)
	s.run(t.Context(), "# A\n```python\nprint(1)\n```\n```console checked\n$ cat said\nprint(1)\n\n```\n")
	if s.ran != 2 || len(s.faults) > 0 {
		t.Errorf("ran %d, %v", s.ran, s.faults)
	}
	t.Setenv("NERVURE_PYTHON", program(t, "exit 1\n"))
	if s.run(t.Context(), "# A\n```python\nprint(1)\n```\n"); len(s.faults) != 1 || len(s.leftOut) > 0 {
		t.Errorf("a script that fails: %v", s.faults)
	}
}

func TestMissingOctaveOrRIsAFaultInCIAlone(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, page := range []string{"# A\n```matlab\nx = 1\n```\n", "# B\n```r\nx <- 1\n```\n"} {
		for ci, faults := range map[string]int{"": 0, "true": 1} {
			t.Setenv("CI", ci)
			s := newSession(t)
			if s.run(t.Context(), page); len(s.leftOut) != 1 || len(s.faults) != faults {
				t.Errorf("CI=%s: left out %q, %v", ci, s.leftOut, s.faults)
			}
		}
	}
}

// A page shows a file of the repository as it is, and updating shows it again.
func TestAPageShowsAScriptAsItIs(t *testing.T) {
	t.Setenv("NERVURE_PYTHON", program(t, "exit 1\n"))
	const page = "# A\n```python x/a.py\nprint(1)\n```\nend\n"
	s := newSession(t)
	s.root = scripts(t, "print(1)\n")
	if got := s.run(t.Context(), page); got != page || s.ran != 0 || len(s.faults) > 0 {
		t.Errorf("ran %d, %v: %q", s.ran, s.faults, got)
	}
	s.root = scripts(t, "print(2)\n")
	if s.run(t.Context(), page); len(s.faults) != 1 || s.faults[0].Error() != "the page shows\nprint(1)\nbut there is\nprint(2)\n" {
		t.Errorf("another script: %q", s.faults)
	}
	s.faults, s.update = nil, true
	if got, want := s.run(t.Context(), page), strings.Replace(page, "1", "2", 1); got != want || len(s.faults) > 0 {
		t.Errorf("got %q, want %q; %v", got, want, s.faults)
	}
	s.root = t.TempDir()
	if s.run(t.Context(), page); len(s.faults) != 1 {
		t.Errorf("no script: %v", s.faults)
	}
}

// scripts is a repository with a script.
func scripts(t *testing.T, text string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "x", "a.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

// So are the commands that run a script, and what the page shows of them stays.
func TestMissingPythonLeavesOutTheCommandsOfAScript(t *testing.T) {
	const page = "# A\n```python x/a.py\nimport x\n```\n```console checked\n$ python x/a.py\n1\n```\n```sh\nfalse\n```\n"
	for name, c := range map[string]struct{ python, reason string }{
		"no interpreter": {filepath.Join(t.TempDir(), "none"), "there is no "},
		"no module":      {program(t, "echo \"ModuleNotFoundError: No module named 'x'\" >&2\nexit 1\n"), "No module named 'x'"},
	} {
		t.Setenv("NERVURE_PYTHON", c.python)
		for _, ci := range []string{"", "true"} {
			t.Setenv("CI", ci)
			s := newSession(t)
			s.root, s.update, s.Prelude = scripts(t, "import x\n"), true, withPython
			if got := s.run(t.Context(), page); got != page || s.ran != 0 || len(s.leftOut) != 1 || !strings.Contains(s.leftOut[0], c.reason) {
				t.Errorf("%s: ran %d, left out %q: %q", name, s.ran, s.leftOut, got)
			}
			if (len(s.faults) > 0) != (ci == "true") {
				t.Errorf("%s with CI=%s: %v", name, ci, s.faults)
			}
		}
	}
}
