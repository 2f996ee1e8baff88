package pages

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/figure"
)

// performance has how long things take, and how much memory.
func performance(root string, p *page) ([]File, error) {
	measured, text, err := measure.ReadBenchmarks(root, "performance")
	if err != nil {
		return nil, err
	}
	p.fill("processor", processor(text))
	p.fillTables(tablesOfBenchmarks(measured))
	fields, err := measure.Read(root, "sizes")
	if err != nil {
		return nil, err
	}
	p.fillTables(tablesOfSizes(fields))
	around, err := sizesFigure(measured)
	crossing, wrong := crossingFigure(fields)
	return []File{
		{Path: "docs/figures/sizes.svg", Text: around},
		{Path: "docs/figures/field-crossing.svg", Text: crossing},
	}, errors.Join(err, wrong)
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

// tablesOfBenchmarks are those of docs/performance.md, by their sections.
func tablesOfBenchmarks(all []row) map[string]experiment.Table {
	return map[string]experiment.Table{
		"reference": besideNumPy.of(all), "command": command.of(all), "threads": threads.of(all), "sizes": around.of(all), "large": large.of(all),
		"memory": memory.of(all), "many": many.of(all), "both ways": bothWays.of(all), "peers": peers.of(all), "choosing": choosing.of(all),
		"vertices": growth(all, "N", "n", "M = 2000, T₀ = 8", onTwo("m", 2000.0, "t0", 8.0)),
		"signals":  growth(all, "M", "m", "N = 1000, T₀ = 4", onTwo("n", 1000.0, "t0", 4.0)),
		"atoms":    growth(all, "T₀", "t0", "N = 1000, M = 2000", onTwo("n", 1000.0, "m", 2000.0)),
		"products": products(all), "eigen": eigen(all),
	}
}

// onTwo holds for BenchmarkPerformance on Erdős–Rényi graphs and two threads, with some numbers.
func onTwo(key string, value any, other string, otherValue any) func(row) bool {
	return both(in("Performance"), has("kind", "er"), has("threads", 2.0), has(key, value), has(other, otherValue))
}

// runColumns are what a run takes.
var runColumns = []column{
	average("seconds", digits, num("s/graph")), average("rounds", digits, num("rounds")), average("seconds per round", digits, num("s/round")),
	average("gradients", digits, num("gradients")), average("memory, MB", digits, num("peak-MB")), average("F1", tenThousandths, num("F1")),
}

var graphs = average("graphs", digits, num("graphs"))

// growth is jobs that differ in one number.
func growth(all []row, symbol, key, at string, of func(row) bool) experiment.Table {
	s := spec{
		title: fmt.Sprintf("Growth with %s at %s, two threads", symbol, at), where: of, by: []string{key},
		columns: slices.Concat(labels(symbol, key), runColumns, []column{graphs}),
	}
	lines := grouped(where(all, of), s.by)
	if len(lines) > 1 {
		first, last := lines[0][0], lines[len(lines)-1][0]
		power := func(unit string) string {
			return fmt.Sprintf("%s^%.2f", symbol, exponent(first.Number(key), last.Number(key), first.Number(unit), last.Number(unit)))
		}
		s.notes = []string{fmt.Sprintf("Between %s = %g and %g, the time per round grows as %s and the time of a whole run as %s.",
			symbol, first.Number(key), last.Number(key), power("s/round"), power("s/graph"))}
	}
	return s.of(all)
}

// exponent returns the p for which y goes as xᵖ from (x0, y0) to (x1, y1).
func exponent(x0, x1, y0, y1 float64) float64 { return math.Log(y1/y0) / math.Log(x1/x0) }

// around is the time on both sides of the size from which on the algorithm for large graphs is used; its figure
// draws the same.
var around = spec{
	title: "Seconds and F1 around 240 vertices, 1000 signals, nothing given, two threads",
	where: in("Sizes"), by: []string{"n"},
	columns: slices.Concat(labels("N", "n"),
		only(has("noise", 0.0), average("seconds", digits, num("s/graph")), average("F1", tenThousandths, num("F1"))),
		only(has("noise", 0.1), average("seconds, noise 10 %", digits, num("s/graph")), average("F1, noise 10 %", tenThousandths, num("F1")))),
}

func sizesFigure(all []row) (string, error) {
	chart := figure.Chart{XLabel: "vertices", YLabel: "seconds", LogY: true}
	for k, name := range []string{"no noise", "noise 10 %"} {
		some := where(all, both(in("Sizes"), has("noise", 0.1*float64(k))))
		chart.Series = append(chart.Series, figure.Series{Name: name, Color: k, X: valuesOf(some, num("n")), Y: valuesOf(some, num("s/graph"))})
	}
	return chartsOf("Time to learn a graph around 240 vertices", 1, chart)
}

func chartsOf(title string, perRow int, list ...figure.Chart) (string, error) {
	var svg strings.Builder
	err := figure.WriteCharts(&svg, title, perRow, list...)
	return svg.String(), err
}

// aboveOurs is how far the objective of another program is above ours.
func aboveOurs(title, unit string) column {
	return average(title, func(v float64) string {
		if math.Abs(v) < 1e-7 {
			return "0"
		}
		return fmt.Sprintf("%.1g", v)
	}, num(unit))
}

// peers sets the graphical lasso beside other programs for it.
var peers = spec{
	title: "Graphical lasso beside other programs, CPU seconds, one thread",
	where: in("GlassoPeers"),
	columns: append(labels("problem", "kind", "vertices", "n", "penalty", "rho"),
		average("Nervure", digits, num("s")), average("glassofast", digits, num("glassofast-s")),
		average("Nervure/glassofast", hundredths, num("of-glassofast")),
		column{title: "QUIC", cell: func(of []row) string { return digits(of[0].Number("quic-s")) }},
		aboveOurs("objective of glassofast above ours", "glassofast-above"), aboveOurs("of QUIC", "quic-above")),
	notes: []string{"Ours is solved to a duality gap of 10⁻⁷ per vertex, the others to their default thresholds, 10⁻⁴ and 10⁻⁶. " +
		"The fastest of five runs counts, of QUIC one. A dash means that it did not end within a minute."},
}

// peakOf returns the fastest kernels that were measured, and their speed on
// operands in the first-level cache.
func peakOf(all []row) (name string, peak float64) {
	for _, r := range where(all, in("Peak")) {
		if speed := r.Number("GFLOP/s"); speed > peak {
			name, peak = r.Text("by"), speed
		}
	}
	return name, peak
}

func speed(title, by string) []column {
	return only(has("by", by), average(title, digits, num("GFLOP/s")))
}

func shareOfPeak(by string, peak float64) []column {
	return only(has("by", by), average("share of peak", func(v float64) string { return wholePercent(v / peak) }, num("GFLOP/s")))
}

func products(all []row) experiment.Table {
	kernels, peak := peakOf(all)
	return spec{
		title: "Matrix products, GFLOP/s", where: in("Product"), by: []string{"size"},
		columns: slices.Concat(labels("m × k × n", "size"), speed("Nervure", kernels), shareOfPeak(kernels, peak),
			speed("on two threads", kernels+"-on-2-threads"),
			speed("gonum", "gonum"), speed("OpenBLAS", "OpenBLAS"), shareOfPeak("OpenBLAS", peak)),
		notes: []string{fmt.Sprintf("The peak is %s GFLOP/s: the inner kernel on operands that stay in the first-level cache. One thread unless stated otherwise.", digits(peak))},
	}.of(derived(all, func(r row) experiment.Values {
		return experiment.Values{"size": fmt.Sprintf("%g × %g × %g", r.Number("m"), r.Number("k"), r.Number("n"))}
	}))
}

func eigen(all []row) experiment.Table {
	_, peak := peakOf(all)
	milliseconds := func(title, by string) []column {
		return only(has("by", by), average(title, func(v float64) string { return digits(v / 1e6) }, num("ns/op")))
	}
	return spec{
		title: "All eigenvalues and eigenvectors of a Laplacian, one thread",
		where: both(in("Eigen"), has("kind", "laplacian")), by: []string{"n"},
		columns: slices.Concat(labels("n", "n"), milliseconds("Nervure, ms", "Eigen"), speed("GFLOP/s", "Eigen"), shareOfPeak("Eigen", peak),
			milliseconds("gonum, ms", "gonum"), speed("GFLOP/s", "gonum"), milliseconds("OpenBLAS, ms", "OpenBLAS"), speed("GFLOP/s", "OpenBLAS")),
		notes: []string{"The rate counts the 10/3·n³ operations of the reduction to tridiagonal form and the back-transformation. Solving the tridiagonal problem comes on top."},
	}.of(all)
}
