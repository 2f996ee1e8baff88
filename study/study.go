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
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
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

// writeFolder writes files to a folder, all or none, the one named last after the others.
func writeFolder(dir, last string, gone []string, files map[string][]byte) error {
	return durable.WriteFolder(dir, last, gone, func(dir string) error {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if err := writeFile(dir, name, files[name]); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFile writes a file as a whole.
func writeFile(dir, name string, content []byte) error {
	return dataio.WriteFile(filepath.Join(dir, name), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
