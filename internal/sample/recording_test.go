package sample

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/synth"
)

func written(t *testing.T, r *Recording, err error) (dir string, m RecordingManifest) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	if got, want := filesIn(t, dir), slices.Sorted(slices.Values(r.Files())); !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil || len(m.Files) != len(r.Files()) || m.Files[0] != ManifestFile {
		t.Errorf("manifest %+v, error %v", m, err)
	}
	return dir, m
}

func TestWrittenRecordingsReadBackAsTheyWereDrawn(t *testing.T) {
	messy, err := Messy(simulate.MessySpec{Vertices: 20, Observations: 150, Seed: 3})
	messyDir, m := written(t, messy, err)
	if m.Kind != "messy" || m.Mess != "all" || m.Faults == 0 || m.VerticesAsked != 20 {
		t.Errorf("manifest %+v", m)
	}
	fmri, err := FMRI(simulate.FMRISpec{Vertices: 20, Observations: 30, Seed: 3})
	fmriDir, m := written(t, fmri, err)
	if m.Kind != "fmri" || m.Observations != 30 {
		t.Errorf("manifest %+v", m)
	}
	changing, err := Changing(simulate.ChangingSpec{Vertices: 20, Observations: 30, Seed: 3})
	changingDir, m := written(t, changing, err)
	if m.Kind != "changing" || m.ChangeRow != 16 || m.ChangeTime != "2024-01-01 15:00" {
		t.Errorf("manifest %+v", m)
	}
	for dir, r := range map[string]*Recording{messyDir: messy, fmriDir: fmri, changingDir: changing} {
		set, err := dataio.ReadSignals(filepath.Join(dir, SignalsFile), dataio.ReadOptions{})
		if err != nil || !slices.EqualFunc(set.Times, r.Times, time.Time.Equal) || len(set.Names) != r.Graph.Vertices() {
			t.Errorf("%d times and %d names, error %v", len(set.Times), len(set.Names), err)
		}
		g, err := dataio.ReadGraph(filepath.Join(dir, TruthFile), r.Graph.Names())
		if err != nil || !slices.Equal(g.Edges(), r.Graph.Edges()) {
			t.Errorf("another graph, error %v", err)
		}
	}
}

// The table of faults says where they are in the table of signals.
func TestFaultsAreWrittenAsTheyAre(t *testing.T) {
	spec := simulate.MessySpec{
		Vertices: 20, Observations: 150, Broken: 8,
		Kinds: []simulate.FaultKind{simulate.FaultStuck, simulate.FaultCopy}, Seed: 5,
	}
	drawn, err := simulate.Messy(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Messy(spec)
	dir, _ := written(t, r, err)
	f, err := os.Open(filepath.Join(dir, FaultsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 9 {
		t.Fatalf("%q, %v", rows, err)
	}
	for k, fault := range drawn.Faults {
		row := rows[k+1]
		from, err := time.Parse("2006-01-02 15:04", row[2])
		first, wrong := strconv.Atoi(row[4])
		if err != nil || wrong != nil || !from.Equal(drawn.Times[first-1]) || first != fault.From+1 ||
			row[5] != strconv.Itoa(fault.To) || row[1] != string(fault.Kind) {
			t.Errorf("%q is not %+v", row, fault)
		}
		if copied := row[7] != ""; copied != (fault.Kind == simulate.FaultCopy) {
			t.Errorf("%s: copy of %q", fault.Kind, row[7])
		}
	}
}

func TestWrittenFieldsSayHowTheyWereDrawn(t *testing.T) {
	grid := synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 9, Seed: 2}
	spec := synth.FieldSpec{Count: 20, Order: 2.5, FieldFaults: synth.FieldFaults{Noise: 0.1}, Seed: 2}
	r, err := Field(grid, spec)
	dir, m := written(t, r, err)
	if m.Kind != "field" || m.Order != "2.5" || m.Noise != 0.1 || m.Observations != 20 || m.Graph == nil ||
		m.Graph.Family != synth.FamilyGrid || m.Graph.Edges != r.Graph.EdgeCount() {
		t.Errorf("manifest %+v", m)
	}
	set, err := dataio.ReadSignals(filepath.Join(dir, SignalsFile), dataio.ReadOptions{})
	if err != nil || set.Times != nil {
		t.Fatalf("times %v, error %v", set.Times, err)
	}
	want, err := synth.Field(r.Graph, spec)
	if err != nil || !mat.Equal(set.Y, want.Signals) {
		t.Errorf("the signals are not those of the field, error %v", err)
	}
	if count, g := r.Size(); count != 20 || g.Vertices() != 9 {
		t.Errorf("got %d signals on %d vertices", count, g.Vertices())
	}
	r, err = Field(grid, synth.FieldSpec{Law: synth.DiffusionField, Count: 5})
	if _, m = written(t, r, err); m.Order != "heat" {
		t.Errorf("manifest %+v", m)
	}
	if _, err := Field(grid, synth.FieldSpec{}); err == nil {
		t.Error("a field without signals was drawn")
	}
}
