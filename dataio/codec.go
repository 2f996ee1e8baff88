package dataio

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// codecs is the table of formats, by rank. Each format registers itself from the
// file that implements it; everything that lists, chooses or recognises formats
// reads this table.
var codecs []*codec

// A codec is an entry of the table: a format, what it is, and how it is read and
// written.
type codec struct {
	format Format
	Description
	rank       int // its place in lists; lower comes first
	matrixRank int // its place in lists of formats for matrices before rank counts
	has        []Capability
	signature  signature
	isText     bool // signals are a table of text, in which a header can be missed
	seeks      bool // a file is read here and there, from what seekable returns; others are gunzipped before

	// A format can do that for which it has a function.
	decodeSignals  func(io.Reader, ReadOptions) (*signals.Set, error)
	openBlocks     func(io.ReaderAt, int64, ReadOptions) (*blocks, error) // for files that decodeSignals reads
	encodeSignals  func(io.Writer, *signals.Set) error                    // which have names and would read back
	encodeMatrix   func(io.Writer, Matrix) error                          // read by decodeSignals
	decodeGraph    func(io.Reader) (*parsedGraph, error)
	encodeGraph    func(io.Writer, GraphFile) error
	decodeVertices func(io.Reader) (*VertexTable, error)
}

// A signature is how files of a binary format start, so that one under a wrong
// name is recognised.
type signature struct {
	start string
	means string // what the file is, such as "a NumPy array"
	mend  string // what to do about it
}

// register adds a format to the table. It returns something so that a declaration
// can call it.
func register(c codec) *codec { //nolint:unparam // see above
	if codecOf(c.format) != nil {
		panic("dataio: two formats are called " + string(c.format))
	}
	codecs = append(codecs, &c)
	slices.SortFunc(codecs, func(a, b *codec) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.format, b.format)) })
	return &c
}

// codecOf returns the codec of a format, or nil if it is not known.
func codecOf(f Format) *codec {
	if k := slices.IndexFunc(codecs, func(c *codec) bool { return c.format == f }); k >= 0 {
		return codecs[k]
	}
	return nil
}

func (c *codec) can(what Capability) bool {
	switch what {
	case ReadsSignals:
		return c.decodeSignals != nil
	case WritesSignals:
		return c.encodeSignals != nil
	case HoldsMatrices:
		return c.encodeMatrix != nil
	case ReadsGraphs:
		return c.decodeGraph != nil
	case WritesGraphs:
		return c.encodeGraph != nil
	case ReadsVertexTables:
		return c.decodeVertices != nil
	}
	return slices.Contains(c.has, what)
}

// readContent calls read with what the functions of a codec read: r, without its
// compression unless the codec sees to that. Compressed data is then read to its end,
// where its checksum is compared; if that is wrong, so may be what read says. After an
// error the end is looked for only nearby: a long stream need not come to it before a
// mistake in its first line is answered.
func readContent[T any](c *codec, r io.Reader, read func(io.Reader) (T, error)) (value T, err error) {
	if c.seeks {
		return read(r)
	}
	content, compressed, err := gunzipped(r)
	if err != nil {
		return value, err
	}
	value, err = read(content)
	if !compressed {
		return value, err
	}
	var rest io.Reader = content
	if err != nil {
		rest = io.LimitReader(content, afterError)
	}
	if _, wrong := io.Copy(io.Discard, rest); wrong != nil && (err == nil || damaged(wrong)) {
		err = wrong
	}
	return value, err
}

// afterError is how many bytes of compressed data are looked at for damage after an error.
const afterError = 4 << 20

// recognise answers a binary file that was taken for text.
func recognise(start []byte) error {
	for _, c := range codecs {
		if s := c.signature; s.start != "" && bytes.HasPrefix(start, []byte(s.start)) {
			return &input.Error{Msg: "this is " + s.means + ", not text: " + s.mend, Format: string(c.format)}
		}
	}
	return nil
}
