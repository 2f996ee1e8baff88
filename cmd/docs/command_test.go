package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs runs the program on the repository and returns what it prints.
func docs(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	cmd := command(root, &out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

func TestSiteIsWrittenWhereItIsAsked(t *testing.T) {
	to := t.TempDir()
	out, err := docs(t, "site", "--out", to)
	if err != nil || !strings.Contains(out, " pages in "+to) {
		t.Errorf("%q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(to, "index.html")); err != nil {
		t.Error(err)
	}
}

func TestMisuseIsAnError(t *testing.T) {
	for want, args := range map[string][]string{
		`unknown command "page"`:            {"page"},
		`unknown command "speed"`:           {"measure", "speed"},
		`required flag(s) "data" not set`:   {"measure", "realdata"},
		`no recordings of kind "tides"`:     {"measure", "messy", "--kinds", "tides"},
		`got "x" for seeds`:                 {"measure", "messy", "--seeds", "x"},
		`unknown command "x" for "docs pa`:  {"pages", "x"},
		`unknown command "x" for "docs sit`: {"site", "x"},
	} {
		if out, err := docs(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
	}
}

// Every command of this program that the Makefile calls exists.
func TestMakefileCallsCommandsThatExist(t *testing.T) {
	calls := regexp.MustCompile(`(?:go run \./cmd/docs|\$\(DOCS\))((?: [a-z]+)+)`).FindAllStringSubmatch(read(t, "Makefile"), -1)
	if len(calls) < 5 {
		t.Fatalf("the Makefile calls %q", calls)
	}
	for _, call := range calls {
		cmd, rest, err := command(root, nil).Find(strings.Fields(call[1]))
		if err != nil || len(rest) > 0 || cmd.HasSubCommands() {
			t.Errorf("docs%s: %q, %v", call[1], rest, err)
		}
	}
}
