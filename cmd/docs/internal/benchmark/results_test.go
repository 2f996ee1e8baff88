package benchmark

import (
	"maps"
	"path/filepath"
	"testing"
)

func TestParseReadsGoBenchmarks(t *testing.T) {
	got, err := Parse("goos: linux\nBenchmarkA/n=20/m=200-2 \t      20\t  5 ns/op\t 0.9985 F1\nBenchmarkB/by=AVX-512-2 1 3 GFLOP/s\n=== RUN BenchmarkC\nPASS\n")
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	if want := (map[string]float64{"N": 20, "ns/op": 5, "F1": 0.9985}); !maps.Equal(got["A/n=20/m=200"], want) {
		t.Errorf("got %v, want %v", got["A/n=20/m=200"], want)
	}
	if want := (map[string]float64{"N": 1, "GFLOP/s": 3}); !maps.Equal(got["B/by=AVX-512"], want) {
		t.Errorf("got %v, want %v", got["B/by=AVX-512"], want)
	}
}

func TestParseRefusesWhatIsNoNumber(t *testing.T) {
	if got, err := Parse("BenchmarkA 1 much F1\n"); err == nil {
		t.Errorf("got %v", got)
	}
}

func TestResultsThatDoNotExistYetAreNone(t *testing.T) {
	if got, err := Read(filepath.Join(t.TempDir(), "none.txt")); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}
