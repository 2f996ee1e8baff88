package pages

import (
	"fmt"
	"slices"
	"strings"
)

// published are the seconds that the code published with [maretic2017] takes for
// a graph of 200 signals, by its vertices.
var published = map[float64]float64{20: 35, 50: 74, 100: 216}

func publishedSeconds(r row) float64 {
	if r.Number("m") != 200 {
		return 0
	}
	return published[r.Number("n")]
}

var besideNumPy = spec{
	title: "One graph, one thread, the same signals",
	where: in("AgainstReference"),
	columns: append(labels("N", "n", "M", "m"),
		average("Nervure, s", digits, num("s/graph")), average("NumPy, s", digits, num("reference-s/graph")),
		average("ratio", digits, per(num("reference-s/graph"), num("s/graph"))), average("published code, s", digits, publishedSeconds),
		average("ratio", digits, per(publishedSeconds, num("s/graph"))),
		average("F1", tenThousandths, num("F1")), average("F1 of NumPy", tenThousandths, num("reference-F1")), graphs),
	notes: []string{"Means over the graphs. Ratios are to the time of Nervure."},
}

// command is what people wait for.
var command = spec{
	title: "The command and learning alone, CPU seconds",
	where: in("Command"),
	columns: append(labels("N", "n", "M", "m"),
		average("`nervure learn`", digits, num("default-s")), average("`nervure learn --method sparse`", digits, num("sparse-s")),
		average("ratio", digits, per(num("default-s"), num("sparse-s"))), average("`learn.Fit`", digits, num("fit-s"))),
}

// threads has jobs that were run on one thread, too.
var threads = spec{
	title: "One thread and two",
	where: func(r row) bool {
		return r.Stage == "Performance" && r.Text("kind") == "er" && r.Number("t0") == 4 &&
			r.Number("m") == 2*r.Number("n") && r.Number("n") <= 1000
	},
	by: []string{"n"},
	columns: slices.Concat(labels("N", "n", "M", "m"),
		only(has("threads", 1.0), average("one, s", digits, num("s/graph"))),
		only(has("threads", 2.0), average("two, s", digits, num("s/graph"))),
		[]column{{title: "ratio", cell: func(of []row) string {
			one, two := sum(where(of, has("threads", 1.0)), num("s/graph")), sum(where(of, has("threads", 2.0)), num("s/graph"))
			return digits(one / two)
		}}}, only(has("threads", 2.0), average("F1", tenThousandths, num("F1")), graphs)),
}

var large = spec{
	title: "Large graphs, two threads",
	where: func(r row) bool {
		return r.Stage == "Performance" && r.Number("threads") == 2 && (r.Number("t0") == 40 || r.Number("t0") == 4 && r.Number("m") == 2000)
	},
	columns: slices.Concat([]column{text("graphs", func(r row) string {
		return digits(r.Number("graphs")) + " " + strings.ToUpper(r.Text("kind"))
	})}, labels("N", "n", "M", "m", "T₀", "t0"), runColumns),
}

// sizeInMB is that of the signals of a benchmark.
func sizeInMB(r row) float64 { return 8 * r.Number("n") * r.Number("m") / 1e6 }

// memory is what learning takes beyond its signals.
var memory = spec{
	title: "Memory beyond the signals, two threads",
	where: in("Memory"),
	columns: append(labels("N", "n", "M", "m"),
		text("noise", func(r row) string {
			if r.Values["noise"] == nil {
				return "none"
			}
			return fmt.Sprintf("%g %%", 100*r.Number("noise"))
		}),
		label("kernels and atoms", "model"), average("signals, MB", digits, sizeInMB),
		average("memory beyond them, MB", digits, func(r row) float64 { return r.Number("times-signals") * sizeInMB(r) }),
		average("times the signals", digits, num("times-signals")), average("F1", tenThousandths, num("F1"))),
}

// many is learning from more signals than memory is spent on.
var many = spec{
	title: "A million signals in a file, two threads",
	where: in("ManySignals"),
	columns: append(labels("N", "n", "M", "m"), average("file, MB", whole, sizeInMB), average("seconds", digits, num("s/graph")),
		average("memory, MB", digits, num("peak-MB")), average("F1", tenThousandths, num("F1"))),
}

var bothWays = spec{
	title: "Both algorithms on the same signals, two threads",
	where: in("BothWays"),
	columns: append(labels("N", "n", "M", "m"),
		text("same edges", func(r row) string { return fmt.Sprintf("%g of %g", r.Number("same"), r.Number("graphs")) }),
		average("large-graph, s", digits, num("s/graph")), average("dense, s", digits, num("dense-s/graph")),
		average("F1, large-graph", tenThousandths, num("F1")), average("F1, dense", tenThousandths, num("dense-F1"))),
}

// choosing is what methods take that choose their edges, at a size.
var choosing = spec{
	title: "Gaussian methods with their own number of edges, one thread",
	where: in("Choosing"),
	columns: []column{
		text("method", func(r row) string { return "`" + r.Text("kind") + "`" }), average("CPU seconds", digits, num("s")),
		average("edges", whole, num("edges")),
	},
	notes: []string{"256 pixels of patches of photographs, 3000 signals."},
}
