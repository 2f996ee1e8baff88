// Package nervure learns the graph behind a set of signals: which vertices are
// connected, and how strongly, from measurements alone.
//
//	set, err := dataio.ReadSignals("signals.csv", dataio.ReadOptions{})
//	…
//	analysis, err := nervure.Learn(ctx, set, nervure.Options{})
//	…
//	fmt.Println(analysis.Verdict)
//	for _, edge := range analysis.Graph.Edges() { … }
//
// [Learn] is the whole pipeline of the command nervure learn: it preprocesses the
// signals where the data call for it, learns the graph, tests whether held-out
// signals show any structure, and gives every edge a confidence. The [Analysis]
// says what was done, how far to trust it ([Verdict]) and what to doubt. [Steps]
// is the same as a loop over the work in progress. [Compare] runs several methods
// on the same signals and recommends one. Package model keeps what was learned and
// uses it on new signals.
//
// The model is that of [maretic2017], Graph Learning under Sparsity Priors: each
// signal is a sum of a few atoms, local patterns that spread along the edges. No
// setting is required; every automatic choice is reported. Other methods keep the
// same contract (package method) and are listed by [Methods].
//
// The same signals, options and seed give the same bytes, whatever the number of
// threads.
//
// The parts can be used on their own: packages prepare, learn, baseline and assess
// are the stages of the pipeline; graph and kernel the mathematics below; gsp filters
// signals on a graph, removes their noise and fills their gaps; dataio reads and writes
// files; report and plot show results; synth and metrics generate problems with known
// ground truth and score results.
package nervure

import (
	"cmp"
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// Signals are measurements on the vertices of a graph: a matrix with vertices in
// rows and signals in columns, and the names of the vertices.
type Signals = signals.Set

// A Preparation is signals after preprocessing, and what was done to them.
type Preparation = prepare.Prepared

// A Choice reports whether something is done.
type Choice = prepare.Choice

// The choices. The empty one is Auto.
const (
	Auto = prepare.Auto // where it is worth its cost
	Yes  = prepare.Yes
	No   = prepare.No
)

// Options say how to learn. The zero value is right for a first try, and is what
// the command line does without flags.
type Options struct {
	Prepare prepare.Options // preprocessing; by default only where the data call for it
	// BadSensors is how to treat readings that look like sensor faults; the empty
	// rule makes them missing.
	BadSensors prepare.FaultRule
	Method     method.Method // nil means AutoMethod{}, or the sparse method if there are kernels or known edges

	Kernels []kernel.Kernel // for methods that use kernels; nil means the method's own, at first those of the paper
	Known   method.Known    // edges that are known beforehand, for methods that use them
	Cut     graph.Cut       // which edges to keep; the zero cut is the method's own
	Seed    uint64          // of every random draw; zero means 1
	Threads int             // zero means all cores; the result does not depend on it

	// Structure is whether an undirected graph that is not exact is tested on held-out
	// signals, which takes at most about as long as learning it. Only No leaves it out.
	Structure Choice
	// Confidence is whether every edge of an undirected graph gets a confidence in [0, 1].
	// Auto computes it for methods with codes up to [ConfidenceVertices] and [ConfidenceValues],
	// where it takes about ten times as long as the graph, for any graph that is exact, and for
	// all other methods up to [FieldConfidenceVertices] and [FieldConfidenceValues], or
	// [LargeConfidenceValues] above 1000 vertices.
	Confidence Choice
	// Floor is the size of partial correlation that edges are tested for exceeding: in measured
	// signals none is exactly zero. Zero means 0.4/d, with d the mean degree of the graph, at least 2.
	// Give a tiny one to test against zero.
	Floor float64
	// FDR keeps only edges that exceed the floor at this false discovery rate; zero keeps all.
	FDR float64
	// Block is how many consecutive signals stay together when signals are split
	// into halves, because they depend on one another in time. Zero means as many as
	// the signals' autocorrelation asks for.
	Block int
	// Sample is how many signals to learn from where there are very many, those in
	// memory or in a [signals.Set.Whole]: with more than that says, they hardly change
	// the graph. The others are held against it then; see [Analysis.Rest]. Zero means as
	// many as [signals.SampleSize] says.
	Sample int
	// KeepEdges keeps the edges of signals that show no structure. Without, and unless a cut or a
	// method that is never chosen by itself asks for them, the graph has none: see
	// [Verdict.Withheld].
	KeepEdges bool
	// AllSignals learns from all signals in memory, whatever Sample is.
	AllSignals bool
	// TimeLimit is how long the run may take; zero means as long as it takes. At its end
	// there is a graph, from the best point so far if learning was not over, pruned in
	// short: see [Analysis.LimitReached]. Looks at the signals, tests and confidence are left
	// out as far as there is no time for them, and warnings say so. A result that the limit
	// has a part in cannot be repeated.
	TimeLimit time.Duration
}

// resolve fills in what is not given, and refuses what cannot be used for these
// signals.
func (o Options) resolve(s *Signals) (Options, error) {
	if s == nil || s.Y == nil {
		return o, input.Errorf("nervure", input.Signals, "got none")
	}
	if o.Method == nil {
		o.Method = methodFor(o)
	}
	if own, ok := o.Method.(fieldMethod); ok && o.Kernels != nil {
		var err error
		if o.Method, err = own.WithKernels(o.Kernels); err != nil {
			return o, err
		}
		o.Kernels = nil // they are part of the method
	}
	o.Seed = cmp.Or(o.Seed, 1)
	n, _ := s.Y.Dims()
	o.Sample = cmp.Or(o.Sample, signals.SampleSize(n))
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	for _, c := range []struct {
		field  input.Field
		choice *Choice
	}{{"structure", &o.Structure}, {"confidence", &o.Confidence}} {
		switch *c.choice = cmp.Or(*c.choice, Auto); *c.choice {
		case Auto, Yes, No:
		default:
			return o, input.Errorf("nervure", c.field, "got %q, want auto, yes or no", *c.choice)
		}
	}
	for key, value := range map[string]float64{"check.floor": o.Floor, "cut.fdr": o.FDR} {
		if err := document.CheckNumber(key, value); err != nil {
			return o, input.Errorf("nervure", input.Field(key[strings.IndexByte(key, '.')+1:]), "%s", err)
		}
	}
	switch {
	case o.Threads < 0:
		return o, input.Errorf("nervure", "threads", "got %d, want at least 0", o.Threads)
	case o.TimeLimit < 0:
		return o, input.Errorf("nervure", "time limit", "got %s, want at least 0", o.TimeLimit)
	case o.Sample < 0:
		return o, input.Errorf("nervure", "sample", "got %d signals, want at least 0", o.Sample)
	case o.Block < 0:
		return o, input.Errorf("nervure", input.Block, "got %d signals, want at least 0", o.Block)
	case o.AllSignals:
		o.Sample = 0
	}
	var err error
	if s.Names != nil {
		o.Known, err = o.Known.OnVertices(s.Names)
	}
	return o, err
}

// Learn learns the graph behind signals, which are not modified, and says how far
// to trust it. Signals or options that cannot be used are an *input.Error.
//
// If ctx ends, Learn returns its best graph so far together with the cause, or
// only the cause if there is none yet; the analysis then has the status
// method.Interrupted.
func Learn(ctx context.Context, s *Signals, o Options) (*Analysis, error) {
	last, err := run.Last(Steps(ctx, s, o))
	return last.Analysis, err
}
