package signals

import (
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// A Whole is signals of which only some are in memory.
type Whole struct {
	Signals int   // how many there are
	Chosen  []int // which of them were sampled, in ascending order
	// Blocks hands out all signals in their order, each time some of them as columns,
	// which belong to the caller until the next.
	Blocks func() iter.Seq2[*mat.Dense, error]
}

// sampleFrom is the number of values from which on signals may be sampled: 128 MiB.
const sampleFrom = 1 << 24

// WorthSampling reports whether it is enough to learn from that many signals of vertices
// with all of those: there are more than memory is to be spent on, and at least twice
// as many as are taken.
func WorthSampling(vertices, all, some int) bool {
	return vertices*all > sampleFrom && all >= 2*some
}

// Sample chooses some signals of all, one at random from each of as many equal parts:
// so they are from all times, and none are at equal distances. The same numbers give
// the same choice.
func Sample(all, some int) []int {
	draw := rng.Stream(1, "sample of signals", all, some)
	chosen := make([]int, some)
	for k := range chosen {
		low, high := k*all/some, (k+1)*all/some
		chosen[k] = low + draw.IntN(high-low)
	}
	return chosen
}
