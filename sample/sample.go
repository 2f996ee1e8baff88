// Package sample puts a random graph and the signals drawn on it into a directory,
// with all that made them, as nervure generate does.
package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// The files of a sample.
const (
	SignalsFile  = "signals.csv"   // one per row
	TruthFile    = "truth.csv"     // the graph
	CodesFile    = "codes.npy"     // a row for each atom, a column for each signal
	VerticesFile = "vertices.csv"  // their coordinates, if the family has any
	ManifestFile = "manifest.json" // a [document.Manifest]
)

// A Sample is what was drawn, and how.
type Sample struct {
	Graph   synth.GraphSpec // as resolved
	Signals synth.SignalSpec
	Truth   *synth.Truth
}

// Generate draws a graph and signals on it, as [synth.Generate] does. Both have the
// same seed, or it is an [*input.Error]: the manifest has one.
func Generate(g synth.GraphSpec, kernels []kernel.Kernel, s synth.SignalSpec) (*Sample, error) {
	if g.Seed != s.Seed {
		return nil, input.Errorf("sample", "seed", "got %d for the graph and %d for the signals, want the same", g.Seed, s.Seed)
	}
	g, err := g.Resolve()
	if err != nil {
		return nil, err
	}
	truth, err := synth.Generate(g, kernels, s)
	if err != nil {
		return nil, err
	}
	return &Sample{g, s, truth}, nil
}

// Files lists the files of the sample, the manifest last.
func (s *Sample) Files() []string {
	var names []string
	for _, f := range s.files() {
		names = append(names, f.name)
	}
	return append(names, ManifestFile)
}

// Write writes the sample to a directory, which is made if necessary. Every file is
// written whole or not at all, the manifest last: where it is new, all are. Files of
// an earlier sample are replaced, and places that this one has none of are removed.
func (s *Sample) Write(dir string) error {
	if err := dataio.MakeDirectory(dir); err != nil {
		return err
	}
	if s.Truth.Coordinates == nil {
		if err := removePlaces(dir); err != nil {
			return err
		}
	}
	for _, f := range s.files() {
		if err := f.write(filepath.Join(dir, f.name)); err != nil {
			return err
		}
	}
	return dataio.WriteFile(filepath.Join(dir, ManifestFile), s.writeManifest)
}

// A file is one of a sample's, but for the manifest.
type file struct {
	name  string
	write func(path string) error
}

func (s *Sample) files() []file {
	t, names := s.Truth, s.Truth.Graph.Names()
	list := []file{
		{SignalsFile, func(path string) error { return dataio.WriteSignals(path, &signals.Set{Names: names, Y: t.Signals}) }},
		{TruthFile, func(path string) error { return dataio.WriteGraph(path, t.Graph) }},
		{CodesFile, func(path string) error { return dataio.WriteMatrix(path, t.Codes.Dense()) }},
	}
	if t.Coordinates != nil {
		list = append(list, file{VerticesFile, func(path string) error {
			return dataio.WriteFile(path, dataio.PlacesTable(names, t.Coordinates).Encode)
		}})
	}
	return list
}

func (s *Sample) writeManifest(w io.Writer) error {
	m := document.NewManifest(s.Graph, s.Signals, s.Truth)
	m.Version, m.Files = nervure.Version(), []string{ManifestFile}
	for _, f := range s.files() {
		m.Files = append(m.Files, f.name)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(m)
}

// removePlaces removes the places that an earlier sample left in the directory,
// which would be taken for those of the new one.
func removePlaces(dir string) error {
	var old document.Manifest
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil || json.Unmarshal(text, &old) != nil || old.Command != document.GenerateCommand || !slices.Contains(old.Files, VerticesFile) {
		return nil //nolint:nilerr // then it is none of ours
	}
	path := filepath.Join(dir, VerticesFile)
	err = os.Remove(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	reason := err
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		reason = e.Err // without the call and the path
	}
	return &input.Error{File: path, Msg: fmt.Sprintf("the %s of an earlier sample cannot be removed: %v", VerticesFile, reason), Err: err}
}
