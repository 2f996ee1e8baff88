package sample

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// drawn has coordinates if the family is rbf, and none if it is er.
func drawn(t *testing.T, family synth.Family) *Sample {
	t.Helper()
	s, err := Generate(synth.GraphSpec{Family: family, Vertices: 12, Seed: 3}, kernel.Paper(),
		synth.SignalSpec{Count: 7, Sparsity: 2, Noise: 0.1, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWrittenSamplesReadBackAsTheyWereDrawn(t *testing.T) {
	for _, family := range []synth.Family{synth.FamilyER, synth.FamilyRBF} {
		s, dir := drawn(t, family), filepath.Join(t.TempDir(), "new", "sample")
		if err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		if got, want := filesIn(t, dir), slices.Sorted(slices.Values(s.Files())); !slices.Equal(got, want) {
			t.Errorf("%s: files %q, want %q", family, got, want)
		}
		path := func(name string) string { return filepath.Join(dir, name) }
		set, err := dataio.ReadSignals(path(SignalsFile), dataio.ReadOptions{})
		if err != nil || !mat.Equal(set.Y, s.Truth.Signals) {
			t.Errorf("%s: other signals, error %v", family, err)
		}
		g, err := dataio.ReadGraph(path(TruthFile), s.Truth.Graph.Names())
		if err != nil || !slices.Equal(g.Edges(), s.Truth.Graph.Edges()) {
			t.Errorf("%s: another graph, error %v", family, err)
		}
		codes, err := dataio.ReadMatrix(path(CodesFile))
		if err != nil || !mat.Equal(codes, s.Truth.Codes.Dense()) {
			t.Errorf("%s: other codes, error %v", family, err)
		}
		text, err := os.ReadFile(path(ManifestFile))
		if err != nil {
			t.Fatal(err)
		}
		var m Manifest
		if err := json.Unmarshal(text, &m); err != nil || m.Graph.Family != family || m.Seed != 3 || m.Signals.Count != 7 ||
			len(m.Files) != len(s.Files()) {
			t.Errorf("%s: manifest %+v, error %v", family, m, err)
		}
	}
}

// Places in the directory go with the sample they came with, and not with another's.
func TestOnlyPlacesOfAnEarlierSampleAreRemoved(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, VerticesFile)
	if err := os.WriteFile(own, []byte("name\na\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	without, with := drawn(t, synth.FamilyER), drawn(t, synth.FamilyRBF)
	for _, step := range []struct {
		name   string
		sample *Sample
		places bool
	}{{"beside a file of the user's", without, true}, {"with places", with, true}, {"without", without, false}} {
		if err := step.sample.Write(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(own); (err == nil) != step.places {
			t.Errorf("%s: %v, want places: %t", step.name, err, step.places)
		}
	}
}

func TestASampleHasOneSeed(t *testing.T) {
	_, err := Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 12, Seed: 3}, kernel.Paper(), synth.SignalSpec{Count: 7, Sparsity: 2})
	if e := input.Find(err); e == nil || e.Field != "seed" {
		t.Errorf("got %v", err)
	}
}

func TestEveryKeyOfAManifestIsDescribed(t *testing.T) {
	for _, k := range append(checks.Keys[Manifest, document.Run](), checks.Keys[RecordingManifest, document.Run]()...) {
		if k.Meaning == "" {
			t.Errorf("the key %q is not described", k.Path)
		}
	}
}
