package assess

import (
	"errors"
	"slices"
	"testing"

	"github.com/nervure/nervure/input"
)

func TestHalvesAreDisjointAndOfWholeBlocks(t *testing.T) {
	for _, c := range []struct{ m, block int }{{40, 1}, {41, 1}, {40, 5}, {43, 5}, {80, 10}, {8, 1}} {
		for k := range 20 {
			half := halves(*seed, k, c.m, c.block)
			blocks := (c.m + c.block - 1) / c.block
			taken := make([]int, c.m) // by which half, from 1
			for h, signals := range half {
				for _, s := range signals {
					if taken[s] != 0 {
						t.Fatalf("m %d, block %d, pair %d: signal %d is taken twice", c.m, c.block, k, s)
					}
					taken[s] = h + 1
				}
			}
			count := [3]int{}
			for b := range blocks {
				first := b * c.block
				for s := first; s < min(first+c.block, c.m); s++ {
					if taken[s] != taken[first] {
						t.Fatalf("m %d, block %d, pair %d: signals %d and %d are torn apart", c.m, c.block, k, first, s)
					}
				}
				count[taken[first]]++
			}
			if count != [3]int{blocks % 2, blocks / 2, blocks / 2} {
				t.Errorf("m %d, block %d, pair %d: %v blocks are in neither half, the first and the second", c.m, c.block, k, count)
			}
		}
	}
}

func TestHalvesComeFromTheSeedAndThePair(t *testing.T) {
	first := halves(*seed, 0, 100, 1)
	if again := halves(*seed, 0, 100, 1); !slices.Equal(first[0], again[0]) {
		t.Error("the same pair is split in two ways")
	}
	if slices.Equal(first[0], halves(*seed, 1, 100, 1)[0]) || slices.Equal(first[0], halves(*seed+1, 0, 100, 1)[0]) {
		t.Error("another pair or another seed gives the same split")
	}
}

func TestSignalsThatMakeNoHalvesAreRefused(t *testing.T) {
	for _, c := range []struct {
		m, block int
		field    string
	}{{7, 1, "signals"}, {40, 6, "block"}, {40, -1, "block"}, {40, 5, ""}, {8, 1, ""}} {
		err := checkHalves(c.m, c.block)
		fault, ok := errors.AsType[*input.Error](err)
		if ok != (c.field != "") || ok && string(fault.Field) != c.field {
			t.Errorf("%d signals in blocks of %d: got %v, want a fault of %q", c.m, c.block, err, c.field)
		}
	}
}
