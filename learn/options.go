package learn

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// A Code holds sparse codes X: a column for each signal, a row for each atom.
type Code = sparse.Code

// A Coder names a way to find sparse codes: "omp", "ols", "beam", "mp" or "l1".
type Coder = sparse.Method

// Options say how to learn. The zero value is right for a first try.
type Options struct {
	Recipe  Recipe    // zero means Default
	Names   []string  // of the vertices; nil means v0, v1, …
	Coder   Coder     // zero means the recipe's own; the default recipe searches with it and polishes with beams in any case, and has its own on large graphs
	Cut     graph.Cut // automatic by default; thresholds are in the scale of the result, where the mean degree is 1
	Rounds  int       // most rounds of coding and graph update, for each start; zero means the recipe's own
	Starts  int       // default recipe below LargeFrom vertices: most starts, while no answer certifies itself: of kernels that move, or each after the first for up to 16 hops (see hops.go); with 1, answers are not opened again either (see reopen.go); zero means 3
	Seed    uint64    // every random draw comes from it
	Threads int       // zero means 1; the result does not depend on it

	// LargeFrom is the number of vertices that vary from which on the default recipe
	// keeps candidate edges and local atoms instead of all pairs and whole atoms; see
	// large.go. Zero means 300.
	LargeFrom int

	// Kernels says what of the kernels is learned with the graph: zero means
	// nothing, or KernelsAuto if the model has none. The recipe maretic2017 takes those
	// of [PaperModel] where it would. From LargeFrom vertices on, scales alone are learned.
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

	// RemoveCommonMode takes each signal's mean over the vertices out before
	// learning: codes and residuals are of the rest. KernelsAuto sets it where that
	// predicts better.
	RemoveCommonMode bool

	StepSize    float64 // maretic2017: first step; zero means the value found by grid search
	StepDecay   float64 // maretic2017: factor on the step after each round; zero means 0.985
	EdgePenalty float64 // β, maretic2017: zero means the value found by grid search, negative means none
}

// Fields of the options that an [*input.Error] may be about, beside those of
// package input.
const (
	FieldRecipe         input.Field = "recipe"
	FieldCoder          input.Field = "coder"
	FieldStarts         input.Field = "starts"
	FieldThreads        input.Field = "threads"
	FieldLargeFrom      input.Field = "large from"
	FieldKernelLearning input.Field = "kernel learning"
	FieldPriorWeight    input.Field = "prior weight"
	FieldStepDecay      input.Field = "step decay"
	FieldCount          input.Field = "count"
	FieldDegree         input.Field = "degree"
	FieldSum            input.Field = "sum"
	FieldSlack          input.Field = "slack"
)

// DefaultLargeFrom is from how many vertices on the engine of large graphs is used,
// unless Options.LargeFrom says otherwise.
const DefaultLargeFrom = 300

// Large says whether these options take the engine of large graphs, with candidate
// edges and local atoms, for so many vertices that vary.
func (o Options) Large(vertices int) bool {
	return cmp.Or(o.Recipe, Default) == Default && vertices >= cmp.Or(o.LargeFrom, DefaultLargeFrom)
}

// faults collects what is wrong with options.
type faults []error

func (f *faults) add(field input.Field, format string, args ...any) {
	*f = append(*f, input.Errorf("learn", field, format, args...))
}

// addComplete adds a sentence that is complete without its field.
func (f *faults) addComplete(field input.Field, format string, args ...any) {
	*f = append(*f, input.Completef("learn", field, format, args...))
}

func (f *faults) check(bad bool, field input.Field, format string, args ...any) {
	if bad {
		f.add(field, format, args...)
	}
}

func finiteNonNegative(v float64) bool { return v >= 0 && !math.IsInf(v, 1) }

// checkNumber refuses what is not a number of at least 0.
func (f *faults) checkNumber(v float64, field input.Field) {
	f.check(!finiteNonNegative(v), field, "got %g, want a number of at least 0", v)
}

// checkCount refuses negative numbers.
func (f *faults) checkCount(v int, field input.Field) {
	f.check(v < 0, field, "got %d, want at least 0", v)
}

// checkSignals refuses signals that are not on the vertices of g, or infinite; NaN
// is missing.
func (f *faults) checkSignals(y *mat.Dense, g *graph.Graph) {
	if n, _ := y.Dims(); n != g.Vertices() {
		f.add(input.Graph, "got %d vertices for signals on %d", g.Vertices(), n)
		return
	}
	for i, name := range g.Names() {
		for s, v := range y.RawRowView(i) {
			if math.IsInf(v, 0) {
				f.addComplete(input.Signals, "vertex %q, signal %d: %g is not a finite number", name, s+1, v)
				return
			}
		}
	}
}

// resolve fills in the defaults for n vertices, or reports all faults.
func resolve(model Model, o Options, n int) (Model, Options, error) {
	if model.Sparsity == 0 {
		model.Sparsity = sparsityToBegin(n)
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

	var f faults
	atoms := model.Sparsity
	f.check(n > o.vertexLimit(), input.Vertices, "got %d, want at most %d", n, o.vertexLimit())
	o.checkKernels(model.Kernels, n, &f)
	f.check(atoms < 1 || n >= 2 && atoms >= n, input.Sparsity,
		"got %d atoms per signal, want 1 to %d: with as many atoms as vertices every graph explains every signal", atoms, n-1)
	f.check(!slices.Contains(Recipes(), o.Recipe), FieldRecipe, "got %q, want one of %v", o.Recipe, Recipes())
	f.check(o.Coder != "" && !slices.Contains(sparse.Methods(), o.Coder), FieldCoder, "got %q, want one of %v", o.Coder, sparse.Methods())
	field, sentence := o.Cut.Fault(n)
	f.check(sentence != "", input.Field(field), "%s", sentence)
	f.checkCount(o.Rounds, input.Rounds)
	f.checkCount(o.LargeFrom, FieldLargeFrom)
	f.checkCount(o.Starts, FieldStarts)
	f.checkCount(o.Threads, FieldThreads)
	f.checkNumber(o.StepSize, input.StepSize)
	f.checkNumber(o.StepDecay, FieldStepDecay)
	f.check(math.IsNaN(o.EdgePenalty) || math.IsInf(o.EdgePenalty, 0), input.EdgePenalty, "got %g, want a number", o.EdgePenalty)
	o.checkSideInformation(n, &f)
	return model, o, errors.Join(f...)
}

// firstSparsity is how many atoms per signal there are at first, and for good
// where the number is not chosen.
const firstSparsity = 4

// sparsityToBegin is how many atoms per signal there are at first between so many
// vertices that vary.
func sparsityToBegin(vertices int) int { return max(min(firstSparsity, vertices/2), 1) }

var defaultRounds = map[Recipe]int{Default: 60, Maretic2017: 500}

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
	o.KernelDegree = cmp.Or(o.KernelDegree, defaultPolynomialDegree)
}

// checkKernels checks the kernels, and what is to be learned of them on n vertices.
func (o *Options) checkKernels(kernels []kernel.Kernel, n int, f *faults) {
	learned := o.Kernels == KernelsScaled || o.Kernels == KernelsFree
	f.check(o.Kernels == KernelsScaled && !hasScale(kernels), input.Kernels, "none of them has a scale to learn")
	f.check(hasEmpty(kernels), input.Kernels, "an empty kernel generates no atoms")
	f.check(!slices.Contains(KernelLearnings(), o.Kernels), FieldKernelLearning, "got %q, want one of %v", o.Kernels, KernelLearnings())
	f.check(learned && o.Recipe == Maretic2017, input.Kernels, "the recipe %s learns none", Maretic2017)
	f.check(o.Kernels == KernelsFree && n >= o.LargeFrom, input.Kernels,
		"free ones can be learned on fewer than %d vertices, got %d: learn them on some of the vertices, and give them", o.LargeFrom, n)
	f.check(o.KernelCount < 0 || o.KernelCount > maxKernelCount, input.KernelCount, "got %d, want 1 to %d", o.KernelCount, maxKernelCount)
	f.check(o.KernelDegree < 0 || o.KernelDegree > maxPolynomialDegree, input.KernelDegree, "got %d, want 1 to %d", o.KernelDegree, maxPolynomialDegree)
}

// hasScale says whether one of the kernels has a scale.
func hasScale(kernels []kernel.Kernel) bool {
	return slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return k.Family() != "" })
}

// hasEmpty says whether one of the kernels is no kernel.
func hasEmpty(kernels []kernel.Kernel) bool {
	return slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return k.Degree() < 0 })
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
