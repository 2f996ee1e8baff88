package nervure

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/sensors"
	"github.com/nervure/nervure/signals"
)

// Signals are measurements on the vertices of a graph: a matrix with vertices in
// rows and signals in columns, and the names of the vertices.
type Signals = signals.Set

// A Choice says whether something is done.
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
	// BadSensors is what becomes of values that seem to be no measurements; the empty
	// rule makes them missing.
	BadSensors sensors.Rule
	Method     method.Method // nil means AutoMethod{}, or learn.Sparse{} if there are kernels

	Kernels []kernel.Kernel // for methods that use kernels; nil means the method's own, at first those of the paper
	Cut     graph.Cut       // which edges to keep; the zero cut is the method's own
	Seed    uint64          // of every random draw; zero means 1
	Threads int             // zero means all cores; the result does not depend on it

	// Structure says whether a graph that the sparse method's default recipe learned,
	// and that is not exact, is tested on held-out signals, which takes about as long
	// as learning it. Only No leaves it out.
	Structure Choice
	// Confidence says whether every edge gets a confidence in [0, 1]. Auto does so for
	// the sparse method up to [ConfidenceVertices] and [ConfidenceValues], where it takes about ten
	// times as long as the graph, for any graph that is exact, and for ggl up to
	// [FieldConfidenceVertices] and [FieldConfidenceValues].
	Confidence Choice
	// Block is how many consecutive signals stay together when signals are split
	// into halves, because they depend on one another in time. Zero means as many as
	// the signals' autocorrelation asks for.
	Block int
	// Sample is how many signals to learn from where there are very many, those in
	// memory or in a [signals.Set.Whole]: with more than that says, they hardly change
	// the graph. The others are held against it then; see [Analysis.Rest]. Zero means
	// [SampleSignals], and [LearnFromAll] all signals in memory.
	Sample int
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
	switch {
	case o.Method == nil && o.Kernels == nil:
		o.Method = AutoMethod{}
	case o.Method == nil:
		o.Method = learn.Sparse{} // kernels are its model
	}
	o.Method = withKernels(o.Method, o.Kernels)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Sample = cmp.Or(o.Sample, SampleSignals)
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
	switch {
	case o.Threads < 0:
		return o, input.Errorf("nervure", "threads", "got %d, want at least 0", o.Threads)
	case o.TimeLimit < 0:
		return o, input.Errorf("nervure", "time limit", "got %s, want at least 0", o.TimeLimit)
	case o.Block < 0:
		return o, input.Errorf("nervure", input.Block, "got %d signals, want at least 0", o.Block)
	}
	if s.Names == nil {
		return o, nil
	}
	var err error
	switch m := o.Method.(type) {
	case learn.Sparse:
		var faults [2]error
		m.Options.Init, faults[0] = onVertices(learn.FieldInit, m.Options.Init, s.Names)
		m.Options.Prior, faults[1] = onVertices(learn.FieldPrior, m.Options.Prior, s.Names)
		o.Method, err = m, cmp.Or(faults[:]...)
	case learn.Maretic2017:
		m.Init, err = onVertices(learn.FieldInit, m.Init, s.Names)
		o.Method = m
	}
	return o, err
}

// withKernels returns the method as a value, the sparse one with the kernels given
// for all methods if it has none of its own: what it does with signals depends on
// them.
func withKernels(m method.Method, kernels []kernel.Kernel) method.Method {
	if p, ok := m.(*learn.Sparse); ok { // which keeps the contract, too
		m = *p
	}
	switch m := m.(type) {
	case learn.Sparse:
		if m.Model.Kernels == nil {
			m.Model.Kernels = kernels
		}
		return m
	case learn.Maretic2017:
		if m.Model.Kernels == nil {
			m.Model.Kernels = kernels
		}
		return m
	}
	return m
}

// onVertices returns a graph, which may be nil, on the named vertices, matched by
// name if it has other names than the default ones.
func onVertices(field input.Field, g *graph.Graph, names []string) (*graph.Graph, error) {
	if g == nil || g.Vertices() == len(names) && slices.Equal(g.Names(), graph.DefaultNames(len(names))) {
		return g, nil
	}
	moved, err := g.OnVertices(names)
	if err != nil {
		return nil, input.Errorf("nervure", field, "it has a vertex that the signals do not have: %v", err)
	}
	return moved, nil
}

// Learn learns the graph behind signals, which are not modified, and says how far
// to trust it. Signals or options that cannot be used are an *input.Error.
//
// If ctx ends, Learn returns its best graph so far together with the cause, or
// only the cause if there is none yet; the analysis then has the status
// solver.Interrupted.
func Learn(ctx context.Context, s *Signals, o Options) (*Analysis, error) {
	last, err := lastOf(Steps(ctx, s, o))
	return last.Analysis, err
}
