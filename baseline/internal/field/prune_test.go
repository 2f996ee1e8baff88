package field

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// ring returns a field on a ring with weights between a half and one and a half.
func ring(n int, k Kernel) *Model {
	draw := rng.Stream(1, "ring", n)
	m := &Model{Kernel: k, Diagonal: slices.Repeat([]float64{0.1}, n), Scales: make([]float64, n)}
	for i := range n {
		j := (i + 1) % n
		m.Pairs, m.Weights = append(m.Pairs, Pair{min(i, j), max(i, j)}), append(m.Weights, 0.5+draw.Float64())
	}
	return m
}

// grid returns a field on a square grid of side times side vertices.
func grid(side int, k Kernel) *Model {
	n := side * side
	draw := rng.Stream(1, "grid", side)
	m := &Model{Kernel: k, Diagonal: slices.Repeat([]float64{0.1}, n), Scales: make([]float64, n)}
	for i := range n {
		if i%side < side-1 {
			m.Pairs, m.Weights = append(m.Pairs, Pair{i, i + 1}), append(m.Weights, 0.5+draw.Float64())
		}
		if i+side < n {
			m.Pairs, m.Weights = append(m.Pairs, Pair{i, i + side}), append(m.Weights, 0.5+draw.Float64())
		}
	}
	return m
}

// sample draws signals of a model, with noise of some share of their amplitude.
func sample(m *Model, count int, share float64) linalg.Dense {
	n := len(m.Diagonal)
	m = m.clone()
	m.Noise = 0
	sigma := dense(m)
	noise := share * math.Sqrt(mat.Trace(sigma)/float64(n))
	root := signals(sigma) // n rows, each times a normal number over √n
	draw := rng.Stream(7, "sample", n)
	y := linalg.NewDense(count, n)
	for k := range count {
		row := linalg.Row(y, k)
		for a := range n {
			linalg.Axpy(draw.NormFloat64()/math.Sqrt(float64(n)), linalg.Row(root, a), row)
		}
		for i := range row {
			row[i] += noise * draw.NormFloat64()
		}
	}
	return y
}

// What is left of four candidates for each vertex are the edges.
func TestSignificantEdgesAreTheTrueOnes(t *testing.T) {
	for name, c := range map[string]struct {
		truth *Model
		count int
		noise float64
	}{
		"grid of order one":  {grid(5, Kernel{1}), 500, 0},
		"ring of order four": {ring(30, Kernel{4}), 600, 0.01},
		"grid of heat":       {grid(5, Heat), 500, 0.01},
	} {
		f, err := Fit(t.Context(), sample(c.truth, c.count, c.noise), c.truth.Kernel, nil, float64(c.count), 1)
		if err != nil {
			t.Fatal(err)
		}
		if candidates := candidatesPerVertex * len(f.Diagonal); len(f.Pairs) != candidates {
			t.Errorf("%s: %d candidates, want %d", name, len(f.Pairs), candidates)
		}
		got, want := f.Significant(t.Context()), slices.Clone(c.truth.Pairs)
		slices.SortFunc(want, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
		if !slices.Equal(got.Pairs, want) {
			t.Errorf("%s: got %d edges %v, want %d %v", name, len(got.Pairs), got.Pairs, len(want), want)
		}
	}
}

// The price of the k-th edge is z² with Φ(z) = q·k/pairs, by bisection of the error function.
func TestPricesOfEdgesAreSquaredNormalQuantiles(t *testing.T) {
	quantile := func(p float64) float64 {
		low, high := -40.0, 0.0
		for range 200 {
			if middle := (low + high) / 2; math.Erfc(-middle/math.Sqrt2)/2 < p {
				low = middle
			} else {
				high = middle
			}
		}
		return low
	}
	const count, pairs = 30, 45
	prices := edgePrices(count, pairs)
	if len(prices) != count+1 || prices[0] != 0 {
		t.Fatalf("got %d prices from %g, want %d from 0", len(prices), prices[0], count+1)
	}
	want := 0.0
	for k := 1; k <= count; k++ {
		z := quantile(0.05 * float64(k) / pairs)
		if want += z * z; math.Abs(prices[k]-want) > 1e-9*want {
			t.Errorf("%d edges: got %g, want %g", k, prices[k], want)
		}
	}
	// Known to tables: the one-sided five per cent point, of the only pair.
	if got := edgePrices(1, 1)[1]; math.Abs(got-1.6448536269514722*1.6448536269514722) > 1e-9 {
		t.Errorf("one pair: got %g", got)
	}
}

func TestTheHeaviestEdgesAreKept(t *testing.T) {
	for count, want := range map[int][]Pair{
		0: {},
		2: {{1, 2}, {2, 3}},
		4: {{0, 1}, {1, 2}, {2, 3}, {3, 4}},
		5: {{0, 1}, {1, 2}, {2, 3}, {3, 4}}, // one weighs nothing
	} {
		m := &Model{
			Kernel: Kernel{1}, Diagonal: []float64{1, 1, 1, 1, 97}, Scales: make([]float64, 5),
			// The last is the heaviest, but a small share of what its second end has.
			Pairs:   []Pair{{0, 1}, {0, 2}, {1, 2}, {2, 3}, {3, 4}},
			Weights: []float64{0.5, 0, 2, 1, 3},
		}
		if m.keepHeaviest(count); !slices.Equal(m.Pairs, want) || count == 2 && !slices.Equal(m.Weights, []float64{2, 1}) {
			t.Errorf("%d edges: got %v of weights %v, want %v", count, m.Pairs, m.Weights, want)
		}
	}
}

// Partial correlations are those of the inverse of the covariance.
func TestWeightsOfOrderOneArePartialCorrelations(t *testing.T) {
	m, _ := drawn(8, Kernel{1})
	m.Noise = 0
	clear(m.Scales)
	var precision mat.Dense
	if err := precision.Inverse(dense(m)); err != nil {
		t.Fatal(err)
	}
	for k, got := range m.Partial() {
		i, j := m.Pairs[k].I, m.Pairs[k].J
		want := -precision.At(i, j) / math.Sqrt(precision.At(i, i)*precision.At(j, j))
		if math.Abs(got-want) > 1e-10 {
			t.Errorf("%v: got %g, want %g", m.Pairs[k], got, want)
		}
	}
}

// The diagonal of diffusion counts from its least: the ends have 1 + 0 and 1 + 3.
func TestWeightsOfHeatDoNotDependOnSize(t *testing.T) {
	two := &Model{Kernel: Heat, Diagonal: []float64{-5, -2}, Pairs: []Pair{{0, 1}}, Weights: []float64{1}}
	if got := two.Partial(); math.Abs(got[0]-0.5) > 1e-15 {
		t.Errorf("got %g, want 0.5", got[0])
	}
}
