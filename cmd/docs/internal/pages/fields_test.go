package pages

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/docs/internal/fields"
)

func TestUnmeasuredFieldTablesAreEmpty(t *testing.T) {
	for section, table := range tablesOfFields(nil) {
		if len(table.Rows) > 0 {
			t.Errorf("%s: %v out of nothing", section, table.Rows)
		}
	}
}

func TestTablesOfFields(t *testing.T) {
	setting := func(graph string, size int) fields.Setting {
		return fields.Setting{Graph: graph, Kernel: "matern:2", Size: size, Times: 10, Noise: 0.01}
	}
	outcome := func(edges, right, sure, sureTrue int, seconds float64) fields.Outcome {
		return fields.Outcome{Method: "field", Kernel: "matern:2", Edges: edges, Right: right, Sure: sure, SureTrue: sureTrue, Seconds: seconds}
	}
	ggl := fields.Outcome{Method: "ggl", Edges: 10, Right: 5}
	tables := tablesOfFields([]fields.Record{
		{Setting: setting("grid", 30), Seed: 1, Edges: 10, Default: outcome(10, 1, 1, 1, 1), GGL: ggl, Known: 10},
		{Setting: setting("grid", 100), Seed: 1, Edges: 10, Default: outcome(10, 10, 8, 8, 1), GGL: ggl, Known: 10, Chosen: true},
		{Setting: setting("tree", 100), Seed: 1, Edges: 10, Default: outcome(10, 8, 8, 6, 2), GGL: ggl, Known: 9, Chosen: true},
		{Setting: setting("tree", 300), Seed: 1, Edges: 10, Default: outcome(10, 6, 0, 0, 30), GGL: ggl, Known: 5},
		{Setting: fields.Setting{Graph: "grid", Kernel: "matern:2+heat", Size: 100, Times: 10}, Seed: 1, Edges: 10, Default: outcome(10, 9, 4, 4, 1), GGL: ggl, Known: 10},
		{Setting: fields.Setting{Graph: "tree", Kernel: "matern:2+heat", Size: 100, Times: 10}, Seed: 1, Edges: 10, Default: outcome(10, 8, 4, 2, 1), GGL: ggl, Known: 9},
		{Set: "case14", Vertices: 12, Signals: 120, Edges: 10, Default: outcome(10, 8, 4, 4, 0.5), GGL: ggl},
		{Set: "Net3", Vertices: 86, Signals: 860, Edges: 10, Default: outcome(10, 6, 4, 3, 0.5), GGL: ggl},
		{Set: "stocks", Vertices: 56, Signals: 1258, Default: outcome(10, 9, 4, 4, 0.5), GGL: ggl},
		{Set: "netsim/sim01_01", Edges: 10, Default: outcome(10, 9, 4, 4, 0.5), GGL: ggl},
		{Set: "netsim/sim01_02", Edges: 10, Default: outcome(10, 7, 4, 4, 0.5), GGL: ggl},
	})
	for section, want := range map[string]string{
		"summary": "matern:2|1 %|3|2 (0.67)|0.80|0.80|0.80|0.50|0.80|16|14 (0.88)|1.5|30",
		"graphs":  "grid|1 %|–|1.00 / 0.50 / 1.00|–|–\ntree|1 %|–|0.80 / 0.50 / 0.90|–|–",
		"sizes":   "30|10 N|1 %|–|0.10 / 0.50 / 1.00|–|–\n100|10 N|1 %|–|0.90 / 0.50 / 0.95|–|–\n300|10 N|1 %|–|0.60 / 0.50 / 0.50|–|–",
		"spectra": "matern:2+heat|0 %|2|matern:2 (2)|0.85|0.80|0.50|0.95|8|6 (0.75)",
		"networks": `case14|power grid, voltage angles|12|120|10|field, matern:2|0.80|0.80|0.80|0.50|4|4 (1.00)|0.5
Net3|water network, heads|86|860|10|field, matern:2|0.60|0.60|0.60|0.50|4|3 (0.75)|0.5
mean||||||0.70|0.70|0.70|0.50|8|7 (0.88)|`,
		"sets": `stocks|56|1258|field, matern:2|0.90|0.50|4|4 (1.00)|0.5
netsim, mean of 2||||0.80|0.50|8|8 (1.00)|`,
	} {
		var rows []string
		for _, row := range tables[section].Rows {
			rows = append(rows, strings.Join(row, "|"))
		}
		if got := strings.Join(rows, "\n"); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", section, got, want)
		}
	}
}

// What a law says of the spectrum is what its signals have, and its root is the Laplacian.
func TestFieldLawsAreThoseOfTheirSignals(t *testing.T) {
	g, _, err := squareGrid(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range fieldLaws() {
		y, err := l.draw(g, 40000)
		if err != nil {
			t.Fatal(err)
		}
		var s mat.SymDense
		s.SymOuterK(1.0/40000, y)
		root, err := spectral(&s, l.frequency)
		if err != nil {
			t.Fatal(err)
		}
		laplacian := g.CombinatorialLaplacian()
		for i := range 9 {
			for j := range i {
				if off := root.At(i, j) - laplacian.At(i, j); math.Abs(off) > 0.1 {
					t.Errorf("%s: the root has %g at %d, %d, want %g", l.name, root.At(i, j), i, j, laplacian.At(i, j))
				}
			}
		}
		for _, lambda := range []float64{0, 0.5, 3} {
			ridge := figureRidge
			if l.order == 0 {
				ridge = 0
			}
			if back := l.frequency(l.variance(lambda)); math.Abs(back-lambda-ridge) > 1e-12 {
				t.Errorf("%s: frequency %g comes back as %g", l.name, lambda, back)
			}
		}
	}
}

func TestVariancesAboveTheNoise(t *testing.T) {
	edge := math.Pow(1+math.Sqrt(0.1), 2) - 1 // of ten signals for each vertex
	if got := aboveNoise([]float64{edge * 1.01, edge * 0.99, 5}, 1); got != 2 {
		t.Errorf("%d are above the noise, want 2", got)
	}
	if got := aboveNoise([]float64{1e-9, 1}, 0); got != 2 {
		t.Errorf("without noise %d of 2 are left", got)
	}
}
