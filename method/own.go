package method

import (
	"context"
	"encoding"
	"iter"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
)

// What a method has to say beyond its graph is the Own of its [Result]. A caller learns what
// that can do by asking for one of the interfaces below, as io.Copy asks for an
// io.WriterTo, and needs to know no method.

// A Kept can be kept with the graph, to the last bit: see [Entry.NewOwn].
type Kept interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// An Explainer explains every signal as a sum of a few atoms. It is tested by how well
// that works for held-out signals.
type Explainer interface {
	Explanation() Explanation
	// HoldOut learns again from the signals of train, as the result was learned and with
	// all that it chose, and codes others on that graph: those of test, and the same after
	// each shuffle.
	HoldOut(ctx context.Context, train, test *mat.Dense, shuffles iter.Seq[*mat.Dense], threads int) (HeldOutCodes, error)
	// LearnHalf learns weights again from some of the signals, without what was known
	// beforehand. It is called from several goroutines.
	LearnHalf(ctx context.Context, y *mat.Dense, threads int) (*graph.Graph, error)
	// Residuals codes signals on the graph and returns what is left of the energy of each,
	// and that energy. What the codes need to know beside the graph comes from train.
	Residuals(train, y *mat.Dense, threads int) (left, energy []float64, err error)
}

// An Explanation says how well a graph explains the signals that it was learned from.
type Explanation struct {
	Residual    float64 // ‖Y − DX‖²/‖Y‖²
	Unexplained int     // signals whose residual is above rounding
	Certified   bool    // the graph proves itself: no other could explain the signals as well
	Restricted  bool    // it is the answer among the pairs that were allowed

	Kernels           []kernel.Kernel // of the atoms, as given or as chosen
	AskedKernels      []kernel.Kernel // as given; nil if they were chosen
	Sparsity          int             // most atoms per signal
	CommonModeRemoved bool            // before coding, by the method itself

	CodedOn   *graph.Graph // the codes are on its atoms: the graph, or the weights before the cut
	Truncated int          // atoms are truncated from that many vertices on; zero if these are not
}

// HeldOutCodes say how codes do on signals that were not learned from, signal by signal.
type HeldOutCodes struct {
	Residual []float64 // ‖y − Dx‖²/‖y‖²
	Shuffled []float64 // the same of each shuffle, one after another
	// Error is the squared error of each vertex predicted from the others, summed, and
	// MeanError the same where the mean of the others is the prediction; nil if there are
	// too many vertices.
	Error, MeanError []float64
}

// A Reporter has findings for people: sentences without capitals and full stops.
type Reporter interface {
	Findings(r *Result) []string
}

// Canonical is implemented by methods with fields that have no part in their result, such as
// the number of threads. The value without them tells runs apart.
type Canonical interface {
	Canonical() Method
}

// A Relearner is a method that can learn again from other signals of the same kind, with as
// many edges as a result has, in a fraction of the time. Tests on held-out signals use it.
type Relearner interface {
	Relearn(ctx context.Context, p Problem, edges int) (*graph.Graph, error)
}

// Rooted is implemented by the Own of results whose graph was learned from signals that were
// made of those given. What is said of its edges is said of these signals.
type Rooted interface {
	// OrderOne returns signals of a Gaussian model whose partial correlations are the edges. It
	// returns y itself if nothing was made of it.
	OrderOne(y *mat.Dense) *mat.Dense
}

// ExplainerOf returns how a result explains signals; nil if it does not.
func ExplainerOf(r *Result) Explainer {
	e, _ := r.Own.(Explainer)
	return e
}

// A Clock estimates from the steps of a method how long it will take. Times are since
// learning began. Estimates need not be right to more than a factor of two.
type Clock interface {
	// Follow takes in a step.
	Follow(s Step, now time.Duration)
	// Pruning reports whether the method is at the part of its work that takes edges away, which
	// comes last and is told apart.
	Pruning() bool
	// Left estimates the rest of the part that it is at; ok is false if nothing is known yet.
	Left(now time.Duration) (left time.Duration, ok bool)
	// Expected estimates a part that has not begun.
	Expected(p Part, now time.Duration) (whole time.Duration, ok bool)
}

// A Part is a part of a run whose time follows from that of learning.
type Part int

// The parts.
const (
	PruningPart    Part = iota // of methods that have it; zero for others
	StructurePart              // the structure test
	ConfidencePart             // the confidence of the edges
)

// A Size is what the time of a run depends on.
type Size struct {
	Vertices, Signals, Threads int
	Halves                     int           // of the signals that the confidence of a method with codes is learned from
	Choosing                   time.Duration // that it took to choose the method; zero if it was given
}

// Timed is implemented by methods that can tell how long they take.
type Timed interface {
	Clock(size Size) Clock
}

// Rest is what is left of a part that is expected to take so long in all. One that takes longer
// goes on for a while.
func Rest(whole, spent time.Duration) time.Duration { return max(whole-spent, spent/10) }
