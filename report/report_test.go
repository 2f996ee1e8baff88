package report

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// The residuals shown are those of the result, computed another way, also where
// values are missing or the level of each signal is taken out.
func TestResidualsAddUpToThatOfTheResult(t *testing.T) {
	for _, c := range []struct {
		name    string
		missing bool
		options learn.Options
	}{
		{"missing values", true, learn.Options{}},
		{"levels taken out", false, learn.Options{RemoveCommonMode: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			drawn := truth(t, 12, 0.2)
			if c.missing {
				drawn.Signals.Set(3, 5, math.NaN())
				drawn.Signals.Set(0, 70, math.NaN())
			}
			wantResidualOfResult(t, learnedRun(t, drawn, c.options))
		})
	}
	t.Run("the paper's algorithm", func(t *testing.T) { wantResidualOfResult(t, paperRun(t, truth(t, 12, 0.2))) })
	t.Run("complete signals", func(t *testing.T) { wantResidualOfResult(t, someRun(t)) })
}

// wantResidualOfResult checks that what the page says is left over is what the
// result says.
func wantResidualOfResult(t *testing.T, run content) {
	t.Helper()
	left, size, err := leftOver(run)
	if err != nil {
		t.Fatal(err)
	}
	got := math.Pow(rootMeanSquare(left.RawMatrix().Data)/size, 2)
	if want := run.Sparse.Residual; math.Abs(got-want) > 0.02*want {
		t.Errorf("the share left over is %g, the result says %g", got, want)
	}
}

// A run that is interrupted before its cut has codes on all weights.
func TestResidualsOfAnInterruptedRunAddUp(t *testing.T) {
	drawn := truth(t, 12, 0.2)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	run := content{Signals: drawn.Signals}
	m := learn.PaperModel()
	m.Sparsity = 3
	for step := range learn.Steps(ctx, drawn.Signals, m, learn.Options{Cut: graph.Cut{Rule: graph.CutEdges, Edges: 6}}) {
		if step.Round == 3 {
			cancel()
		}
		run.Sparse = step.Result
	}
	r := run.Sparse
	if r.Status != method.Interrupted || r.Graph.EdgeCount() == r.Weights.EdgeCount() {
		t.Fatalf("%s with %d of %d edges: codes on the graph would be as good", r.Status, r.Graph.EdgeCount(), r.Weights.EdgeCount())
	}
	wantResidualOfResult(t, run)
}

func TestBadSensorAndBadSignalAreNamed(t *testing.T) {
	drawn := truth(t, 14, 0.02)
	run := learnedRun(t, drawn, learn.Options{})
	n, m := drawn.Signals.Dims()
	name := run.Graph.Names()[4]

	run.Signals = mat.DenseCopyOf(drawn.Signals)
	for s := range m {
		run.Signals.Set(4, s, run.Signals.At(4, s)+10*float64(s%3-1))
	}
	res, err := newResiduals(run)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Vertex.Words) != 1 || !strings.HasPrefix(res.Vertex.Words[0], `Vertex "`+name+`": `) {
		t.Errorf("got %q, want vertex %s alone", res.Vertex.Words, name)
	}

	run.Signals = mat.DenseCopyOf(drawn.Signals)
	for i := range n {
		run.Signals.Set(i, 17, run.Signals.At(i, 17)+10)
	}
	if res, err = newResiduals(run); err != nil {
		t.Fatal(err)
	}
	if len(res.Signal.Words) == 0 || !strings.HasPrefix(res.Signal.Words[0], "Signal 18: ") {
		t.Errorf("got %q, want signal 18 first", res.Signal.Words)
	}
}

func TestExactAnswerLeavesNothingOdd(t *testing.T) {
	run := learnedRun(t, truth(t, 14, 0), learn.Options{})
	if !run.Sparse.Certified || run.Sparse.Unexplained > 0 {
		t.Fatal("these signals are not explained exactly")
	}
	res, err := newResiduals(run)
	if err != nil {
		t.Fatal(err)
	}
	if !res.Rounding || res.Vertex.Words != nil || res.Signal.Words != nil {
		t.Errorf("got %+v, want nothing but rounding", res)
	}
}

// Signals at the end of what numbers can be are left without residuals, not without a page.
func TestResidualsBeyondNumbersAreLeftOut(t *testing.T) {
	run := learnedRun(t, truth(t, 14, 0.02), learn.Options{})
	run.Signals = mat.DenseCopyOf(run.Signals)
	for k := range run.Signals.RawMatrix().Data {
		run.Signals.RawMatrix().Data[k] = math.NaN()
	}
	if res, err := newResiduals(run); err != nil || res != nil {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestSameRunSameBytes(t *testing.T) {
	run := someRun(t)
	if !bytes.Equal(page(t, run), page(t, run)) {
		t.Error("two pages of one run differ")
	}
}

func TestAtomsAreColumnsOfTheDictionary(t *testing.T) {
	run := someRun(t)
	list, err := atoms(run, newUsage(run.Sparse))
	if err != nil {
		t.Fatal(err)
	}
	d, err := dictionary.Dense(run.Graph.Laplacian(), run.Sparse.Model.Kernels)
	if err != nil {
		t.Fatal(err)
	}
	used := 0
	for _, counts := range newUsage(run.Sparse).Counts {
		for _, c := range counts {
			used += c
		}
	}
	if want := run.Sparse.Codes.NonZeros(); used != want {
		t.Errorf("got %d uses of atoms, the codes have %d entries", used, want)
	}
	if len(list) != atomVertices*2 {
		t.Errorf("got %d atoms, want %d of each of 2 kernels", len(list), atomVertices)
	}
	for _, a := range list {
		for i, v := range a.Values {
			if want := d.At(i, a.Kernel*run.Graph.Vertices()+a.Vertex); math.Abs(float64(v)-want) > 1e-9 {
				t.Fatalf("atom of kernel %d at %d: got %g at vertex %d, want %g", a.Kernel, a.Vertex, v, i, want)
			}
		}
	}
}

// A sensor with noise of its own is explained by atoms of its own, and stands out in
// the codes.
func TestNoisySensorStandsOutInTheCodes(t *testing.T) {
	drawn := truth(t, 16, 0.02)
	_, m := drawn.Signals.Dims()
	draw := rng.Stream(*seed, "bad sensor")
	for s := range m {
		drawn.Signals.Set(5, s, drawn.Signals.At(5, s)+3*draw.NormFloat64())
	}
	run := learnedRun(t, drawn, learn.Options{})
	u := newUsage(run.Sparse)
	if len(u.Odd) != 1 || u.Odd[0] != 5 || len(u.Words) != 1 || !strings.HasPrefix(u.Words[0], `Vertex "v5" is used`) {
		t.Errorf("got %v %q, want vertex 5 alone", u.Odd, u.Words)
	}
}

func TestEdgesOfTheGraphComeBeforeThoseDropped(t *testing.T) {
	names := graph.DefaultNames(6)
	weights := mustGraph(
		t,
		names,
		[]graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 5}, {I: 2, J: 3, Weight: 2}, {I: 3, J: 4, Weight: 3}, {I: 4, J: 5, Weight: 4}},
	)
	kept := mustGraph(t, names, []graph.Edge{{I: 0, J: 1, Weight: 1.5}, {I: 1, J: 2, Weight: 5.5}})
	kept, err := kept.WithConfidence([]float64{0.25, 0.75})
	if err != nil {
		t.Fatal(err)
	}
	tested, err := kept.WithEvidence([]graph.Evidence{{Q: 1}, {Partial: 0.31, Low: 0.22, High: 0.4, Q: 1e-9}})
	if err != nil {
		t.Fatal(err)
	}
	r := rank(kept, weights)
	var got []float64
	for _, e := range r.shown() {
		got = append(got, e.Weight)
	}
	if want := []float64{5.5, 1.5, 4, 3, 2}; !slices.Equal(got, want) || r.kept != 2 {
		t.Errorf("got weights %v, %d of them kept; want %v and 2", got, r.kept, want)
	}
	shown := rank(tested, weights).shown()
	first, err := json.Marshal([]edge{shown[0], shown[4]})
	if err != nil || string(first) != "[[1,2,5.5,0.75,false,[0.31,0.22,0.4,1e-09]],[2,3,2,null]]" {
		t.Errorf("got %s, %v; want the evidence of the edge with it, and none for one that was dropped", first, err)
	}
}

func TestCurveHasBothSidesOfTheCut(t *testing.T) {
	run := webRun(t, 3000, graph.DefaultNames(3000))
	r := rank(run.Graph, run.Weights)
	curve := r.curve()
	if len(curve) > 2*curvePoints+4 {
		t.Errorf("got %d points, want about %d", len(curve), curvePoints)
	}
	for _, want := range []int{1, r.kept, r.kept + 1, len(r.edges)} {
		if !slices.ContainsFunc(curve, func(p ranked) bool { return int(p[0]) == want }) {
			t.Errorf("rank %d is not on the curve", want)
		}
	}
}

func TestRowOrderKeepsNeighboursTogether(t *testing.T) {
	// Two paths whose vertices are numbered across one another, and a vertex alone.
	names := graph.DefaultNames(21)
	var edges []graph.Edge
	for k := range 11 {
		if k > 0 {
			edges = append(edges, graph.Edge{I: (k - 1) * 7 % 11, J: k * 7 % 11, Weight: 1})
		}
	}
	for k := 1; k < 9; k++ {
		edges = append(edges, graph.Edge{I: 11 + (k-1)*5%9, J: 11 + k*5%9, Weight: 2})
	}
	order := rowOrder(mustGraph(t, names, edges))
	place := make([]int, len(order))
	for k, i := range order {
		place[i] = k
	}
	for _, e := range edges {
		if far := place[e.I] - place[e.J]; far != 1 && far != -1 {
			t.Errorf("vertices %d and %d are joined, but %d rows apart", e.I, e.J, far)
		}
	}
	if order[20] != 20 {
		t.Errorf("the vertex without an edge is not in the last row: %v", order)
	}
}

func TestVerticesWithoutAPlaceGetOne(t *testing.T) {
	run := webRun(t, 5, []string{"a", "b", "c", "d", "e"})
	run.Vertices = vertexTable(t, run.Graph.Names(), "name,lat,lon,kind\na,48,-3,x\nb,49,-2,\nc,48.5,-4,y\nd,,,\n")
	list, geographic := layouts(t.Context(), run, make([]int, 5))
	if !geographic || list[0].Name != mapLayout {
		t.Error("latitudes and longitudes are not taken for places")
	}
	x, y := list[0].X, list[0].Y
	for i := range x {
		if math.IsNaN(float64(x[i])) || math.IsNaN(float64(y[i])) {
			t.Errorf("vertex %d has no place", i)
		}
	}
	if x[3] == x[4] {
		t.Error("two vertices without a place share one")
	}
}

func TestLayoutsThatAreOffered(t *testing.T) {
	run := webRun(t, 5, []string{"a", "b", "c", "d", "e"})
	for _, c := range []struct {
		table string
		want  []string
	}{
		{"", []string{forceLayout, communityLayout}},
		{"name,kind\na,x\n", []string{forceLayout, communityLayout}},
		{"name,x,y\na,1,2\nb,3,4\n", []string{tableLayout, forceLayout, communityLayout}},
		{"name,lat,lon\na,1,2\nb,3,4\n", []string{mapLayout, forceLayout, communityLayout}},
	} {
		if run.Vertices = nil; c.table != "" {
			run.Vertices = vertexTable(t, run.Graph.Names(), c.table)
		}
		var got []string
		list, _ := layouts(t.Context(), run, make([]int, 5))
		for _, l := range list {
			got = append(got, l.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("with %q the layouts are %q, want %q", c.table, got, c.want)
		}
	}
}
