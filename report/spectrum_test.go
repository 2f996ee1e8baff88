package report

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	nervuredoc "github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/rng"
)

// onPath has signals on a path of n vertices, which went through a filter, and one
// vertex without edges.
func onPath(t *testing.T, n int, response func(float64) float64) content {
	t.Helper()
	var edges []graph.Edge
	for i := range n - 1 {
		edges = append(edges, graph.Edge{I: i, J: i + 1, Weight: 1})
	}
	g, err := graph.New(graph.DefaultNames(n+1), edges)
	if err != nil {
		t.Fatal(err)
	}
	l, err := gsp.New(g, gsp.Normalized)
	if err != nil {
		t.Fatal(err)
	}
	draw := rng.Stream(*seed, "path")
	y := mat.NewDense(n+1, 400, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, y)
	filtered, err := l.Filter(t.Context(), y, response)
	if err != nil {
		t.Fatal(err)
	}
	return content{Graph: g, Weights: g, Signals: filtered.Y}
}

func TestSpectrumShowsTheFilterOfTheSignals(t *testing.T) {
	said := map[string]bool{}
	for name, c := range map[string]struct {
		n        int
		response func(float64) float64
	}{
		"noise":              {30, func(float64) float64 { return 1 }},
		"rough":              {30, func(e float64) float64 { return 0.1 + e }},
		"smooth, many waves": {200, func(e float64) float64 { return 1 / (0.2 + e) }},
	} {
		s, err := newSpectrum(onPath(t, c.n, c.response))
		if err != nil || s == nil {
			t.Fatalf("%s: got %v, %v", name, s, err)
		}
		if s.Words == "" || said[s.Words] {
			t.Errorf("%s: %s", name, s.Words)
		}
		said[s.Words] = true
		if len(s.Points) > 2*mostPoints || len(s.Points) < 20 {
			t.Errorf("%s: %d points", name, len(s.Points))
		}
		first, last := s.Points[0], s.Points[len(s.Points)-1]
		g := func(p [2]digits) float64 { return c.response(float64(p[0])) * c.response(float64(p[0])) }
		if got, want := float64(first[1]/last[1]), g(first)/g(last); math.Abs(math.Log(got/want)) > 0.7 {
			t.Errorf("%s: the ends differ by a factor of %g, want %g", name, got, want)
		}
	}
}

func TestSpectrumIsLeftOutWhereThereIsNone(t *testing.T) {
	whole := onPath(t, 5, func(float64) float64 { return 1 })
	edgeless, err := graph.New(graph.DefaultNames(6), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]content{
		"no edges":         {Graph: edgeless, Signals: whole.Signals},
		"no signals":       {Graph: whole.Graph},
		"constant signals": {Graph: whole.Graph, Signals: mat.NewDense(6, 3, nil)},
	} {
		if s, err := newSpectrum(r); s != nil || err != nil {
			t.Errorf("%s: got %v, %v", name, s, err)
		}
	}
	whole.Signals.Set(2, 3, math.NaN())
	if s, err := newSpectrum(whole); s == nil || err != nil {
		t.Errorf("a gap: got %v, %v", s, err)
	}
}

// Shares of energy and of residuals do not depend on the unit of the signals, however
// large or small their squares become.
func TestTheUnitOfTheSignalsDoesNotMatter(t *testing.T) {
	plain := onPath(t, 20, func(e float64) float64 { return 1 / (0.2 + e) })
	want, err := newSpectrum(plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, power := range []int{-560, 560, 1000} { // powers of two are exact
		scaled := plain
		var y mat.Dense
		y.Scale(math.Ldexp(1, power), plain.Signals)
		scaled.Signals = &y
		got, err := newSpectrum(scaled)
		if err != nil || got == nil || got.Words != want.Words || len(got.Points) != len(want.Points) {
			t.Fatalf("2^%d: got %v, %v", power, got, err)
		}
		row := plain.Signals.RawRowView(0)
		if got, want := rootMeanSquare(y.RawRowView(0)), math.Ldexp(rootMeanSquare(row), power); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("2^%d: a root mean square of %g, want %g", power, got, want)
		}
	}
	if got := rootMeanSquare([]float64{3, math.NaN(), 4, 0}); math.Abs(got-math.Sqrt(25.0/3)) > 1e-15 {
		t.Errorf("got %g", got)
	}
	if got := rootMeanSquare([]float64{0, 0}); got != 0 {
		t.Errorf("of zeros: %g", got)
	}
	if !math.IsNaN(rootMeanSquare(nil)) {
		t.Error("nothing has a root mean square")
	}
}

// The kernel of a field is drawn with the energies that it was fitted to, both in units of their
// mean, and told how far off it is.
func TestSpectrumShowsTheKernelOfAField(t *testing.T) {
	r := onPath(t, 30, func(e float64) float64 { return 1 / (0.25 + e) })
	f := &nervuredoc.FieldSpectrum{Kernel: "matern:2,0.5", Size: 2, Noise: 0.1}
	variance, err := f.Variance()
	if err != nil {
		t.Fatal(err)
	}
	all := 0.0
	for k := range 30 {
		l := 2 * float64(k) / 29
		f.Frequency, f.Energy = append(f.Frequency, l), append(f.Energy, variance(l)*math.Exp(0.1*float64(1-k%2*2)))
		all += f.Energy[k] / 30
	}
	r.Field = f
	s, err := newSpectrum(r)
	if err != nil || s.Kernel == nil || s.Kernel.Name != "matern:2,0.5" || len(s.Points) != 30 {
		t.Fatalf("got %+v, %v", s, err)
	}
	for _, p := range s.Kernel.Points {
		if want := variance(float64(p[0])) / all; math.Abs(float64(p[1])-want) > 1e-9 {
			t.Errorf("at %g the kernel has %g, want %g", p[0], p[1], want)
		}
	}
	if got, want := float64(s.Points[3][1]), f.Energy[3]/all; math.Abs(got-want) > 1e-9 {
		t.Errorf("the energy is %g, want %g", got, want)
	}
	if !strings.Contains(s.Words, "11%") { // e^0.1 − 1
		t.Errorf("it says %q", s.Words)
	}
	f.Kernel = "none"
	if _, err := newSpectrum(r); err == nil {
		t.Error("a kernel that is none was drawn")
	}
}
