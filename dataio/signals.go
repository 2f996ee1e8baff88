package dataio

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
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

	// Labels names columns of a text table that are not vertices but say something about the
	// observations, such as the group of a person: they become [signals.Set.Labels].
	Labels []string

	// Delimiter separates the cells of a table of text: a character, or comma, semicolon, tab, pipe or
	// blank for runs of blanks. Empty means the one that the text has by its looks.
	Delimiter string

	// SkipRows is how many lines of a text, or rows of a sheet, stand before the table. Zero leaves
	// it to be found out where that is certain: remarks, and lines that are no row of the table.
	SkipRows int

	// Columns are the columns of a table to read: names, numbers from 1, and ranges such as 3-10, 3- or
	// a:d. Times of the observations are read besides. Nil means all.
	Columns []string

	// Encoding is that of a text, one of [Encodings]. Empty means UTF-8, UTF-16 if the text starts in it
	// without doubt, or Windows-1252 if it is no UTF-8.
	Encoding string

	// Sheet is the sheet of a workbook to read; empty for the only one that has a table.
	Sheet string

	// KeepEmpty keeps empty columns at the end of a table without names, which are otherwise taken
	// for separators that end each line.
	KeepEmpty bool
	// KeepObservations keeps observations without any value, which are left out otherwise.
	KeepObservations bool

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

	// SampleEnough samples as many signals as are enough for the vertices that the file has
	// ([signals.SampleSize]), unless Sample says how many.
	SampleEnough bool

	// parts says that the file is read in parts, none of which has more values than may be read.
	parts bool
}

const (
	// maxValues bounds what any file may hold: 2 GiB as float64.
	maxValues = 1 << 28
	// maxInParts bounds what a file that is read in parts may hold: what can be counted.
	maxInParts = math.MaxInt / 16
)

func (o ReadOptions) limit() int {
	if o.parts {
		return maxInParts
	}
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
	return fromFile(path, func(r io.Reader) (*signals.Set, error) { return DecodeSignals(r, path, o) })
}

// ReadFiles reads the files of one study and unites them, as [signals.Unite] does: those
// of the same vertices follow each other in time, and those of different ones, such as one file for
// each sensor, stand beside each other. A single file is read as [ReadSignals] does.
func ReadFiles(paths []string, o ReadOptions) (*signals.Set, error) {
	if len(paths) == 1 {
		return ReadSignals(paths[0], o)
	}
	each := o
	each.Resample, each.Sample, each.SampleEnough = 0, 0, false
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
	if len(o.Labels) > 0 && (!c.isText || o.Transpose || o.Resample > 0) {
		return nil, fault(
			"the column %s can be read from tables of text and workbooks with a row for each observation, neither transposed nor resampled",
			quote(o.Labels[0]))
	}
	if err := c.checkOptions(o); err != nil {
		return nil, err
	}
	if o.Variable != "" && !c.can(HoldsVariables) {
		return nil, fault("a .%s file has no variable %s, for it holds a single table: leave the name out", c.format, quote(o.Variable))
	}
	if c.openBlocks != nil {
		return c.readBlocks(r, o)
	}
	return readContent(c, r, func(content io.Reader) (*signals.Set, error) { return c.decodeSignals(content, o) })
}

// checkOptions refuses options that make no sense for the format.
func (c *codec) checkOptions(o ReadOptions) error {
	isText := c.isText && !c.seeks
	for _, option := range []struct {
		given, ok bool
		what      string
	}{
		{o.Delimiter != "", isText, "has no cells with a delimiter between"},
		{o.Encoding != "", isText, "has no encoding of text to choose"},
		{o.SkipRows != 0, c.isText, "has no rows before its table"},
		{o.Columns != nil, c.isText || c.format == Parquet, "has no columns with names"},
		{o.Sheet != "", c.isText && c.seeks, "has no sheets"},
	} {
		if option.given && !option.ok {
			return fault("a .%s file %s: leave that option out", c.format, option.what)
		}
	}
	if o.SkipRows < 0 {
		return input.Errorf("dataio", "options", "got a negative number, want at least 0")
	}
	return nil
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
// text or not as many as there are vertices, infinite values, and signals without any
// value.
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
	for i := range n {
		if k := slices.IndexFunc(s.Y.RawRowView(i), isInfinite); k >= 0 {
			return fault("entry (%d, %d) is %g", i, k, s.Y.At(i, k))
		}
	}
	if empty := withoutValues(s.Y); len(empty) > 0 {
		return fault("signal %d has no values", empty[0])
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

// DecodeNames sets Names to those in a text: one per line, in the order of the vertices, as
// they stand. file stands for the text in errors. Everything wrong with it is an
// [input.Error].
func (o *ReadOptions) DecodeNames(r io.Reader, file string) (err error) {
	o.Names, err = decodeNames(r)
	return inFile(file, err)
}

func decodeNames(r io.Reader) ([]string, error) {
	names, err := textLines(r, "name", "name every vertex", maxLine)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if err := checkName(name); err != nil {
			return nil, faultAt(i+1, 0, "%s", err)
		}
	}
	return names, distinct(names, func(i int) (string, int, int) { return place(i+1, 0), i + 1, 0 })
}

// vertexNames returns the names of n vertices: the file's own, those given for a file that
// has none, or v0, v1, ….
func (o ReadOptions) vertexNames(own []string, n int) ([]string, error) {
	switch {
	case own != nil && o.Names != nil:
		return nil, fault("the file has names of its own for the vertices: leave out those given besides")
	case own != nil:
		return own, nil
	case o.Names == nil:
		return graph.DefaultNames(n), nil
	case len(o.Names) != n:
		return nil, fault(
			"there are %d given names for %d vertices: check the names, or whether the file has vertices in rows",
			len(o.Names), n)
	}
	return o.Names, nil
}

// maxTimes bounds a file of times, in bytes: some forty million of them.
const maxTimes = 1 << 30

// DecodeTimes sets Times to those in a text: one per line, in the order of the observations,
// written as in a column of a table. They are dates, perhaps with a clock and a zone, or
// numbers: seconds since 1970, or dates such as 20240131. A time without a zone is UTC. file
// stands for the text in errors. Times that go back are an error, and so is everything else
// wrong with it: an [input.Error].
func (o *ReadOptions) DecodeTimes(r io.Reader, file string) (err error) {
	o.Times, err = decodeTimes(r)
	return inFile(file, err)
}

func decodeTimes(r io.Reader) ([]time.Time, error) {
	lines, err := textLines(r, "time", "give the time of every observation", maxTimes)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	times, err := lineTimes(lines)
	if err != nil {
		return nil, err
	}
	for k := 1; k < len(times); k++ {
		if times[k].Before(times[k-1]) {
			return nil, faultAt(k+1, 0, "%s is before %s in the line above: sort the observations by time",
				words.Time(times[k]), words.Time(times[k-1]))
		}
	}
	return times, nil
}

// lineTimes understands lines as times: all numbers, or all dates.
func lineTimes(lines []string) ([]time.Time, error) {
	if missing := slices.IndexFunc(lines, parse.IsMissing); missing >= 0 {
		return nil, faultAt(missing+1, 0, "there is no time here: give the time of every observation, one per line")
	}
	if numbers := lineNumbers(lines); numbers != nil {
		if times, _ := parse.NumbersAsTimes(numbers); times != nil {
			return times, nil
		}
		return nil, fault("the numbers in the file are no times: write dates such as 2024-01-31 13:05, or seconds since 1970")
	}
	times, why := parse.Times(lines)
	switch {
	case times != nil:
		return times, nil
	case why == parse.Ambiguous:
		return nil, fault("day and month of %s cannot be told apart: write dates as 2024-01-31", quote(lines[0]))
	}
	for k, line := range lines {
		if times, why := parse.Times([]string{line}); times == nil && why == parse.NotTimes {
			return nil, faultAt(k+1, 0, "%s is not a time: write it as 2024-01-31 13:05", quote(line))
		}
	}
	return nil, fault("the times are not all written alike: write dates as 2024-01-31")
}

// lineNumbers reads lines as numbers; nil if some are none.
func lineNumbers(lines []string) []float64 {
	numbers := make([]float64, len(lines))
	for k, line := range lines {
		v, kind := parse.Cell(line, false)
		if kind != parse.Number {
			return nil
		}
		numbers[k] = v
	}
	return numbers
}

// observationTimes returns the times of m observations: the file's own, or those given for
// a file that has none; nil if there are none.
func (o ReadOptions) observationTimes(own []time.Time, m int) ([]time.Time, error) {
	switch {
	case o.Times == nil:
		return own, nil
	case own != nil:
		return nil, fault("the file has times of its own for the observations: leave out those given besides")
	case len(o.Times) != m:
		return nil, fault(
			"there are %d given times for %d observations: check the times, or whether the file has vertices in rows",
			len(o.Times), m)
	}
	return o.Times, nil
}

// checkName refuses names that no text file can hold.
func checkName(name string) error {
	switch {
	case name == "":
		return fault("a vertex needs a name")
	case !utf8.ValidString(name) || strings.ContainsRune(name, 0):
		return fault("the vertex name %s is not UTF-8 text", quote(name))
	}
	return nil
}

// checkNames refuses names that cannot be written or are given twice; place is
// where each of them stands.
func checkNames(names []string, place func(i int) string) error {
	for i, name := range names {
		if err := checkName(name); err != nil {
			return fault("%s: %s", place(i), err)
		}
	}
	return distinct(names, func(i int) (string, int, int) { return place(i), 0, 0 })
}
