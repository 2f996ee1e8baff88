package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

// generateFlags are the flags of generate as they were typed.
type generateFlags struct {
	graph       *choice
	vertices    count
	edgeFactor  *number
	probability *number
	weights     *choice

	kernels  kernelFlags
	signals  count
	sparsity count
	noise    *number
	distinct bool

	seed uint64
	out  string
}

// ownWeights is how the command line calls the weights a family has by itself.
const ownWeights = "own"

// placesFile is the file of a sample that some families have none of.
const placesFile = "vertices.csv"

func newGenerate(c console) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "generate --graph FAMILY --vertices N --out DIR [flags]",
		Short: "Generate a random graph and signals on it",
		Long: `Generate a random graph and signals that are sparse on it, and write them to a
directory:
  signals.csv    the signals, one per row
  truth.csv      the graph
  codes.npy      the atoms of each signal, with their coefficients
  vertices.csv   the coordinates of the vertices, if the graph has any
  manifest.json  all settings
Vertices without an edge are removed. The same seed gives the same files. Files
of an earlier sample in the directory are replaced.`,
		Example: `  nervure generate --graph er --vertices 20 --out sample
  nervure generate --graph rbf --vertices 50 --signals 500 --noise 0.05 \
    --seed 7 --out noisy`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.resolve()
			if err != nil {
				return err
			}
			return s.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *generateFlags) define(cmd *cobra.Command) {
	f.graph = newChoice("", synth.Families()...)
	f.vertices, f.signals, f.sparsity = count{least: 2, most: maxVertices}, count{value: 200, least: 1, most: maxEntries}, count{value: 4, least: 1, most: maxEntries}
	f.edgeFactor, f.noise = positive(), notNegative()
	f.probability = &number{want: "a number greater than 0 and at most 1", ok: func(v float64) bool { return v > 0 && v <= 1 }}
	f.weights = newChoice(ownWeights, ownWeights, string(synth.BinaryWeights), string(synth.UniformWeights))

	addFlags(cmd, "Graph", func(s *pflag.FlagSet) {
		s.Var(f.graph, "graph", "graph `FAMILY`: er (Erdős–Rényi), rbf (random points with Gaussian weights), ba (Barabási–Albert), sbm (stochastic block model), grid or ring")
		s.Var(&f.vertices, "vertices", "number of vertices, before isolated ones are removed")
		s.Var(f.edgeFactor, "edge-factor", "target number of edges per vertex (default 3, or the most the family allows)")
		s.Var(f.probability, "probability", "probability of each edge of an er graph, instead of --edge-factor")
		s.Var(f.weights, "weights", "edge weights: own (those of the family), binary or uniform")
	})
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		f.kernels.define(s)
		s.Var(&f.signals, "signals", "number of signals")
		s.Var(&f.sparsity, "sparsity", "number of atoms drawn per signal")
		s.BoolVar(&f.distinct, "distinct", false, "draw atoms without replacement")
		s.Var(f.noise, "noise", "standard deviation of the noise relative to that of the signals (default 0)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S`")
		s.StringVar(&f.out, "out", "", "write to directory `DIR`, which is created if necessary")
	})
	f.kernels.complete(cmd)
	mustComplete(cmd, "out", directories)
}

// A sampling is a generate command with its flags understood.
type sampling struct {
	graph   synth.GraphSpec
	kernels []kernel.Kernel
	signals synth.SignalSpec
	out     string
}

func (f *generateFlags) resolve() (*sampling, error) {
	switch {
	case f.graph.value == "":
		return nil, misuse("--graph is missing: give %s", either(f.graph.allowed))
	case !f.vertices.given:
		return nil, misuse("--vertices is missing: give the number of vertices")
	case f.out == "":
		return nil, misuse("--out is missing: give the directory to write to")
	case f.probability.given && f.edgeFactor.given:
		return nil, misuse("--probability and --edge-factor cannot be used together")
	case f.probability.given && f.graph.value != string(synth.FamilyER):
		return nil, misuse("--probability applies only to --graph er")
	case f.edgeFactor.given && f.graph.value == string(synth.FamilyGrid):
		return nil, misuse("--edge-factor does not apply to --graph grid, whose edges are fixed")
	}
	kernels, err := f.kernels.kernels()
	if err != nil {
		return nil, err
	}
	s := &sampling{
		graph: synth.GraphSpec{
			Family: synth.Family(f.graph.value), Vertices: f.vertices.value, EdgeFactor: f.edgeFactor.value,
			Probability: f.probability.value, Seed: f.seed,
		},
		kernels: kernels,
		signals: synth.SignalSpec{
			Count: f.signals.value, Sparsity: f.sparsity.value, Distinct: f.distinct, Noise: f.noise.value, Seed: f.seed,
		},
		out: f.out,
	}
	if f.weights.value != ownWeights {
		s.graph.Weights = synth.Weighting(f.weights.value)
	}
	if s.graph, err = s.graph.Resolve(); err != nil {
		return nil, inFlags(err)
	}
	return s, s.checkSize()
}

// What a sample may hold, so that a slip of the finger does not use up the
// memory: every pair of vertices is looked at, edges are listed and codes are
// written with their zeros.
const (
	maxVertices = 20_000
	maxEdges    = 10_000_000
	maxEntries  = 1 << 26
)

func (s *sampling) checkSize() error {
	if edges := s.graph.EdgeFactor * float64(s.graph.Vertices); edges > maxEdges {
		return misuse("the graph would have about %.2g edges, more than the maximum of %d: use fewer vertices or edges", edges, maxEdges)
	}
	entries := max(s.graph.Vertices*len(s.kernels), s.signals.Sparsity) * s.signals.Count
	if entries > maxEntries {
		return misuse("the codes would have %d entries, more than the maximum of %d: use fewer signals, vertices or atoms", entries, maxEntries)
	}
	return nil
}

// synthFlags are the flags by which a user sets what synth calls otherwise.
var synthFlags = map[input.Field]string{
	"vertices": "--vertices", "edge factor": "--edge-factor", "probability": "--probability",
	"count": "--signals", "sparsity": "--sparsity", "noise": "--noise",
}

// inFlags words an error of synth: what the flags ask for cannot be drawn.
func inFlags(err error) error {
	var faults []string
	for _, e := range input.All(err) {
		place := cmp.Or(synthFlags[e.Field], string(e.Field))
		faults = append(faults, (&input.Error{Op: place, Msg: e.Msg}).Error())
	}
	if faults == nil {
		return err
	}
	return misuse("%s", strings.Join(faults, "; "))
}

func (s *sampling) do(ctx context.Context, c console) error {
	truth, err := await(ctx, func() (*synth.Truth, error) { return synth.Generate(s.graph, s.kernels, s.signals) })
	if isA[*interruption](err) {
		return err
	}
	if err != nil {
		return inFlags(err)
	}
	if err := makeDirectory(s.out); err != nil {
		return err
	}
	outputs := s.outputs(truth)
	if err := checkOutputs(outputs); err != nil {
		return err
	}
	if truth.Coordinates == nil {
		if err := s.removePlaces(); err != nil {
			return err
		}
	}
	if _, err := writeOutputs(outputs); err != nil {
		return err
	}
	s.tell(c, truth)
	return nil
}

// removePlaces removes the places that an earlier sample left in the directory,
// which would be taken for those of the new one.
func (s *sampling) removePlaces() error {
	var old document.Manifest
	text, err := os.ReadFile(filepath.Join(s.out, "manifest.json"))
	if err != nil || json.Unmarshal(text, &old) != nil || old.Command != "generate" || !slices.Contains(old.Files, placesFile) {
		return nil //nolint:nilerr // then it is none of ours
	}
	if err := os.Remove(filepath.Join(s.out, placesFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &input.Error{File: filepath.Join(s.out, placesFile), Msg: "the vertices.csv of an earlier sample cannot be removed: " + reason(err)}
	}
	return nil
}

// makeDirectory makes a directory unless it is there.
func makeDirectory(path string) error {
	if err := os.MkdirAll(path, 0o777); err != nil { // less what the umask takes
		return &input.Error{File: path, Msg: "this directory cannot be created: " + reason(err)}
	}
	return nil
}

// outputs lists the files of a sample, the manifest last: where it is, all are.
func (s *sampling) outputs(truth *synth.Truth) []output {
	names := truth.Graph.Names()
	list := []output{
		{path: "signals.csv", write: func(p string) error {
			return dataio.WriteSignals(p, &signals.Set{Names: names, Y: truth.Signals})
		}},
		{path: "truth.csv", write: func(p string) error { return dataio.WriteGraph(p, truth.Graph) }},
		{path: "codes.npy", write: func(p string) error { return dataio.WriteMatrix(p, truth.Codes.Dense()) }},
	}
	if truth.Coordinates != nil {
		list = append(list, output{path: placesFile, write: func(p string) error {
			return dataio.WriteFile(p, dataio.PlacesTable(names, truth.Coordinates).Encode)
		}})
	}
	files := []string{"manifest.json"}
	for _, o := range list {
		files = append(files, o.path)
	}
	list = append(list, output{path: "manifest.json", write: func(p string) error {
		return dataio.WriteFile(p, func(w io.Writer) error { return s.writeManifest(w, truth, files) })
	}})
	for i := range list {
		list[i].flag, list[i].path = "--out", filepath.Join(s.out, list[i].path)
	}
	return list
}

func (s *sampling) writeManifest(w io.Writer, truth *synth.Truth, files []string) error {
	weights := string(s.graph.Weights)
	if s.graph.Weights == synth.OwnWeights {
		weights = ownWeights
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(document.Manifest{
		Version: nervure.Version(), Command: "generate", Seed: s.graph.Seed,
		Graph: document.SampledGraph{
			Family: s.graph.Family, VerticesAsked: s.graph.Vertices, EdgeFactor: s.graph.EdgeFactor,
			Probability: s.graph.Probability, Width: s.graph.Width, Blocks: s.graph.Blocks, Weights: weights,
			Vertices: truth.Graph.Vertices(), Edges: truth.Graph.EdgeCount(),
		},
		Kernels: document.NewKernels(s.kernels),
		Signals: document.SampledSignals{
			Count: s.signals.Count, Sparsity: s.signals.Sparsity, Distinct: s.signals.Distinct, Noise: s.signals.Noise, Entries: truth.Codes.NonZeros(),
		},
		Files: files,
	})
}

// tell says what there is now, and what to do with it.
func (s *sampling) tell(c console, truth *synth.Truth) {
	signals, found := filepath.Join(s.out, "signals.csv"), filepath.Join(s.out, "graph.csv")
	fmt.Fprintf(c.err, `wrote %s on a graph with %s and %s to %s
next:
  %s learn %s --out %s
  %[5]s evaluate --truth %[8]s %[7]s
`, plural(s.signals.Count, "signal"), plural(truth.Graph.Vertices(), "vertex"), plural(truth.Graph.EdgeCount(), "edge"), s.out,
		program(), quoted(signals), quoted(found), quoted(filepath.Join(s.out, "truth.csv")))
}
