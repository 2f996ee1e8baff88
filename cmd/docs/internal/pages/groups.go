package pages

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// tablesOfGroups are what the page on groups shows of results.
func tablesOfGroups(records []row) map[string]experiment.Table {
	null := groupErrors
	if alike := where(records, null.where); len(alike) > 0 {
		null.notes = append(slices.Clone(null.notes), fmt.Sprintf("All studies together: the whole graph differs in %s of %g.",
			percent(sum(alike, num("whole"))/sum(alike, num("studies"))), sum(alike, num("studies"))))
	}
	return map[string]experiment.Table{
		"size": null.of(records), "found": groupsFound.of(records), "power": groupPower.of(records),
		"pool": groupPool.of(records), "time": groupTime.of(records),
	}
}

func differ(r row) bool { return r.Number("changes") > 0 }

// rate is a number of studies, of all.
func rate(title, key string) column { return average(title, percent, per(num(key), num("studies"))) }

var inTime = text("rows follow one another", func(r row) string {
	if r.Number("ar") == 0 {
		return "no"
	}
	return fmt.Sprintf("correlated by %g", r.Number("ar"))
})

// groupErrors is how often tests see a difference where there is none.
var groupErrors = spec{
	title: "Studies in which nothing differs",
	where: both(in(measure.Size), func(r row) bool { return !differ(r) }),
	columns: []column{
		label("compared", "design"), label("vertices", "vertices"), inTime, label("studies", "studies"), rate("whole graph", "whole"),
		rate("strength", "strength"), average("vertices", percent, num("vertices_p")),
		average("edges", percent, num("false_p")), average("named edges", percent, num("false")),
	},
	notes: []string{
		"Share that is rejected at p ≤ .05, which should be 5 %; of vertices and edges, the mean share, without any correction.",
		fmt.Sprintf("Named edges: studies with an edge of q ≤ .1, at most 10 %% if all is right. %d subjects in each group, %d rows each, %d permutations.", measure.Subjects, measure.Rows, measure.Permutations),
	},
}

// groupsFound is what tests of subjects find.
var groupsFound = spec{
	title: "Studies in which some edges differ",
	where: both(in(measure.Size), differ),
	columns: []column{
		label("vertices", "vertices"), inTime, label("edges that differ", "changes"), label("studies", "studies"), rate("whole graph", "whole"),
		average("edges found", percent, num("found")), average("false discoveries", percent, num("false")),
	},
	notes: []string{
		"Whole graph: studies with p ≤ .05. Edges found: of those that differ, the share with q ≤ .1.",
		"False discoveries: the mean share of edges with q ≤ .1 that do not differ.",
		"An edge that differs has a partial correlation of .25 to .35, in size, that the other group lacks or has with the other sign.",
	},
}

// groupPower is what is found in rows of people, beside NetworkComparisonTest.
var groupPower = spec{
	title: "Two groups of people, a row each",
	where: in(measure.Power), by: []string{"vertices", "rows", "changes", "by"},
	columns: slices.Concat([]column{
		label("edges that differ", "changes"), text("by", func(r row) string {
			return cmp.Or(map[string]string{measure.Tool: "this tool"}[r.Text("by")], r.Text("by"))
		}),
		label("studies", "studies"), rate("whole graph", "whole"), rate("strength", "strength"),
	}, only(differ, average("edges at p ≤ .05", percent, num("found_p"))), []column{average("in error", percent, num("false_p"))},
		only(differ, average("edges at q ≤ .1", percent, num("found"))),
		[]column{average("false discoveries", percent, num("false")), average("CPU s", tenths, seconds)}),
	notes: []string{
		"Whole graph and strength: studies with p ≤ .05; with no edge that differs, 5 % is right.",
		"A rate of n studies has a standard error of at most 50 % / √n.",
		"Edges: of those that differ, the share named by the p-value alone and by the false discovery rate.",
		"In error: of edges that do not differ, the share with p ≤ .05.",
		"CPU s: of a study; this tool learns the graphs of the groups by `ggm` here, on which the tests do not depend.",
		"What it chooses itself takes about a second.",
	},
}

func tenths(v float64) string { return fmt.Sprintf("%.1f", v) }

// poolNames are how the page calls who learns the graph of a group.
var poolNames = map[string]string{
	measure.Tool: "partial pooling (this tool)", measure.Separate: "mean of single graphs",
	measure.Majority: "edges of half of the single graphs",
	measure.Stacked:  "one graph of all signals", measure.Nilearn: "nilearn's GroupSparseCovarianceCV",
}

// groupPool is how right the graph of a group is, by the number of rows.
var groupPool = spec{
	title: "The graph of a group",
	where: in(measure.Pool), by: []string{"rows", "by"},
	columns: []column{
		label("rows of a subject", "rows"), text("by", func(r row) string { return poolNames[r.Text("by")] }), count("studies"),
		average("F1", hundredths, f1("")), least("worst", hundredths, f1("")),
		average("edges for each true one", hundredths, per(num("found"), num("edges"))),
		average("F1 at the true number", hundredths, per(num("at_true"), num("edges"))), average("CPU s", tenths, seconds),
	},
	notes: []string{"Means over studies of 20 subjects and 20 vertices, on grids, random graphs and sensor networks alike. Each has as many edges as it chooses itself, or as there are true ones."},
}

// groupTime is what the command takes.
var groupTime = spec{
	title: "`batch --groups` as a whole",
	where: in(measure.Time), by: []string{"vertices", "units", "rows"},
	columns: []column{
		text("files", func(r row) string { return whole(2 * r.Number("units")) }), label("vertices", "vertices"), label("rows", "rows"),
		label("permutations", "permutations"), average("CPU s", digits, seconds),
	},
}
