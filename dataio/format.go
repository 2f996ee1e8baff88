package dataio

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Format is a way to write signals, graphs or matrices in a file. It is the
// file's extension without the dot.
type Format string

// The formats. DOT is only written, Parquet only read.
const (
	CSV          Format = "csv"
	TSV          Format = "tsv"
	NPY          Format = "npy"
	NPZ          Format = "npz"
	MAT          Format = "mat"     // of MATLAB, versions 5 to 7
	Parquet      Format = "parquet" // as pandas writes it
	NodeLink     Format = "json"    // as networkx.node_link_graph reads it
	GraphML      Format = "graphml"
	GEXF         Format = "gexf"
	DOT          Format = "dot"
	MatrixMarket Format = "mtx"
)

// What each kind of content can be read from or written to.
var (
	vertexFormats   = []Format{CSV, TSV}
	signalFormatsIn = []Format{CSV, TSV, NPY, NPZ, MAT, Parquet}
	signalFormats   = []Format{CSV, TSV, NPY, NPZ, MAT}
	matrixFormats   = []Format{NPY, NPZ, CSV, TSV, MAT}
	graphFormatsIn  = []Format{CSV, TSV, NodeLink, GraphML, GEXF, MatrixMarket, NPY, MAT}
	graphFormatsOut = []Format{CSV, TSV, NodeLink, GraphML, GEXF, DOT, MatrixMarket, NPY, MAT}
)

// FormatOf returns the format that a file's extension names, and whether a
// further .gz says that it is compressed. An unknown extension gives itself.
func FormatOf(path string) (f Format, gzipped bool) {
	name := strings.ToLower(filepath.Base(path))
	name, gzipped = strings.CutSuffix(name, ".gz")
	return Format(strings.TrimPrefix(filepath.Ext(name), ".")), gzipped
}

// CheckGraphName refuses a file whose extension [WriteGraph] does not know.
func CheckGraphName(path string) error {
	_, err := choose(path, "", graphFormatsOut, "graph")
	return err
}

// CheckMatrixName refuses a file whose extension [WriteMatrix] does not know.
func CheckMatrixName(path string) error {
	_, err := choose(path, "", matrixFormats, "matrix")
	return err
}

// choose returns the format to use for a file: the one asked for or, if that is
// empty, the one of the extension. what is "signals", "graph", …
func choose(path string, asked Format, known []Format, what string) (Format, error) {
	f := asked
	if f == "" {
		f, _ = FormatOf(path)
	}
	if slices.Contains(known, f) {
		return f, nil
	}
	var list strings.Builder
	for i, k := range known {
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString("." + string(k))
	}
	e := fault("%s is not a known format for a %s file: use one of %s", quote(string(f)), what, list.String())
	if f == "" {
		e = fault("the name has no extension to tell the format of a %s file by: use one of %s", what, list.String())
	}
	e.File = path
	return "", e
}
