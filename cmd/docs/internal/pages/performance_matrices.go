package pages

import (
	"fmt"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

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
