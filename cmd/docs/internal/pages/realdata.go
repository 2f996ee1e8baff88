package pages

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// realData has the commands of the walk with what they printed, its maps, and the tables
// of real sets and of known graphs.
func realData(root string, p *page) ([]File, error) {
	records, err := realdata.ReadRecords(filepath.Join(root, realdata.Results))
	if err != nil {
		return nil, err
	}
	p.fillTables(realTables(records))
	measured, err := benchmark.Read(filepath.Join(root, benchmark.File(robustRun)))
	if err != nil {
		return nil, err
	}
	for _, g := range robustGroups {
		p.fillTable(g.name, g.table(measured))
	}
	if err := checkRobustRows(measured); err != nil {
		p.fault(err)
	}
	kept, err := realdata.ReadWalk(filepath.Join(root, realdata.WalkResults))
	if err != nil {
		return nil, err
	}
	for _, s := range realdata.Walk {
		text, err := screen(s, kept)
		if err != nil {
			p.fault(err)
		}
		p.fill(s.Name, text)
	}
	return fillMaps(p, kept[realdata.WalkGraph])
}

// screen is the commands of a step with what they printed, alone if they were not
// run. It is an error if other commands were.
func screen(s realdata.Step, kept map[string]string) (string, error) {
	text, ran := kept[s.Name]
	var commands strings.Builder
	for command := range strings.Lines(s.Commands) {
		commands.WriteString("$ " + command)
		if ran && !strings.Contains(text, "$ "+command) {
			return "", fmt.Errorf("%s: %s was not run; make realdata runs it", realdata.WalkResults, strings.TrimSpace(command))
		}
	}
	if !ran {
		text = commands.String()
	}
	return "\n```console\n" + text + "```\n\n", nil
}

// realTables are the tables of the page about real data, by their sections.
func realTables(records []realdata.Record) map[string]experiment.Table {
	return map[string]experiment.Table{"sets": setsTable(records), "choices": choicesTable(records), "methods": methodsTable(records)}
}

// setsTable has what learn, sparse and others come to on each set.
func setsTable(records []realdata.Record) experiment.Table {
	table := experiment.Table{
		Title: "Real data: F1 of the edges, or share of edges inside groups",
		Header: []string{
			"set", "N", "M", "truth", "edges", "chance", "learn: method", "edges", "own number", "given number", "sparse: edges", "own number", "given number",
			"compare", "own number", "best of all, given number", "other software", "map alone",
		},
		Notes: []string{
			"Learn: `nervure learn` without `--method`. Compare: the method that `nervure compare` recommends.",
			"Own number: the method chooses the number of edges. Given number: it gets the number in the column edges (--edges), which is the true one where edges are known.",
			"Other software: the best of correlation, nearest neighbours, spanning tree, partial correlation and graphical lasso, with its penalty chosen by the truth.",
			"Map alone: the nearest pairs on the map, without any signals. Differences of a few hundredths are not significant.",
		},
	}
	for _, r := range records {
		s, _ := realdata.SetNamed(r.Set)
		cells := []string{r.Set, whole(r.Vertices), whole(r.Signals), s.Truth, whole(r.Asked), hundredths(r.Chance), r.Chosen}
		cells = append(cells, scoreCells(r.Of(realdata.Auto))...)
		cells = append(cells, scoreCells(r.Of("sparse"))...)
		cells = append(cells, cmp.Or(r.Recommended, "none"), scoreCells(r.Of(r.Recommended))[1])
		if best := bestOf(r); best == nil {
			cells = append(cells, unmeasured)
		} else {
			cells = append(cells, fmt.Sprintf("%s (%s)", hundredths(best.Asked), best.Method))
		}
		table.Rows = append(table.Rows, append(cells, orNone(s.Reference), orNone(s.Geography)))
		if s.Methods != nil {
			table.Notes = append(table.Notes, fmt.Sprintf("On %s only these methods were run: %s.", r.Set, strings.Join(s.Methods, ", ")))
		}
		if r.Interrupted {
			table.Notes = append(table.Notes, fmt.Sprintf("On %s the comparison was interrupted; the recommendation is among the methods finished by then.", r.Set))
		}
		for _, m := range r.Methods {
			if m.Interrupted {
				table.Notes = append(table.Notes, fmt.Sprintf("On %s the method %s was interrupted; its scores are those of its best graph by then.", r.Set, m.Method))
			}
		}
	}
	return table
}

// scoreCells are edges and scores.
func scoreCells(m *realdata.Scores) []string {
	if m == nil || m.Failed != "" {
		return []string{unmeasured, unmeasured, unmeasured}
	}
	return []string{whole(m.Edges), hundredths(m.Own), hundredths(m.Asked)}
}

// bestOf is the best of the methods; only the truth can tell it.
func bestOf(r realdata.Record) *realdata.Scores {
	var best *realdata.Scores
	for k, m := range r.Methods {
		if m.Method != realdata.Auto && m.Failed == "" && (best == nil || m.Asked > best.Asked) {
			best = &r.Methods[k]
		}
	}
	return best
}

// choicesTable has what the tool chose, and how far its sure edges are true.
func choicesTable(records []realdata.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Automatic choices, and edges of high confidence",
		Header: []string{"set", "flags", "preprocessing", "method", "verdict", "predicted", "edges with confidence 0.9 or more", "of these true", "seconds"},
		Notes: []string{
			"Predicted: share of the energy of hidden values in held-out signals that edges predict. Seconds include the confidence where it was computed. " +
				"For sets with groups, true means inside a group.",
		},
	}
	for _, r := range records {
		s, _ := realdata.SetNamed(r.Set)
		sure, right, predicted := unmeasured, unmeasured, unmeasured
		if r.Sure != nil {
			sure, right = whole(*r.Sure), whole(r.SureTrue)
		}
		if r.Predicted != nil {
			predicted = hundredths(*r.Predicted)
		}
		table.Rows = append(table.Rows, []string{
			r.Set, cmp.Or(strings.Join(s.Flags, " "), "none"), r.Prepared, r.Chosen, r.Verdict, predicted, sure, right, digits(r.Of(realdata.Auto).Seconds),
		})
	}
	return table
}

// methodsTable has the scores of all methods at the number of edges asked for.
func methodsTable(records []realdata.Record) experiment.Table {
	table := experiment.Table{
		Title:  "All methods, with the given number of edges",
		Header: []string{"method"},
		Notes:  []string{"In parentheses: with the method's own number of edges. Bold: recommended by compare, without the truth."},
	}
	var names []string
	for _, r := range records {
		table.Header = append(table.Header, r.Set)
		for _, m := range r.Methods {
			if m.Method != realdata.Auto && !slices.Contains(names, m.Method) {
				names = append(names, m.Method)
			}
		}
	}
	for _, name := range names {
		cells := []string{name}
		for _, r := range records {
			m := r.Of(name)
			switch {
			case m == nil || m.Failed != "":
				cells = append(cells, unmeasured)
			case name == r.Recommended:
				cells = append(cells, fmt.Sprintf("**%s** (%s)", hundredths(m.Asked), hundredths(m.Own)))
			default:
				cells = append(cells, fmt.Sprintf("%s (%s)", hundredths(m.Asked), hundredths(m.Own)))
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// orNone is a score that may not be known.
func orNone(v float64) string {
	if v == 0 {
		return unmeasured
	}
	return hundredths(v)
}
