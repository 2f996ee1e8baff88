package assess

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/prepare"
)

const (
	// shuffledTimes is how often signals are shuffled to see what chance does: a correlation that
	// is reached once at most is beyond it, which happens to noise once in a hundred times.
	shuffledTimes, reachedAtMost = 199, 1
	// aboutIndependent is the share of the signals, as independent ones count, from which on
	// they are shuffled one by one; else in blocks, of which it takes leastShuffled.
	// Of fewer signals than fewForTime, of which it is not well known, the share must be
	// surelyIndependent.
	aboutIndependent, leastShuffled, surelyIndependent, fewForTime = 0.5, 8, 0.75, 30
	// sharedFrom is the number of vertices from which on what all of them share is taken away
	// before pairs are looked at.
	sharedFrom = 15
	// sharedBy is the share of the vertices that must have a part in it, as the inverse of the sum
	// of fourth powers counts them: about a third have one in what is chance.
	sharedBy = 0.5
	// partlyShared is the share of the energy from which on edges may only repeat what all share, and
	// mostlyShared that of signals that depend on each other, of which only the largest correlation is
	// compared: the sum of squares of all hardly varies, and shuffling such signals makes it too small.
	partlyShared, mostlyShared = 0.2, 0.5
	// directionSteps is how many steps the direction of that takes to be found.
	directionSteps = 30
	// leastForPairs is the number of signals from which on pairs are looked at where none can be
	// held out.
	leastForPairs = 10
	// farBeyond is by how many standard errors a correlation of independent signals is beyond the
	// largest of as many pairs by chance if that need not be tried.
	farBeyond = 5
	// mostPairValues is the number of multiplications that looking at pairs may take.
	mostPairValues = 4e10
)

// LookAtPairs looks for two vertices that depend on each other beyond chance.
//
// Where the held-out test of all vertices at once has seen no structure, such a pair is one: of few
// signals, that test has little power. Where edges predict held-out signals, or codes fit them,
// although there is no such pair, they only repeat what all vertices share, and that is no graph.
// Signals that cannot be looked at leave the test as it is, and so do those that a graph explains
// exactly, of which none was held out; only the end of ctx is an error.
func (t *StructureTest) LookAtPairs(ctx context.Context, y *mat.Dense, o StructureOptions) error {
	if t.Structure && t.HeldOut == 0 {
		return nil
	}
	_, err := t.lookAtPairs(ctx, y, o)
	return err
}

// lookAtPairs is LookAtPairs, and reports whether the signals could be looked at.
func (t *StructureTest) lookAtPairs(ctx context.Context, y *mat.Dense, o StructureOptions) (looked bool, err error) {
	look, err := newPairLook(ctx, y, o.Independent)
	least := mostlyShared
	if o.Independent {
		least = partlyShared
	}
	if look == nil || t.Structure && look.shared < least {
		return false, err
	}
	beyond, err := look.beyondChance(ctx, t.Structure && o.Independent, o)
	switch {
	case err != nil:
		return false, err
	case !t.Structure && beyond.pair:
		t.Structure, t.Pair = true, look.largest
	case t.Structure && !beyond.pair && !beyond.all:
		t.Structure, t.SharedOnly = false, true
	}
	return true, nil
}

// TestPairs is the structure test where there are too few signals to hold any out: it only looks at
// pairs. It is nil if there are too few even for that.
func TestPairs(ctx context.Context, y *mat.Dense, o StructureOptions) (*StructureTest, error) {
	if _, m := y.Dims(); m < leastForPairs {
		return nil, nil //nolint:nilnil // nothing can be said
	}
	t := &StructureTest{}
	if looked, err := t.lookAtPairs(ctx, y, o); !looked {
		return nil, err
	}
	return t, nil
}

// A pairLook compares the largest correlation of two vertices with those of signals whose values are
// shuffled, those of each vertex by themselves, in blocks if they depend on each other in time. What
// all vertices share is no pair of them, and taken away first.
type pairLook struct {
	own       linalg.Dense // what each vertex has beside what all share, standardised
	common    linalg.Dense // what all share of each
	size      int          // of a block
	effective float64
	pairStrength
	shared float64 // share of the energy that was taken away
}

// A pairStrength is what the correlations of all pairs come to.
type pairStrength struct {
	largest float64 // magnitude
	energy  float64 // sum of the squares
}

// An excess says what of the correlations chance hardly ever makes as large: that of a pair, or
// all together, which has more power where many vertices depend on each other a little.
type excess struct{ pair, all bool }

// newPairLook is nil if signals cannot be looked at.
func newPairLook(ctx context.Context, y *mat.Dense, independent bool) (*pairLook, error) {
	y, err := Halvable(ctx, y)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	n, m := y.Dims()
	if float64(n)*float64(n)*float64(m)*shuffledTimes > mostPairValues {
		return nil, nil //nolint:nilnil // it would take too long
	}
	look := &pairLook{size: 1, effective: float64(m)}
	if !independent {
		look.effective = prepare.EffectiveObservations(y)
		share := aboutIndependent
		if m < fewForTime {
			share = surelyIndependent
		}
		if look.effective < share*float64(m) {
			look.size = int(math.Ceil(2 * float64(m) / look.effective))
		}
	}
	if m/look.size < leastShuffled {
		return nil, nil //nolint:nilnil // shuffling them would tell nothing
	}
	look.common, look.own = rowsOf(y), linalg.NewDense(n, m)
	standardiseRows(look.common)
	copy(look.own.Data, look.common.Data)
	if n >= sharedFrom {
		look.shared = removeShared(look.own)
	}
	for k, v := range look.own.Data {
		look.common.Data[k] -= v
	}
	rest := linalg.NewDense(n, m)
	copy(rest.Data, look.own.Data)
	look.pairStrength = strengthOf(rest, 1)
	return look, nil
}

func rowsOf(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	rows := linalg.NewDense(n, m)
	for i := range n {
		copy(linalg.Row(rows, i), y.RawRowView(i))
	}
	return rows
}

// beyondChance compares the largest correlation with those of shuffled signals and, if asked to, all
// together, until nothing is beyond chance. What all vertices share stays where it is: taking it away
// makes correlations of its own, and is to do so in what is shuffled, too.
func (l *pairLook) beyondChance(ctx context.Context, together bool, o StructureOptions) (excess, error) {
	rows, draw := linalg.NewDense(l.own.Rows, l.own.Cols), rng.Stream(o.Seed, "pairs")
	var reached struct{ pair, all int }
	pairs := float64(rows.Rows*(rows.Rows-1)) / 2
	if l.size == 1 && l.largest*math.Sqrt(l.effective) > math.Sqrt(2*math.Log(pairs))+farBeyond {
		return excess{pair: true}, nil
	}
	threads := linalg.Threads(max(o.Threads, 1))
	for range shuffledTimes {
		if run.Ended(ctx) != nil {
			return excess{}, context.Cause(ctx)
		}
		for i := range rows.Rows {
			shuffleBlocks(linalg.Row(rows, i), linalg.Row(l.own, i), l.size, draw)
			linalg.Axpy(1, linalg.Row(l.common, i), linalg.Row(rows, i))
		}
		standardiseRows(rows)
		if rows.Rows >= sharedFrom {
			removeShared(rows)
		}
		chance := strengthOf(rows, threads)
		if !(chance.largest < l.largest) {
			reached.pair++
		}
		if !(chance.energy < l.energy) {
			reached.all++
		}
		if reached.pair > reachedAtMost && (!together || reached.all > reachedAtMost) {
			break
		}
	}
	return excess{pair: reached.pair <= reachedAtMost, all: together && reached.all <= reachedAtMost}, nil
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

// strengthOf returns what the correlations of rows come to, which it standardises.
func strengthOf(rows linalg.Dense, threads linalg.Threads) (c pairStrength) {
	standardiseRows(rows)
	products := linalg.NewDense(rows.Rows, rows.Rows)
	threads.MulTransB(products, rows, rows)
	for i := range rows.Rows {
		for _, r := range linalg.Row(products, i)[:i] {
			c.largest = max(c.largest, math.Abs(r))
			c.energy += float64(r * r)
		}
	}
	return c
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
// it, and returns its share of their energy: that of a few is what they depend on each other by.
func removeShared(rows linalg.Dense) float64 {
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
			return 0
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
		return 0
	}
	clear(course)
	for i, d := range direction {
		linalg.Axpy(d, linalg.Row(rows, i), course)
	}
	for i, d := range direction {
		linalg.Axpy(-d, course, linalg.Row(rows, i))
	}
	return linalg.Dot(course, course) / float64(n) // rows have length one
}
