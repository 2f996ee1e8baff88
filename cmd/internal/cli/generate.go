package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sample"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// generateFlags are the flags of generate as they were typed.
type generateFlags struct {
	kind *choice
	mess *choice

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

	set *pflag.FlagSet // which flags were given
}

// ownWeights is how the command line calls the weights a family has by itself.
const ownWeights = "own"

func newGenerate(c console) *cobra.Command {
	f := &generateFlags{}
	cmd := &cobra.Command{
		Use:   "generate [--kind KIND] --out DIR [flags]",
		Short: "Generate a random graph and signals on it",
		Long: `Generate a random graph and signals on it, and write them to a directory:
  signals.csv      the signals, one per row
  truth.csv        the graph
  codes.npy        sparse: the atoms of each signal, with their coefficients
  clean.csv        messy: what the sensors would show without all that is messy
  faults.csv       messy: what is wrong with which sensor, and when
  truth-after.csv  changing: the graph after the change
  vertices.csv     coordinates or modules of the vertices, if they have any
  manifest.json    all settings
There are four kinds of signals:
  sparse    sums of few patterns on a graph of any family
  messy     hourly values of 40 sensors near each other, with daily cycles,
            trends, gaps, rounding and broken sensors
  fmri      scans of 116 brain regions in modules, which depend on one another
            in time
  changing  hourly values of 40 sensors, between which a fifth of the edges
            changes at one moment
All but sparse signals have times in the first column. Vertices without an edge
are removed. The same seed gives the same files. Files of an earlier sample in
the directory are replaced.`,
		Example: `  nervure generate --graph er --vertices 20 --out sample
  nervure generate --graph rbf --vertices 50 --signals 500 --noise 0.05 \
    --seed 7 --out noisy
  nervure generate --kind messy --out sensors`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			draw, err := f.resolve()
			if err != nil {
				return err
			}
			if f.out == "" {
				return misuse("--out is missing: give the directory to write to")
			}
			return generate(cmd.Context(), c, f.out, draw)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *generateFlags) define(cmd *cobra.Command) {
	f.set = cmd.Flags()
	f.kind, f.mess = newChoice(sample.KindSparse, sample.Kinds()...), newChoice(simulate.MessAll, simulate.Messes()...)
	f.graph = newChoice("", synth.Families()...)
	f.vertices, f.signals, f.sparsity = count{least: 2, most: maxVertices}, count{value: 200, least: 1, most: maxEntries}, count{value: 4, least: 1, most: maxEntries}
	f.edgeFactor, f.noise = positive(), notNegative()
	f.probability = &number{want: "a number greater than 0 and at most 1", ok: func(v float64) bool { return v > 0 && v <= 1 }}
	f.weights = newChoice(ownWeights, ownWeights, string(synth.BinaryWeights), string(synth.UniformWeights))

	addFlags(cmd, "Kind", func(s *pflag.FlagSet) {
		s.Var(f.kind, "kind", "`KIND` of signals: sparse, messy, fmri or changing")
		s.Var(f.mess, "mess", "messy: all, cycles (no broken sensors) or none (the same as clean.csv)")
	})
	addFlags(cmd, graphGroup, func(s *pflag.FlagSet) {
		s.Var(f.graph, "graph", "graph `FAMILY`: er (Erdős–Rényi), rbf (random points with Gaussian weights), ba (Barabási–Albert), sbm (stochastic block model), grid or ring")
		s.Var(&f.vertices, "vertices", "number of vertices, before isolated ones are removed; needed for sparse signals")
		s.Var(f.edgeFactor, "edge-factor", "target number of edges per vertex (default 3, or the most the family allows)")
		s.Var(f.probability, "probability", "probability of each edge of an er graph, instead of --edge-factor")
		s.Var(f.weights, "weights", "edge weights: own (those of the family), binary or uniform")
	})
	addFlags(cmd, signalGroup, func(s *pflag.FlagSet) {
		f.kernels.define(s)
		s.Var(&f.signals, "signals", "number of signals; if not given, 2000 for messy and changing, 300 for fmri")
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

// A drawnSample can be written to a directory.
type drawnSample interface {
	Files() []string // the manifest last
	Write(dir string) error
	// Size returns how many signals there are, and their graph.
	Size() (int, *graph.Graph)
}

// A sampler makes a sample.
type sampler func() (drawnSample, error)

func (f *generateFlags) resolve() (sampler, error) {
	kind := sample.Kind(f.kind.value)
	if err := f.checkKind(kind); err != nil {
		return nil, err
	}
	if kind != sample.KindSparse {
		return f.resolveRecording(kind)
	}
	s, err := f.resolveSparse()
	if err != nil {
		return nil, err
	}
	return func() (drawnSample, error) { return sample.Generate(s.graph, s.kernels, s.signals) }, nil
}

// A sampling is a generate command for sparse signals with its flags understood.
type sampling struct {
	graph   synth.GraphSpec
	kernels []kernel.Kernel
	signals synth.SignalSpec
}

func (f *generateFlags) resolveSparse() (*sampling, error) {
	switch {
	case f.graph.value == "":
		return nil, misuse("--graph is missing: give %s", either(f.graph.allowed))
	case !f.vertices.given:
		return nil, misuse("--vertices is missing: give the number of vertices")
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
	}
	if f.weights.value != ownWeights {
		s.graph.Weights = synth.Weighting(f.weights.value)
	}
	resolved, err := s.graph.Resolve()
	if err != nil {
		return nil, inFlags(err)
	}
	return s, s.checkSize(resolved.EdgeFactor)
}

// What a sample may hold, so that a slip of the finger does not use up the
// memory: every pair of vertices is looked at, edges are listed and codes are
// written with their zeros.
const (
	maxVertices = 20_000
	maxEdges    = 10_000_000
	maxEntries  = 1 << 26
)

func (s *sampling) checkSize(edgeFactor float64) error {
	if edges := edgeFactor * float64(s.graph.Vertices); edges > maxEdges {
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
	"count": "--signals", "signals": "--signals", "sparsity": "--sparsity", "noise": "--noise",
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

func generate(ctx context.Context, c console, out string, draw sampler) error {
	drawn, err := await(ctx, draw)
	if isA[*interruption](err) {
		return err
	}
	if err != nil {
		return inFlags(err)
	}
	if err := drawn.Write(out); err != nil {
		return err
	}
	tellOfSample(c, out, drawn)
	return nil
}

// tellOfSample says what there is now, and what to do with it.
func tellOfSample(c console, out string, drawn drawnSample) {
	count, truth := drawn.Size()
	signals, found := filepath.Join(out, sample.SignalsFile), filepath.Join(out, "graph.csv")
	fmt.Fprintf(c.err, `wrote %s on a graph with %s and %s to %s
next:
  %s learn %s --out %s
  %[5]s evaluate --truth %[8]s %[7]s
`, plural(count, "signal"), plural(truth.Vertices(), "vertex"), plural(truth.EdgeCount(), "edge"), out,
		program(), quoted(signals), quoted(found), quoted(filepath.Join(out, sample.TruthFile)))
}
