package assess

import (
	"context"
	"fmt"
	"sync"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/prepare"
)

// halves splits m signals at random into two halves, disjoint and of as many
// blocks of consecutive signals; a block left over is in neither. Pair k of a
// seed is always the same.
func halves(seed uint64, k, m, block int) [2][]int {
	blocks := (m + block - 1) / block
	order := rng.Stream(seed, "stability", k).Perm(blocks)
	var half [2][]int
	for h := range half {
		for _, b := range order[h*(blocks/2) : (h+1)*(blocks/2)] {
			for s := b * block; s < min((b+1)*block, m); s++ {
				half[h] = append(half[h], s)
			}
		}
	}
	return half
}

// leastBlocks is how many blocks make halves that differ enough: 35 pairs.
const leastBlocks = 8

// BlockLength returns how many consecutive signals are to stay together: as many as
// count for one, if they follow one another in time.
func BlockLength(y *mat.Dense) int {
	_, m := y.Dims()
	return max(min(int(float64(m)/prepare.EffectiveObservations(y)+0.5), m/leastBlocks), 1)
}

// checkHalves refuses signals that make too few halves to tell anything by.
func checkHalves(m, block int) error {
	switch {
	case block < 0:
		return input.Errorf("assess", input.Block, "got %d signals, want at least 1", block)
	case m < leastBlocks:
		return input.Errorf("assess", input.Signals, "got %d, want at least %d to learn from halves", m, leastBlocks)
	case m < leastBlocks*block:
		return input.Errorf("assess", input.Block, "got %d signals, want at most %d: %d signals must give at least %d blocks", block, m/leastBlocks, m, leastBlocks)
	}
	return nil
}

// eachHalf learns from every half of the signals, those of a pair one after the
// other: 2k and 2k + 1, and calls use with what it found. Both may be called from
// several goroutines at a time. The first error ends it, whoever met it, and so does ctx.
func eachHalf(ctx context.Context, y *mat.Dense, o StabilityOptions, way func(ctx context.Context, k int, half *mat.Dense) (*graph.Graph, error), use func(k int, learned *graph.Graph)) error {
	_, m := y.Dims()
	all := 2 * o.Pairs
	faults := make([]error, all)
	var reporting sync.Mutex
	done := 0
	checkpoint.EachPart(ctx, "halves", o.Threads, all, func(ctx context.Context, k int) {
		if ctx.Err() != nil {
			return
		}
		learned, err := checkpoint.Piece(ctx, "half", (*checkpoint.Coder).Graph, func(ctx context.Context) (*graph.Graph, error) {
			return way(ctx, k, matrix.Columns(y, halves(o.Seed, k/2, m, o.Block)[k%2]))
		})
		if faults[k] = err; err != nil {
			return
		}
		use(k, learned)
		reporting.Lock()
		defer reporting.Unlock()
		if done++; o.Report != nil {
			o.Report(done, all)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, err := range faults {
		if err != nil {
			return fmt.Errorf("assess: a half of the signals: %w", err)
		}
	}
	return nil
}
