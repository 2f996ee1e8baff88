package benchmark

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestResultsAreKept(t *testing.T) {
	const text = "goos: linux\n=== RUN   BenchmarkA\nBenchmarkA\nBenchmarkA-2 \t 1\t 2 ns/op\nPASS\nok\tx 1s\n"
	var kept strings.Builder
	keep(text, &kept)
	if want := "goos: linux\nBenchmarkA-2 \t 1\t 2 ns/op\n"; kept.String() != want {
		t.Errorf("kept %q", kept.String())
	}
}

// module makes a checkout with one benchmark, which has the given body.
func module(t *testing.T, body string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module x\n\ngo 1.26\n",
		"x_test.go": "package x\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) { " + body + " }\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestResultsAreReplacedByWholeOnesOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs benchmarks")
	}
	run := Run{Name: "x", Tests: [][]string{{"-bench", ".", "-benchtime", "1x", "."}}}
	var shown strings.Builder
	root := module(t, "b.ReportMetric(7, \"F1\")")
	if err := run.Measure(t.Context(), root, &shown); err != nil || !strings.Contains(shown.String(), "\nPASS\n") {
		t.Fatalf("%v, shown:\n%s", err, &shown)
	}
	got, err := Read(filepath.Join(root, File(run.Name)))
	if err != nil || got["X"]["F1"] != 7 {
		t.Errorf("%v, %v", got, err)
	}
	root = module(t, "b.Error(\"no\")")
	if err := run.Measure(t.Context(), root, &shown); err == nil {
		t.Error("a benchmark that fails is no error")
	}
	if _, err := os.Stat(filepath.Join(root, File(run.Name))); err == nil {
		t.Error("a benchmark that failed left results")
	}
}

// Every file of results in Go's benchmark format has a run that makes it.
func TestCommittedResultsHaveARun(t *testing.T) {
	files, err := filepath.Glob("../../../../docs/results/*.txt")
	if err != nil || len(files) != len(Runs) {
		t.Errorf("%d files, %d runs, %v", len(files), len(Runs), err)
	}
	for _, file := range files {
		if !slices.ContainsFunc(Runs, func(r Run) bool { return filepath.Base(File(r.Name)) == filepath.Base(file) }) {
			t.Errorf("nothing makes %s", file)
		}
	}
}
