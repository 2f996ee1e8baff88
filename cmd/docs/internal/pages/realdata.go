package pages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// realData has the commands of the walk with what they printed, its maps, and the tables
// of real sets and of known graphs.
func realData(root string, p *page) ([]File, error) {
	records, err := measure.Read(root, "realdata")
	if err != nil {
		return nil, err
	}
	p.fillTables(map[string]experiment.Table{"sets": setsTable(records), "choices": choices.of(records), "methods": methodsTable(records)})
	measured, _, err := measure.ReadBenchmarks(root, "robust")
	if err != nil {
		return nil, err
	}
	for _, g := range robustGroups {
		p.fillTable(g.name, g.table(measured))
	}
	if err := checkRobustRows(measured); err != nil {
		p.fault(err)
	}
	kept, err := measure.ReadWalk(root)
	if err != nil {
		return nil, err
	}
	for _, s := range measure.Walk {
		text, err := screen(s, kept)
		if err != nil {
			p.fault(err)
		}
		p.fill(s.Name, text)
	}
	return fillMaps(p, kept[measure.WalkGraph])
}

// screen is the commands of a step with what they printed, alone if they were not
// run. It is an error if other commands were.
func screen(s measure.Step, kept map[string]string) (string, error) {
	text, ran := kept[s.Name]
	var commands strings.Builder
	for command := range strings.Lines(s.Commands) {
		commands.WriteString("$ " + command)
		if ran && !strings.Contains(text, "$ "+command) {
			return "", fmt.Errorf("%s: %s was not run; make realdata runs it", measure.WalkResults, strings.TrimSpace(command))
		}
	}
	if !ran {
		text = commands.String()
	}
	return "\n```console\n" + text + "```\n\n", nil
}

// setOf is the set of a record.
func setOf(r row) measure.Set { return measure.SetNamed(r.Text("set")) }

// methodsOf are the methods that were run on a set, without what learn took by itself.
func methodsOf(r row) []string {
	return slices.DeleteFunc(strings.Split(r.Text("methods"), ", "), func(name string) bool { return name == measure.Auto })
}

// ran reports whether a method has a graph.
func ran(r row, method string) bool {
	return method != "" && r.Values[method+".own"] != nil && r.Text(method+".failed") == ""
}

// score is what a method comes to on a set, in one of the ways, with its own number of edges or the given one.
func score(title, way string, method func(row) string) column {
	return text(title, func(r row) string {
		switch name := method(r); {
		case !ran(r, name):
			return unmeasured
		case way == "found":
			return whole(r.Number(name + ".found"))
		default:
			return hundredths(r.Number(name + "." + way))
		}
	})
}

func named(method string) func(row) string { return func(row) string { return method } }

func recommended(r row) string { return r.Text("recommended") }

// bestOf is the best of the methods; only the truth can tell it.
func bestOf(r row) (best string) {
	for _, name := range methodsOf(r) {
		if ran(r, name) && (best == "" || r.Number(name+".asked") > r.Number(best+".asked")) {
			best = name
		}
	}
	return best
}

// setsTable has what learn, sparse and others come to on each set.
func setsTable(records []row) experiment.Table {
	s := realSets
	for _, r := range records {
		of := setOf(r)
		if of.Methods != nil {
			s.notes = append(s.notes, fmt.Sprintf("On %s only these methods were run: %s.", of.Name, strings.Join(of.Methods, ", ")))
		}
		if r.Number("interrupted") == 1 {
			s.notes = append(s.notes, fmt.Sprintf("On %s the comparison was interrupted; the recommendation is among the methods finished by then.", of.Name))
		}
		for _, name := range append([]string{measure.Auto}, methodsOf(r)...) {
			if r.Number(name+".interrupted") == 1 {
				s.notes = append(s.notes, fmt.Sprintf("On %s the method %s was interrupted; its scores are those of its best graph by then.", of.Name, name))
			}
		}
	}
	return s.of(records)
}

// reference is a score that may not be known.
func reference(title string, of func(measure.Set) float64) column {
	return text(title, func(r row) string {
		if v := of(setOf(r)); v != 0 {
			return hundredths(v)
		}
		return unmeasured
	})
}

var realSets = spec{
	title: "Real data: F1 of the edges, or share of edges inside groups",
	columns: []column{
		label("set", "set"), label("N", "vertices"), label("M", "signals"), text("truth", func(r row) string { return setOf(r).Truth }),
		label("edges", "asked"), average("chance", hundredths, num("chance")), label("learn: method", "chosen"),
		score("edges", "found", named(measure.Auto)), score("own number", "own", named(measure.Auto)),
		score("given number", "asked", named(measure.Auto)),
		score("sparse: edges", "found", named("sparse")), score("own number", "own", named("sparse")),
		score("given number", "asked", named("sparse")),
		text("compare", func(r row) string { return cmp.Or(recommended(r), "none") }), score("own number", "own", recommended),
		text("best of all, given number", func(r row) string {
			if bestOf(r) == "" {
				return unmeasured
			}
			return fmt.Sprintf("%s (%s)", hundredths(r.Number(bestOf(r)+".asked")), bestOf(r))
		}),
		reference("other software", func(s measure.Set) float64 { return s.Reference }),
		reference("map alone", func(s measure.Set) float64 { return s.Geography }),
	},
	notes: []string{
		"Learn: `nervure learn` without `--method`. Compare: the method that `nervure compare` recommends.",
		"Own number: the method chooses the number of edges.",
		"Given number: it gets the number in the column edges (--edges), which is the true one where edges are known.",
		"Other software: the best of correlation, nearest neighbours, spanning tree, partial correlation and graphical lasso, with its penalty chosen by the truth.",
		"Map alone: the nearest pairs on the map, without any signals.",
		"Differences of a few hundredths are not significant.",
	},
}

// choices has what the tool chose, and how far its sure edges are true.
var choices = spec{
	title: "Automatic choices, and edges of high confidence",
	columns: []column{
		label("set", "set"), text("flags", func(r row) string { return cmp.Or(strings.Join(setOf(r).Flags, " "), "none") }),
		label("preprocessing", "prepared"),
		label("method", "chosen"), label("verdict", "verdict"), average("predicted", hundredths, num("predicted")),
		average("edges with confidence 0.9 or more", whole, num("sure")), average("of these true", whole, num("sure_true")),
		average("seconds", digits, num(measure.Auto+".seconds")),
	},
	notes: []string{
		"Predicted: share of the energy of hidden values in held-out signals that edges predict. Seconds include the confidence where it was computed. " +
			"For sets with groups, true means inside a group.",
	},
}

// methodsTable has the scores of all methods at the number of edges asked for.
func methodsTable(records []row) experiment.Table {
	var all []row
	s := spec{
		title: "All methods, with the given number of edges", columns: []column{label("method", "method")},
		notes: []string{"In parentheses: with the method's own number of edges. Bold: recommended by compare, without the truth."},
	}
	for _, r := range records {
		for _, name := range methodsOf(r) {
			if len(where(all, has("method", name))) == 0 {
				all = append(all, row{Values: experiment.Values{"method": name}})
			}
		}
		s.columns = append(s.columns, text(r.Text("set"), func(of row) string {
			name, form := of.Text("method"), "%s (%s)"
			if !ran(r, name) {
				return unmeasured
			}
			if name == recommended(r) {
				form = "**%s** (%s)"
			}
			return fmt.Sprintf(form, hundredths(r.Number(name+".asked")), hundredths(r.Number(name+".own")))
		}))
	}
	return s.of(all)
}
