package pages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// results copies the first lines of an experiment's results; zero means none of
// them, and no directory.
func results(t *testing.T, name string, lines int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if lines == 0 {
		return dir
	}
	text, err := os.ReadFile(filepath.Join(root, "docs/results", name, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	some := strings.Join(strings.SplitAfter(string(text), "\n")[:lines], "")
	path := filepath.Join(dir, "docs/results", name, "results.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(some), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFinishedExperimentsAreShown(t *testing.T) {
	got, err := experimentShown(root, "kernels")
	if err != nil || !strings.HasPrefix(got.text, "\n![") || !strings.Contains(got.text,
		"](results/kernels/figure.svg)\n") || !strings.HasPrefix(got.figure, "<svg") {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := experimentShown(results(t, "kernels", 0), "kernels"); err != nil || got != (evidence{}) {
		t.Errorf("an experiment that was not run shows %+v, %v", got, err)
	}
	if got, err := experimentShown(results(t, "kernels", 20), "kernels"); err == nil ||
		!strings.Contains(err.Error(), "the run was not finished") {
		t.Errorf("an experiment that was not finished shows %+v, %v", got, err)
	}
}
