package learn

import (
	"cmp"
	"errors"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/large"
	"github.com/nervure/nervure/method"
)

// A Code holds sparse codes X: a column for each signal, a row for each atom.
type Code = sparse.Code

// A Coder names a way to find sparse codes: "omp", "ols", "beam", "mp" or "l1".
type Coder = sparse.Method

// Options say how [Sparse] learns. Zero means the default in every field, and the zero
// value is right for a first try.
type Options struct {
	// Names are the names of the vertices. Nil means v0, v1, ….
	Names []string
	// Coder is the coder that the search uses. Empty means OMP first, then beams of
	// growing width. Polishing always uses beams, and large graphs have a coder of
	// their own.
	Coder Coder
	// Cut says which edges to keep. The zero cut is automatic. Thresholds are on the
	// scale of the result, where the mean degree is 1.
	Cut graph.Cut
	// Rounds is the maximum number of rounds of coding and graph update in each start.
	// Zero means 60.
	Rounds int
	// Starts is the maximum number of starts; those after the first are made only while
	// no answer certifies itself. Zero means 3. With kernels that are learned, each one
	// starts from shaken weights; with kernels that are given, each one after the first
	// allows up to 16 hops from shaken weights. With 1, answers are not reopened either.
	// Large graphs have one start.
	Starts int
	// Seed seeds every random draw.
	Seed uint64
	// Threads is the number of cores to use. Zero means all of them. The result does
	// not depend on it.
	Threads int

	// LargeFrom is the number of varying vertices from which on a graph is large: it is
	// learned with candidate edges and local atoms instead of all pairs and whole atoms.
	// Zero means [DefaultLargeFrom].
	LargeFrom int

	// Kernels says what is learned of the kernels together with the graph. Empty means
	// nothing, or KernelsAuto if the model has no kernels. On large graphs, only scales
	// are learned.
	Kernels KernelLearning
	// KernelCount is the number of kernels that KernelsFree learns. Zero means 1 to 3,
	// whichever predicts held-out signals best.
	KernelCount int
	// KernelDegree is the degree of the polynomials that KernelsFree learns. Zero means 6.
	KernelDegree int

	// Allow lists the pairs of vertices that may have an edge. Nil means all. Vertices
	// are numbered from 0, in any order within a pair.
	Allow [][2]int
	// Forbid lists the pairs that may not have an edge, even if they are allowed.
	Forbid [][2]int
	// Init is a graph on the same vertices, in their order, whose weights are the first
	// start. The usual starts follow only if that one does not certify itself; on large
	// graphs it is the only start. A vertex that has no edge in Init starts as it would
	// without it. Nil means no such start.
	Init *graph.Graph
	// Prior is a graph on the same vertices, in their order, that the weights are pulled
	// towards as if PriorWeight more signals spoke for it. A vertex that
	// has no edge in Prior is left as it is. Nil means no prior.
	Prior *graph.Graph
	// PriorWeight is μ, in signals. Zero means 5 if there is a prior.
	PriorWeight float64

	// RemoveCommonMode removes the mean of each signal over the vertices before
	// learning: codes and residuals are of the rest. KernelsAuto sets it where that
	// predicts better.
	RemoveCommonMode bool
}

// Fields of the options that an [*input.Error] may be about, besides those of package
// input.
const (
	fieldCoder          input.Field = "coder"
	fieldStarts         input.Field = "starts"
	fieldThreads        input.Field = "threads"
	fieldLargeFrom      input.Field = "large from"
	fieldKernelLearning input.Field = "kernel learning"
	fieldPriorWeight    input.Field = "prior weight"
	fieldCount          input.Field = "count"
	fieldDegree         input.Field = "degree"
	fieldSum            input.Field = "sum"
	fieldSlack          input.Field = "slack"
)

// DefaultLargeFrom is from how many vertices on the engine of large graphs is used,
// unless Options.LargeFrom says otherwise: where both take as long, see BenchmarkSizes.
const DefaultLargeFrom = large.From

// Large reports whether these options take the engine of large graphs, with candidate
// edges and local atoms, for that many vertices that vary.
func (o Options) Large(vertices int) bool {
	return vertices >= cmp.Or(o.LargeFrom, DefaultLargeFrom)
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
	o.Cut.Rule = cmp.Or(o.Cut.Rule, graph.CutAuto)
	o.Rounds = cmp.Or(o.Rounds, defaultRounds)
	o.Starts = cmp.Or(o.Starts, 3)
	o.LargeFrom = cmp.Or(o.LargeFrom, DefaultLargeFrom)
	o.resolveKernels(&model)
	o.Threads = cores(o.Threads)
	if o.Names == nil {
		o.Names = graph.DefaultNames(n)
	}

	var f faults
	atoms := model.Sparsity
	f.check(n > o.vertexLimit(), input.Vertices, "got %d, want at most %d", n, o.vertexLimit())
	o.checkKernels(model.Kernels, n, &f)
	f.check(atoms < 1 || n >= 2 && atoms >= n, input.Sparsity,
		"got %d atoms per signal, want 1 to %d: with as many atoms as vertices every graph explains every signal", atoms, n-1)
	f.check(o.Coder != "" && !slices.Contains(sparse.Methods(), o.Coder), fieldCoder, "got %q, want one of %v", o.Coder, sparse.Methods())
	field, sentence := o.Cut.Fault(n)
	f.check(sentence != "", input.Field(field), "%s", sentence)
	f.checkCount(o.Rounds, input.Rounds)
	f.checkCount(o.LargeFrom, fieldLargeFrom)
	f.checkCount(o.Starts, fieldStarts)
	f.checkCount(o.Threads, fieldThreads)
	o.checkSideInformation(n, &f)
	return model, o, errors.Join(f...)
}

// settings returns the options, as resolved, that engines go by.
func (o Options) settings() job.Settings {
	return job.Settings{
		Coder: o.Coder, Cut: o.Cut, Rounds: o.Rounds, Starts: o.Starts, Seed: o.Seed, Threads: o.Threads,
		Kernels: job.KernelLearning(o.Kernels), KernelCount: o.KernelCount, KernelDegree: o.KernelDegree,
	}
}

// defaultRounds is the maximum number of rounds unless options say otherwise.
const defaultRounds = 60

// cores returns the number of threads to use where that many are asked for.
func cores(threads int) int { return cmp.Or(threads, runtime.GOMAXPROCS(0)) }

// firstSparsity is how many atoms per signal there are at first, and for good
// where the number is not chosen.
const firstSparsity = 4

// sparsityToBegin is how many atoms per signal there are at first between that many
// vertices that vary.
func sparsityToBegin(vertices int) int { return max(min(firstSparsity, vertices/2), 1) }

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
	o.KernelDegree = cmp.Or(o.KernelDegree, fitting.DefaultDegree)
}

// checkKernels checks the kernels, and what is to be learned of them on n vertices.
func (o *Options) checkKernels(kernels []kernel.Kernel, n int, f *faults) {
	f.check(o.Kernels == KernelsScaled && !hasScale(kernels), input.Kernels, "none of them has a scale to learn")
	f.check(hasEmpty(kernels), input.Kernels, "an empty kernel generates no atoms")
	f.check(!slices.Contains(kernelLearnings(), o.Kernels), fieldKernelLearning, "got %q, want one of %v", o.Kernels, kernelLearnings())
	f.check(o.Kernels == KernelsFree && n >= o.LargeFrom, input.Kernels,
		"free ones can be learned on fewer than %d vertices, got %d: learn them on some of the vertices, and give them", o.LargeFrom, n)
	most := func(v, most int, field input.Field) {
		f.check(v < 0 || v > most, field, "got %d, want 1 to %d", v, most)
	}
	most(o.KernelCount, fitting.MaxCount, input.KernelCount)
	most(o.KernelDegree, fitting.MaxDegree, input.KernelDegree)
}

// hasScale reports whether one of the kernels has a scale.
func hasScale(kernels []kernel.Kernel) bool {
	return slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return k.Family() != "" })
}

// hasEmpty reports whether one of the kernels is no kernel.
func hasEmpty(kernels []kernel.Kernel) bool {
	return slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return k.Degree() < 0 })
}

// How many vertices there is memory for: matrices of a few times N² numbers, or
// local atoms.
const (
	maxVertices      = 5000
	maxLargeVertices = 50_000
)

// vertexLimit is the most vertices that the method can take.
func (o Options) vertexLimit() int {
	if o.LargeFrom <= maxVertices {
		return maxLargeVertices
	}
	return maxVertices
}

// defaultPriorWeight is how many signals a prior counts as unless told: enough to
// decide between graphs where signals are few, nothing beside hundreds.
const defaultPriorWeight = 5

// checkSideInformation checks what the options say is known about n vertices, and
// fills in the weight of the prior.
func (o *Options) checkSideInformation(n int, f *faults) {
	f.checkPairs(o.Allow, n, input.AllowedPairs)
	f.checkPairs(o.Forbid, n, input.ForbiddenPairs)
	f.checkVertices(o.Init, n, input.Init)
	f.checkVertices(o.Prior, n, input.Prior)
	f.check(!finiteNonNegative(o.PriorWeight), fieldPriorWeight, "got %g, want a number of at least 0", o.PriorWeight)
	f.check(o.Prior == nil && o.PriorWeight > 0, fieldPriorWeight, "got %g, but there is no prior", o.PriorWeight)
	if o.Prior != nil {
		o.PriorWeight = cmp.Or(o.PriorWeight, defaultPriorWeight)
	}
}

// checkVertices refuses a graph of other than n vertices, and a directed one.
func (f *faults) checkVertices(g *graph.Graph, n int, field input.Field) {
	if g != nil {
		f.check(g.Vertices() != n, field, "got a graph of %d vertices, want %d", g.Vertices(), n)
		f.check(g.Directed(), field, "the graph is directed, and edges of this model have no direction")
		f.checkSigns(g, field)
	}
}

// checkSigns refuses a graph with negative edges.
func (f *faults) checkSigns(g *graph.Graph, field input.Field) {
	if err := input.Find(input.Negative("learn", field, g.Negative(), "this model needs")); err != nil {
		*f = append(*f, err)
	}
}

// checkPairs refuses a pair that is none of n vertices.
func (f *faults) checkPairs(pairs [][2]int, n int, field input.Field) {
	for _, p := range pairs {
		switch i, j := p[0], p[1]; {
		case min(i, j) < 0 || max(i, j) >= n:
			f.add(field, "pair (%d, %d): the vertices are 0 to %d", i, j, n-1)
			return
		case i == j:
			f.add(field, "pair (%d, %d): a vertex has no edge to itself", i, j)
			return
		}
	}
}

// addKnown takes in what a problem says is known. Graphs are matched with the names of
// the vertices.
func (o *Options) addKnown(k method.Known) error {
	if k.Allow != nil {
		o.Allow = k.Allow
	}
	if k.Forbid != nil {
		o.Forbid = k.Forbid
	}
	if k.Init != nil {
		o.Init = k.Init
	}
	if k.Prior != nil {
		o.Prior, o.PriorWeight = k.Prior, k.PriorWeight
	}
	if o.Names == nil {
		return nil
	}
	known, err := method.Known{Init: o.Init, Prior: o.Prior}.OnVertices(o.Names)
	o.Init, o.Prior = known.Init, known.Prior
	return err
}
