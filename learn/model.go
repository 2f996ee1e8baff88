// Package learn finds the graph on which signals are sparse ([maretic2017]): it
// minimises
//
//	‖Y − D(L)·X‖²_F + β‖W‖₁   over W ≥ 0 and codes X with at most T₀ entries a column
//
// by alternating sparse coding and updates of the edge weights. Two recipes do
// so under one interface: the paper's own, to the letter, and a faster and more
// exact one that needs neither step size nor penalty.
package learn

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// A Model says how signals come from a graph: each is a sum of at most Sparsity
// atoms of the dictionary that Kernels generate on it.
type Model struct {
	Kernels  []kernel.Kernel // nil means those that suit the signals; see Options.Kernels
	Sparsity int             // T₀, below N; zero means as many as the signals ask for
}

// PaperModel is the model of [maretic2017], section 4: Taylor polynomials of
// degree 15 for e^(−2λ) and 1 − e^(−λ), and four atoms a signal.
func PaperModel() Model {
	low, errLow := kernel.Heat(2, 15, kernel.Taylor)
	high, errHigh := kernel.HighPass(1, 15, kernel.Taylor)
	if err := errors.Join(errLow, errHigh); err != nil {
		panic(err) // fixed numbers: a bug of ours
	}
	return Model{Kernels: []kernel.Kernel{low, high}, Sparsity: 4}
}

// Recipe names an algorithm.
type Recipe string

const (
	// Default is the best recipe known here; see the package's default.go.
	Default Recipe = "default"
	// Maretic2017 is the paper's algorithm to the letter; see maretic.go.
	Maretic2017 Recipe = "maretic2017"
)

// Recipes lists the recipes.
func Recipes() []Recipe { return []Recipe{Default, Maretic2017} }

// Options say how to learn. The zero value is right for a first try.
type Options struct {
	Recipe  Recipe        // zero means Default
	Names   []string      // of the vertices; nil means v0, v1, …
	Coder   sparse.Method // zero means the recipe's own; the default recipe searches with it and polishes with beams in any case, and has its own from LargeFrom vertices on
	Cut     graph.Cut     // automatic by default; thresholds are in the scale of the result, where the mean degree is 1
	Rounds  int           // most rounds of coding and graph update, for each start; zero means the recipe's own
	Starts  int           // default recipe below LargeFrom vertices: most starts, while no answer certifies itself; zero means 3
	Seed    uint64        // every random draw comes from it
	Threads int           // zero means 1; the result does not depend on it

	// LargeFrom is the number of vertices from which on the default recipe keeps
	// candidate edges and local atoms instead of all pairs and whole atoms; see
	// large.go. Zero means 400, or 1000 where entries are missing.
	LargeFrom int

	// Kernels says what of the kernels is learned with the graph: zero means
	// nothing, or KernelsAuto if the model has none. The default recipe below
	// LargeFrom vertices can; others take those of [PaperModel] where it would.
	Kernels      KernelLearning
	KernelCount  int // KernelsFree: how many; zero means 1 to 3, as held-out signals tell
	KernelDegree int // KernelsFree: zero means 6

	// Allow lists the pairs of vertices that may have an edge, nil meaning all;
	// Forbid lists pairs that may not, even if they are allowed. Vertices are
	// numbered from 0, in any order within a pair.
	Allow, Forbid [][2]int
	// Init is a graph of the same vertices, in their order, whose weights are the
	// first start; only if that does not certify itself, the usual ones follow.
	// From LargeFrom vertices on it is the only start. A vertex without an edge in
	// it starts as it would without Init.
	Init *graph.Graph
	// Prior is a graph of the same vertices, in their order, that the weights are
	// pulled to as if there were PriorWeight more signals in its favour; see
	// prior.go. A vertex without an edge in it is one that it does not know.
	// maretic2017 has no place for it.
	Prior       *graph.Graph
	PriorWeight float64 // μ, in signals; zero means 5

	// RemoveCommonMode takes each signal's mean over the vertices out before learning: codes
	// and residuals are of the rest. KernelsAuto sets it where that predicts better.
	RemoveCommonMode bool

	StepSize    float64 // maretic2017: first step; zero means the value found by grid search
	StepDecay   float64 // maretic2017: factor on the step after each round; zero means 0.985
	EdgePenalty float64 // β, maretic2017: zero means the value found by grid search, negative means none
}

// KernelLearning says what of the kernels is learned with the graph.
type KernelLearning string

const (
	// KernelsGiven leaves the kernels as they are.
	KernelsGiven KernelLearning = "given"
	// KernelsScaled learns the scales of the kernels that have one.
	KernelsScaled KernelLearning = "scales"
	// KernelsFree learns polynomials ([thanou2014]).
	KernelsFree KernelLearning = "free"
	// KernelsAuto begins with those of [PaperModel] and changes their scales, or
	// takes low-pass ones instead, where the signals ask for it; see auto.go.
	KernelsAuto KernelLearning = "auto"
)

// KernelLearnings lists them.
func KernelLearnings() []KernelLearning {
	return []KernelLearning{KernelsGiven, KernelsScaled, KernelsFree, KernelsAuto}
}

// Phase says what a Step has just done.
type Phase string

// The phases.
const (
	Coding      Phase = "coding" // new codes for the current graph
	GraphUpdate Phase = "graph"  // new weights for the current codes; not reported by maretic2017, which has one step a round
	Pruning     Phase = "prune"  // a graph on the pruning path
	Polishing   Phase = "polish" // weights and codes on some edges only
	Done        Phase = "done"   // the last step, which carries the Result
)

// A Step is a look at a run in progress.
type Step struct {
	Phase     Phase
	Start     int     // from 1
	Round     int     // from 1, within the start
	Residual  float64 // ‖Y − DX‖²/‖Y‖²
	Objective float64 // what the phase minimises: the recipe's loss, or the residual of the signals that polishing fits
	Edges     int     // pairs of positive weight
	Gradients int     // computed so far, all starts together

	// Result is set on the last step only.
	Result *Result

	now *moment
}

// Weights returns the graph that the run has come to, before any cut. It can be
// had as long as the step is the newest; later, and on the last step, it is nil.
func (s Step) Weights() *graph.Graph {
	if s.now == nil || s.now.weights == nil {
		return nil
	}
	return s.now.weights()
}

// A moment is what can be seen of a run until it goes on.
type moment struct {
	weights func() *graph.Graph
}

// Threshold is the cut that was made.
type Threshold struct {
	Rule  graph.CutRule
	Value float64 // the lightest weight kept; 0 for an empty graph
	Gap   float64 // ratio of the lightest normalised weight kept to the heaviest dropped, about 100 where none is dropped
}

// A Result is a learned graph and how it was found. Residuals are over the
// vertices that vary.
type Result struct {
	Graph   *graph.Graph // after the cut
	Weights *graph.Graph // before it, with mean degree 1 over the vertices that vary
	// Codes are X for the signals as given, on the dictionary of Graph; for
	// maretic2017, which codes before it cuts, on that of Weights.
	Codes   *sparse.Code
	Model   Model   // as resolved
	Options Options // as resolved

	Residual  float64 // ‖Y − DX‖²/‖Y‖² with the dictionary of the codes
	Noise     float64 // amplitude of the noise as a share of the signals', from what the codes leave over; zero if they are exact
	Objective float64 // maretic2017: (‖Y − DX‖² + β‖W‖₁)/‖Y‖²; default: the residual
	Threshold Threshold
	Rounds    int // of the start that gave the result
	Starts    int // tried
	Gradients int // of all starts
	Status    solver.Status
	// Certified means that the answer proves itself: on the edges reported a
	// few atoms explain the signals to rounding error (all but one in fifty at
	// least), other weights on these edges would not, and the signals are many
	// more numbers than that takes. A wrong graph has no way to do so. A prior
	// has no part in it. If pairs were restricted, it is the answer within those
	// allowed (see Allowed).
	Certified   bool
	Unexplained int             // signals whose residual is above rounding
	Large       bool            // learned with candidate edges and local atoms; see Options.LargeFrom
	Allowed     int             // pairs that might have had an edge, if Options.Allow or Forbid restricted them; else 0
	Aside       []signals.Aside // vertices that were left isolated, and why
	Warnings    []string        // all that speaks against trusting the answer, what was set aside first
	History     []Step          // without results
	Path        []PathPoint     // how the edges were cut, where no gap told
	// KernelScores are the kernels that were compared, those begun with first;
	// nil if there was no need to.
	KernelScores []KernelScore
}

// certified is the share of a signal's energy that counts as rounding:
// amplitudes agree to nine digits.
const certified = 1e-18

const (
	// roundingMargin is how far a residual may exceed the rounding errors that
	// the signal came with.
	roundingMargin = 2
	// coarsest is the share of a signal's energy up to which rounding errors can
	// be told from a wrong graph: about four digits.
	coarsest = 1e-9
)

// resolve fills in the defaults for n vertices, or reports all faults.
func resolve(model Model, o Options, n int) (Model, Options, error) {
	var faults []error
	check := func(bad bool, field, format string, args ...any) {
		if bad {
			faults = append(faults, fault(field, format, args...))
		}
	}
	if model.Sparsity == 0 {
		model.Sparsity = max(min(firstSparsity, n/2), 1)
	}
	o.Recipe = cmp.Or(o.Recipe, Default)
	o.Cut.Rule = cmp.Or(o.Cut.Rule, graph.CutAuto)
	o.Rounds = cmp.Or(o.Rounds, defaultRounds[o.Recipe])
	o.Starts = cmp.Or(o.Starts, 3)
	o.LargeFrom = cmp.Or(o.LargeFrom, DefaultLargeFrom)
	o.resolveKernels(&model)
	o.Threads = cmp.Or(o.Threads, 1)
	o.StepSize = cmp.Or(o.StepSize, tunedStep)
	o.StepDecay = cmp.Or(o.StepDecay, tunedDecay)
	o.EdgePenalty = cmp.Or(o.EdgePenalty, tunedPenalty)
	if o.Names == nil {
		o.Names = graph.DefaultNames(n)
	}

	atoms := model.Sparsity
	check(n > o.vertexLimit(), "vertices", "got %d, want at most %d", n, o.vertexLimit())
	check(len(model.Kernels) == 0, "kernels", "got none, want at least 1")
	check(o.Kernels == KernelsScaled && !slices.ContainsFunc(model.Kernels, func(k kernel.Kernel) bool { return k.Family() != "" }),
		"kernels", "none of them has a scale to learn")
	check(!slices.Contains(KernelLearnings(), o.Kernels), "kernel learning", "got %q, want one of %v", o.Kernels, KernelLearnings())
	check((o.Kernels == KernelsScaled || o.Kernels == KernelsFree) && o.Recipe == Maretic2017, "kernels", "the recipe %s learns none", Maretic2017)
	check((o.Kernels == KernelsScaled || o.Kernels == KernelsFree) && n >= o.LargeFrom, "kernels",
		"they can be learned on fewer than %d vertices, got %d: learn them on some of the vertices, and give them", o.LargeFrom, n)
	check(o.KernelCount < 0 || o.KernelCount > maxCount, "kernel count", "got %d, want 1 to %d", o.KernelCount, maxCount)
	check(o.KernelDegree < 0 || o.KernelDegree > maxFreeDegree, "kernel degree", "got %d, want 1 to %d", o.KernelDegree, maxFreeDegree)
	check(atoms < 1 || n >= 2 && atoms >= n, "sparsity",
		"got %d atoms a signal, want 1 to %d: with as many atoms as vertices every graph explains every signal", atoms, n-1)
	check(!slices.Contains(Recipes(), o.Recipe), "recipe", "got %q, want one of %v", o.Recipe, Recipes())
	check(o.Coder != "" && !slices.Contains(sparse.Methods(), o.Coder), "coder", "got %q, want one of %v", o.Coder, sparse.Methods())
	check(slices.ContainsFunc(model.Kernels, func(k kernel.Kernel) bool { return k.Degree() < 0 }), "kernels", "an empty kernel generates no atoms")
	field, sentence := o.Cut.Fault(n)
	check(sentence != "", field, "%s", sentence)
	check(o.Rounds < 0, "rounds", "got %d, want at least 0", o.Rounds)
	check(o.LargeFrom < 0, "large from", "got %d, want at least 0", o.LargeFrom)
	check(o.Starts < 0, "starts", "got %d, want at least 0", o.Starts)
	check(o.Threads < 0, "threads", "got %d, want at least 0", o.Threads)
	check(!finiteNonNegative(o.StepSize), "step size", "got %g, want a number of at least 0", o.StepSize)
	check(!finiteNonNegative(o.StepDecay), "step decay", "got %g, want a number of at least 0", o.StepDecay)
	check(math.IsNaN(o.EdgePenalty) || math.IsInf(o.EdgePenalty, 0), "edge penalty", "got %g, want a number", o.EdgePenalty)
	faults = append(faults, o.knowledgeFaults(n)...)
	return model, o, errors.Join(faults...)
}

// firstSparsity is how many atoms a signal is given at first, and for good where
// the number is not chosen.
const firstSparsity = 4

// resolveKernels decides what is to be learned of the kernels, and with which to begin.
func (o *Options) resolveKernels(m *Model) {
	if o.Kernels == "" {
		o.Kernels = KernelsGiven
		if len(m.Kernels) == 0 {
			o.Kernels = KernelsAuto
		}
	}
	if len(m.Kernels) == 0 {
		m.Kernels = PaperModel().Kernels
	}
	o.KernelDegree = cmp.Or(o.KernelDegree, defaultFreeDegree)
}

// How many vertices there is memory for: matrices of a few times N² numbers, or
// local atoms.
const (
	maxVertices      = 5000
	maxLargeVertices = 50_000
)

// vertexLimit is the most vertices that the recipe can take.
func (o Options) vertexLimit() int {
	if o.Recipe == Default && o.LargeFrom <= maxVertices {
		return maxLargeVertices
	}
	return maxVertices
}

func finiteNonNegative(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

var defaultRounds = map[Recipe]int{Default: 60, Maretic2017: 500}
