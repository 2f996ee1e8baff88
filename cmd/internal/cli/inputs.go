package cli

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// samplePrefix begins the name of an example that comes with the program, in the
// place of a file.
const samplePrefix = "sample:"

// standardInput is what "-" is called in sentences.
const standardInput = "standard input"

// inputName is a file in a sentence.
func inputName(path string) string {
	if path == "-" {
		return standardInput
	}
	return path
}

// isSample says whether a path names an example.
func isSample(path string) bool { return strings.HasPrefix(path, samplePrefix) }

// openSample opens a file of the example that a path names.
func openSample(path, file string) (fs.File, error) {
	f, err := examples.Open(strings.TrimPrefix(path, samplePrefix), file)
	if err != nil {
		return nil, &input.Error{File: path, Msg: fmt.Sprintf("unknown sample; want %s", either(sampleNames()))}
	}
	return f, nil
}

func sampleNames() []string {
	var names []string
	for _, name := range examples.Names() {
		names = append(names, samplePrefix+name)
	}
	return names
}

// readFrom decodes a file by its extension, or a file of the example that a path
// names.
func readFrom[T any](path, ofSample string, decode func(io.Reader, dataio.Format) (T, error)) (T, error) {
	var f fs.File
	var format dataio.Format
	var err error
	if isSample(path) {
		format = dataio.CSV
		f, err = openSample(path, ofSample)
	} else {
		f, err = dataio.Open(path)
	}
	if err != nil {
		var none T
		return none, err
	}
	defer f.Close()
	return decode(f, format)
}

// readSignals reads signals from a file, or those of an example.
func readSignals(path string, o dataio.ReadOptions) (*signals.Set, error) {
	return readFrom(path, examples.Signals, func(r io.Reader, f dataio.Format) (*signals.Set, error) {
		o.Format = cmp.Or(f, o.Format)
		return dataio.DecodeSignals(r, path, o)
	})
}

// readGraph reads a graph on the named vertices from a file, or the truth of an
// example.
func readGraph(path string, names []string) (*graph.Graph, error) {
	return readFrom(path, examples.Truth, func(r io.Reader, f dataio.Format) (*graph.Graph, error) {
		return dataio.DecodeGraph(r, path, f, names)
	})
}

// readGraphInputOn is readGraph where "-" stands for standard input.
func readGraphInputOn(stdin io.Reader, path string, names []string) (*graph.Graph, error) {
	if path == "-" {
		return dataio.DecodeGraph(stdin, standardInput, dataio.CSV, names)
	}
	return readGraph(path, names)
}

// readGraphFile reads a graph and what its file says about vertices, or the truth
// of an example.
func readGraphFile(path string) (*dataio.GraphFile, error) {
	return readFrom(path, examples.Truth, func(r io.Reader, f dataio.Format) (*dataio.GraphFile, error) {
		return dataio.DecodeGraphFile(r, path, f)
	})
}

// readGraphInput is readGraphFile where "-" stands for standard input.
func readGraphInput(stdin io.Reader, path string) (*dataio.GraphFile, error) {
	if path == "-" {
		return dataio.DecodeGraphFile(stdin, standardInput, dataio.CSV)
	}
	return readGraphFile(path)
}

// addDirected adds the flag that makes arrows of the edges of an edge list.
func addDirected(s *pflag.FlagSet, directed *bool) {
	s.BoolVar(directed, "directed", false, "edges of an edge list are arrows from source to target")
}

// readGraphAs is readGraphInput, with arrows if they are asked for.
func readGraphAs(stdin io.Reader, path string, directed bool) (*dataio.GraphFile, error) {
	file, err := readGraphInput(stdin, path)
	if err != nil || !directed {
		return file, err
	}
	return file.AsDirected()
}

// noteGraph says what the reader of a graph took its file to mean.
func noteGraph(c console, path string, file *dataio.GraphFile) {
	for _, words := range file.Notes {
		fmt.Fprintln(c.err, wrapped("note: "+inputName(path)+": "+words))
	}
}

// readVertices reads what a table, or an example, knows about the named vertices,
// and counts those it does not know.
func readVertices(path string, names []string) (of *dataio.VertexTable, missing int, err error) {
	table, err := readFrom(path, examples.Vertices, func(r io.Reader, f dataio.Format) (*dataio.VertexTable, error) {
		return dataio.DecodeVertices(r, path, f)
	})
	if err != nil {
		return nil, 0, err
	}
	return table.For(names)
}
