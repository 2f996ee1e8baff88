package pages

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Results where a round takes N^1.5, a run N², and the names have what Go adds to
// them.
func TestGrowthIsThatOfTheResults(t *testing.T) {
	var text strings.Builder
	for _, n := range []float64{1000, 2000, 10_000} {
		fmt.Fprintf(&text, "BenchmarkPerformance/er/n=%g/m=2000/t0=8/threads=2-2 \t 1\t 1.000 F1\t %g s/round\t %g s/graph\n", n, math.Pow(n, 1.5), n*n)
	}
	measured, err := measure.ParseBenchmarks(text.String())
	if err != nil {
		t.Fatal(err)
	}
	table := tablesOfBenchmarks(measured)["vertices"]
	if len(table.Rows) != 3 || len(table.Notes) != 1 || !strings.Contains(table.Notes[0],
		"per round grows as N^1.50 and the time of a whole run as N^2.00") {
		t.Errorf("%d rows, %q", len(table.Rows), table.Notes)
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

// A row is a mean over enough graphs, and every row and no other is that of a benchmark.
func TestRowsAreThoseMeasured(t *testing.T) {
	measured, _, err := measure.ReadBenchmarks(root, "recovery")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recoveryTable(measured); err != nil {
		t.Error(err)
	}
	few := derived(measured, func(r row) experiment.Values { return experiment.Values{"N": r.Number("N") - 1} })
	if _, err := recoveryTable(few); err == nil {
		t.Error("means over fewer graphs are no error")
	}
	if measured, _, err = measure.ReadBenchmarks(root, "robust"); err != nil {
		t.Fatal(err)
	}
	if err := checkRobustRows(measured); err != nil {
		t.Error(err)
	}
	lost := measured[0].Cell
	measured[0].Cell = "Robust/noise/noise=0.9"
	if err := checkRobustRows(measured); err == nil || !strings.Contains(err.Error(), lost) || !strings.Contains(err.Error(), "noise=0.9") {
		t.Error(err)
	}
}

// No point of the grid beats the defaults of the paper's recipe over all sizes together.
func TestTunedDefaultsAreTheBestOfTheGrid(t *testing.T) {
	measured, _, err := measure.ReadBenchmarks(root, "tuning")
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]float64{}
	for _, r := range measured {
		for unit := range r.Values {
			if strings.HasPrefix(unit, "F1:") {
				sum[unit] += r.Number(unit)
			}
		}
	}
	signals := mat.NewDense(2, 2, []float64{1, 2, 3, 5})
	r, err := learn.Maretic2017{Rounds: 1}.Learn(t.Context(), method.Problem{Y: signals})
	if err != nil {
		t.Fatal(err)
	}
	used := r.Method.(learn.Maretic2017)
	ours := sum[fmt.Sprintf("F1:step=%g:beta=%g", used.StepSize, used.EdgePenalty)]
	if ours == 0 || len(sum) < 10 {
		t.Fatalf("the defaults, step %g and β %g, are not among the %d points of the grid", used.StepSize, used.EdgePenalty, len(sum))
	}
	for point, v := range sum {
		if v > ours {
			t.Errorf("%s scores %.4f, the defaults %.4f", point, v/float64(len(measured)), ours/float64(len(measured)))
		}
	}
}
