package nervure_test

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/learn"
)

// benchmarkLine is a line of Go's benchmark format: name, iterations, then
// pairs of value and unit.
var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+(\d+)\s+(.*)$`)

// results are those of benchmarks: name → unit → value, with the iterations as
// unit "N".
type results map[string]map[string]float64

// benchmarks reads results in Go's benchmark format.
func benchmarks(t *testing.T, path string) results {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	all := results{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		m := benchmarkLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		fields := strings.Fields(m[3])
		values := map[string]float64{}
		values["N"] = number(t, m[2])
		for k := 0; k+1 < len(fields); k += 2 {
			values[fields[k+1]] = number(t, fields[k])
		}
		all[m[1]] = values
	}
	return all
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// printed are the figures of [maretic2017], tables 1 and 2, that stand beside ours.
var printed = []struct{ title, setting, edges, codes string }{
	{"Erdős–Rényi, N = 20, M = 200", "er/n=20/m=200", ".9985 / .9983", ".7708 / .8001"},
	{"Erdős–Rényi, N = 50, M = 200", "er/n=50/m=200", ".9948 / .9946", ".9317 / .9464"},
	{"Erdős–Rényi, N = 100, M = 200", "er/n=100/m=200", ".9818 / .9810", ".9244 / .9316"},
	{"low-pass, Erdős–Rényi, N = 20, M = 500", "lowpass/er/n=20/m=500", "F1 1", "–"},
	{"low-pass, RBF, N = 20, M = 500", "lowpass/rbf/n=20/m=500", "F1 1", "–"},
}

func recoveryTable(t *testing.T) string {
	t.Helper()
	all := benchmarks(t, "docs/results/recovery.txt")
	var table strings.Builder
	table.WriteString("| graphs and signals | `default`: edges F1 | exact | codes P / R | `maretic2017`: edges P / R | codes P / R | paper: edges P / R | codes P / R |\n")
	table.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, row := range printed {
		ours, theirs := all["Recovery/default/"+row.setting], all["Recovery/maretic2017/"+row.setting]
		if ours["N"] < 20 || theirs["N"] < 20 {
			t.Fatalf("%s: %g and %g graphs, want 20 at least", row.setting, ours["N"], theirs["N"])
		}
		fmt.Fprintf(&table, "| %s | %.4f | %.0f of %.0f | %s | %s | %s | %s | %s |\n", row.title,
			ours["F1"], ours["certified"]*ours["N"], ours["N"], pair(ours, "codeP", "codeR"),
			pair(theirs, "edgeP", "edgeR"), pair(theirs, "codeP", "codeR"), row.edges, row.codes)
	}
	return table.String()
}

func pair(values map[string]float64, a, b string) string {
	return fmt.Sprintf("%.4f / %.4f", values[a], values[b])
}

func TestReadmeTableIsWhatWasMeasured(t *testing.T) {
	if table := recoveryTable(t); !strings.Contains(read(t, "README.md"), table) {
		t.Errorf("README.md does not hold the table of docs/results/recovery.txt:\n%s", table)
	}
}

// No point of the grid beats the defaults of the paper's recipe over all sizes together.
func TestTunedDefaultsAreTheBestOfTheGrid(t *testing.T) {
	sum := map[string]float64{}
	for _, values := range benchmarks(t, "docs/results/tuning.txt") {
		for unit, v := range values {
			if strings.HasPrefix(unit, "F1:") {
				sum[unit] += v
			}
		}
	}
	signals := mat.NewDense(2, 2, []float64{1, 2, 3, 5})
	r, err := learn.Fit(t.Context(), signals, learn.Model{Kernels: learn.PaperModel().Kernels}, learn.Options{Recipe: learn.Maretic2017, Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	ours := sum[fmt.Sprintf("F1:step=%g:beta=%g", r.Options.StepSize, r.Options.EdgePenalty)]
	if ours == 0 || len(sum) < 10 {
		t.Fatalf("the defaults, step %g and β %g, are not among the %d points of the grid", r.Options.StepSize, r.Options.EdgePenalty, len(sum))
	}
	for point, v := range sum {
		if v > ours {
			t.Errorf("%s scores %.4f, the defaults %.4f", point, v/3, ours/3)
		}
	}
}

// The Go example of the README is the tested one.
func TestReadmeExampleIsTested(t *testing.T) {
	_, body, _ := strings.Cut(read(t, "example_test.go"), "func Example() {\n")
	body, _, _ = strings.Cut(body, "\t// Output:")
	want := "```go\n" + strings.ReplaceAll(strings.TrimPrefix(body, "\t"), "\n\t", "\n") + "```\n"
	if !strings.Contains(read(t, "README.md"), want) {
		t.Errorf("README.md does not hold the body of Example:\n%s", want)
	}
}

// The picture is what the demo draws; see testdata/script/demo.txtar for its making.
func TestReadmePictureExists(t *testing.T) {
	if !strings.Contains(read(t, "README.md"), "(docs/demo.svg)") || !strings.HasPrefix(read(t, "docs/demo.svg"), "<svg") {
		t.Error("README.md does not show docs/demo.svg")
	}
}
