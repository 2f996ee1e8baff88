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

func productsTable(r benchmark.Results) experiment.Table {
	kernels, peak := kernelsOf(r)
	table := experiment.Table{
		Title:  "Matrix products, GFLOP/s",
		Header: []string{"m × k × n", "Nervure", "share of peak", "on two threads", "gonum", "OpenBLAS", "share of peak"},
		Notes:  []string{fmt.Sprintf("The peak is %s GFLOP/s: the inner kernel on operands that stay in the first-level cache. One thread unless stated otherwise.", digits(peak))},
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

func eigenTable(r benchmark.Results) experiment.Table {
	_, peak := kernelsOf(r)
	table := experiment.Table{
		Title:  "All eigenvalues and eigenvectors of a Laplacian, one thread",
		Header: []string{"n", "Nervure, ms", "GFLOP/s", "share of peak", "gonum, ms", "GFLOP/s", "OpenBLAS, ms", "GFLOP/s"},
		Notes:  []string{"The rate counts the 10/3·n³ operations of the reduction to tridiagonal form and the back-transformation. Solving the tridiagonal problem comes on top."},
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
