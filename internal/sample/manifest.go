package sample

import (
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/synth"
)

// A Manifest records all that made a sample. It is the manifest.json of nervure
// generate.
type Manifest struct {
	Version string            `json:"version" doc:"version of nervure"`
	Command string            `json:"command" doc:"generate"`
	Seed    uint64            `json:"seed" doc:"random seed"`
	Graph   SampledGraph      `json:"graph" doc:"how the graph was drawn"`
	Kernels []document.Kernel `json:"kernels" doc:"the kernels of the signals"`
	Signals SampledSignals    `json:"signals" doc:"how the signals were drawn"`
	Files   []string          `json:"files" doc:"the files of the sample, starting with the manifest"`
}

// generateCommand is the command of every manifest.
const generateCommand = "generate"

// ownWeights is what a manifest calls the weights that a family has by itself.
const ownWeights = "own"

// newManifest describes a sample, but for the version of nervure and the files.
func newManifest(g synth.GraphSpec, s synth.SignalSpec, drawn *synth.Truth) Manifest {
	return Manifest{
		Command: generateCommand, Seed: g.Seed,
		Graph:   sampledGraph(g, drawn.Graph),
		Kernels: document.NewKernels(drawn.Kernels),
		Signals: SampledSignals{
			Count: s.Count, Sparsity: s.Sparsity, Distinct: s.Distinct, Noise: s.Noise, Entries: drawn.Codes.NonZeros(),
		},
	}
}

// sampledGraph describes a graph that was drawn.
func sampledGraph(g synth.GraphSpec, drawn *graph.Graph) SampledGraph {
	return SampledGraph{
		Family: g.Family, VerticesAsked: g.Vertices, EdgeFactor: g.EdgeFactor,
		Probability: g.Probability, Width: g.Width, Blocks: g.Blocks, Weights: cmp.Or(string(g.Weights), ownWeights),
		Vertices: drawn.Vertices(), Edges: drawn.EdgeCount(),
	}
}

// A SampledGraph says how the graph of a sample was drawn.
type SampledGraph struct {
	Family        synth.Family `json:"family" doc:"family of random graphs: er, rbf, ba, sbm, grid or ring"`
	VerticesAsked int          `json:"vertices_asked" doc:"number of vertices before isolated ones were removed"`
	EdgeFactor    float64      `json:"edge_factor,omitempty" doc:"target number of edges per vertex"`
	Probability   float64      `json:"probability,omitempty" doc:"er: probability of each edge"`
	Width         float64      `json:"width,omitempty" doc:"rbf: width of the Gaussian as a share of the distance beyond which there are no edges"`
	Blocks        int          `json:"blocks,omitempty" doc:"sbm: number of blocks"`
	Weights       string       `json:"weights" doc:"edge weights: own (those of the family), binary or uniform"`
	Vertices      int          `json:"vertices" doc:"number of vertices, N"`
	Edges         int          `json:"edges" doc:"number of edges"`
}

// SampledSignals say how the signals of a sample were drawn.
type SampledSignals struct {
	Count    int     `json:"count" doc:"number of signals, M"`
	Sparsity int     `json:"sparsity" doc:"number of atoms drawn per signal"`
	Distinct bool    `json:"distinct" doc:"whether atoms were drawn without replacement"`
	Noise    float64 `json:"noise" doc:"standard deviation of the noise relative to that of the signals"`
	Entries  int     `json:"code_entries" doc:"number of nonzero entries of the codes"`
}

// A RecordingManifest records all that made a recording of nervure generate: it is the
// manifest.json of a sample that is not of sparse signals.
type RecordingManifest struct {
	Version       string        `json:"version" doc:"version of nervure"`
	Command       string        `json:"command" doc:"generate"`
	Kind          string        `json:"kind" doc:"field, messy, fmri or changing"`
	Seed          uint64        `json:"seed" doc:"random seed"`
	VerticesAsked int           `json:"vertices_asked" doc:"number of vertices before isolated ones were removed"`
	Vertices      int           `json:"vertices" doc:"number of vertices, N"`
	Edges         int           `json:"edges" doc:"number of edges"`
	Observations  int           `json:"observations" doc:"number of observations, M"`
	Graph         *SampledGraph `json:"graph,omitempty" doc:"field: how the graph was drawn"`
	Order         string        `json:"order,omitempty" doc:"field: its order, or heat"`
	Noise         float64       `json:"noise,omitempty" doc:"field: standard deviation of the noise relative to that of each vertex"`
	Mess          string        `json:"mess,omitempty" doc:"messy: all, cycles (no broken sensors) or none"`
	Quantity      string        `json:"quantity,omitempty" doc:"messy: what the sensors measure, and its unit"`
	WeeklyCycle   bool          `json:"weekly_cycle,omitempty" doc:"messy: whether there is a weekly cycle as well as a daily one"`
	Faults        int           `json:"faults,omitempty" doc:"messy: number of broken sensors"`
	ChangeRow     int           `json:"change_row,omitempty" doc:"changing: the first row of signals.csv, counted from 1 without the header, on the graph of truth-after.csv"`
	ChangeTime    string        `json:"change_time,omitempty" doc:"changing: the time of that row"`
	Files         []string      `json:"files" doc:"the files of the sample, starting with the manifest"`
}

// A file is one of a sample's, but for the manifest.
type file struct {
	name  string
	write func(path string) error
}

// namesOf lists files, and the manifest last.
func namesOf(files []file) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	return append(names, ManifestFile)
}

// manifestFirst lists files as a manifest does.
func manifestFirst(files []file) []string {
	names := namesOf(files)
	last := len(names) - 1
	return append(names[last:], names[:last]...)
}

// writeAll writes files and a manifest to a directory, which is made if necessary: all of
// them or none.
func writeAll(dir string, files []file, manifest any) error {
	return durable.WriteFolder(dir, ManifestFile, others(dir, namesOf(files)), func(dir string) error {
		for _, f := range files {
			if err := f.write(filepath.Join(dir, f.name)); err != nil {
				return err
			}
		}
		return dataio.WriteFile(filepath.Join(dir, ManifestFile), func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(manifest)
		})
	})
}

// removable are the files that not every sample has.
var removable = []string{CodesFile, VerticesFile, CleanFile, FaultsFile, TruthAfterFile}

// others lists files that an earlier sample left in the directory, which would be taken
// for those of the new one.
func others(dir string, keep []string) []string {
	var old struct {
		Command string   `json:"command"`
		Files   []string `json:"files"`
	}
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil || json.Unmarshal(text, &old) != nil || old.Command != generateCommand {
		return nil // then it is none of ours
	}
	return slices.DeleteFunc(slices.Clone(removable), func(name string) bool {
		return !slices.Contains(old.Files, name) || slices.Contains(keep, name)
	})
}
