package pages

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
)

func TestUnmeasuredTablesAreEmpty(t *testing.T) {
	for section, table := range performanceTables(benchmark.Results{}) {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", section, table.Rows)
		}
	}
}

// Results where a round takes N^1.5, a run N², and the names have what Go adds to
// them.
func TestGrowthIsThatOfTheResults(t *testing.T) {
	var text strings.Builder
	for _, n := range byVertices.values {
		x := float64(n)
		fmt.Fprintf(&text, "Benchmark%s-2 \t 1\t 1.000 F1\t 5.000 rounds\t %g s/round\t %g s/graph\n", byVertices.job(n).name(), math.Pow(x, 1.5), x*x)
	}
	measured, err := benchmark.Parse(text.String())
	if err != nil {
		t.Fatal(err)
	}
	table := byVertices.table(measured)
	if len(table.Rows) != len(byVertices.values) || len(table.Notes) != 1 || !strings.Contains(table.Notes[0], "the time per round grows as N^1.50 and the time of a whole run as N^2.00") {
		t.Errorf("%d rows, %q", len(table.Rows), table.Notes)
	}
}

func TestSharesAreOfTheFastestKernels(t *testing.T) {
	measured, err := benchmark.Parse(`BenchmarkPeak/by=AVX-512-2 1 80 GFLOP/s
BenchmarkPeak/by=portable-2 1 5 GFLOP/s
BenchmarkProduct/m=20/k=20/n=20/by=AVX-512-2 1 40 GFLOP/s
BenchmarkProduct/m=20/k=20/n=20/by=portable-2 1 4 GFLOP/s
BenchmarkProduct/m=20/k=20/n=20/by=OpenBLAS-2 1 20 GFLOP/s
`)
	if err != nil {
		t.Fatal(err)
	}
	rows := productsTable(measured).Rows
	if want := "20 × 20 × 20|40|50 %|–|–|20|25 %"; len(rows) != 1 || strings.Join(rows[0], "|") != want {
		t.Errorf("got %q, want %q", rows, want)
	}
}

func TestProcessorIsNamedWithItsKernels(t *testing.T) {
	if got := processor("cpu: A Processor\nBenchmarkPeak/by=AVX2-2 \t 1\nBenchmarkPeak/by=portable-2 \t 1\n"); got != "\nMeasured on: A Processor, with the AVX2 kernels.\n\n" {
		t.Errorf("got %q", got)
	}
	if got := processor(""); got != "" {
		t.Errorf("%q out of nothing", got)
	}
}
