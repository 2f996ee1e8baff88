package baseline

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
)

// A vertex that varies counts, however little it does and in whatever unit: its
// correlations are those of the same row in another unit.
func TestEveryVertexThatVariesCounts(t *testing.T) {
	const n, signals = 6, 40_000
	y := randomSignals(rng.Stream(1, "units"), n, signals)
	want, err := Correlation(t.Context(), y, CorrelationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, scale := range []float64{1e-300, 1e300, 1e-320} {
		for k, v := range y.RawRowView(i) {
			y.Set(i, k, scale*v)
		}
	}
	row := y.RawRowView(3) // a single jump of 1e-11 in very many signals
	for k := range row {
		row[k] = 1
	}
	row[7] += 1e-11
	got, err := Correlation(t.Context(), y, CorrelationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Weights.Weights(), want.Weights.Weights()
	if d := math.Abs(a.At(0, 1) - b.At(0, 1)); d > 1e-9 {
		t.Errorf("in other units the correlation is off by %g", d)
	}
	if d := math.Abs(a.At(1, 2) - b.At(1, 2)); d > 0.01 { // a number of 1e-320 has some three digits
		t.Errorf("of the tiniest numbers the correlation is off by %g", d)
	}
	if a.At(3, 4) == 0 {
		t.Error("the vertex that varies once has no correlations")
	}
	near, err := NearestNeighbours(t.Context(), y, NeighbourOptions{Neighbours: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range near.Graph.Degrees() {
		if d == 0 {
			t.Errorf("vertex %d has no neighbour", i)
		}
	}
}

func TestVariesIsOneRuleForAllMethods(t *testing.T) {
	for name, c := range map[string]struct {
		row  []float64
		want bool
	}{
		"zeros":             {[]float64{0, 0}, false},
		"rounding":          {[]float64{1, 1 + 1e-15}, false},
		"more than that":    {[]float64{1, 1 + 1e-11}, true},
		"huge and opposite": {[]float64{-math.MaxFloat64, math.MaxFloat64}, true},
		"tiny":              {[]float64{0, 1e-320}, true},
	} {
		if got := varies(c.row); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
		u := standardised(mat.NewDense(1, 2, c.row))
		if got := u.Data[0] != 0; got != c.want || math.IsNaN(u.Data[0]) {
			t.Errorf("%s: standardised to %v", name, u.Data)
		}
	}
}

// The limit of vertices holds for whoever calls, before anything is built of pairs.
func TestTooManyVerticesAreRefused(t *testing.T) {
	y := mat.NewDense(mostVertices+1, 2, nil)
	calls := map[string]func() (*Result, error){
		"Correlation": func() (*Result, error) { return Correlation(t.Context(), y, CorrelationOptions{}) },
		"SmoothLog":   func() (*Result, error) { return SmoothLog(t.Context(), y, SmoothLogOptions{}) },
	}
	for _, m := range Methods() {
		calls[m.Name] = func() (*Result, error) { return m.Learn(t.Context(), Problem{Y: y, Kernels: lowPass(t)}, nil) }
	}
	for name, call := range calls {
		_, err := call()
		var input *input.Error
		if !errors.As(err, &input) || input.Field != "vertices" || input.Msg != "got 5001, want at most 5000" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGraphicalLassoCutsAsTold(t *testing.T) {
	y, _ := gaussianSignals(glassoStream("cut"), 12, 60, 3, false)
	r, err := GraphicalLasso(t.Context(), y, GraphicalLassoOptions{Penalty: 0.05, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Graph.EdgeCount() != 4 || r.Weights.EdgeCount() <= 4 {
		t.Errorf("kept %d of %d edges, want 4", r.Graph.EdgeCount(), r.Weights.EdgeCount())
	}
	_, err = GraphicalLasso(t.Context(), y, GraphicalLassoOptions{Cut: graph.Cut{Rule: graph.CutEdges, Edges: 67}})
	if input := (*input.Error)(nil); !errors.As(err, &input) || input.Field != "edges" {
		t.Errorf("67 edges of 12 vertices: %v", err)
	}
}

func TestTemplateRoundsAreBounded(t *testing.T) {
	y := drawn(t, 8, 20, 7).Signals
	m, _ := ByName(methodTemplates)
	for _, rounds := range []int{51, math.MaxInt32} {
		for _, learn := range []func() (*Result, error){
			func() (*Result, error) { return SpectralTemplates(t.Context(), y, TemplateOptions{Rounds: rounds}) },
			func() (*Result, error) {
				return m.Learn(t.Context(), Problem{Y: y}, Params{"rounds": float64(rounds)})
			},
		} {
			_, err := learn()
			if input := (*input.Error)(nil); !errors.As(err, &input) || input.Field != "rounds" || input.Msg != fmt.Sprintf("got %d, want at most 50", rounds) {
				t.Errorf("%d rounds: %v", rounds, err)
			}
		}
	}
}
