package recordings

import (
	"fmt"
	"strconv"
	"strings"
)

// The seeds of the committed results. Nothing was chosen or tuned on them, nor may it
// be: development has others.
const (
	SensorSeeds = "1001-1020"
	ScanSeeds   = "1001-1010"
)

// ParseSeeds reads a range of seeds such as 1-20, or one.
func ParseSeeds(text string) ([]uint64, error) {
	first, last, ranged := strings.Cut(text, "-")
	if !ranged {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 32)
	to, wrong := strconv.ParseUint(last, 10, 32)
	if err != nil || wrong != nil || to < from || to-from > 1000 {
		return nil, fmt.Errorf("got %q for seeds, want FIRST-LAST, such as 1-20, or one", text)
	}
	var seeds []uint64
	for seed := from; seed <= to; seed++ {
		seeds = append(seeds, seed)
	}
	return seeds, nil
}
