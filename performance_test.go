package nervure_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	performancePage    = "docs/performance.md"
	performanceResults = "docs/results/performance.txt"
)

// The tables of docs/performance.md are what `make performance` measured last;
// what it did not measure is empty. `go test . -run PerformancePage -update`
// writes them anew.
func TestPerformancePageIsWhatWasMeasured(t *testing.T) {
	page, measured, on := read(t, performancePage), results{}, ""
	if _, err := os.Stat(performanceResults); err == nil {
		measured, on = benchmarks(t, performanceResults), processor(read(t, performanceResults))
	}
	page = withEvidence(t, performancePage, page, "processor", on)
	for name, table := range performanceTables(measured) {
		var text string
		if len(table.Rows) > 0 {
			text = "\n" + table.Markdown() + "\n"
		}
		page = withEvidence(t, performancePage, page, name, text)
	}
	hold(t, performancePage, page)
}

// processor says on what the results came about.
func processor(text string) string {
	name := regexp.MustCompile(`(?m)^cpu: (.*)$`).FindStringSubmatch(text)
	kernels := regexp.MustCompile(`(?m)^BenchmarkPeak/by=(\S+)-\d+\s`).FindStringSubmatch(text)
	if name == nil || kernels == nil {
		return ""
	}
	return fmt.Sprintf("\nMeasured on: %s, with the %s kernels.\n\n", name[1], kernels[1])
}

func TestUnmeasuredTablesAreEmpty(t *testing.T) {
	for name, table := range performanceTables(results{}) {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", name, table.Rows)
		}
	}
}

// A file of results where a round takes N^1.5, a run N², and the names have what
// Go adds to them.
func TestGrowthIsThatOfTheResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results.txt")
	var text strings.Builder
	for _, n := range vertices.values {
		x := float64(n)
		fmt.Fprintf(&text, "Benchmark%s-2 \t 1\t 1.000 F1\t 5.000 rounds\t %g s/round\t %g s/graph\n", vertices.job(n).on(2), math.Pow(x, 1.5), x*x)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	table := vertices.table(benchmarks(t, file))
	if len(table.Rows) != len(vertices.values) || len(table.Notes) != 1 || !strings.Contains(table.Notes[0], "N^1.50, a whole run as N^2.00") {
		t.Errorf("%d rows, %q", len(table.Rows), table.Notes)
	}
}
