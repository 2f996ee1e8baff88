package pages

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// peersTable sets the graphical lasso beside other programs for it.
func peersTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "Graphical lasso beside other programs, CPU seconds, one thread",
		Header: []string{"problem", "vertices", "penalty", "Nervure", "glassofast", "Nervure/glassofast", "QUIC", "objective of glassofast above ours", "of QUIC"},
		Notes: []string{"Ours is solved to a duality gap of 10⁻⁷ per vertex, the others to their default thresholds, 10⁻⁴ and 10⁻⁶. " +
			"The fastest of five runs counts, of QUIC one. A dash means that it did not end within a minute."},
	}
	type problem struct {
		kind string
		n    int
		rho  string
		got  map[string]float64
	}
	var problems []problem
	for key, got := range r {
		rest, ok := strings.CutPrefix(key, "GlassoPeers/")
		parts := strings.Split(rest, "/")
		if !ok || len(parts) != 3 {
			continue
		}
		n, err := strconv.Atoi(strings.TrimPrefix(parts[1], "n="))
		if err != nil {
			continue
		}
		problems = append(problems, problem{parts[0], n, strings.TrimPrefix(parts[2], "rho="), got})
	}
	order := []string{"random", "smooth", "patches"}
	slices.SortFunc(problems, func(a, b problem) int {
		if a.kind != b.kind {
			return slices.Index(order, a.kind) - slices.Index(order, b.kind)
		}
		return a.n - b.n
	})
	above := func(v float64, there bool) string {
		switch {
		case !there:
			return "–"
		case math.Abs(v) < 1e-7:
			return "0"
		}
		return fmt.Sprintf("%.1g", v)
	}
	for _, p := range problems {
		quic, there := p.got["quic-s"]
		seconds := "–"
		if there {
			seconds = digits(quic)
		}
		table.Rows = append(table.Rows, []string{
			p.kind, whole(p.n), p.rho, digits(p.got["s"]), digits(p.got["glassofast-s"]), fmt.Sprintf("%.2f", p.got["of-glassofast"]),
			seconds, above(p.got["glassofast-above"], true), above(p.got["quic-above"], there),
		})
	}
	return table
}
