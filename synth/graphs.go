package synth

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
)

// barabasiAlbert grows a graph by preferential attachment ([barabasi1999]):
// from m+1 vertices that are all joined, each new vertex is joined to m others,
// drawn one after the other with probability proportional to their degrees
// among those not drawn yet. Edges have weight 1. There are exactly
// m·n − m(m+1)/2, no degree is below m, and the graph is connected.
//
// Departure from the source, which leaves the first vertices open: they form a
// complete graph, so that no vertex starts without a chance.
func barabasiAlbert(n, m int, r *rand.Rand) (Sample, error) {
	var edges []graph.Edge
	var ends []int // each vertex as often as its degree
	join := func(i, j int) {
		edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
		ends = append(ends, i, j)
	}
	for j := range m + 1 {
		for i := range j {
			join(i, j)
		}
	}
	for j := m + 1; j < n; j++ {
		var targets []int
		for len(targets) < m {
			if i := ends[r.IntN(len(ends))]; !slices.Contains(targets, i) {
				targets = append(targets, i)
			}
		}
		for _, i := range targets {
			join(i, j)
		}
	}
	return sample(n, edges, nil, nil)
}

// attachments returns the m for which [barabasiAlbert] comes nearest to factor·n
// edges, the smaller one if two are equally near.
func attachments(n int, factor float64) int {
	best, nearest := 1, math.Inf(1)
	for m := 1; m < n; m++ {
		edges := float64(m*n) - float64(m*(m+1))/2
		if d := math.Abs(edges - factor*float64(n)); d < nearest {
			best, nearest = m, d
		}
	}
	return best
}

// erdosRenyi draws the random graph G(n, p): each of the n(n−1)/2 pairs is an
// edge of weight 1 with probability p, independently ([erdos1960]).
// Its expected number of edges is p·n(n−1)/2; see [edgeProbability].
func erdosRenyi(n int, p float64, r *rand.Rand) (Sample, error) {
	return sample(n, drawEdges(n, r, func(int, int) float64 { return p }), nil, nil)
}

// drawEdges draws each pair of n vertices as an edge of weight 1 with its probability, independently.
func drawEdges(n int, r *rand.Rand, probability func(i, j int) float64) (edges []graph.Edge) {
	for i := range n {
		for j := i + 1; j < n; j++ {
			if r.Float64() < probability(i, j) {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
			}
		}
	}
	return edges
}

// edgeProbability returns the share 2·factor/(n−1) of the pairs of n vertices
// that makes factor·n edges. It is above 1 if there are not that many pairs.
func edgeProbability(n int, factor float64) float64 {
	return 2 * factor / float64(n-1)
}

// grid returns the square lattice of n vertices, row after row of ⌈√n⌉, the last
// row being filled as far as they go. Each is joined to its neighbours to the
// right and below with weight 1. Nothing is random.
func grid(n int) (Sample, error) {
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	points := make([][2]float64, n)
	var edges []graph.Edge
	for v := range n {
		row, column := v/columns, v%columns
		points[v] = [2]float64{float64(column) / float64(columns-1), float64(row) / float64(columns-1)}
		if right := v + 1; column+1 < columns && right < n {
			edges = append(edges, graph.Edge{I: v, J: right, Weight: 1})
		}
		if below := v + columns; below < n {
			edges = append(edges, graph.Edge{I: v, J: below, Weight: 1})
		}
	}
	return sample(n, edges, points, nil)
}

// ring returns n vertices on a circle, each joined to the k nearest on either
// side with weight 1: k·n edges, or k·n − n/2 if k = n/2, where the farthest
// neighbour is the same on both sides. Nothing is random.
func ring(n, k int) (Sample, error) {
	points := make([][2]float64, n)
	var edges []graph.Edge
	for v := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(v) / float64(n))
		points[v] = [2]float64{(1 + cos) / 2, (1 + sin) / 2}
		for step := 1; step <= k; step++ {
			if 2*step == n && v >= step {
				continue // the pair is there already
			}
			edges = append(edges, graph.Edge{I: v, J: (v + step) % n, Weight: 1})
		}
	}
	return sample(n, edges, points, nil)
}

// neighbours returns the k for which [ring] has about factor·n edges: factor
// rounded, at least 1 and at most n/2.
func neighbours(n int, factor float64) int {
	return max(min(int(math.Round(factor)), n/2), 1)
}

// defaultWidth is σ/κ by default: the paper does not give σ.
// Weights then run from 1 between neighbouring points down to e^(−2) ≈ 0.14 at
// the cut-off, so that they differ, and none is negligible.
const defaultWidth = 0.5

// rbf draws the radial basis function graph of [maretic2017], section 4: n
// points uniform in the unit square, and with d the distance of two points
//
//	W_ij = exp(−d²/(2σ²))  if d ≤ κ,  0 otherwise,
//
// where κ is cutoff and σ is width. See [cutoff] for a given number of edges.
// A weight that underflows to 0 is no edge.
func rbf(n int, cutoff, width float64, r *rand.Rand) (Sample, error) {
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{r.Float64(), r.Float64()}
	}
	var edges []graph.Edge
	for i, a := range points {
		for j := i + 1; j < n; j++ {
			b := points[j]
			if d := math.Hypot(a[0]-b[0], a[1]-b[1]); d <= cutoff {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: portable.Exp(-d * d / (2 * width * width))})
			}
		}
	}
	return sample(n, edges, points, nil)
}

// cutoff returns the distance κ for which n points uniform in the unit square
// have factor·n pairs at most κ apart, in expectation; √2 if there are not so
// many pairs.
func cutoff(n int, factor float64) float64 {
	share := edgeProbability(n, factor)
	low, high := 0.0, math.Sqrt2
	for range 60 { // bisection down to the last bit
		if mid := (low + high) / 2; closerThan(mid) < share {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// closerThan returns the probability that two points uniform in the unit square
// are at most d apart, 0 ≤ d ≤ √2: the integral of the density of square line
// picking, 2d(d² − 4d + π) up to 1 and
// 2d(4u − (d² + 2 − π) − 4 arctan u), u = √(d² − 1), from there.
func closerThan(d float64) float64 {
	square := d * d
	if d <= 1 {
		return square * (math.Pi - 8*d/3 + square/2)
	}
	u := math.Sqrt(square - 1)
	return 1./3 + (math.Pi-2)*square - square*square/2 - 4*square*math.Atan(u) + 4*u + 8*u*u*u/3
}

// stochasticBlock draws the stochastic block model ([holland1983]): the
// vertices fall into blocks of the given sizes, one block after the other, and
// each pair is an edge of weight 1 with probability inside if both are in the
// same block and outside if not, independently. The sample names the blocks.
func stochasticBlock(sizes []int, inside, outside float64, r *rand.Rand) (Sample, error) {
	var blocks []int
	for b, size := range sizes {
		blocks = append(blocks, slices.Repeat([]int{b}, size)...)
	}
	edges := drawEdges(len(blocks), r, func(i, j int) float64 {
		if blocks[i] == blocks[j] {
			return inside
		}
		return outside
	})
	return sample(len(blocks), edges, nil, blocks)
}

// blockSizes divides n vertices into k blocks whose sizes differ by one at most.
func blockSizes(n, k int) []int {
	sizes := make([]int, k)
	for b := range sizes {
		sizes[b] = (b+1)*n/k - b*n/k
	}
	return sizes
}

// blockContrast is how many times likelier an edge is inside a block.
const blockContrast = 10

// blockProbabilities returns probabilities for [stochasticBlock] that make
// factor·n edges in expectation, edges being ten times as likely inside a block
// as between two. Where that would take a probability above 1, all pairs inside
// are joined and the rest of the edges goes between blocks.
func blockProbabilities(sizes []int, factor float64) (inside, outside float64) {
	n, within := 0, 0 // vertices, pairs inside a block
	for _, size := range sizes {
		n += size
		within += size * (size - 1) / 2
	}
	between := n*(n-1)/2 - within
	edges := factor * float64(n)
	outside = edges / float64(blockContrast*within+between)
	if inside = blockContrast * outside; inside > 1 {
		inside, outside = 1, min((edges-float64(within))/float64(max(between, 1)), 1)
	}
	return inside, outside
}

// Weighting says which weights the edges of a random graph have.
type Weighting string

// The weightings.
const (
	OwnWeights     Weighting = ""        // as the family gives them: Gaussian for RBF, 1 for all others
	BinaryWeights  Weighting = "binary"  // 1
	UniformWeights Weighting = "uniform" // independent, uniform in [0.5, 1.5): mean 1 and never negligible
)

// Weightings returns all weightings.
func Weightings() []Weighting { return []Weighting{OwnWeights, BinaryWeights, UniformWeights} }

// reweight returns the graph with the same edges and other weights. r is used
// by [UniformWeights] only, one draw per edge in the order of the edges.
func reweight(g *graph.Graph, w Weighting, r *rand.Rand) (*graph.Graph, error) {
	if w == OwnWeights {
		return g, nil
	}
	edges := g.Edges()
	for k := range edges {
		if edges[k].Weight = 1; w == UniformWeights {
			edges[k].Weight = 0.5 + r.Float64()
		}
	}
	return graph.New(g.Names(), edges)
}
