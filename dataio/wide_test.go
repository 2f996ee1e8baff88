package dataio

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type wideRow struct{ A, B, C float64 }

// Signals that are picked vertex by vertex are those of all signals.
func TestPickedSignalsAreThoseOfTheFile(t *testing.T) {
	var rows []wideRow
	for k := range 3000 { // of more than one page
		rows = append(rows, wideRow{float64(k), -float64(k), float64(k * k)})
	}
	file := parquetFile(t, rows)
	b, err := openParquetBlocks(strings.NewReader(file), int64(len(file)), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	chosen := []int{0, 7, 1500, 2999}
	got, err := b.pick(chosen)
	if err != nil {
		t.Fatal(err)
	}
	want, err := b.some(chosen) // by blocks, because the file is small
	if err != nil || b.isWide() || !mat.Equal(got, want) {
		t.Errorf("got %v, want %v, %v", got, want, err)
	}
}

// Of a file of columns that is larger than memory, some signals that were sampled and some others are read again.
func TestOfWideFilesSomeSignalsAreReadAgain(t *testing.T) {
	b := &blocks{vertices: 20_000, signals: 50_000, pick: func([]int) (*mat.Dense, error) { return nil, nil }}
	chosen := []int{3, 500, 40_000}
	read := b.others(chosen)
	if !slices.IsSorted(read) || len(read) < mostChecked || len(read) > mostChecked+3 {
		t.Errorf("%d signals are read again", len(read))
	}
	for _, k := range chosen {
		if !slices.Contains(read, k) {
			t.Errorf("signal %d is not read again", k)
		}
	}
	if b.signals = 5000; b.others(chosen) != nil {
		t.Error("a smaller file is not read as a whole")
	}
}
