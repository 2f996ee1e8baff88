package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/docs/internal/realdata"
)

func TestUnmeasuredRealTablesAreEmpty(t *testing.T) {
	for section, table := range realTables(nil) {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", section, table.Rows)
		}
	}
	for _, g := range robustGroups {
		if table := g.table(benchmark.Results{}); len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", g.name, table.Rows)
		}
	}
}

func TestScreensShowWhatWasRun(t *testing.T) {
	step := realdata.Step{Name: "look", Commands: "ls\ncat x\n"}
	if got, err := screen(step, nil); err != nil || got != "\n```console\n$ ls\n$ cat x\n```\n\n" {
		t.Errorf("a step that was not run: %q, %v", got, err)
	}
	if got, err := screen(step, map[string]string{"look": "$ ls\nx\n$ cat x\nhello\n"}); err != nil || got != "\n```console\n$ ls\nx\n$ cat x\nhello\n```\n\n" {
		t.Errorf("a step that was run: %q, %v", got, err)
	}
	if _, err := screen(step, map[string]string{"look": "$ ls\nx\n"}); err == nil || !strings.Contains(err.Error(), "cat x was not run") {
		t.Errorf("a step that has a new command: %v", err)
	}
}

// known is a record of a set with three methods, one of which failed.
func known() realdata.Record {
	sure := 4
	return realdata.Record{
		Set: "danube", Vertices: 31, Signals: 428, Asked: 30, Chance: 0.065, Prepared: "means removed", Chosen: "ggl", Verdict: "supported", Predicted: new(0.875),
		Sure: &sure, SureTrue: 3, Recommended: "tree",
		Methods: []realdata.Scores{
			{Method: "auto", Edges: 29, Own: 0.8, Asked: 0.9, Seconds: 1.234},
			{Method: "sparse", Edges: 33, Own: 0.5, Asked: 0.6},
			{Method: "tree", Edges: 30, Own: 0.7, Asked: 0.7},
			{Method: "knn", Failed: "no graph"},
		},
	}
}

func TestTablesOfRealSets(t *testing.T) {
	tables := realTables([]realdata.Record{known()})
	for section, want := range map[string]string{
		"sets":    "danube|31|428|river tree|30|0.07|ggl|29|0.80|0.90|33|0.50|0.60|tree|0.70|0.70 (tree)|0.90|0.60",
		"choices": "danube|--log|means removed|ggl|supported|0.88|4|3|1.23",
	} {
		rows := tables[section].Rows
		if len(rows) != 1 || strings.Join(rows[0], "|") != want {
			t.Errorf("%s: got %q, want %q", section, rows, want)
		}
	}
	var methods []string
	for _, row := range tables["methods"].Rows {
		methods = append(methods, strings.Join(row, "|"))
	}
	if got, want := strings.Join(methods, "\n"), "sparse|0.60 (0.50)\ntree|**0.70** (0.70)\nknn|–"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestInterruptsAreNoted(t *testing.T) {
	r := known()
	r.Interrupted, r.Methods[0].Interrupted = true, true
	notes := strings.Join(setsTable([]realdata.Record{r}).Notes, " ")
	if !strings.Contains(notes, "On danube the comparison was interrupted") || !strings.Contains(notes, "On danube the method auto was interrupted") {
		t.Errorf("%q", notes)
	}
}

func TestRobustRowsAreThoseMeasured(t *testing.T) {
	measured := benchmark.Results{}
	for _, g := range robustGroups {
		for _, r := range g.rows {
			measured[g.row(r)] = map[string]float64{"graphs": 1}
		}
	}
	if err := checkRobustRows(measured); err != nil {
		t.Error(err)
	}
	delete(measured, "Robust/noise/noise=0.1")
	measured["Robust/noise/noise=0.9"] = nil
	err := checkRobustRows(measured)
	if err == nil || !strings.Contains(err.Error(), "has no Robust/noise/noise=0.1") || !strings.Contains(err.Error(), "has Robust/noise/noise=0.9, which no table shows") {
		t.Errorf("%v", err)
	}
}

func TestRobustColumns(t *testing.T) {
	all := benchmark.Results{
		"a/given=4": {"F1": 0.9, "sure-true": 3, "sure": 4, "most-tau-off": 1},
		"a/given=3": {"F1": 0.85, "most-tau-off": 0.0123},
	}
	for _, c := range []struct {
		column     resultColumn
		name, want string
	}{
		{inTenThousandths("F1", "F1"), "a/given=4", "0.9000"},
		{inPercent("F1", "F1", 1), "a/given=3", "85.0 %"},
		{lossOfAtoms, "a/given=3", "0.0500"},
		{sureAndTrue("", "sure"), "a/given=4", "75.0 %"},
		{sureAndTrue("", "sure"), "a/given=3", unmeasured},
		{errorOfScales, "a/given=4", unmeasured},
		{errorOfScales, "a/given=3", "1.2 %"},
	} {
		if got := c.column.cell(all, resultRow{name: c.name}); got != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.column.title, c.name, got, c.want)
		}
	}
}
