package plan

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// grid returns a grid of random weights and signals of order one on it.
func grid(t *testing.T, side, count int, seed uint64) (*graph.Graph, *mat.Dense) {
	t.Helper()
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: side * side, Weights: synth.UniformWeights, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	field, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: count, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return drawn.Graph, field.Signals
}

func firstOf(y *mat.Dense, g *graph.Graph, count int) *nervure.Signals {
	return &nervure.Signals{Y: matrix.Columns(y, matrix.Span(0, count)), Names: g.Names()}
}

// Parts of the pilot say how many edges are found; at its own number of signals these are its own.
func TestThePilotItselfSaysHowManyEdgesItHas(t *testing.T) {
	truth, y := grid(t, 4, 100, 5)
	learn := nervure.Options{Method: baseline.GGL{}}
	a, err := nervure.Learn(t.Context(), firstOf(y, truth, 100), learn)
	if err != nil {
		t.Fatal(err)
	}
	p, err := FromPilot(t.Context(), firstOf(y, truth, 100), Options{Learn: learn, Sizes: []int{200, 50, 100, 50}, Repeats: 2})
	if err != nil {
		t.Fatal(err)
	}
	var by []document.PlanSource
	var sizes []int
	for _, at := range p.Points {
		by, sizes = append(by, at.By), append(sizes, at.Signals)
	}
	if !slices.Equal(sizes, []int{50, 100, 200}) || !slices.Equal(by, []document.PlanSource{document.BySubsampling, document.BySubsampling, document.BySimulation}) {
		t.Fatalf("got sizes %v by %v", sizes, by)
	}
	own := p.Points[1]
	if own.All.Edges != float64(a.Graph.EdgeCount()) || own.Sure.Edges != float64(a.Confidence.AtLeast(nervure.SureLevel)) || p.Edges != a.Graph.EdgeCount() {
		t.Errorf("got %v edges and %v sure ones of %d, want %d and %d", own.All.Edges, own.Sure.Edges, p.Edges, a.Graph.EdgeCount(), a.Confidence.AtLeast(nervure.SureLevel))
	}
	// As many edges as the model has: recall and precision are the same then.
	if math.Abs(own.All.Recall-*own.All.Precision) > 1e-12 {
		t.Errorf("got recall %v and precision %v of as many edges as there are", own.All.Recall, *own.All.Precision)
	}
}

// A vertex that is in the pilot twice, and its edges with it, does not make the pilot find more than there is.
func TestEqualVerticesAreFoundOnce(t *testing.T) {
	_, y := grid(t, 4, 120, 1)
	n, m := y.Dims()
	twice := mat.NewDense(n+4, m, nil)
	twice.Slice(0, n, 0, m).(*mat.Dense).Copy(y)
	for i := range 4 {
		twice.SetRow(n+i, y.RawRowView(i))
	}
	p, err := FromPilot(t.Context(), &nervure.Signals{Y: twice}, Options{Sizes: []int{m}, Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	if at := p.Points[0]; at.By != document.BySubsampling || int(at.All.Edges) != p.Edges {
		t.Errorf("the pilot found %g of the %d edges that it has", at.All.Edges, p.Edges)
	}
}

func TestAPlanDoesNotDependOnThreads(t *testing.T) {
	truth, y := grid(t, 3, 60, 1)
	var plans []*document.Plan
	for _, threads := range []int{1, 3} {
		p, err := FromPilot(t.Context(), firstOf(y, truth, 60), Options{Learn: nervure.Options{Method: baseline.GGL{}, Threads: threads}, Sizes: []int{30, 90}, Repeats: 3})
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	if !reflect.DeepEqual(plans[0], plans[1]) {
		t.Errorf("got %+v and %+v", plans[0], plans[1])
	}
}

// More signals find more of a graph that is given, and the sizes are doubled until enough edges are sure.
func TestSizesAreDoubledUntilEnoughEdgesAreSure(t *testing.T) {
	ring, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyRing, Vertices: 12, EdgeFactor: 1})
	if err != nil {
		t.Fatal(err)
	}
	matern, err := kernel.Parse("matern:1,0.5", 1, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]*kernel.Kernel{"gaussian": nil, "field": &matern} {
		told := 0
		p, err := FromGraph(t.Context(), ring.Graph, k, Options{Repeats: 2, Progress: func(done, _ int) { told = max(told, done) }})
		if err != nil {
			t.Fatal(err)
		}
		last := p.Points[len(p.Points)-1]
		if p.Model != name || p.Edges != 12 || p.Pilot != 0 || told == 0 {
			t.Errorf("%s: got %+v after %d graphs", name, p, told)
		}
		if p.Points[0].Signals != 12 || p.Points[0].All.Recall >= last.All.Recall || last.All.Recall < 0.9 {
			t.Errorf("%s: recall goes from %+v to %+v", name, p.Points[0].All, last.All)
		}
		if p.EnoughSure == nil && last.Signals != 16*12<<MostDoublings {
			t.Errorf("%s: the last is %d signals, and too few edges are sure", name, last.Signals)
		}
	}
}

// Signals of a pilot that follow each other stay together, and simulated ones depend on each other as
// they do.
func TestAPilotInTime(t *testing.T) {
	truth, white := grid(t, 4, 600, 3)
	n, m := white.Dims()
	const memory = 0.7
	y := mat.NewDense(n, m, nil)
	for i := range n {
		for k := range m {
			if y.Set(i, k, white.At(i, k)); k > 0 {
				y.Set(i, k, memory*y.At(i, k-1)+math.Sqrt(1-memory*memory)*white.At(i, k))
			}
		}
	}
	set := firstOf(y, truth, m)
	a, err := nervure.Learn(t.Context(), set, nervure.Options{Prepare: prepare.Options{Rows: prepare.RowsTime, Difference: prepare.No}})
	if err != nil {
		t.Fatal(err)
	}
	found, err := modelOf(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(found.memory-memory) > 0.1 {
		t.Errorf("got a memory of %.2f, want about %g", found.memory, memory)
	}
	c := curve{options: Options{Learn: nervure.Options{Seed: 1}}, pilot: set, rows: prepare.RowsTime}
	part := c.partOf(trial{size: 40})
	at := slices.Index(y.RawRowView(0), part.Y.At(0, 0))
	if at < 0 || !slices.Equal(part.Y.RawRowView(0), y.RawRowView(0)[at:at+40]) {
		t.Error("the part is not of consecutive signals")
	}
}

func TestMemoryInClosedForm(t *testing.T) {
	for _, phi := range []float64{0, 0.3, 0.9} {
		sum := 1.0 // 1 + 2 Σ φ^(2k)
		for k := 1; k < 1000; k++ {
			sum += 2 * math.Pow(phi, float64(2*k))
		}
		if got := memoryOf(sum); math.Abs(got-phi) > 1e-9 {
			t.Errorf("an inflation of %g: got a memory of %g, want %g", sum, got, phi)
		}
	}
	if memoryOf(0.9) != 0 {
		t.Error("signals that are better than independent have a memory")
	}
	w := whiteNoise(3, 100_000, 0.6, 1)
	for i := range 3 {
		row := w.RawRowView(i)
		var square, next float64
		for k, v := range row {
			if square += v * v / float64(len(row)); k > 0 {
				next += v * row[k-1] / float64(len(row))
			}
		}
		if math.Abs(square-1) > 0.03 || math.Abs(next-0.6) > 0.03 { // some four standard errors
			t.Errorf("row %d: got variance %.3f and memory %.3f, want 1 and 0.6", i, square, next)
		}
	}
}

// Values that are missing in the pilot are missing in what is simulated, as often at each vertex.
func TestGapsArePartOfTheModel(t *testing.T) {
	gaps := mat.NewDense(2, 4, []float64{1, math.NaN(), 1, math.NaN(), 1, 1, 1, 1})
	g, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	m := model{truth: g, gaps: gaps, draw: func(count int, _ uint64, noise func() *mat.Dense) (*mat.Dense, error) { return noise(), nil }}
	y, err := m.signals(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	if first, all := matrix.Missing(matrix.Rows(y, []int{0})), matrix.Missing(y); first != 20 || all != 20 {
		t.Errorf("got %d values missing at the first vertex and %d at both, want 20", first, all)
	}
}

func TestEnoughIsBetweenTwoSizes(t *testing.T) {
	points := func(recalls ...float64) []document.PlanPoint {
		var list []document.PlanPoint
		for k, r := range recalls {
			list = append(list, document.PlanPoint{Signals: 100 << k, All: document.PlanRates{Recall: r}})
		}
		return list
	}
	recall := func(p document.PlanPoint) (float64, bool) { return p.All.Recall, true }
	for name, c := range map[string]struct {
		points []document.PlanPoint
		want   float64 // 0 for none
	}{
		"halfway by the logarithm: 100·√2": {points(0.7, 0.9), 140},
		"what falls again is not enough":   {points(0.9, 0.5, 1), 300}, // 200·2^0.6
		"the first is enough":              {points(0.85, 0.9), 100},
		"just reached":                     {points(0.1, 0.8), 200},
		"never":                            {points(0.1, 0.79), 0},
		"nothing is known":                 {nil, 0},
	} {
		got := 0.0
		if e := enough(c.points, 0.8, recall); e != nil {
			got = *e
		}
		if got != c.want {
			t.Errorf("%s: got %g, want %g", name, got, c.want)
		}
	}
}

func TestAnInterruptedPlanHasWhatIsKnown(t *testing.T) {
	truth, y := grid(t, 3, 60, 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough of it")
	o := Options{Learn: nervure.Options{Method: baseline.GGL{}, Threads: 1}, Sizes: []int{80, 120}, Repeats: 5, Progress: func(done, _ int) {
		if done == 3 {
			cancel(cause)
		}
	}}
	p, err := FromPilot(ctx, firstOf(y, truth, 60), o)
	if !errors.Is(err, cause) || p == nil || !p.Interrupted || len(p.Points) != 2 || p.Points[0].Repeats != 2 || p.Points[1].Repeats != 1 {
		t.Errorf("got %+v, %v", p, err)
	}
	if p, err := FromPilot(ctx, firstOf(y, truth, 60), o); p != nil || !errors.Is(err, cause) {
		t.Errorf("nothing is known: got %+v, %v", p, err)
	}
}

func TestWhatCannotBePlannedIsRefused(t *testing.T) {
	truth, y := grid(t, 3, 60, 1)
	pilot := firstOf(y, truth, 60)
	arrows, err := graph.NewDirected(truth.Names(), truth.Edges())
	if err != nil {
		t.Fatal(err)
	}
	none, err := graph.New(truth.Names(), nil)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: -1}})
	if err != nil {
		t.Fatal(err)
	}
	fromPilot := func(s *nervure.Signals, o Options) func() error {
		return func() error { _, err := FromPilot(t.Context(), s, o); return err }
	}
	fromGraph := func(g *graph.Graph) func() error {
		return func() error { _, err := FromGraph(t.Context(), g, nil, Options{}); return err }
	}
	for want, try := range map[string]func() error{
		"got none":                     fromPilot(nil, Options{}),
		"want at least 10 to plan by":  fromPilot(firstOf(y, truth, 9), Options{}),
		"got 9 signals, want at least": fromPilot(pilot, Options{Sizes: []int{9, 100}}),
		"want at most":                 fromPilot(pilot, Options{Sizes: []int{mostValues}}),
		"recall: got 1":                fromPilot(pilot, Options{Recall: 1}),
		"causal learns arrows":         fromPilot(pilot, Options{Learn: nervure.Options{Method: baseline.Causal{}}}),
		"it has no edges":              fromGraph(none),
		"it has arrows":                fromGraph(arrows),
		"negative weight":              fromGraph(signed),
	} {
		if err := try(); input.Find(err) == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
