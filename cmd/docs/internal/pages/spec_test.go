package pages

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// recordsOf makes records of values.
func recordsOf(list ...experiment.Values) (all []row) {
	for _, v := range list {
		all = append(all, row{Stage: "s", Values: v})
	}
	return all
}

func TestSpecsPutRecordsTogether(t *testing.T) {
	type v = experiment.Values
	records := recordsOf(
		v{"kind": "b", "n": 10.0, "found": 4.0, "right": 2.0, "edges": 4.0, "sure": 2.0, "sure_true": 1.0},
		v{"kind": "a", "n": 2.0, "found": 1.0, "right": 1.0, "edges": 1.0},
		v{"kind": "b", "n": 2.0, "found": 3.0, "right": 3.0, "edges": 1e6},
		v{"kind": "b", "n": 10.0, "found": 0.0, "right": 0.0, "edges": 4.0, "sure": 2.0, "sure_true": 2.0},
		v{"kind": "left out"},
	)
	s := spec{
		where: func(r row) bool { return r.Text("kind") != "left out" }, by: []string{"kind", "n"}, all: "all",
		columns: []column{
			label("kind", "kind"), label("n", "n"), single("alone", "found"), count("count"),
			average("F1", hundredths, f1("")), least("least", hundredths, f1("")),
			most("most", whole, num("found")), average("precision", hundredths, precision("")), shares("recall", num("right"), num("edges")),
			total("sum", "edges"), parts("sure", num("sure_true"), num("sure")), average("none", digits, num("nothing")),
		},
	}
	var lines []string
	for _, line := range s.of(records).Rows {
		lines = append(lines, strings.Join(line, "|"))
	}
	want := `b|2|3|1|0.00|0.00|3|1.00|0.000|1000000|–|–
b|10||2|0.25|0.00|4|0.75|0.250|8|3 (0.75)|–
a|2|1|1|1.00|1.00|1|1.00|1.000|1|–|–
all|||4|0.38|0.00|4|0.88|0.000|1000009|3 (0.75)|–`
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if groups := grouped(recordsOf(v{"graph": "tree"}, v{"graph": "grid"}), []string{"graph"}); groups[0][0].Text("graph") != "grid" {
		t.Errorf("graphs are not in their order: %v", groups)
	}
	if inside := f1("")(recordsOf(v{"found": 6.0, "right": 4.0, "edges": 0.0})[0]); inside != 4.0/6 {
		t.Errorf("%g of the edges are inside groups", inside)
	}
}

func TestTransposedTablesHaveALineForEachColumn(t *testing.T) {
	got := transposed(experiment.Table{Header: []string{"", "a", "b"}, Rows: [][]string{{"x", "1", "2"}, {"y", "3", "4"}}})
	if !slices.Equal(got.Header, []string{"", "x", "y"}) || !slices.EqualFunc(got.Rows,
		[][]string{{"a", "1", "3"}, {"b", "2", "4"}}, slices.Equal) {
		t.Errorf("got %v", got)
	}
}

// What was not measured has no lines.
func TestTablesOfNothingAreEmpty(t *testing.T) {
	tables := map[string]experiment.Table{
		"plan": planTable(nil), "changing": changingTable(nil),
		"campaign": campaign(nil), "sets": setsTable(nil), "methods": methodsTable(nil),
	}
	for _, of := range []func([]row) map[string]experiment.Table{
		tablesOfFields, tablesOfSizes, tablesOfGroups,
		tablesOfBenchmarks, tablesOfRecordings,
	} {
		maps.Copy(tables, of(nil))
	}
	for section, table := range tables {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", section, table.Rows)
		}
	}
}

func TestNumbersInTables(t *testing.T) {
	for got, want := range map[string]string{
		digits(0):            unmeasured,
		digits(0.012345):     "0.0123",
		digits(99.96):        "100",
		digits(12345.6):      "12346",
		wholePercent(1. / 8): "12 %",
		wholePercent(0):      unmeasured,
		hundredths(0.005):    "0.01",
		signed(-0.0004):      "0",
		signed(-0.03):        "−0.030",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
