package dataio

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/signals"
)

// blocks are signals that are read some at a time, again and again if need be, so that
// there may be more of them than memory.
type blocks struct {
	array
	names             []string    // of the vertices; nil if the file has none
	times             []time.Time // of the signals; nil if they are not known
	notes             []string
	vertices, signals int

	// read hands out all signals in their order, each time some as columns: those
	// from a number on, and none of which is kept.
	read func(yield func(from int, y *mat.Dense) bool) error
	// pick reads some signals, in ascending order, of a file that has the values of a vertex side by side: to read
	// it signal by signal takes a part of every vertex at a time. It may be nil.
	pick func(chosen []int) (*mat.Dense, error)
}

// blockValues is how many values a block has, about.
const blockValues = 1 << 20

func blockSignals(vertices int) int { return max(blockValues/vertices, 1) }

// all reads all signals.
func (b *blocks) all(o ReadOptions) (*signals.Set, error) {
	y := mat.NewDense(b.vertices, b.signals, nil)
	err := b.read(func(from int, part *mat.Dense) bool {
		_, count := part.Dims()
		y.Slice(0, b.vertices, from, from+count).(*mat.Dense).Copy(part)
		return true
	})
	if err != nil {
		return nil, err
	}
	return b.set(y, nil, o)
}

// set makes signals of those that are chosen, or of all if that is nil.
func (b *blocks) set(y *mat.Dense, chosen []int, o ReadOptions) (*signals.Set, error) {
	times, err := o.observationTimes(b.times, b.signals)
	if err != nil {
		return nil, err
	}
	s, observation := &signals.Set{Y: y}, b.observation
	if chosen != nil {
		s.Whole = &signals.Whole{Signals: b.signals, Chosen: chosen}
		observation = func(m int) string { return b.observation(chosen[m]) }
		if !parse.IsAscending(times) { // a sample stays in the order of the file
			times = nil
		}
		times = matrix.Pick(times, chosen)
	}
	if s.Names, err = o.vertexNames(b.names, b.vertices); err != nil {
		return nil, err
	}
	o.setTimes(s, times, observation)
	if err := b.check(s, o); err != nil {
		return nil, err
	}
	s.Notes = slices.Concat(b.notes, s.Notes)
	return s, nil
}

// sample reads some of the signals, and leaves the others to be read by blocks.
func (b *blocks) sample(o ReadOptions) (*signals.Set, error) {
	chosen := signals.Sample(b.signals, o.Sample)
	y, err := b.some(chosen)
	if err != nil {
		return nil, err
	}
	return b.set(y, chosen, o)
}

// isWide reports whether signals are picked vertex by vertex, because a block of them would take a part of too
// many vertices.
func (b *blocks) isWide() bool { return b.pick != nil && b.vertices > maxValues/b.signals }

// some reads the chosen signals.
func (b *blocks) some(chosen []int) (*mat.Dense, error) {
	if b.isWide() {
		y, err := b.pick(chosen)
		if err != nil {
			return nil, err
		}
		for i := range b.vertices {
			if k := slices.IndexFunc(y.RawRowView(i), isInfinite); k >= 0 {
				return nil, notFinite(i, chosen[k])
			}
		}
		return y, nil
	}
	y := mat.NewDense(b.vertices, len(chosen), nil)
	column, next := make([]float64, b.vertices), 0
	var wrong error
	err := b.read(func(from int, part *mat.Dense) bool {
		_, count := part.Dims()
		for ; next < len(chosen) && chosen[next] < from+count; next++ {
			mat.Col(column, chosen[next]-from, part)
			if i := slices.IndexFunc(column, isInfinite); i >= 0 {
				wrong = notFinite(i, chosen[next])
				return false
			}
			y.SetCol(next, column)
		}
		return next < len(chosen)
	})
	return y, errors.Join(err, wrong)
}

// mostChecked is how many signals that were sampled, and how many others, are read again of a wide file.
const mostChecked = 1000

// others returns the signals that are read again of a wide file, nil if that is all of them.
func (b *blocks) others(chosen []int) []int {
	if !b.isWide() {
		return nil
	}
	var read []int
	for _, k := range signals.Sample(len(chosen), min(mostChecked, len(chosen))) {
		read = append(read, chosen[k])
	}
	for _, k := range signals.Sample(b.signals, min(mostChecked, b.signals)) {
		if _, is := slices.BinarySearch(chosen, k); !is {
			read = append(read, k)
		}
	}
	slices.Sort(read)
	return read
}

func isInfinite(v float64) bool { return math.IsInf(v, 0) }

// notFinite says where a value of a file is that cannot be used.
func notFinite(vertex, observation int) error {
	return fault("observation %d, vertex %d: the value is not finite: it must be a number below 1.8e308 in size", observation+1, vertex+1)
}

// each hands the blocks out. A value that is not finite is an error.
func (b *blocks) each(yield func(*mat.Dense, error) bool) {
	on := true
	give := func(y *mat.Dense, err error) bool {
		on = on && yield(y, err) && err == nil
		return on
	}
	err := b.read(func(from int, part *mat.Dense) bool {
		for i := range b.vertices {
			if k := slices.IndexFunc(part.RawRowView(i), isInfinite); k >= 0 {
				return give(nil, notFinite(i, from+k))
			}
		}
		return give(part, nil)
	})
	if err != nil && on {
		give(nil, err)
	}
}

// readBlocks reads the signals of a file, or some of them if o asks for that and there are
// enough of them.
func (c *codec) readBlocks(r io.Reader, o ReadOptions) (*signals.Set, error) {
	at, size, err := seekable(r)
	if err != nil {
		return nil, err
	}
	file, ok := at.(*os.File)
	o.parts = ok && (o.Sample > 0 || o.SampleEnough) && o.Resample == 0 && o.MaxValues == 0
	b, err := c.openBlocks(at, size, o)
	if err != nil {
		return nil, err
	}
	if o.Sample == 0 && o.SampleEnough {
		o.Sample = signals.SampleSize(b.vertices)
	}
	if !ok || o.Sample == 0 || o.Resample > 0 || !signals.WorthSampling(b.vertices, b.signals, o.Sample) {
		o.parts = false
		if err := o.checkSize(b.signals, b.vertices, fmt.Sprintf("%d×%d", b.signals, b.vertices)); err != nil {
			return nil, err
		}
		return b.all(o)
	}
	s, err := b.sample(o)
	if err != nil {
		return nil, err
	}
	s.Whole.Read = b.others(s.Whole.Chosen)
	s.Whole.Blocks = func() iter.Seq2[*mat.Dense, error] {
		return func(yield func(*mat.Dense, error) bool) { c.again(file.Name(), o, s.Whole, yield) }
	}
	return s, nil
}

// again opens a file that was sampled and hands its blocks out.
func (c *codec) again(path string, o ReadOptions, whole *signals.Whole, yield func(*mat.Dense, error) bool) {
	file, err := durable.Open(path)
	if err != nil {
		yield(nil, err)
		return
	}
	defer file.Close()
	var b *blocks
	if at, size, ok := onDisk(file); ok {
		b, err = c.openBlocks(at, size, o)
	}
	if err == nil && (b == nil || b.signals != whole.Signals) {
		err = fault("the file has changed while it was read")
	}
	if err == nil && whole.Read != nil {
		var y *mat.Dense
		if y, err = b.some(whole.Read); err == nil {
			yield(y, nil)
			return
		}
	}
	if err != nil {
		yield(nil, inFile(path, err))
		return
	}
	b.each(func(y *mat.Dense, err error) bool {
		if err != nil {
			err = inFile(path, err)
		}
		return yield(y, err)
	})
}
