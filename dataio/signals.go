package dataio

import (
	"cmp"
	"io"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// ReadOptions say how to read signals. The zero value takes the format from the
// extension, rows as observations and columns as vertices.
type ReadOptions struct {
	Format    Format // empty: by extension
	Transpose bool   // vertices are in rows, observations in columns

	// Names are those of the vertices, for a file that has none; a file that has names is
	// refused with them. Nil means the file's own or v0, v1, ….
	Names []string

	// Times are those of the observations, in the order of the file and ascending, for a file
	// that has none; a file that has times is refused with them. Nil means the file's own, if any.
	Times []time.Time

	// KeepEmpty keeps vertices without any value, which are an error otherwise.
	KeepEmpty bool

	// Variable is the array to read from a file that holds several; empty for the
	// only matrix or, among several, the one called signals, Y, X, data or arr_0.
	Variable string

	// MaxValues bounds how many values a file may hold, so that reading it takes
	// no more memory than some twenty times as many bytes. Zero means 2²⁸.
	MaxValues int

	// Resample averages the observations over spans of time of this length, as
	// [signals.Set.Resample] does; zero leaves them as they are. Signals without times are an error with it.
	Resample time.Duration

	// Sample is how many signals to read of a file with very many of them
	// ([signals.WorthSampling]), if the format is NPY or Parquet and the file is
	// neither a stream nor compressed: the others can then be read by blocks, from
	// [signals.Set.Whole], as long as the file stays where it is. Zero means all.
	Sample int
}

// maxValues bounds what any file may hold: 2 GiB as float64.
const maxValues = 1 << 28

func (o ReadOptions) limit() int {
	return min(cmp.Or(o.MaxValues, maxValues), maxValues)
}

// checkSize refuses more values than the limit. The shape, in words, is what
// the file claims.
func (o ReadOptions) checkSize(rows, cols int, shape string) error {
	if rows > 0 && cols > o.limit()/rows {
		return fault("the array claims shape %s, more than the %d values that can be read: take fewer observations", shape, o.limit())
	}
	return nil
}

// ReadSignals reads a file of signals, in any format that [ReadsSignals]. The
// values are finite, or NaN where they are missing; every vertex, unless o keeps empty
// ones, and every signal has at least one. Whether there are enough of them to learn from is not looked
// at. Everything wrong with the file is an [input.Error].
func ReadSignals(path string, o ReadOptions) (*signals.Set, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return DecodeSignals(file, path, o)
}

// ReadFiles reads the files of one study and unites them, as [signals.Unite] does: those
// of the same vertices follow each other in time, and those of different ones, such as one file for
// each sensor, stand beside each other. A single file is read as [ReadSignals] does.
func ReadFiles(paths []string, o ReadOptions) (*signals.Set, error) {
	if len(paths) == 1 {
		return ReadSignals(paths[0], o)
	}
	each := o
	each.Resample, each.Sample = 0, 0
	var sets []*signals.Set
	for _, path := range paths {
		s, err := ReadSignals(path, each)
		if err != nil {
			return nil, err
		}
		if o.Resample > 0 {
			dropMissingCodes(s)
		}
		sets = append(sets, s)
	}
	s, err := signals.Unite(paths, o.Resample, sets...)
	return s, aboutFile(err)
}

// DecodeSignals reads signals from a stream. name stands for the file in errors,
// and its extension for the format if o has none.
func DecodeSignals(r io.Reader, name string, o ReadOptions) (*signals.Set, error) {
	if o.MaxValues < 0 || o.Resample < 0 || o.Sample < 0 {
		return nil, input.Errorf("dataio", "options", "got a negative number, want at least 0")
	}
	c, err := chooseCodec(name, o.Format, ReadsSignals)
	if err != nil {
		return nil, err
	}
	s, err := c.readSignals(r, o)
	if err == nil && o.Resample > 0 {
		dropMissingCodes(s)
		s, err = s.Resample(o.Resample)
		err = aboutFile(err)
	}
	if err != nil {
		return nil, inFile(name, err)
	}
	s.Notes = append(s.Notes, oddities(s, c.isText)...)
	return s, nil
}

func (c *codec) readSignals(r io.Reader, o ReadOptions) (*signals.Set, error) {
	if o.Variable != "" && !c.can(HoldsVariables) {
		return nil, fault("a .%s file has no variable %s, for it holds a single table: leave the name out", c.format, quote(o.Variable))
	}
	if s, err := c.sampled(r, o); s != nil || err != nil {
		return s, err
	}
	return readContent(c, r, func(content io.Reader) (*signals.Set, error) { return c.decodeSignals(content, o) })
}

// WriteSignals writes signals as [ReadSignals] reads them, by extension, in any
// format that [WritesSignals]. Rows are observations. Names stay where the format
// [KeepsNames], and times in tables of text. Signals that would not read back are an [input.Error].
func WriteSignals(path string, s *signals.Set) error {
	return writeAs(path, WritesSignals, func(w io.Writer, f Format) error { return EncodeSignals(w, f, s) })
}

// EncodeSignals writes signals to a stream as [WriteSignals] does.
func EncodeSignals(w io.Writer, f Format, s *signals.Set) error {
	const op = "dataio.WriteSignals"
	c, err := chooseCodec("", f, WritesSignals)
	if err != nil {
		return err
	}
	named := &signals.Set{Y: s.Y, Names: s.Names, Times: s.Times}
	if s.Names == nil && s.Y != nil {
		n, _ := s.Y.Dims()
		named.Names = graph.DefaultNames(n)
	}
	if err := checkSignals(named); err != nil {
		return refusedBy(op, err)
	}
	return refusedBy(op, c.encodeSignals(w, named))
}

// checkSignals refuses what would not read back: names that are not distinct, not
// text or not as many as there are vertices, infinite values, and vertices and
// signals without any value.
func checkSignals(s *signals.Set) error {
	if s.Y == nil || s.Y.IsEmpty() {
		return fault("there are no signals")
	}
	n, m := s.Y.Dims()
	if n != len(s.Names) {
		return fault("got %d names for %d vertices", len(s.Names), n)
	}
	if s.Times != nil && len(s.Times) != m {
		return fault("got %d times for %d signals", len(s.Times), m)
	}
	if slices.ContainsFunc(s.Times, func(t time.Time) bool { return t.UTC().Year() < 1 || t.UTC().Year() > 9999 }) {
		return fault("a time is not of the years from 1 to 9999")
	}
	if _, err := graph.New(s.Names, nil); err != nil { // names given twice
		return fault("%s", err)
	}
	for _, name := range s.Names {
		if err := checkName(name); err != nil {
			return err
		}
	}
	seen := make([]bool, m)
	for i := range n {
		some := false
		for k, v := range s.Y.RawRowView(i) {
			if math.IsInf(v, 0) {
				return fault("entry (%d, %d) is %g", i, k, v)
			}
			if !math.IsNaN(v) {
				some, seen[k] = true, true
			}
		}
		if !some {
			return fault("vertex %d has no values", i)
		}
	}
	if k := slices.Index(seen, false); k >= 0 {
		return fault("signal %d has no values", k)
	}
	return nil
}

// newDense makes a matrix of values that lie row by row, or its transpose. It
// takes values over.
func newDense(values []float64, rows, cols int, transpose bool) *mat.Dense {
	if !transpose {
		return mat.NewDense(rows, cols, values)
	}
	t := make([]float64, len(values))
	for i := range rows {
		for j := range cols {
			t[j*rows+i] = values[i*cols+j]
		}
	}
	return mat.NewDense(cols, rows, t)
}
