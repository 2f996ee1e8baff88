package pages

import (
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/sizes"
)

func TestUnmeasuredTablesOfSizesAreEmpty(t *testing.T) {
	tables := tablesOfSizes(nil)
	tables["order two"] = fieldsOfOrderTwo(nil)
	for section, table := range tables {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", section, table.Rows)
		}
	}
	if svg, err := crossingFigure(nil); svg != "" || err != nil {
		t.Errorf("a figure out of nothing, %v", err)
	}
}

// Every cell is worked out by hand from records of ten true edges each.
func TestTablesOfSizes(t *testing.T) {
	setting := func(graph string, size int, signed bool) sizes.Setting {
		return sizes.Setting{Graph: graph, Signed: signed, Order: 1, Size: size, Signals: 1000}
	}
	record := func(part string, s sizes.Setting, seed uint64, by string, o sizes.Outcome) sizes.Record {
		return sizes.Record{Part: part, Setting: s, Seed: seed, By: by, Vertices: s.Size, Edges: 10, Outcome: o}
	}
	set := func(name, by string, right int) sizes.Record {
		return sizes.Record{Part: sizes.Engines, Set: name, Setting: sizes.Setting{Signals: 50}, By: by, Vertices: 5, Edges: 10, Outcome: sizes.Outcome{Found: 10, Right: right, Seconds: 1}}
	}
	grid, signedGrid := setting("grid", 2500, false), setting("grid", 2500, true)
	two := grid
	two.Order = 2
	tables := tablesOfSizes([]sizes.Record{
		record(sizes.BySize, grid, 1, sizes.Default, sizes.Outcome{Found: 10, Right: 10, Seconds: 10, Memory: 90, Verdict: "supported", Sampled: 256, Exact: 256}),
		record(sizes.BySize, grid, 1, sizes.WithoutConfidence, sizes.Outcome{Found: 10, Right: 10, Seconds: 6, Memory: 90}),
		record(sizes.BySize, grid, 2, sizes.Default, sizes.Outcome{Found: 10, Right: 8, Sure: 4, SureTrue: 3, Seconds: 12, Memory: 110, Verdict: "weak", Sampled: 256, Exact: 246}),
		record(sizes.BySize, signedGrid, 1, sizes.Default, sizes.Outcome{Found: 8, Right: 6, Wrong: 1, Seconds: 10, Verdict: "supported"}),
		record(sizes.Crossing, setting("sensors", 990, false), 1, sizes.Default, sizes.Outcome{Found: 10, Right: 9, Seconds: 50, Memory: 20}),
		record(sizes.Engines, grid, 1, sizes.Local, sizes.Outcome{Found: 10, Right: 9, Seconds: 1}),
		record(sizes.Engines, grid, 1, sizes.Dense, sizes.Outcome{Found: 10, Right: 10, Seconds: 5}),
		record(sizes.Engines, grid, 2, sizes.Local, sizes.Outcome{Found: 10, Right: 10, Seconds: 3}),
		record(sizes.Engines, grid, 2, sizes.Dense, sizes.Outcome{Found: 10, Right: 10, Seconds: 5}),
		set("danube", sizes.Local, 9), set("danube", sizes.Dense, 8), set("netsim/a", sizes.Local, 5), set("netsim/a", sizes.Dense, 9),
		set("netsim/b", sizes.Local, 7), set("netsim/b", sizes.Dense, 7),
		record(sizes.Rivals, grid, 1, sizes.Default, sizes.Outcome{Found: 10, Right: 9, Seconds: 5}),
		record(sizes.Rivals, grid, 1, sizes.QUIC, sizes.Outcome{Found: 30, Right: 10, Seconds: 50, Penalty: 0.15}),
		record(sizes.Rivals, grid, 1, sizes.SKLearn, sizes.Outcome{Failed: "not done", Penalty: 0.15}),
	})
	tables["order two"] = fieldsOfOrderTwo([]sizes.Record{record(sizes.OrderTwo, two, 1, sizes.Default, sizes.Outcome{Found: 20, Right: 10, Seconds: 7, Kernel: "matern:1"})})
	for section, want := range map[string]string{
		"field sizes": "2500|grid|none|2|0.900|0.800|0.900|0.900|0|4|3 (0.75)|11|6|100|supported, weak|502 of 512\n2500|grid|30 %|1|0.667|0.667|0.750|0.600|1|0|–|10|–|–|supported|–",
		"crossing":    "990|0.9000|50|20",
		"engines":     "grid|2500|2|0.950|1.000|−0.050|−0.100|2|5\nall||2|0.950|1.000|−0.050|−0.100|2|5",
		"engine sets": `danube|5|50|0.900|0.800|+0.100|+0.100|1|1
netsim, mean of 2|||0.600|0.800|−0.200|−0.400|1|1
all, mean of 3|||0.700|0.800|−0.100|−0.400|1|1`,
		"rivals":    "grid|2500|`nervure learn`|–|10|0.900|5\ngrid|2500|QUIC|0.15|30|0.500|50\ngrid|2500|scikit-learn, `GraphicalLasso`|0.15|–|–|not done",
		"order two": "grid|2500|1000|matern:1|0.667|0.500|1.000|7",
	} {
		var rows []string
		for _, row := range tables[section].Rows {
			rows = append(rows, strings.Join(row, "|"))
		}
		if got := strings.Join(rows, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", section, got, want)
		}
	}
	if note := tables["engine sets"].Notes[0]; !strings.Contains(note, "netsim/a (−0.400)") || strings.Contains(note, "netsim/b") || strings.Contains(note, "danube") {
		t.Errorf("%q names the wrong sets", note)
	}
}
