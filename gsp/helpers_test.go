package gsp

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 1, "seed of everything drawn in these tests; any must pass")

func stream(name string) *rand.Rand { return rng.Stream(*seed, name) }

// must returns a value, or fails if there is an error: must(f())(t).
func must[T any](value T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func laplacian(t *testing.T, g *graph.Graph, v Variant) *Laplacian {
	t.Helper()
	return must(New(g, v))(t)
}

// eachWay runs a test with the spectrum, and again without.
func eachWay(t *testing.T, l *Laplacian, test func(t *testing.T, l *Laplacian)) {
	t.Helper()
	t.Run(string(l.Variant)+", exact", func(t *testing.T) { test(t, l) })
	l.mostExact = 0
	t.Run(string(l.Variant)+", iterative", func(t *testing.T) { test(t, l) })
	l.mostExact = MaxExact
}

// eachVariant runs a test with both Laplacians of a graph, both ways.
func eachVariant(t *testing.T, g *graph.Graph, test func(t *testing.T, l *Laplacian)) {
	t.Helper()
	for _, v := range Variants() {
		eachWay(t, laplacian(t, g, v), test)
	}
}

// islands draws a graph of three components: rings with chords on 14 and 9
// vertices, and a vertex that is alone.
func islands(t *testing.T) *graph.Graph {
	t.Helper()
	draw := stream("islands")
	var edges []graph.Edge
	ring := func(first, n int) {
		for k := range n {
			edges = append(edges, graph.Edge{I: first + k, J: first + (k+1)%n, Weight: 0.2 + draw.Float64()})
		}
		for k := range n / 2 {
			if k > 1 {
				edges = append(edges, graph.Edge{I: first, J: first + k, Weight: 0.2 + draw.Float64()})
			}
		}
	}
	ring(0, 14)
	ring(14, 9)
	return must(graph.New(graph.DefaultNames(24), edges))(t)
}

// grid2 is a grid graph.
func grid2(t *testing.T, rows, cols int) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for r := range rows {
		for c := range cols {
			if c+1 < cols {
				edges = append(edges, graph.Edge{I: r*cols + c, J: r*cols + c + 1, Weight: 1})
			}
			if r+1 < rows {
				edges = append(edges, graph.Edge{I: r*cols + c, J: (r+1)*cols + c, Weight: 1})
			}
		}
	}
	return must(graph.New(graph.DefaultNames(rows*cols), edges))(t)
}

func noise(name string, n, m int) *mat.Dense {
	draw := stream(name)
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, y)
	return y
}

func meanSquare(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	r, c := d.Dims()
	return total(&d, &d) / float64(r*c)
}

// withGaps hides a share of the values.
func withGaps(y *mat.Dense, share float64) *mat.Dense {
	draw := stream("gaps")
	gappy := mat.DenseCopyOf(y)
	gappy.Apply(func(_, _ int, v float64) float64 {
		if draw.Float64() < share {
			return math.NaN()
		}
		return v
	}, gappy)
	return gappy
}
