package arguments

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sample"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/synth"
)

// Generate are the flags of generate as they were typed.
type Generate struct {
	Out string

	kind, mess string
	order      float64 // of a field; zero is heat
	graph      synth.GraphSpec
	family     string
	weights    string
	kernels    document.RunKernels
	signals    synth.SignalSpec
	seed       uint64
	set        *pflag.FlagSet // which flags were given
}

// ownWeights is how the command line calls the weights a family has by itself.
const ownWeights = "own"

// Define adds the flags to a command.
func (f *Generate) Define(cmd *cobra.Command) {
	f.set = cmd.Flags()
	f.kind, f.mess, f.weights = string(sample.KindSparse), string(simulate.MessAll), ownWeights
	f.signals, f.order = synth.SignalSpec{Count: 200, Sparsity: 4}, 2
	order := &boundNumber{&f.order, "a number from 0.5 to 16", func(v float64) bool { return v >= 0.5 && v <= 16 }}
	probability := &boundNumber{&f.graph.Probability, "a number greater than 0 and at most 1", func(v float64) bool { return v > 0 && v <= 1 }}
	addFlags(cmd, "Kind", func(s *pflag.FlagSet) {
		s.Var(boundTo(&f.kind, sample.Kinds()...), "kind", "`KIND` of signals: sparse, field, messy, fmri or changing")
		s.Var(orWord("heat", order, func(yes bool) {
			if yes {
				f.order = 0
			}
		}), "order", "field: order `ALPHA`, 1 if edges are partial correlations, 2 like voltages or pressures in equilibrium, or heat for signals that have diffused")
		s.Var(boundTo(&f.mess, simulate.Messes()...), "mess", "messy: all, cycles (no broken sensors) or none (the same as clean.csv)")
	})
	addFlags(cmd, graphGroup, func(s *pflag.FlagSet) {
		s.Var(boundTo(&f.family, synth.Families()...), "graph", "graph `FAMILY`: er (Erdős–Rényi), rbf (random points with Gaussian weights), ba (Barabási–Albert), sbm (stochastic block model), grid or ring")
		s.Var(&boundCount{&f.graph.Vertices, 2, maxVertices}, "vertices", "number of vertices, before isolated ones are removed; needed for sparse signals and fields")
		s.Var(positive(&f.graph.EdgeFactor), "edge-factor", "target number of edges per vertex (default 3, or the most the family allows)")
		s.Var(probability, "probability", "probability of each edge of an er graph, instead of --edge-factor")
		s.Var(boundTo(&f.weights, ownWeights, string(synth.BinaryWeights), string(synth.UniformWeights)), "weights", "edge weights: own (those of the family), binary or uniform")
	})
	addFlags(cmd, signalGroup, func(s *pflag.FlagSet) {
		defineKernels(s, &f.kernels)
		s.Var(&boundCount{&f.signals.Count, 1, maxEntries}, "signals", "number of signals; if not given, 10 for each vertex for field, 2000 for messy and changing, 300 for fmri")
		s.Var(&boundCount{&f.signals.Sparsity, 1, maxEntries}, "sparsity", "number of atoms drawn per signal")
		s.BoolVar(&f.signals.Distinct, "distinct", false, "draw atoms without replacement")
		s.Var(notNegative(&f.signals.Noise), "noise", "standard deviation of the noise relative to that of the signals (default 0)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S`")
		s.StringVar(&f.Out, "out", "", "write to directory `DIR`, which is created if necessary")
	})
	completeKernels(cmd)
	mustComplete(cmd, "out", Directories)
}

// A drawnSample can be written to a directory.
type drawnSample interface {
	Files() []string // the manifest last
	Write(dir string) error
	// Size returns how many signals there are, and their graph.
	Size() (int, *graph.Graph)
}

// A Sampler makes a sample.
type Sampler func() (drawnSample, error)

// Sampler returns what makes the sample that was asked for, or finds the fault in the flags.
func (f *Generate) Sampler() (Sampler, error) {
	kind := sample.Kind(f.kind)
	if err := f.checkKind(kind); err != nil {
		return nil, err
	}
	resolve := f.sparse
	switch kind {
	case sample.KindSparse:
	case sample.KindField:
		resolve = f.field
	default:
		resolve = func() (Sampler, error) { return f.recording(kind) }
	}
	draw, err := resolve()
	if err != nil {
		return nil, inFlags(err)
	}
	return func() (drawnSample, error) {
		drawn, err := draw()
		return drawn, inFlags(err)
	}, nil
}

// drawnGraph returns the graph asked for, or finds the fault in the flags for it.
func (f *Generate) drawnGraph() (synth.GraphSpec, error) {
	g := f.graph
	switch {
	case f.family == "":
		return g, Misuse("--graph is missing: give %s", either(boundTo(new(string), synth.Families()...).allowed))
	case f.graph.Vertices == 0:
		return g, Misuse("--vertices is missing: give the number of vertices")
	case f.set.Changed("probability") && f.set.Changed("edge-factor"):
		return g, Misuse("--probability and --edge-factor cannot be used together")
	case f.set.Changed("probability") && f.family != string(synth.FamilyER):
		return g, Misuse("--probability applies only to --graph er")
	case f.set.Changed("edge-factor") && f.family == string(synth.FamilyGrid):
		return g, Misuse("--edge-factor does not apply to --graph grid, whose edges are fixed")
	}
	g.Family, g.Seed = synth.Family(f.family), f.seed
	if f.weights != ownWeights {
		g.Weights = synth.Weighting(f.weights)
	}
	return g, nil
}

// checkEdges refuses a graph of too many edges.
func checkEdges(g synth.GraphSpec) error {
	resolved, err := g.Resolve()
	if err != nil {
		return err
	}
	if edges := resolved.EdgeFactor * float64(g.Vertices); edges > maxEdges {
		return Misuse("the graph would have about %.2g edges, more than the maximum of %d: use fewer vertices or edges", edges, maxEdges)
	}
	return nil
}

func (f *Generate) sparse() (Sampler, error) {
	g, err := f.drawnGraph()
	if err != nil {
		return nil, err
	}
	kernels, err := KernelsOf(f.kernels)
	if err != nil {
		return nil, err
	}
	s := f.signals
	s.Seed = f.seed
	if err := checkEdges(g); err != nil {
		return nil, err
	}
	if entries := max(g.Vertices*len(kernels), s.Sparsity) * s.Count; entries > maxEntries {
		return nil, Misuse("the codes would have %d entries, more than the maximum of %d: use fewer signals, vertices or atoms", entries, maxEntries)
	}
	return func() (drawnSample, error) { return sample.Generate(g, kernels, s) }, nil
}

// fieldSignals is how many signals there are for each vertex of a field, unless given.
const fieldSignals = 10

func (f *Generate) field() (Sampler, error) {
	g, err := f.drawnGraph()
	if err != nil {
		return nil, err
	}
	spec := synth.FieldSpec{Count: fieldSignals * g.Vertices, Order: f.order, Seed: f.seed}
	spec.Noise = f.signals.Noise
	if f.set.Changed("signals") {
		spec.Count = f.signals.Count
	}
	if f.order == 0 {
		spec.Law = synth.DiffusionField
	}
	if err := f.checkSize(sample.KindField, spec.Count); err != nil {
		return nil, err
	}
	if err := checkEdges(g); err != nil {
		return nil, err
	}
	return func() (drawnSample, error) { return sample.Field(g, spec) }, nil
}

// What a sample may hold, so that a slip of the finger does not use up the
// memory: every pair of vertices is looked at, edges are listed and codes are
// written with their zeros.
const (
	maxVertices = 20_000
	maxEdges    = 10_000_000
	maxEntries  = 1 << 26
)

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
	return Misuse("%s", strings.Join(faults, "; "))
}

// Groups of flags that are those of sparse signals, but for some.
const (
	graphGroup  = "Graph"
	signalGroup = "Signals"
)

// checkKind refuses flags that the kind of signals does not have.
func (f *Generate) checkKind(kind sample.Kind) error {
	if kind != sample.KindMessy && f.set.Changed("mess") {
		return Misuse("--mess applies only to --kind messy")
	}
	if kind != sample.KindField && f.set.Changed("order") {
		return Misuse("--order applies only to --kind field")
	}
	if kind == sample.KindSparse {
		return nil
	}
	var err error
	f.set.Visit(func(flag *pflag.Flag) {
		group := cmp.Or(flag.Annotations[GroupKey]...)
		ofField := group == graphGroup || flag.Name == "noise"
		switch {
		case group != graphGroup && group != signalGroup || slices.Contains([]string{"vertices", "signals"}, flag.Name):
		case !ofField:
			err = Misuse("--%s applies only to --kind sparse", flag.Name)
		case kind != sample.KindField:
			err = Misuse("--%s applies only to --kind sparse or field", flag.Name)
		}
	})
	return err
}

// A recording may have fewer vertices than other samples, because its field takes all
// eigenvectors of the graph.
const (
	maxRecorded  = 2000
	mostRecorded = 116 // vertices of any kind by default
)

// checkSize refuses recordings and fields with too many vertices or values.
func (f *Generate) checkSize(kind sample.Kind, signals int) error {
	n := f.graph.Vertices
	if n > maxRecorded {
		return Misuse("--vertices: got %d, more than the maximum of %d for --kind %s", n, maxRecorded, kind)
	}
	if entries := cmp.Or(n, mostRecorded) * signals; entries > maxEntries {
		return Misuse("the signals would have %d entries, more than the maximum of %d: use fewer signals or vertices", entries, maxEntries)
	}
	return nil
}

func (f *Generate) recording(kind sample.Kind) (Sampler, error) {
	n, m := f.graph.Vertices, 0 // zero is the default of the kind
	if f.set.Changed("signals") {
		m = f.signals.Count
	}
	if err := f.checkSize(kind, m); err != nil {
		return nil, err
	}
	switch kind {
	case sample.KindMessy:
		return recorder(simulate.MessySpec{Vertices: n, Observations: m, Mess: simulate.Mess(f.mess), Seed: f.seed}, sample.Messy)
	case sample.KindFMRI:
		return recorder(simulate.FMRISpec{Vertices: n, Observations: m, Seed: f.seed}, sample.FMRI)
	default:
		return recorder(simulate.ChangingSpec{Vertices: n, Observations: m, Seed: f.seed}, sample.Changing)
	}
}

// recorder returns what draws a recording, or what is wrong with it before it is drawn.
func recorder[S interface{ Resolve() (S, error) }](spec S, record func(S) (*sample.Recording, error)) (Sampler, error) {
	if _, err := spec.Resolve(); err != nil {
		return nil, err
	}
	return func() (drawnSample, error) { return record(spec) }, nil
}
