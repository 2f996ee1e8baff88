package dataio

import (
	"bytes"
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// A Format is a kind of file, named by the extension of its files without the dot.
type Format string

// The formats, in the order in which they are listed.
const (
	// CSV is a table of text with commas between cells. Files that are read may have
	// semicolons or tabs instead, whichever their first lines use; with semicolons,
	// numbers may have a decimal comma. A graph is an edge list: a line for each edge,
	// so that vertices without one are not in it.
	CSV Format = "csv"
	// TSV is [CSV] with tabs between cells.
	TSV Format = "tsv"
	// TXT is a table of text like [CSV] whose cells tabs, runs of blanks, bars, semicolons or commas
	// separate, whichever its first lines use. It is only read, and only as signals.
	TXT Format = "txt"
	// DAT is [TXT] under another name.
	DAT Format = "dat"
	// NodeLink is the JSON that networkx.node_link_graph reads.
	NodeLink Format = "json"
	// GraphML is an XML format of graphs, which most programs for graphs read.
	GraphML Format = "graphml"
	// GEXF is the XML format of Gephi.
	GEXF Format = "gexf"
	// DOT is the format of Graphviz. It is only written.
	DOT Format = "dot"
	// MatrixMarket is a sparse matrix as text: the weights of a graph, with names in
	// comments.
	MatrixMarket Format = "mtx"
	// NPY is an array of NumPy. A graph is its weight matrix W, whose entry (i, j) is
	// the weight of the edge from i to j. Names have no place in it.
	NPY Format = "npy"
	// NPZ is an archive of NumPy arrays. Signals are the only matrix in it, or the one
	// with a usual name ([ReadOptions]); an array called names names the vertices.
	NPZ Format = "npz"
	// MAT is a file of MATLAB, versions 5 to 7. Signals are the only matrix in it, or
	// the one with a usual name ([ReadOptions]); an array called names names the
	// vertices. A graph is its weights W and its normalised Laplacian L, both sparse,
	// and names.
	MAT Format = "mat"
	// XLSX is a workbook of Excel. It is only read, and only as signals: from its only sheet with a table of numbers,
	// or the one that is asked for ([ReadOptions]).
	XLSX Format = "xlsx"
	// XLSM is [XLSX] with macros, which are passed over.
	XLSM Format = "xlsm"
	// Parquet is a table in columns, as pandas writes it. It is only read: columns of
	// numbers are vertices; what pandas keeps the index of a frame in, columns of times
	// and a first column of text say when the rows were observed, or label them.
	Parquet Format = "parquet"
)

// A Capability is something that a format can do or hold.
type Capability int

// The capabilities.
const (
	ReadsSignals Capability = iota
	WritesSignals
	HoldsMatrices // which are read and written
	ReadsGraphs
	WritesGraphs
	ReadsVertexTables

	KeepsNames      // of vertices
	KeepsIsolated   // vertices of a graph that have no edge
	KeepsConfidence // of the edges of a graph, and their evidence (graph.Graph.Evidence)
	KeepsDirection  // reports whether edges have a direction; other formats only show it
	KeepsAttributes // of the vertices of a graph: what is known about them
	HoldsVariables  // so that one of several has to be chosen ([ReadOptions])
	Gzips           // that is, .gz after the name writes a compressed file
)

// A Description says what people and browsers want to know about a format.
type Description struct {
	Name      string // such as "NumPy array"
	Remark    string // what lists add in brackets, if anything, such as "MATLAB, up to v7"
	GraphAs   string // how a graph is written, such as "edge list", unless the name says it
	MediaType string // empty for application/octet-stream
	VariantOf Format // which holds the same in nearly the same way; empty for none
}

// Formats returns the formats that have a capability, in the order in which they
// are to be listed. Matrices are arrays before they are tables.
func Formats(c Capability) []Format {
	var list []Format
	for _, codec := range codecs {
		if codec.can(c) {
			list = append(list, codec.format)
		}
	}
	if c == HoldsMatrices {
		slices.SortStableFunc(list, func(a, b Format) int { return cmp.Compare(codecOf(a).matrixRank, codecOf(b).matrixRank) })
	}
	return list
}

// Can reports whether a format has a capability. One that is not known has none.
func (f Format) Can(c Capability) bool {
	codec := codecOf(f)
	return codec != nil && codec.can(c)
}

// Describe describes a format. One that is not known has the zero Description.
func (f Format) Describe() Description {
	if codec := codecOf(f); codec != nil {
		return codec.Description
	}
	return Description{}
}

// FormatOf returns the format that a file's extension names, and whether a
// further .gz says that it is compressed. An unknown extension gives itself.
func FormatOf(path string) (f Format, gzipped bool) {
	name := strings.ToLower(filepath.Base(path))
	name, gzipped = strings.CutSuffix(name, ".gz")
	return Format(strings.TrimPrefix(filepath.Ext(name), ".")), gzipped
}

// Check refuses a file by its name: one whose extension is that of no format with the
// capability.
func (c Capability) Check(path string) error {
	_, err := chooseCodec(path, "", c)
	return err
}

// chooseCodec returns the codec to use for a file: that of the format asked for
// or, if that is empty, of the extension.
func chooseCodec(path string, asked Format, to Capability) (*codec, error) {
	f := asked
	if f == "" {
		f, _ = FormatOf(path)
	}
	if f.Can(to) {
		return codecOf(f), nil
	}
	var known []string
	for _, k := range Formats(to) {
		known = append(known, "."+string(k))
	}
	what, list := contentOf(to), strings.Join(known, ", ")
	e := fault("%s is not a known format for a %s file: use one of %s", quote(string(f)), what, list)
	if mend := remedy(string(f)); mend != "" && to == ReadsSignals {
		e = fault("a .%s file cannot be read: %s (files of signals are %s)", f, mend, list)
	}
	if f == "" {
		e = fault("the name has no extension to tell the format of a %s file by: use one of %s", what, list)
	}
	e.File = path
	return nil, e
}

// contentOf is what a file holds that is read or written.
func contentOf(c Capability) string {
	switch c {
	case ReadsSignals, WritesSignals:
		return "signals"
	case HoldsMatrices:
		return "matrix"
	case ReadsVertexTables:
		return "vertices"
	}
	return "graph"
}

// codecs is the table of formats, by rank. Each format registers itself from the
// file that implements it; everything that lists, chooses or recognises formats
// reads this table.
var codecs []*codec

// A codec is an entry of the table: a format, what it is, and how it is read and
// written.
type codec struct {
	format Format
	Description
	rank       int          // its place in lists; lower comes first
	matrixRank int          // its place in lists of formats for matrices before rank counts
	has        []Capability // besides those that its functions show
	signature  signature
	holds      string // what is in the first bytes besides its signature, if other files start so as well
	isText     bool   // signals are a table of text, in which a header can be missed
	seeks      bool   // a file is read here and there, from what seekable returns; others are gunzipped before

	// A format can do that for which it has a function.
	decodeSignals  func(io.Reader, ReadOptions) (*signals.Set, error)
	openBlocks     func(io.ReaderAt, int64, ReadOptions) (*blocks, error) // in place of decodeSignals
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
	for what, has := range map[Capability]bool{
		ReadsSignals: c.decodeSignals != nil || c.openBlocks != nil, WritesSignals: c.encodeSignals != nil, HoldsMatrices: c.encodeMatrix != nil,
		ReadsGraphs: c.decodeGraph != nil, WritesGraphs: c.encodeGraph != nil, ReadsVertexTables: c.decodeVertices != nil,
	} {
		if has {
			c.has = append(c.has, what)
		}
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

func (c *codec) can(what Capability) bool { return slices.Contains(c.has, what) }

// recognise answers a binary file that was taken for text.
func recognise(start []byte) error {
	for _, c := range codecs {
		if s := c.signature; s.start != "" && bytes.HasPrefix(start, []byte(s.start)) && bytes.Contains(start, []byte(c.holds)) {
			return &input.Error{Msg: "this is " + s.means + ", not text: " + s.mend, Format: string(c.format)}
		}
	}
	return recogniseForeign(start)
}
