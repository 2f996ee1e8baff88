package pages

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/cohorts"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// groupTables has what the page on groups shows of results.
func groupTables(root string, p *page) ([]File, error) {
	records, err := cohorts.ReadRecords(filepath.Join(root, cohorts.Results))
	if err != nil {
		return nil, err
	}
	of := map[string][]cohorts.Record{}
	for _, r := range records {
		of[r.Part] = append(of[r.Part], r)
	}
	p.fillTables(map[string]experiment.Table{
		"size": errorTable(of[cohorts.Size]), "found": foundTable(of[cohorts.Size]), "power": powerTable(of[cohorts.Power]),
		"pool": poolTable(of[cohorts.Pool]), "time": timeTable(of[cohorts.Time]),
	})
	return nil, nil
}

// errorTable has how often tests see a difference where there is none.
func errorTable(records []cohorts.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Studies in which nothing differs",
		Header: []string{"compared", "vertices", "rows follow one another", "studies", "whole graph", "strength", "vertices", "edges", "named edges"},
		Notes: []string{
			"Share that is rejected at p ≤ .05, which should be 5 %; of vertices and edges, the mean share, without any correction.",
			fmt.Sprintf("Named edges: studies with an edge of q ≤ .1, at most 10 %% if all is right. %d subjects in each group, %d rows each, %d permutations.", cohorts.Subjects, cohorts.Rows, cohorts.Permutations),
		},
	}
	whole, studies := 0, 0
	for _, r := range records {
		if r.Changes > 0 {
			continue
		}
		whole, studies = whole+r.Whole, studies+r.Studies
		table.Rows = append(table.Rows, []string{
			r.Design, fmt.Sprint(r.Vertices), inTime(r.AR), fmt.Sprint(r.Studies),
			rate(r.Whole, r.Studies), rate(r.Strength, r.Studies), percent(r.VerticesP), percent(r.FalseP), percent(r.False),
		})
	}
	if studies > 0 {
		table.Notes = append(table.Notes, fmt.Sprintf("All studies together: the whole graph differs in %s of %d.", rate(whole, studies), studies))
	}
	return table
}

// foundTable has what tests of subjects find.
func foundTable(records []cohorts.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Studies in which some edges differ",
		Header: []string{"vertices", "rows follow one another", "edges that differ", "studies", "whole graph", "edges found", "false discoveries"},
		Notes: []string{
			"Whole graph: studies with p ≤ .05. Edges found: of those that differ, the share with q ≤ .1. False discoveries: the mean share of edges with q ≤ .1 that do not differ.",
			"An edge that differs has a partial correlation of .25 to .35, in size, that the other group lacks or has with the other sign.",
		},
	}
	for _, r := range records {
		if r.Changes == 0 {
			continue
		}
		table.Rows = append(table.Rows, []string{
			fmt.Sprint(r.Vertices), inTime(r.AR), fmt.Sprint(r.Changes), fmt.Sprint(r.Studies),
			rate(r.Whole, r.Studies), percent(r.Found), percent(r.False),
		})
	}
	return table
}

// powerTable has what is found in rows of people, beside NetworkComparisonTest.
func powerTable(records []cohorts.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Two groups of people, a row each",
		Header: []string{"edges that differ", "by", "studies", "whole graph", "strength", "edges at p ≤ .05", "in error", "edges at q ≤ .1", "false discoveries", "CPU s"},
		Notes: []string{
			"Whole graph and strength: studies with p ≤ .05; with no edge that differs, 5 % is right. A rate of n studies has a standard error of at most 50 % / √n.",
			"Edges: of those that differ, the share named by the p-value alone and by the false discovery rate. In error: of edges that do not differ, the share with p ≤ .05.",
			"CPU s: of a study; this tool learns the graphs of the groups by `ggm` here, on which the tests do not depend. What it chooses itself takes about a second.",
		},
	}
	for _, r := range records {
		by := r.By
		if by == "" {
			by = "this tool"
		}
		found := []string{percent(r.FoundP), percent(r.Found)}
		if r.Changes == 0 {
			found = []string{unmeasured, unmeasured}
		}
		table.Rows = append(table.Rows, []string{
			fmt.Sprint(r.Changes), by, fmt.Sprint(r.Studies), rate(r.Whole, r.Studies), rate(r.Strength, r.Studies),
			found[0], percent(r.FalseP), found[1], percent(r.False), fmt.Sprintf("%.1f", r.Seconds),
		})
	}
	return table
}

// poolNames are how the page calls who learns the graph of a group.
var poolNames = map[string]string{
	"": "partial pooling (this tool)", cohorts.Separate: "mean of single graphs", cohorts.Majority: "edges of half of the single graphs",
	cohorts.Stacked: "one graph of all signals", cohorts.Nilearn: "nilearn's GroupSparseCovarianceCV",
}

// poolTable has how right the graph of a group is, by the number of rows.
func poolTable(records []cohorts.Record) experiment.Table {
	table := experiment.Table{
		Title:  "The graph of a group",
		Header: []string{"rows of a subject", "by", "studies", "F1", "worst", "edges for each true one", "F1 at the true number", "CPU s"},
		Notes:  []string{"Means over studies of 20 subjects and 20 vertices, on grids, random graphs and sensor networks alike. Each has as many edges as it chooses itself, or as there are true ones."},
	}
	var sizes []int
	of := map[string][]cohorts.Record{}
	for _, r := range records {
		sizes = append(sizes, r.Rows)
		key := fmt.Sprint(r.Rows, r.By)
		of[key] = append(of[key], r)
	}
	for _, rows := range distinct(sizes) {
		for _, by := range []string{"", cohorts.Majority, cohorts.Separate, cohorts.Stacked, cohorts.Nilearn} {
			list := of[fmt.Sprint(rows, by)]
			if len(list) == 0 {
				continue
			}
			f1, drawn, known, seconds, worst := 0.0, 0.0, 0.0, 0.0, 1.0
			for _, r := range list {
				share := 1 / float64(len(list))
				f1 += share * r.F1()
				worst = min(worst, r.F1())
				drawn += share * float64(r.Drawn) / float64(r.Edges)
				known += share * float64(r.AtTrue) / float64(r.Edges)
				seconds += share * r.Seconds
			}
			table.Rows = append(table.Rows, []string{
				fmt.Sprint(rows), poolNames[by], fmt.Sprint(len(list)), hundredths(f1), hundredths(worst), hundredths(drawn), hundredths(known), fmt.Sprintf("%.1f", seconds),
			})
		}
	}
	return table
}

// timeTable has what the command takes.
func timeTable(records []cohorts.Record) experiment.Table {
	table := experiment.Table{
		Title:  "`batch --groups` as a whole",
		Header: []string{"files", "vertices", "rows", "permutations", "CPU s"},
	}
	for _, r := range records {
		table.Rows = append(table.Rows, []string{fmt.Sprint(2 * r.Units), fmt.Sprint(r.Vertices), fmt.Sprint(r.Rows), fmt.Sprint(r.Permutations), digits(r.Seconds)})
	}
	return table
}

// distinct returns numbers in order, each once.
func distinct(list []int) []int {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func inTime(ar float64) string {
	if ar == 0 {
		return "no"
	}
	return fmt.Sprintf("correlated by %g", ar)
}

func rate(count, of int) string { return percent(float64(count) / float64(max(1, of))) }
