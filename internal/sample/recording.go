package sample

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// Kind is a kind of signals.
type Kind string

// The kinds.
const (
	KindSparse   Kind = "sparse"   // sums of few patterns: a [Sample]
	KindMessy    Kind = "messy"    // [Messy]
	KindFMRI     Kind = "fmri"     // [FMRI]
	KindChanging Kind = "changing" // [Changing]
	KindField    Kind = "field"    // [Field]
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{KindSparse, KindField, KindMessy, KindFMRI, KindChanging} }

// The files that only recordings have.
const (
	CleanFile      = "clean.csv"       // messy: the field alone, one observation per row
	FaultsFile     = "faults.csv"      // messy: what is wrong with which sensor, and when
	TruthAfterFile = "truth-after.csv" // changing: the graph after the change; TruthFile has the one before
)

// A Recording is signals in the order of time, with times in the first column of
// [SignalsFile], and what is known about them; or a field, without times. Its manifest is a
// [RecordingManifest].
type Recording struct {
	Graph    *graph.Graph
	Times    []time.Time // nil if there are none
	manifest RecordingManifest
	list     []file
}

// Messy draws a recording of sensors, as [simulate.Messy] does.
func Messy(spec simulate.MessySpec) (*Recording, error) {
	drawn, err := simulate.Messy(spec)
	if err != nil {
		return nil, err
	}
	r := newRecording(KindMessy, spec.Seed, drawn.Spec.Vertices, drawn.Graph, drawn.Times, drawn.Signals)
	r.manifest.Mess, r.manifest.Quantity, r.manifest.WeeklyCycle = string(drawn.Spec.Mess), drawn.Quantity, drawn.Weekly
	r.manifest.Faults = len(drawn.Faults)
	names := drawn.Graph.Names()
	r.list = append(
		r.list,
		signalsFile(CleanFile, names, drawn.Times, drawn.Clean),
		placesFile(names, drawn.Coordinates),
		file{FaultsFile, func(path string) error {
			return dataio.WriteFile(path, func(w io.Writer) error { return encodeFaults(w, drawn) })
		}},
	)
	return r, nil
}

// FMRI draws a recording that looks like functional magnetic resonance imaging, as
// [simulate.FMRI] does.
func FMRI(spec simulate.FMRISpec) (*Recording, error) {
	drawn, err := simulate.FMRI(spec)
	if err != nil {
		return nil, err
	}
	r := newRecording(KindFMRI, spec.Seed, drawn.Spec.Vertices, drawn.Graph, drawn.Times, drawn.Signals)
	modules := dataio.VertexColumn{Name: "module"}
	for _, b := range drawn.Blocks {
		modules.Text = append(modules.Text, strconv.Itoa(b))
	}
	table := &dataio.VertexTable{Names: drawn.Graph.Names(), Columns: []dataio.VertexColumn{modules}}
	r.list = append(r.list, file{VerticesFile, func(path string) error { return dataio.WriteFile(path, table.Encode) }})
	return r, nil
}

// Changing draws a recording whose graph changes at one moment, as [simulate.Changing]
// does.
func Changing(spec simulate.ChangingSpec) (*Recording, error) {
	drawn, err := simulate.Changing(spec)
	if err != nil {
		return nil, err
	}
	r := newRecording(KindChanging, spec.Seed, drawn.Spec.Vertices, drawn.Before, drawn.Times, drawn.Signals)
	r.manifest.ChangeRow, r.manifest.ChangeTime = drawn.Spec.Moment+1, words.Time(drawn.Times[drawn.Spec.Moment])
	r.list = append(
		r.list,
		file{TruthAfterFile, func(path string) error { return dataio.WriteGraph(path, drawn.After) }},
		placesFile(drawn.Before.Names(), drawn.Coordinates),
	)
	return r, nil
}

// Field draws a Gaussian field of some order, or one that has diffused, on a random graph, as
// [synth.Field] does.
func Field(g synth.GraphSpec, spec synth.FieldSpec) (*Recording, error) {
	g, err := g.Resolve()
	if err != nil {
		return nil, err
	}
	drawn, err := synth.Graph(g)
	if err != nil {
		return nil, err
	}
	field, err := synth.Field(drawn.Graph, spec)
	if err != nil {
		return nil, err
	}
	r := newRecording(KindField, spec.Seed, g.Vertices, drawn.Graph, nil, field.Signals)
	graph := sampledGraph(g, drawn.Graph)
	r.manifest.Graph, r.manifest.Order, r.manifest.Noise = &graph, "heat", spec.Noise
	if spec.Law != synth.DiffusionField {
		r.manifest.Order = strconv.FormatFloat(spec.Order, 'g', -1, 64)
	}
	if drawn.Coordinates != nil {
		r.list = append(r.list, placesFile(drawn.Graph.Names(), drawn.Coordinates))
	}
	return r, nil
}

// newRecording returns what all recordings have.
func newRecording(kind Kind, seed uint64, asked int, g *graph.Graph, times []time.Time, y *mat.Dense) *Recording {
	_, observations := y.Dims()
	return &Recording{
		Graph: g, Times: times,
		manifest: RecordingManifest{
			Version: nervure.Version(), Command: generateCommand, Kind: string(kind), Seed: seed,
			VerticesAsked: asked, Vertices: g.Vertices(), Edges: g.EdgeCount(), Observations: observations,
		},
		list: []file{
			signalsFile(SignalsFile, g.Names(), times, y),
			{TruthFile, func(path string) error { return dataio.WriteGraph(path, g) }},
		},
	}
}

func signalsFile(name string, names []string, times []time.Time, y *mat.Dense) file {
	return file{name, func(path string) error {
		return dataio.WriteSignals(path, &signals.Set{Names: names, Times: times, Y: y})
	}}
}

// Files lists the files of the recording, the manifest last.
func (r *Recording) Files() []string { return namesOf(r.list) }

// Size returns how many observations there are, and the graph.
func (r *Recording) Size() (int, *graph.Graph) { return r.manifest.Observations, r.Graph }

// Write writes the recording to a directory as [Sample.Write] does.
func (r *Recording) Write(dir string) error {
	m := r.manifest
	m.Files = manifestFirst(r.list)
	return writeAll(dir, r.list, m)
}

func placesFile(names []string, places [][2]float64) file {
	return file{VerticesFile, func(path string) error {
		return dataio.WriteFile(path, dataio.VertexTable{Names: names}.WithPlaces(places).Encode)
	}}
}

// encodeFaults writes faults as CSV. Rows are counted from 1 without the header, and
// both ends of a fault are part of it.
func encodeFaults(w io.Writer, r *simulate.Recording) error {
	rows := [][]string{{"sensor", "kind", "from", "to", "first_row", "last_row", "entries", "copy_of"}}
	names := r.Graph.Names()
	for _, f := range r.Faults {
		source := ""
		if f.Source != f.Vertex {
			source = names[f.Source]
		}
		rows = append(rows, []string{
			names[f.Vertex], string(f.Kind), words.Time(r.Times[f.From]), words.Time(r.Times[f.To-1]),
			strconv.Itoa(f.From + 1), strconv.Itoa(f.To), strconv.Itoa(f.Entries), source,
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
