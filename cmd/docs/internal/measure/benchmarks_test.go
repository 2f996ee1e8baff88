package measure

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBenchmarksAreRecords(t *testing.T) {
	got, err := ParseBenchmarks("goos: linux\nBenchmarkA/er/n=20/by=AVX-512-2 \t      20\t  5 ns/op\t 0.9985 F1\n=== RUN BenchmarkC\nPASS\n")
	if err != nil || len(got) != 1 || got[0].Stage != "A" || got[0].Cell != "A/er/n=20/by=AVX-512" {
		t.Fatalf("%v, %v", got, err)
	}
	if want := (Values{"N": 20.0, "ns/op": 5.0, "F1": 0.9985, "kind": "er", "n": 20.0, "by": "AVX-512"}); !maps.Equal(got[0].Values, want) {
		t.Errorf("got %v, want %v", got[0].Values, want)
	}
	if got, err := ParseBenchmarks("BenchmarkA 1 much F1\n"); err == nil {
		t.Errorf("got %v", got)
	}
}

// module makes a checkout with one benchmark, which has the given body.
func module(t *testing.T, body string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "docs/results"), 0o755); err != nil {
		t.Fatal(err)
	}
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
	run := func(root string) error {
		m := ofGo("x", "", []string{"-bench", ".", "-benchtime", "1x", "."})
		return m.Run(t.Context(), Options{Root: root, Log: t.Output()})
	}
	root := module(t, "b.ReportMetric(7, \"F1\")")
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	got, text, err := ReadBenchmarks(root, "x")
	if err != nil || got[0].Number("F1") != 7 || strings.Contains(text, "PASS") || !strings.Contains(text, "goos: ") {
		t.Errorf("%v, %v, %q", got, err, text)
	}
	root = module(t, "b.Error(\"no\")")
	if err := run(root); err == nil {
		t.Error("a benchmark that fails is no error")
	}
	if got, _, err := ReadBenchmarks(root, "x"); err != nil || len(got) > 0 {
		t.Error("a benchmark that failed left results")
	}
}
