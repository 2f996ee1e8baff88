package pages

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

func TestRecoveryTableWantsEnoughGraphs(t *testing.T) {
	all := benchmark.Results{}
	for _, row := range recoverySettings {
		all["Recovery/default/"+row.setting] = map[string]float64{"N": 20, "F1": 0.99, "certified": 0.95, "codeP": 0.5, "codeR": 0.25}
		all["Recovery/maretic2017/"+row.setting] = map[string]float64{"N": 20, "edgeP": 0.75, "edgeR": 1, "codeP": 0, "codeR": 1}
	}
	table, err := recoveryTable(all)
	want := "| Erdős–Rényi, N = 20, M = 200 | 0.9900 | 19 of 20 | 0.5000 / 0.2500 | 0.7500 / 1.0000 | 0.0000 / 1.0000 | .9985 / .9983 | .7708 / .8001 |\n"
	if err != nil || !strings.Contains(table, want) {
		t.Errorf("%v, no %q in\n%s", err, want, table)
	}
	all["Recovery/default/er/n=50/m=200"]["N"] = 19
	if _, err := recoveryTable(all); err == nil || !strings.Contains(err.Error(), "er/n=50/m=200: 19 and 20 graphs") {
		t.Errorf("%v", err)
	}
}

// No point of the grid beats the defaults of the paper's recipe over all sizes together.
func TestTunedDefaultsAreTheBestOfTheGrid(t *testing.T) {
	measured, err := benchmark.Read(filepath.Join(root, benchmark.File("tuning")))
	if err != nil {
		t.Fatal(err)
	}
	sum := map[string]float64{}
	for _, values := range measured {
		for unit, v := range values {
			if strings.HasPrefix(unit, "F1:") {
				sum[unit] += v
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
