package nervure

import (
	"cmp"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// The graph, its confidence and the verdict of independent rows are the same, but for rounding,
// however the rows are shuffled or sorted.
func TestOrderOfIndependentRowsDoesNotMatter(t *testing.T) {
	g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	field, err := synth.Field(g.Graph, synth.FieldSpec{Law: synth.GaussianField, Count: 150, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	y := field.Signals
	_, m := y.Dims()
	want := assessed(t, &Signals{Y: y}, Options{})
	for name, order := range map[string][]int{
		"shuffled":          rng.Stream(2, "rows").Perm(m),
		"sorted by the sum": matrix.Sorted(m, func(a, b int) int { return cmp.Compare(mat.Sum(y.ColView(a)), mat.Sum(y.ColView(b))) }),
	} {
		got := assessed(t, &Signals{Y: matrix.Columns(y, order)}, Options{})
		if got.Verdict.String() != want.Verdict.String() || got.Graph.EdgeCount() != want.Graph.EdgeCount() {
			t.Fatalf("%s: %s, %d edges, want %s, %d", name, got.Verdict, got.Graph.EdgeCount(), want.Verdict, want.Graph.EdgeCount())
		}
		for k, e := range got.Graph.Edges() {
			w := want.Graph.Edges()[k]
			if e.I != w.I || e.J != w.J || math.Abs(e.Weight-w.Weight) > 1e-6 || math.Abs(got.Graph.Confidence()[k]-want.Graph.Confidence()[k]) > 1e-6 {
				t.Fatalf("%s: edge %d is %v, want %v", name, k, e, w)
			}
		}
	}
}

// What follows depends on what rows are, not on who says so: short series, tables and sorted tables give what they
// give if somebody asks for the rows that were found.
func TestRowsFoundCountAsRowsAskedFor(t *testing.T) {
	const n = 5
	found := map[prepare.Rows]int{}
	for _, m := range []int{12, 40} {
		for name, kept := range map[string]float64{"series": 0.7, "table": 0, "sorted table": 0} {
			draw := rng.Stream(4, name)
			y := mat.NewDense(n, m, nil)
			for i := range n {
				for k := range m {
					v := math.Sqrt(1-kept*kept) * draw.NormFloat64()
					if k > 0 {
						v += kept * y.At(i, k-1)
					}
					y.Set(i, k, v)
				}
			}
			if name == "sorted table" {
				y = matrix.Columns(y, matrix.Sorted(m, func(a, b int) int { return cmp.Compare(mat.Sum(y.ColView(a)), mat.Sum(y.ColView(b))) }))
			}
			auto := assessed(t, &Signals{Y: y}, Options{})
			rows := auto.Preparation.Rows.Rows
			asked := assessed(t, &Signals{Y: y}, Options{Prepare: prepare.Options{Rows: rows}})
			if found[rows]++; auto.Verdict.String() != asked.Verdict.String() || !mat.Equal(auto.Graph.Adjacency(), asked.Graph.Adjacency()) {
				t.Errorf("%d rows of a %s: %s, and %s where %s rows are asked for", m, name, auto.Verdict, asked.Verdict, rows)
			}
		}
	}
	if found[prepare.RowsTime] == 0 || found[prepare.RowsIndependent] == 0 {
		t.Errorf("rows found: %v, want both kinds", found)
	}
}

// Codes and prepared signals are in the order of the rows that were given.
func TestCodesAreInTheOrderGiven(t *testing.T) {
	g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyER, Vertices: 15, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Signals(g.Graph, kernelsOf(t, "heat:2", "highpass:1"), synth.SignalSpec{Count: 120, Sparsity: 3, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	a := assessed(t, &Signals{Y: truth.Signals}, Options{Method: learn.Sparse{}, Prepare: prepare.None()})
	if a.Preparation.Rows.Rows != prepare.RowsIndependent || a.Preparation.Order != nil || !mat.Equal(a.Preparation.Y, truth.Signals) {
		t.Fatalf("rows %+v, signals in another order", a.Preparation.Rows)
	}
	score, err := metrics.Support(learn.ResultOf(a.Result).Codes, truth.Codes)
	if err != nil || score.F1() < 0.9 {
		t.Errorf("codes: %+v, %v", score, err)
	}
}
