package assess

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/prepare"
)

const (
	// shuffledTimes is how often signals are shuffled to see what chance does: a correlation that
	// is reached once at most is beyond it, which happens to noise once in a hundred times.
	shuffledTimes, reachedAtMost = 199, 1
	// aboutIndependent is the share of the signals, as independent ones count, from which on
	// they are shuffled one by one; else in blocks, of which it takes leastShuffled.
	aboutIndependent, leastShuffled = 0.5, 8
	// sharedFrom is the number of vertices from which on what all of them share is taken away
	// before pairs are looked at.
	sharedFrom = 15
	// sharedBy is the share of the vertices that must have a part in it, as the inverse of the sum
	// of fourth powers counts them: about a third have one in what is chance.
	sharedBy = 0.5
	// directionSteps is how many steps the direction of that takes to be found.
	directionSteps = 30
	// mostPairValues is the number of multiplications that looking at pairs may take.
	mostPairValues = 4e10
)

// LookAtPairs looks for two vertices that depend on each other beyond chance, where the held-out
// test of all vertices at once has seen no structure: of few signals, it has little power. The
// largest correlation is compared with those of signals whose values are shuffled, those of each
// vertex by themselves, in blocks if they depend on each other in time. What all vertices share is
// no pair of them, and taken away first. Signals that cannot be looked at leave the test as it is;
// only the end of ctx is an error.
func (t *StructureTest) LookAtPairs(ctx context.Context, y *mat.Dense, o StructureOptions) error {
	if t.Structure {
		return nil
	}
	y, err := Halvable(ctx, y)
	if err != nil {
		return context.Cause(ctx)
	}
	n, m := y.Dims()
	if float64(n)*float64(n)*float64(m)*shuffledTimes > mostPairValues {
		return nil
	}
	rows := linalg.NewDense(n, m)
	for i := range n {
		copy(linalg.Row(rows, i), y.RawRowView(i))
	}
	size := 1
	if effective := prepare.EffectiveObservations(y); effective < aboutIndependent*float64(m) {
		size = int(math.Ceil(2 * float64(m) / effective))
	}
	if m/size < leastShuffled {
		return nil
	}
	threads := linalg.Threads(max(o.Threads, 1))
	largest := largestCorrelation(rows, threads)
	draw := rng.Stream(o.Seed, "pairs")
	reached := 0
	for range shuffledTimes {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for i := range n {
			shuffleBlocks(linalg.Row(rows, i), y.RawRowView(i), size, draw)
		}
		if !(largestCorrelation(rows, threads) < largest) {
			if reached++; reached > reachedAtMost {
				return nil
			}
		}
	}
	t.Structure, t.Pair = true, largest
	return nil
}

// shuffleBlocks puts blocks of consecutive values into another order, after the values were turned
// by some: the end before the beginning.
func shuffleBlocks(to, from []float64, size int, draw *rand.Rand) {
	m := len(from)
	turned := slices.Concat(from, from)[draw.IntN(m):][:m]
	at := 0
	for _, b := range draw.Perm((m + size - 1) / size) {
		at += copy(to[at:], turned[b*size:min((b+1)*size, m)])
	}
}

// largestCorrelation returns the largest magnitude of a correlation of two rows, which it
// overwrites.
func largestCorrelation(rows linalg.Dense, threads linalg.Threads) float64 {
	n := rows.Rows
	standardiseRows(rows)
	if n >= sharedFrom {
		removeShared(rows)
		standardiseRows(rows)
	}
	products := linalg.NewDense(n, n)
	threads.MulTransB(products, rows, rows)
	largest := 0.0
	for i := range n {
		for _, r := range linalg.Row(products, i)[:i] {
			largest = max(largest, math.Abs(r))
		}
	}
	return largest
}

// standardiseRows takes the mean of each row away and makes its length one; rows that do not vary
// are zero.
func standardiseRows(rows linalg.Dense) {
	for i := range rows.Rows {
		row := linalg.Row(rows, i)
		mean := 0.0
		for _, v := range row {
			mean += v / float64(len(row))
		}
		for k := range row {
			row[k] -= mean
		}
		length := math.Sqrt(linalg.Dot(row, row))
		for k := range row {
			if length > 0 {
				row[k] /= length
			}
		}
	}
}

// removeShared takes the first principal component away from rows if most of them have a part in
// it: that of a few is what they depend on each other by.
func removeShared(rows linalg.Dense) {
	n, m := rows.Rows, rows.Cols
	direction, course := make([]float64, n), make([]float64, m)
	for i := range direction {
		direction[i] = 1 / math.Sqrt(float64(n))
	}
	for range directionSteps {
		clear(course)
		for i, d := range direction {
			linalg.Axpy(d, linalg.Row(rows, i), course)
		}
		for i := range direction {
			direction[i] = linalg.Dot(linalg.Row(rows, i), course)
		}
		length := math.Sqrt(linalg.Dot(direction, direction))
		if length == 0 {
			return
		}
		for i := range direction {
			direction[i] /= length
		}
	}
	fourth := 0.0
	for _, d := range direction {
		fourth += float64(d * d * d * d)
	}
	if 1/fourth < sharedBy*float64(n) {
		return
	}
	clear(course)
	for i, d := range direction {
		linalg.Axpy(d, linalg.Row(rows, i), course)
	}
	for i, d := range direction {
		linalg.Axpy(-d, course, linalg.Row(rows, i))
	}
}
