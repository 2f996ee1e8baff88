package dataio

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// A Format is a kind of file, named by the extension of its files without the dot.
type Format string

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
	KeepsConfidence // of the edges of a graph
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
// are to be listed.
func Formats(c Capability) []Format {
	var list []Format
	for _, codec := range listed(c) {
		list = append(list, codec.format)
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

// CheckGraphName refuses a file whose extension [WriteGraph] does not know.
func CheckGraphName(path string) error {
	_, err := chooseCodec(path, "", WritesGraphs)
	return err
}

// CheckSignalsName refuses a file whose extension [WriteSignals] does not know.
func CheckSignalsName(path string) error {
	_, err := chooseCodec(path, "", WritesSignals)
	return err
}

// CheckMatrixName refuses a file whose extension [Matrix.Write] does not know.
func CheckMatrixName(path string) error {
	_, err := chooseCodec(path, "", HoldsMatrices)
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

// listed returns the codecs with a capability by their rank. Matrices are arrays
// before they are tables.
func listed(c Capability) []*codec {
	var list []*codec
	for _, codec := range codecs {
		if codec.can(c) {
			list = append(list, codec)
		}
	}
	if c == HoldsMatrices {
		slices.SortStableFunc(list, func(a, b *codec) int { return cmp.Compare(a.matrixRank, b.matrixRank) })
	}
	return list
}
