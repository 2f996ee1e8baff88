package pages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
)

// A job is a setting of BenchmarkPerformance.
type job struct {
	family         string
	n, m, sparsity int
}

// name is that of the job's results on two threads.
func (j job) name() string {
	return fmt.Sprintf("Performance/%s/n=%d/m=%d/t0=%d/threads=2", j.family, j.n, j.m, j.sparsity)
}

// row is a row of the job on two threads.
func (j job) row() resultRow {
	return resultRow{name: j.name(), labels: []string{whole(j.n), whole(j.m), whole(j.sparsity), strings.ToUpper(j.family)}}
}

// perRun are the columns of what a run takes.
var perRun = []resultColumn{
	number("seconds", "s/graph"), number("rounds", "rounds"), number("seconds per round", "s/round"), number("gradients", "gradients"),
	number("memory, MB", "peak-MB"), inTenThousandths("F1", "F1"),
}

// published are the seconds that the code published with [maretic2017] takes for
// a graph of 200 signals.
var published = map[string]float64{
	"AgainstReference/er/n=20/m=200": 35, "AgainstReference/er/n=50/m=200": 74, "AgainstReference/er/n=100/m=200": 216,
}

var reference = resultTable{
	title: "One graph, one thread, the same signals",
	columns: append(labels("N", "M"),
		number("Nervure, s", "s/graph"), number("NumPy, s", "reference-s/graph"), quotient("ratio", "reference-s/graph", "s/graph"),
		resultColumn{"published code, s", func(_ benchmark.Results, r resultRow) string { return digits(published[r.name]) }},
		resultColumn{"ratio", func(all benchmark.Results, r resultRow) string {
			return ratio(published[r.name], all[r.name]["s/graph"])
		}},
		inTenThousandths("F1", "F1"), inTenThousandths("F1 of NumPy", "reference-F1"), number("graphs", "graphs")),
	rows: []resultRow{
		{name: "AgainstReference/er/n=20/m=200", labels: []string{"20", "200"}},
		{name: "AgainstReference/er/n=50/m=200", labels: []string{"50", "200"}},
		{name: "AgainstReference/er/n=100/m=200", labels: []string{"100", "200"}},
		{name: "AgainstReference/er/n=500/m=1000/t0=4", labels: []string{"500", "1000"}},
	},
	notes: []string{"Means over the graphs. Ratios are to the time of Nervure."},
}

// command is what people wait for.
var command = resultTable{
	title: "The command and learning alone, CPU seconds",
	columns: append(labels("N", "M"),
		number("`nervure learn`", "default-s"), number("`nervure learn --method sparse`", "sparse-s"), quotient("ratio", "default-s", "sparse-s"),
		number("`learn.Fit`", "fit-s")),
	rows: commandRows(20, 50, 100, 200, 500, 1000),
}

func commandRows(vertices ...int) (rows []resultRow) {
	for _, n := range vertices {
		rows = append(rows, resultRow{name: fmt.Sprintf("Command/er/n=%d/m=%d", n, 2*n), labels: []string{whole(n), whole(2 * n)}})
	}
	return rows
}

// onOneThread is the name of the same results on one thread.
func onOneThread(name string) string { return strings.TrimSuffix(name, "2") + "1" }

var threads = resultTable{
	title: "One thread and two",
	columns: append(labels("N", "M"),
		number("one, s", "s/graph").elsewhere(onOneThread), number("two, s", "s/graph"),
		resultColumn{"ratio", func(all benchmark.Results, r resultRow) string {
			return ratio(all[onOneThread(r.name)]["s/graph"], all[r.name]["s/graph"])
		}},
		inTenThousandths("F1", "F1"), number("graphs", "graphs")),
	rows: []resultRow{job{"er", 100, 200, 4}.row(), job{"er", 200, 400, 4}.row(), job{"er", 1000, 2000, 4}.row()},
}

var large = resultTable{
	title: "Large graphs, two threads",
	columns: slices.Concat([]resultColumn{{"graphs", func(all benchmark.Results, r resultRow) string {
		return digits(all[r.name]["graphs"]) + " " + r.labels[3]
	}}}, labels("N", "M", "T₀"), perRun),
	rows: []resultRow{job{"er", 1000, 2000, 4}.row(), job{"er", 10_000, 4000, 40}.row(), job{"rbf", 10_000, 4000, 40}.row()},
}

// memory is what learning takes beyond its signals.
var memory = resultTable{
	title: "Memory beyond the signals, two threads",
	columns: append(labels("N", "M", "noise", "kernels and atoms"),
		resultColumn{"signals, MB", func(_ benchmark.Results, r resultRow) string { return digits(r.size) }},
		resultColumn{"memory beyond them, MB", func(all benchmark.Results, r resultRow) string { return digits(all[r.name]["times-signals"] * r.size) }},
		number("times the signals", "times-signals"), inTenThousandths("F1", "F1")),
	rows: slices.Concat(memoryRows(64, 20_000, "none", ""), memoryRows(64, 20_000, "10 %", "/noise=0.1"), memoryRows(1000, 4000, "none", "")),
}

func memoryRows(n, m int, noise, name string) (rows []resultRow) {
	for _, model := range []string{"given", "found"} {
		rows = append(rows, resultRow{
			name:   fmt.Sprintf("Memory/er/n=%d/m=%d/t0=4%s/model=%s", n, m, name, model),
			labels: []string{whole(n), whole(m), noise, model}, size: float64(8*n*m) / 1e6,
		})
	}
	return rows
}

// many is learning from more signals than memory is spent on.
var many = resultTable{
	title:   "A million signals in a file, two threads",
	columns: append(labels("N", "M", "file, MB"), number("seconds", "s/graph"), number("memory, MB", "peak-MB"), inTenThousandths("F1", "F1")),
	rows:    []resultRow{{name: "ManySignals/er/n=200/m=1000000", labels: []string{"200", "1000000", "1600"}}},
}

var bothWays = resultTable{
	title: "Both algorithms on the same signals, two threads",
	columns: append(labels("N", "M"),
		resultColumn{"same edges", func(all benchmark.Results, r resultRow) string {
			return fmt.Sprintf("%.0f of %.0f", all[r.name]["same"], all[r.name]["graphs"])
		}},
		number("large-graph, s", "s/graph"), number("dense, s", "dense-s/graph"), inTenThousandths("F1, large-graph", "F1"), inTenThousandths("F1, dense", "dense-F1")),
	rows: []resultRow{{name: "BothWays/er/n=200/m=400/t0=4/threads=2", labels: []string{"200", "400"}}},
}

// choosing is what methods take that choose their edges, at a size.
var choosing = resultTable{
	title:   "Gaussian methods with their own number of edges, one thread",
	columns: append(labels("method"), number("CPU seconds", "s"), written("edges", "edges", func(v float64) string { return whole(int(v)) })),
	rows: []resultRow{
		{name: "Choosing/partial", labels: []string{"`partial`"}},
		{name: "Choosing/glasso", labels: []string{"`glasso`"}},
		{name: "Choosing/ggm", labels: []string{"`ggm`"}},
		{name: "Choosing/ggl", labels: []string{"`ggl`"}},
	},
	notes: []string{"256 pixels of patches of photographs, 3000 signals."},
}
