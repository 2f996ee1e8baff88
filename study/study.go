// Package study learns many graphs: one for each recording of a study, or one for each
// window of a long series.
//
// A [Batch] learns the graphs of files, such as those of the subjects of a study, and writes
// a folder of graphs, summaries and an index, with a comparison of the graphs. A batch that
// was stopped in any way, at any moment, goes on when it is run again. The work can be done
// in this process or on other machines.
//
// [LearnWindows] learns how the graph behind a long series changes: a graph for each window
// of time, with a prior between windows that keeps edges from coming and going by chance.
// The method is chosen, and the signals are prepared, once for the whole series, so that
// windows can be compared. Each window is then learned from by itself, and what all of them
// say about a pair of vertices is put together. Graphs learned from windows by themselves
// change in many of their edges from one window to the next even if nothing has changed;
// with the prior hardly any do, and the edges of each window are closer to the truth,
// because all windows speak for them. docs/windows.md has measurements.
package study

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
)

// refuseOverwriting returns an error if one of the files would be overwritten by an output
// in dir.
func refuseOverwriting(dir string, outputs, files []string) error {
	written := map[string]bool{}
	for _, name := range outputs {
		written[durable.Place(filepath.Join(dir, name))] = true
	}
	for _, file := range files {
		if written[durable.Place(file)] {
			return &input.Error{File: file, Msg: fmt.Sprintf("an output in %s would overwrite this file: choose another directory", dir)}
		}
	}
	return nil
}

// A folder is files that are to be written, by name; the first fault is kept.
type folder struct {
	files map[string][]byte
	err   error
}

func newFolder() *folder { return &folder{files: map[string][]byte{}} }

// add adds what an encoder writes.
func (f *folder) add(name string, encode func(io.Writer) error) {
	if f.err == nil {
		f.files[name], f.err = encoded(encode)
	}
}

func (f *folder) graph(name string, g *graph.Graph) { f.add(name+".csv", edgeList(g)) }

func (f *folder) document(name string, v any) {
	f.add(name, func(w io.Writer) error { return document.Write(w, v) })
}

func (f *folder) table(name string, rows [][]string) {
	f.add(name, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// attempt adds what the rest can do without, or returns why it is missing: a panic costs it alone.
func (f *folder) attempt(dir, name string, encode func(io.Writer) error) error {
	return guard.Run("writing "+filepath.Join(dir, name), func() error {
		content, err := encoded(encode)
		if err == nil {
			f.files[name] = content
		}
		return err
	})
}

// names are those of the files, in order.
func (f *folder) names() []string { return slices.Sorted(maps.Keys(f.files)) }

// writeInto writes the files to a directory, one after another.
func (f *folder) writeInto(dir string) error {
	for _, name := range f.names() {
		if err := durable.WriteBytes(filepath.Join(dir, name), f.files[name]); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files to a directory, all or none, the one named last after the others, and removes what is gone.
func (f *folder) write(dir, last string, gone []string) error {
	return durable.WriteFolder(dir, last, gone, f.writeInto)
}

// encoded returns what an encoder writes.
func encoded(encode func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := encode(&b)
	return b.Bytes(), err
}

// edgeList encodes a graph.
func edgeList(g *graph.Graph) func(io.Writer) error {
	return func(w io.Writer) error { return dataio.EncodeGraph(w, dataio.CSV, g) }
}

// remove removes a file of an earlier run, if it is there.
func remove(dir, name string) error {
	path := filepath.Join(dir, name)
	if err := durable.Remove(path); err != nil {
		return durable.Unusable(path, err)
	}
	return nil
}
