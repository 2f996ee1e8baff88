package cli

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// samplePrefix begins the name of an example that comes with the program, in the
// place of a file.
const samplePrefix = "sample:"

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

func readSampleSignals(path string, o dataio.ReadOptions) (*signals.Set, error) {
	f, err := openSample(path, examples.Signals)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	o.Format = dataio.CSV
	return dataio.DecodeSignals(f, path, o)
}

// readGraph reads a graph on the named vertices from a file, or the truth of an
// example.
func readGraph(path string, names []string) (*graph.Graph, error) {
	if !isSample(path) {
		return dataio.ReadGraph(path, names)
	}
	f, err := openSample(path, examples.Truth)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return dataio.DecodeGraph(f, path, dataio.CSV, names)
}

// readGraphFile reads a graph and what its file says about vertices, or the truth
// of an example.
func readGraphFile(path string) (*dataio.GraphFile, error) {
	if !isSample(path) {
		return dataio.ReadGraphFile(path)
	}
	f, err := openSample(path, examples.Truth)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return dataio.DecodeGraphFile(f, path, dataio.CSV)
}
