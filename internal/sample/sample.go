// Package sample puts a random graph and the signals drawn on it into a directory,
// with all that made them, as nervure generate does.
package sample

import (
	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
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
	VerticesFile = "vertices.csv"  // what is known about the vertices, such as their coordinates, if anything is
	ManifestFile = "manifest.json" // a [Manifest] or a [RecordingManifest]
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
func (s *Sample) Files() []string { return namesOf(s.files()) }

// Size returns how many signals there are, and their graph.
func (s *Sample) Size() (int, *graph.Graph) { return s.Signals.Count, s.Truth.Graph }

// Write writes the sample to a directory, which is made if necessary: all files or none,
// as [durable.WriteFolder] does, the manifest last. Files of an earlier sample are replaced,
// and those that this one has none of are removed.
func (s *Sample) Write(dir string) error {
	files := s.files()
	m := newManifest(s.Graph, s.Signals, s.Truth)
	m.Version, m.Files = nervure.Version(), manifestFirst(files)
	return writeAll(dir, files, m)
}

func (s *Sample) files() []file {
	t, names := s.Truth, s.Truth.Graph.Names()
	list := []file{
		{SignalsFile, func(path string) error { return dataio.WriteSignals(path, &signals.Set{Names: names, Y: t.Signals}) }},
		{TruthFile, func(path string) error { return dataio.WriteGraph(path, t.Graph) }},
		{CodesFile, func(path string) error { return dataio.WriteCodes(path, t.Codes) }},
	}
	if t.Coordinates != nil {
		list = append(list, placesFile(names, t.Coordinates))
	}
	return list
}
