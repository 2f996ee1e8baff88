package nervure_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// performanceTables are the tables of the page, by the name of their place.
func performanceTables(r results) map[string]experiment.Table {
	return map[string]experiment.Table{
		"reference": referenceTable(r),
		"threads":   threadsTable(r),
		"vertices":  vertices.table(r),
		"signals":   signals.table(r),
		"atoms":     atoms.table(r),
		"large":     largeTable(r),
		"both ways": bothWaysTable(r),
		"products":  productsTable(r),
		"eigen":     eigenTable(r),
	}
}

// published are the seconds that the code published with [maretic2017] takes for
// a graph of so many vertices and 200 signals.
var published = map[int]float64{20: 35, 50: 74, 100: 216}

func referenceTable(r results) experiment.Table {
	table := experiment.Table{
		Title:  "One graph, one thread, the same signals",
		Header: []string{"N", "M", "Nervure, s", "NumPy, s", "times", "published code, s", "times", "F1", "F1 of NumPy", "graphs"},
		Notes:  []string{"Means over the graphs. Times: how many times as long as Nervure."},
	}
	for _, size := range []struct {
		n, m int
		name string
	}{{20, 200, "er/n=20/m=200"}, {50, 200, "er/n=50/m=200"}, {100, 200, "er/n=100/m=200"}, {500, 1000, "er/n=500/m=1000/t0=4"}} {
		got, ok := r["AgainstReference/"+size.name]
		if !ok {
			continue
		}
		ours, theirs, octave := got["s/graph"], got["reference-s/graph"], published[size.n]
		table.Rows = append(table.Rows, []string{
			whole(size.n), whole(size.m), digits(ours), digits(theirs), ratio(theirs, ours), digits(octave), ratio(octave, ours),
			f1(got), fmt.Sprintf("%.4f", got["reference-F1"]), digits(got["graphs"]),
		})
	}
	return table
}

func threadsTable(r results) experiment.Table {
	table := experiment.Table{
		Title:  "One thread and two",
		Header: []string{"N", "M", "one, s", "two, s", "ratio", "F1", "graphs"},
	}
	for _, n := range []int{100, 200, 1000} {
		job := job{"er", n, 2 * n, 4}
		one, ok := r[job.on(1)]
		two, also := r[job.on(2)]
		if ok && also {
			table.Rows = append(table.Rows, []string{
				whole(n), whole(job.m), digits(one["s/graph"]), digits(two["s/graph"]), ratio(one["s/graph"], two["s/graph"]),
				f1(two), digits(two["graphs"]),
			})
		}
	}
	return table
}

// A job is a setting of BenchmarkPerformance.
type job struct {
	family         string
	n, m, sparsity int
}

// on is the name of the job's results on so many threads.
func (j job) on(threads int) string {
	return fmt.Sprintf("Performance/%s/n=%d/m=%d/t0=%d/threads=%d", j.family, j.n, j.m, j.sparsity, threads)
}

// A growth is jobs that differ in one number.
type growth struct {
	title, symbol string
	values        []int
	job           func(value int) job
}

var (
	vertices = growth{"M = 2000, T₀ = 8", "N", []int{1000, 2000, 5000, 10_000}, func(n int) job { return job{"er", n, 2000, 8} }}
	signals  = growth{"N = 1000, T₀ = 4", "M", []int{500, 1000, 2000, 4000}, func(m int) job { return job{"er", 1000, m, 4} }}
	atoms    = growth{"N = 1000, M = 2000", "T₀", []int{4, 8, 16, 32}, func(t0 int) job { return job{"er", 1000, 2000, t0} }}
)

func (g growth) table(r results) experiment.Table {
	table := experiment.Table{
		Title:  fmt.Sprintf("Growth with %s at %s, two threads", g.symbol, g.title),
		Header: []string{g.symbol, "seconds", "rounds", "seconds a round", "gradients", "memory, MB", "F1", "graphs"},
	}
	for _, value := range g.values {
		if got, ok := r[g.job(value).on(2)]; ok {
			table.Rows = append(table.Rows, []string{
				whole(value), digits(got["s/graph"]), digits(got["rounds"]), digits(got["s/round"]), digits(got["gradients"]),
				digits(got["peak-MB"]), f1(got), digits(got["graphs"]),
			})
		}
	}
	first, last := g.values[0], g.values[len(g.values)-1]
	from, to := r[g.job(first).on(2)], r[g.job(last).on(2)]
	if from != nil && to != nil {
		power := func(unit string) string {
			if from[unit] == 0 || to[unit] == 0 {
				return unmeasured
			}
			return fmt.Sprintf("%s^%.2f", g.symbol, exponent(float64(first), float64(last), from[unit], to[unit]))
		}
		table.Notes = []string{fmt.Sprintf("Between %s = %d and %d a round grows as %s, a whole run as %s.",
			g.symbol, first, last, power("s/round"), power("s/graph"))}
	}
	return table
}

// exponent returns the p for which y goes as xᵖ from (x0, y0) to (x1, y1).
func exponent(x0, x1, y0, y1 float64) float64 { return math.Log(y1/y0) / math.Log(x1/x0) }

func largeTable(r results) experiment.Table {
	table := experiment.Table{
		Title:  "Large graphs, two threads",
		Header: []string{"graphs", "N", "M", "T₀", "seconds", "rounds", "seconds a round", "gradients", "memory, MB", "F1"},
	}
	for _, j := range []job{{"er", 1000, 2000, 4}, {"er", 10_000, 4000, 40}, {"rbf", 10_000, 4000, 40}} {
		if got, ok := r[j.on(2)]; ok {
			table.Rows = append(table.Rows, []string{
				digits(got["graphs"]) + " " + strings.ToUpper(j.family), whole(j.n), whole(j.m), whole(j.sparsity),
				digits(got["s/graph"]), digits(got["rounds"]), digits(got["s/round"]), digits(got["gradients"]), digits(got["peak-MB"]), f1(got),
			})
		}
	}
	return table
}

func bothWaysTable(r results) experiment.Table {
	table := experiment.Table{
		Title:  "Both ways on the same signals, two threads",
		Header: []string{"N", "M", "same edges", "large way, s", "dense way, s", "F1 of large", "F1 of dense"},
	}
	if got, ok := r["BothWays/er/n=200/m=400/t0=4/threads=2"]; ok {
		table.Rows = [][]string{{
			"200", "400", fmt.Sprintf("%.0f of %.0f", got["same"], got["graphs"]), digits(got["s/graph"]), digits(got["dense-s/graph"]),
			f1(got), fmt.Sprintf("%.4f", got["dense-F1"]),
		}}
	}
	return table
}

// kernelsOf returns the fastest kernels that were measured, and their speed on
// operands in the first-level cache.
func kernelsOf(r results) (name string, peak float64) {
	for key, got := range r {
		if by, ok := strings.CutPrefix(key, "Peak/by="); ok && got["GFLOP/s"] > peak {
			name, peak = by, got["GFLOP/s"]
		}
	}
	return name, peak
}

func productsTable(r results) experiment.Table {
	kernels, peak := kernelsOf(r)
	table := experiment.Table{
		Title:  "Products of matrices, GFLOP/s",
		Header: []string{"m × k × n", "Nervure", "share of peak", "on two threads", "gonum", "OpenBLAS", "share of peak"},
		Notes:  []string{fmt.Sprintf("Peak is %s GFLOP/s: the inner kernel on operands that stay in the first-level cache. One thread where nothing is said.", digits(peak))},
	}
	for _, s := range [][3]int{{20, 20, 20}, {50, 50, 50}, {100, 100, 100}, {100, 100, 200}, {4000, 100, 100}, {300, 300, 300}, {1000, 1000, 1000}} {
		speed := func(by string) float64 {
			return r[fmt.Sprintf("Product/m=%d/k=%d/n=%d/by=%s", s[0], s[1], s[2], by)]["GFLOP/s"]
		}
		if ours, openBLAS := speed(kernels), speed("OpenBLAS"); ours > 0 {
			table.Rows = append(table.Rows, []string{
				fmt.Sprintf("%d × %d × %d", s[0], s[1], s[2]), digits(ours), share(ours, peak), digits(speed(kernels + "-on-2-threads")),
				digits(speed("gonum")), digits(openBLAS), share(openBLAS, peak),
			})
		}
	}
	return table
}

func eigenTable(r results) experiment.Table {
	_, peak := kernelsOf(r)
	table := experiment.Table{
		Title:  "All eigenvalues and eigenvectors of a Laplacian, one thread",
		Header: []string{"n", "Nervure, ms", "GFLOP/s", "share of peak", "gonum, ms", "GFLOP/s", "OpenBLAS, ms", "GFLOP/s"},
		Notes:  []string{"Counted are the 10/3·n³ operations to a tridiagonal matrix and back; what solving that one takes comes on top."},
	}
	for _, n := range []int{20, 50, 100, 300, 1000} {
		by := func(solver string) map[string]float64 { return r[fmt.Sprintf("Eigen/laplacian/n=%d/by=%s", n, solver)] }
		ours, gonum, openBLAS := by("Eigen"), by("gonum"), by("OpenBLAS")
		if ours != nil {
			table.Rows = append(table.Rows, []string{
				whole(n), digits(ours["ns/op"] / 1e6), digits(ours["GFLOP/s"]), share(ours["GFLOP/s"], peak),
				digits(gonum["ns/op"] / 1e6), digits(gonum["GFLOP/s"]), digits(openBLAS["ns/op"] / 1e6), digits(openBLAS["GFLOP/s"]),
			})
		}
	}
	return table
}

const unmeasured = "–"

func whole(n int) string { return fmt.Sprint(n) }

func f1(values map[string]float64) string { return fmt.Sprintf("%.4f", values["F1"]) }

// digits writes a positive number with three digits, or all before the point.
func digits(v float64) string {
	switch {
	case v == 0:
		return unmeasured
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}

func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return unmeasured
	}
	return digits(a / b)
}

func share(part, of float64) string {
	if part == 0 || of == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%.0f %%", 100*part/of)
}
