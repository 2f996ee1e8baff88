package measure

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// ring draws a series in which a vertex of a ring follows itself and its neighbours.
func ring(t *testing.T, n, count int) (*mat.Dense, *graph.Graph) {
	t.Helper()
	var edges []graph.Edge
	for v := range n {
		edges = append(edges, graph.Edge{I: min(v, (v+1)%n), J: max(v, (v+1)%n), Weight: 1})
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(7, "ring")
	y := mat.NewDense(n, count, nil)
	for step := 1; step < count; step++ {
		for v := range n {
			y.Set(v, step, 0.3*(y.At(v, step-1)+y.At((v+1)%n, step-1)+y.At((v+n-1)%n, step-1))+r.NormFloat64())
		}
	}
	return y, g
}

// With every vertex and no penalty, a fit is that of ordinary least squares by QR, which shares no code
// with it.
func TestAFitIsLeastSquares(t *testing.T) {
	y, g := ring(t, 6, 200)
	s := newSeries(y, 150)
	all := along("", g, nil)
	for v := range all.sources {
		all.sources[v] = matrix.Span(0, 6)
	}
	got, ok := s.moments(0, 150, 2).fit(all.sources, 0)
	var want mat.Dense
	if err := want.Solve(s.z.Slice(0, 6, 0, 148).T(), s.z.Slice(0, 6, 2, 150).T()); err != nil || !ok {
		t.Fatal(err, ok)
	}
	if !mat.EqualApprox(got, want.T(), 1e-9) {
		t.Errorf("got\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(want.T()))
	}
}

// Coefficients stand where edges allow them, and nowhere else; an arrow allows one way only.
func TestCoefficientsStandWhereEdgesAre(t *testing.T) {
	y, _ := ring(t, 4, 100)
	arrow, err := graph.NewDirected(graph.DefaultNames(4), []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	b, penalty := newSeries(y, 80).learn(along("", arrow, arrow.Edges()).sources, 1)
	for i := range 4 {
		for j := range 4 {
			if allowed := i == j || i == 1 && j == 0; allowed != (b.At(i, j) != 0) {
				t.Errorf("vertex %d from %d: %g, penalty %g", i, j, b.At(i, j), penalty)
			}
		}
	}
}

// On a ring, neighbours are worth their coefficients, and others are not.
func TestTheTrueGraphForecastsBest(t *testing.T) {
	y, g := ring(t, 30, 260)
	s := newSeries(y, 200)
	squared := func(m model) float64 {
		b, _ := s.learn(m.sources, 1)
		return meanSquare(s.errors(b, 200, 260, 1))
	}
	all := along("", g, nil)
	for v := range all.sources {
		all.sources[v] = matrix.Span(0, 30)
	}
	ours, alone, full := squared(along("", g, g.Edges())), squared(along("", g, nil)), squared(all)
	if ours >= alone || ours >= full {
		t.Errorf("squared error %.3f on the ring, %.3f alone, %.3f from all", ours, alone, full)
	}
	// What is not known ahead is noise of variance one.
	if math.Abs(ours-1) > 0.1 {
		t.Errorf("squared error %.3f on the ring, want about 1", ours)
	}
}

func TestExcessIsThatOfMeanSquares(t *testing.T) {
	a, b := mat.NewDense(1, 4, []float64{2, 2, 2, 2}), mat.NewDense(1, 4, []float64{1, 1, 2, 2})
	// Squares 4 4 4 4 and 1 1 4 4, of mean 2.5: blocks of two differ by 3 and by 0.
	mean, doubt := excess(a, b, 2)
	if mean != 0.6 || math.Abs(doubt-0.6) > 1e-4 {
		t.Errorf("got %g ± %g, want 0.6 ± 0.6", mean, doubt)
	}
}

// The promise of the page: along a learned graph, forecasts of traffic are as good as along the
// roads, within two standard errors, with at most a tenth of the coefficients of a vector
// autoregression. Where a graph without arrows is not as good, the page says so.
func TestCommittedForecastsMeetTheirTarget(t *testing.T) {
	set := Forecasts[1]
	of := map[string]experiment.Record{}
	for _, r := range committed(t, "forecast") {
		of[r.Cell] = r
	}
	for _, ahead := range set.Ahead {
		model := func(name string) experiment.Record {
			return of[fmt.Sprintf("set=%s ahead=%d model=%s", set.Name, ahead, name)]
		}
		few := model(AllPairs).Number("coefficients") / 10
		if r := model(Arrows); !(r.Number("excess") <= 2*r.Number("doubt")) || !(r.Number("coefficients") <= few) {
			t.Errorf("%d steps ahead: %v", ahead, r)
		}
		if r, sharp := model(Learned), model(set.Sharp); !(r.Number("rmse") <= sharp.Number("rmse")) || !(r.Number("coefficients") <= few) {
			t.Errorf("%d steps ahead: %v beside %v", ahead, r, sharp)
		}
	}
}
