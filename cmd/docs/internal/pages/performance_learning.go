package pages

import (
	"fmt"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A job is a setting of BenchmarkPerformance.
type job struct {
	family         string
	n, m, sparsity int
}

// on is the name of the job's results on so many threads.
func (j job) on(threads int) string {
	return fmt.Sprintf("Performance/%s/n=%d/m=%d/t0=%d/threads=%d", j.family, j.n, j.m, j.sparsity, threads)
}

// published are the seconds that the code published with [maretic2017] takes for
// a graph of so many vertices and 200 signals.
var published = map[int]float64{20: 35, 50: 74, 100: 216}

func referenceTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "One graph, one thread, the same signals",
		Header: []string{"N", "M", "Nervure, s", "NumPy, s", "ratio", "published code, s", "ratio", "F1", "F1 of NumPy", "graphs"},
		Notes:  []string{"Means over the graphs. Ratios are to the time of Nervure."},
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
			tenThousandths(got["F1"]), tenThousandths(got["reference-F1"]), digits(got["graphs"]),
		})
	}
	return table
}

func threadsTable(r benchmark.Results) experiment.Table {
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
				tenThousandths(two["F1"]), digits(two["graphs"]),
			})
		}
	}
	return table
}

func largeTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "Large graphs, two threads",
		Header: []string{"graphs", "N", "M", "T₀", "seconds", "rounds", "seconds per round", "gradients", "memory, MB", "F1"},
	}
	for _, j := range []job{{"er", 1000, 2000, 4}, {"er", 10_000, 4000, 40}, {"rbf", 10_000, 4000, 40}} {
		if got, ok := r[j.on(2)]; ok {
			table.Rows = append(table.Rows, []string{
				digits(got["graphs"]) + " " + strings.ToUpper(j.family), whole(j.n), whole(j.m), whole(j.sparsity),
				digits(got["s/graph"]), digits(got["rounds"]), digits(got["s/round"]), digits(got["gradients"]), digits(got["peak-MB"]), tenThousandths(got["F1"]),
			})
		}
	}
	return table
}

// memoryTable is what learning takes beyond its signals.
func memoryTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "Memory beyond the signals, two threads",
		Header: []string{"N", "M", "noise", "kernels and atoms", "signals, MB", "memory beyond them, MB", "times the signals", "F1"},
	}
	for _, c := range []struct {
		n, m  int
		noise string
	}{{64, 20_000, ""}, {64, 20_000, "/noise=0.1"}, {1000, 4000, ""}} {
		for _, model := range []string{"given", "found"} {
			got, ok := r[fmt.Sprintf("Memory/er/n=%d/m=%d/t0=4%s/model=%s", c.n, c.m, c.noise, model)]
			if !ok {
				continue
			}
			noise := "none"
			if c.noise != "" {
				noise = "10 %"
			}
			size := float64(8*c.n*c.m) / 1e6
			table.Rows = append(table.Rows, []string{
				whole(c.n), whole(c.m), noise, model, digits(size), digits(got["times-signals"] * size), digits(got["times-signals"]),
				tenThousandths(got["F1"]),
			})
		}
	}
	return table
}

// manyTable is learning from more signals than memory is spent on.
func manyTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "A million signals in a file, two threads",
		Header: []string{"N", "M", "file, MB", "seconds", "memory, MB", "F1"},
	}
	const n, m = 200, 1_000_000
	if got, ok := r[fmt.Sprintf("ManySignals/er/n=%d/m=%d", n, m)]; ok {
		table.Rows = [][]string{{
			whole(n), whole(m), digits(8 * n * m / 1e6), digits(got["s/graph"]), digits(got["peak-MB"]), tenThousandths(got["F1"]),
		}}
	}
	return table
}

func bothWaysTable(r benchmark.Results) experiment.Table {
	table := experiment.Table{
		Title:  "Both algorithms on the same signals, two threads",
		Header: []string{"N", "M", "same edges", "large-graph, s", "dense, s", "F1, large-graph", "F1, dense"},
	}
	if got, ok := r["BothWays/er/n=200/m=400/t0=4/threads=2"]; ok {
		table.Rows = [][]string{{
			"200", "400", fmt.Sprintf("%.0f of %.0f", got["same"], got["graphs"]), digits(got["s/graph"]), digits(got["dense-s/graph"]),
			tenThousandths(got["F1"]), tenThousandths(got["dense-F1"]),
		}}
	}
	return table
}
