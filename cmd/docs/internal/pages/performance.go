package pages

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/figure"
)

// performance has how long things take, and how much memory.
func performance(root string, p *page) ([]File, error) {
	results := benchmark.File("performance")
	text, err := os.ReadFile(filepath.Join(root, results))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	measured, err := benchmark.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", results, err)
	}
	p.fill("processor", processor(string(text)))
	p.fillTables(performanceTables(measured))
	fields, err := sizeRecords(root)
	if err != nil {
		return nil, err
	}
	p.fillTables(tablesOfSizes(fields))
	around, err := sizesFigure(measured)
	crossing, wrong := crossingFigure(fields)
	var files []File
	for name, svg := range map[string]string{"sizes": around, "field-crossing": crossing} {
		if svg != "" {
			files = append(files, File{Path: "docs/figures/" + name + ".svg", Text: svg})
		}
	}
	return files, errors.Join(err, wrong)
}

var (
	processorLine = regexp.MustCompile(`(?m)^cpu: (.*)$`)
	kernelsLine   = regexp.MustCompile(`(?m)^BenchmarkPeak/by=(\S+)-\d+\s`)
)

// processor says where results were measured.
func processor(text string) string {
	name, kernels := processorLine.FindStringSubmatch(text), kernelsLine.FindStringSubmatch(text)
	if name == nil || kernels == nil {
		return ""
	}
	return fmt.Sprintf("\nMeasured on: %s, with the %s kernels.\n\n", name[1], kernels[1])
}

// performanceTables are the tables of the page, by their sections.
func performanceTables(r benchmark.Results) map[string]experiment.Table {
	return map[string]experiment.Table{
		"reference": reference.of(r),
		"command":   command.of(r),
		"threads":   threads.of(r),
		"vertices":  byVertices.table(r),
		"signals":   bySignals.table(r),
		"atoms":     byAtoms.table(r),
		"sizes":     sizesTable(r),
		"large":     large.of(r),
		"memory":    memory.of(r),
		"many":      many.of(r),
		"both ways": bothWays.of(r),
		"peers":     peers.of(r),
		"choosing":  choosing.of(r),
		"products":  productsTable(r),
		"eigen":     eigenTable(r),
	}
}

// A growth is jobs that differ in one number.
type growth struct {
	title, symbol string
	values        []int
	job           func(value int) job
}

var (
	byVertices = growth{"M = 2000, T₀ = 8", "N", []int{1000, 2000, 5000, 10_000}, func(n int) job { return job{"er", n, 2000, 8} }}
	bySignals  = growth{"N = 1000, T₀ = 4", "M", []int{500, 1000, 2000, 4000}, func(m int) job { return job{"er", 1000, m, 4} }}
	byAtoms    = growth{"N = 1000, M = 2000", "T₀", []int{4, 8, 16, 32}, func(t0 int) job { return job{"er", 1000, 2000, t0} }}
)

func (g growth) table(r benchmark.Results) experiment.Table {
	t := resultTable{
		title:   fmt.Sprintf("Growth with %s at %s, two threads", g.symbol, g.title),
		columns: slices.Concat(labels(g.symbol), perRun, []resultColumn{number("graphs", "graphs")}),
	}
	for _, value := range g.values {
		t.rows = append(t.rows, resultRow{name: g.job(value).name(), labels: []string{whole(value)}})
	}
	first, last := g.values[0], g.values[len(g.values)-1]
	from, to := r[g.job(first).name()], r[g.job(last).name()]
	if from != nil && to != nil {
		power := func(unit string) string {
			if from[unit] == 0 || to[unit] == 0 {
				return unmeasured
			}
			return fmt.Sprintf("%s^%.2f", g.symbol, exponent(float64(first), float64(last), from[unit], to[unit]))
		}
		t.notes = []string{fmt.Sprintf("Between %s = %d and %d, the time per round grows as %s and the time of a whole run as %s.",
			g.symbol, first, last, power("s/round"), power("s/graph"))}
	}
	return t.of(r)
}

// exponent returns the p for which y goes as xᵖ from (x0, y0) to (x1, y1).
func exponent(x0, x1, y0, y1 float64) float64 { return math.Log(y1/y0) / math.Log(x1/x0) }

var (
	crossingSizes = []int{100, 150, 200, 230, 250, 290, 310, 350, 400, 500, 600}
	crossingNoise = []float64{0, 0.1}
)

func crossingName(noise float64, n int) string { return fmt.Sprintf("Sizes/noise=%g/n=%d", noise, n) }

// withNoise is the name of the same results with noise.
func withNoise(name string) string { return strings.Replace(name, "noise=0/", "noise=0.1/", 1) }

// sizesTable has the time on both sides of the size from which on the algorithm for
// large graphs is used.
func sizesTable(r benchmark.Results) experiment.Table {
	t := resultTable{
		title: "Seconds and F1 around 240 vertices, 1000 signals, nothing given, two threads",
		columns: append(labels("N"), number("seconds", "s/graph"), inTenThousandths("F1", "F1"),
			number("seconds, noise 10 %", "s/graph").elsewhere(withNoise), inTenThousandths("F1, noise 10 %", "F1").elsewhere(withNoise)),
	}
	for _, n := range crossingSizes {
		t.rows = append(t.rows, resultRow{name: crossingName(0, n), labels: []string{whole(n)}})
	}
	return t.of(r)
}

// sizesFigure draws the same.
func sizesFigure(r benchmark.Results) (string, error) {
	chart := figure.Chart{XLabel: "vertices", YLabel: "seconds", LogY: true}
	for k, noise := range crossingNoise {
		s := figure.Series{Name: "no noise", Color: k}
		if noise > 0 {
			s.Name = fmt.Sprintf("noise %g %%", 100*noise)
		}
		for _, n := range crossingSizes {
			if got, ok := r[crossingName(noise, n)]; ok {
				s.X, s.Y = append(s.X, float64(n)), append(s.Y, got["s/graph"])
			}
		}
		if len(s.X) > 0 {
			chart.Series = append(chart.Series, s)
		}
	}
	if len(chart.Series) == 0 {
		return "", nil
	}
	var svg strings.Builder
	err := figure.WriteCharts(&svg, "Time to learn a graph around 240 vertices", 1, chart)
	return svg.String(), err
}

// aboveOurs is how far the objective of another program is above ours.
func aboveOurs(title, unit string) resultColumn {
	return resultColumn{title, func(all benchmark.Results, r resultRow) string {
		switch v, there := all[r.name][unit]; {
		case !there:
			return unmeasured
		case math.Abs(v) < 1e-7:
			return "0"
		default:
			return fmt.Sprintf("%.1g", v)
		}
	}}
}

// peers sets the graphical lasso beside other programs for it.
var peers = resultTable{
	title: "Graphical lasso beside other programs, CPU seconds, one thread",
	columns: append(labels("problem", "vertices", "penalty"),
		number("Nervure", "s"), number("glassofast", "glassofast-s"), written("Nervure/glassofast", "of-glassofast", hundredths), number("QUIC", "quic-s"),
		aboveOurs("objective of glassofast above ours", "glassofast-above"), aboveOurs("of QUIC", "quic-above")),
	rows: slices.Concat(peerRows("random", "0.05", 99, 300, 997), peerRows("smooth", "0.1", 100, 289, 1024), peerRows("patches", "0.02", 100, 289, 784)),
	notes: []string{"Ours is solved to a duality gap of 10⁻⁷ per vertex, the others to their default thresholds, 10⁻⁴ and 10⁻⁶. " +
		"The fastest of five runs counts, of QUIC one. A dash means that it did not end within a minute."},
}

func peerRows(problem, penalty string, sizes ...int) (rows []resultRow) {
	for _, n := range sizes {
		rows = append(rows, resultRow{name: fmt.Sprintf("GlassoPeers/%s/n=%d/rho=%s", problem, n, penalty), labels: []string{problem, whole(n), penalty}})
	}
	return rows
}

// kernelsOf returns the fastest kernels that were measured, and their speed on
// operands in the first-level cache.
func kernelsOf(r benchmark.Results) (name string, peak float64) {
	for key, got := range r {
		if by, ok := strings.CutPrefix(key, "Peak/by="); ok && got["GFLOP/s"] > peak {
			name, peak = by, got["GFLOP/s"]
		}
	}
	return name, peak
}

// by is the name of the same results by another program.
func by(program string) func(string) string {
	return func(name string) string { return name[:strings.LastIndex(name, "=")+1] + program }
}

func productsTable(r benchmark.Results) experiment.Table {
	kernels, peak := kernelsOf(r)
	ofPeak := written("share of peak", "GFLOP/s", func(v float64) string { return share(v, peak) })
	speed := func(title string) resultColumn { return number(title, "GFLOP/s") }
	t := resultTable{
		title: "Matrix products, GFLOP/s",
		columns: append(labels("m × k × n"), speed("Nervure"), ofPeak, speed("on two threads").elsewhere(by(kernels+"-on-2-threads")),
			speed("gonum").elsewhere(by("gonum")), speed("OpenBLAS").elsewhere(by("OpenBLAS")), ofPeak.elsewhere(by("OpenBLAS"))),
		notes: []string{fmt.Sprintf("The peak is %s GFLOP/s: the inner kernel on operands that stay in the first-level cache. One thread unless stated otherwise.", digits(peak))},
	}
	for _, s := range [][3]int{{20, 20, 20}, {50, 50, 50}, {100, 100, 100}, {100, 100, 200}, {4000, 100, 100}, {300, 300, 300}, {1000, 1000, 1000}} {
		t.rows = append(t.rows, resultRow{
			name: fmt.Sprintf("Product/m=%d/k=%d/n=%d/by=%s", s[0], s[1], s[2], kernels), labels: []string{fmt.Sprintf("%d × %d × %d", s[0], s[1], s[2])},
		})
	}
	return t.of(r)
}

func eigenTable(r benchmark.Results) experiment.Table {
	_, peak := kernelsOf(r)
	milliseconds := func(title string) resultColumn {
		return written(title, "ns/op", func(v float64) string { return digits(v / 1e6) })
	}
	speed := number("GFLOP/s", "GFLOP/s")
	t := resultTable{
		title: "All eigenvalues and eigenvectors of a Laplacian, one thread",
		columns: append(labels("n"), milliseconds("Nervure, ms"), speed, written("share of peak", "GFLOP/s", func(v float64) string { return share(v, peak) }),
			milliseconds("gonum, ms").elsewhere(by("gonum")), speed.elsewhere(by("gonum")), milliseconds("OpenBLAS, ms").elsewhere(by("OpenBLAS")), speed.elsewhere(by("OpenBLAS"))),
		notes: []string{"The rate counts the 10/3·n³ operations of the reduction to tridiagonal form and the back-transformation. Solving the tridiagonal problem comes on top."},
	}
	for _, n := range []int{20, 50, 100, 300, 1000} {
		t.rows = append(t.rows, resultRow{name: fmt.Sprintf("Eigen/laplacian/n=%d/by=Eigen", n), labels: []string{whole(n)}})
	}
	return t.of(r)
}
