package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// The graphs that fields are measured on.
const (
	Grid        = "grid"        // a square lattice, with the nearest square number of vertices
	Sensors     = "sensors"     // random points of the plane, each joined to the four nearest
	Tree        = "tree"        // each vertex hangs on one of the twenty before it
	SmallWorld  = "small-world" // a ring whose vertices are joined to the two next, a tenth of the edges sent elsewhere ([watts1998])
	RandomPairs = "random"      // pairs drawn at random, three for each vertex
)

// pairsOf draw the pairs that have an edge, each perhaps more than once.
var pairsOf = map[string]func(n int, r *rand.Rand) [][2]int{
	Grid: gridPairs, Sensors: sensorPairs, Tree: treePairs, SmallWorld: smallWorldPairs, RandomPairs: randomPairs,
}

// FieldGraph draws a graph of a kind, with its vertices in random order. Weights are uniform in
// [0.5, 1.5); that share of them, drawn at random, are negative.
func FieldGraph(kind string, size int, negative float64, seed uint64) (*graph.Graph, error) {
	pairs := pairsOf[kind]
	if pairs == nil || size < 5 {
		return nil, input.Errorf("simulate.FieldGraph", "", "got %q of %d vertices, want a known graph of at least 5", kind, size)
	}
	n := size
	if kind == Grid {
		n = squareSide(size) * squareSide(size)
	}
	r, signs := rng.Stream(seed, "graph of a field"), rng.Stream(seed, "signs of a field")
	place := r.Perm(n)
	var edges []graph.Edge
	joined := map[[2]int]bool{}
	for _, pair := range pairs(size, r) {
		i, j := place[pair[0]], place[pair[1]]
		pair = [2]int{min(i, j), max(i, j)}
		if i == j || joined[pair] {
			continue
		}
		joined[pair] = true
		weight := 0.5 + r.Float64()
		if signs.Float64() < negative {
			weight = -weight
		}
		edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: weight})
	}
	return graph.New(graph.DefaultNames(n), edges)
}

func gridPairs(n int, _ *rand.Rand) (pairs [][2]int) {
	side := squareSide(n)
	for v := range side * side {
		if (v+1)%side > 0 {
			pairs = append(pairs, [2]int{v, v + 1})
		}
		if v+side < side*side {
			pairs = append(pairs, [2]int{v, v + side})
		}
	}
	return pairs
}

func squareSide(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }

// sensorPairs looks for the nearest of a point to its left and right, until all others are farther
// away by that coordinate alone.
func sensorPairs(n int, r *rand.Rand) (pairs [][2]int) {
	const nearest = 4
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{r.Float64(), r.Float64()}
	}
	order := matrix.Sorted(n, func(a, b int) int { return cmp.Compare(points[a][0], points[b][0]) })
	at := matrix.Inverse(order)
	for i, p := range points {
		type neighbour struct {
			vertex   int
			distance float64
		}
		var found []neighbour // the nearest so far, nearest first
		look := func(j int) bool {
			if len(found) == nearest && math.Abs(points[j][0]-p[0]) > found[nearest-1].distance {
				return false
			}
			found = append(found, neighbour{j, math.Hypot(points[j][0]-p[0], points[j][1]-p[1])})
			slices.SortStableFunc(found, func(a, b neighbour) int { return cmp.Compare(a.distance, b.distance) })
			found = found[:min(len(found), nearest)]
			return true
		}
		for k := at[i] + 1; k < n && look(order[k]); k++ {
		}
		for k := at[i] - 1; k >= 0 && look(order[k]); k-- {
		}
		for _, f := range found {
			pairs = append(pairs, [2]int{i, f.vertex})
		}
	}
	return pairs
}

func treePairs(n int, r *rand.Rand) (pairs [][2]int) {
	const reach = 20
	for i := 1; i < n; i++ {
		first := max(0, i-reach)
		pairs = append(pairs, [2]int{first + r.IntN(i-first), i})
	}
	return pairs
}

func smallWorldPairs(n int, r *rand.Rand) (pairs [][2]int) {
	const rewired = 0.1
	for i := range n {
		for _, step := range []int{1, 2} {
			to := (i + step) % n
			if r.Float64() < rewired {
				to = r.IntN(n)
			}
			pairs = append(pairs, [2]int{i, to})
		}
	}
	return pairs
}

func randomPairs(n int, r *rand.Rand) (pairs [][2]int) {
	const perVertex = 3
	for range perVertex * n {
		pairs = append(pairs, [2]int{r.IntN(n), r.IntN(n)})
	}
	return pairs
}
