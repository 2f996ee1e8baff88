package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
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
		`no measurement "speed"`:            {"measure", "speed"},
		`--data says where`:                 {"measure", "realdata"},
		`nothing to measure has`:            {"measure", "messy", "--only", "tides"},
		`--seed and --out go together`:      {"measure", "messy", "--seed", "7"},
		`unknown command "x" for "docs pa`:  {"pages", "x"},
		`unknown command "x" for "docs sit`: {"site", "x"},
	} {
		if out, err := docs(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
	}
}

// The Makefile calls every measurement.
func TestMakefileCallsAllMeasurements(t *testing.T) {
	makefile := read(t, "Makefile")
	for _, m := range measure.All {
		if !regexp.MustCompile(`(?m)(^|\(call measure,.*)\b` + m.Name + `\b`).MatchString(makefile) {
			t.Errorf("no target of the Makefile measures %s", m.Name)
		}
	}
}
