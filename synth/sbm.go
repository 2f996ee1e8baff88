package synth

import (
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// stochasticBlock draws the stochastic block model ([holland1983]): the
// vertices fall into blocks of the given sizes, one block after the other, and
// each pair is an edge of weight 1 with probability inside if both are in the
// same block and outside if not, independently. The sample names the blocks.
func stochasticBlock(sizes []int, inside, outside float64, r *rand.Rand) (Sample, error) {
	var blocks []int
	for b, size := range sizes {
		if size < 0 {
			return Sample{}, input.Errorf("synth.Graph", "block sizes", "got %d for block %d, want at least 0", size, b)
		}
		for range size {
			blocks = append(blocks, b)
		}
	}
	n := len(blocks)
	if err := checkVertices(n); err != nil {
		return Sample{}, err
	}
	if err := checkProbability("probability inside", inside); err != nil {
		return Sample{}, err
	}
	if err := checkProbability("probability outside", outside); err != nil {
		return Sample{}, err
	}
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			p := outside
			if blocks[i] == blocks[j] {
				p = inside
			}
			if r.Float64() < p {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
			}
		}
	}
	return sample(n, edges, nil, blocks)
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
