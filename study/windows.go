package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

const op = "windows"

// WindowOptions say how to learn.
type WindowOptions struct {
	// Learn is how to learn from the whole series, and what the windows take over: the
	// method as it was chosen, kernels, cut, seed and threads. Confidence is estimated for the whole
	// only, and only with Yes; a time limit is that of the whole.
	Learn nervure.Options

	Window Length // of each window
	Step   Length // between the starts of consecutive windows; zero means Window

	// Progress, if not nil, is told how many of the windows are done. Calls may overlap.
	Progress func(done, of int)
}

// A Window is a part of a series and its graph.
type Window struct {
	Part

	Graph *graph.Graph // with the prior between windows
	Own   *graph.Graph // by itself; nil if nothing could be learned
	Fault string       // why nothing could be learned, a sentence; the graph is that of the windows around it
	// Came and Gone count the edges that the window before did not have, and had.
	Came, Gone int
}

// A Series is the graphs of all windows.
type Series struct {
	Whole   *nervure.Analysis // of all signals
	Method  method.Method     // that the windows were learned by
	Windows []Window
	Edges   []Edge // of any window: those that change first, in the order of their changes, then the heaviest
	Names   []string
	// Evidence says which changes are more than chance.
	Evidence *Evidence
	// Faults are those of the program, each of a window or a part of the whole that is missing.
	Faults []error
}

// An Edge is a pair of vertices that at least one window joins.
type Edge struct {
	I, J    int       // places in Names; I is the source if the graphs are directed
	Weights []float64 // in each window; 0 where there is no edge
	Found   []float64 // how likely each window joins the pair, given all looks at it
	Changes []int     // the windows in which it comes or goes
}

// Windows returns in how many windows the edge is, and the first and the last of them.
func (e Edge) Windows() (count, first, last int) {
	first = -1
	for w, weight := range e.Weights {
		if weight > 0 {
			count++
			if last = w; first < 0 {
				first = w
			}
		}
	}
	return count, first, last
}

// LearnWindows learns the graph of each window.
//
// Each pair of vertices is taken as a Markov chain of two states, joined or not, that
// seldom changes. What a window by itself says about the pair is a look at its state: no weight,
// a weight that was cut off, or that of an edge, in eight levels. How sure looks
// are, and how many edges change at each step, is estimated from all pairs
// ([rabiner1989], the algorithm of Baum and Welch), and the graph of a window
// has the pairs that are joined there in the likeliest history (Viterbi's algorithm), where a
// change must be twice as likely as none. The weight of an edge is that of its window or, where
// that has not found it, the mean over the windows around it that did.
//
// Windows that overlap share observations, and their looks are not independent: the
// logarithm of the likelihood of a look is multiplied by the share of its window that is new. So
// shorter steps show more exactly when an edge changes but are no additional evidence.
//
// Which changes are more than chance is tested apart from that, by permutations of blocks of time
// ([groups.Changes]): it says how sure changes are, and decides nothing.
//
// A window from which nothing can be learned is no look; its graph comes from those
// around it. Signals or options that cannot be used are an [*input.Error]. If ctx ends, its cause is returned. With a
// checkpoint in ctx, windows that are done are not learned again.
func LearnWindows(ctx context.Context, s *nervure.Signals, o WindowOptions) (*Series, error) {
	parts, err := cut(s, o)
	if err != nil {
		return nil, err
	}
	whole := o.Learn
	whole.AllSignals = true
	if whole.Prepare.Rows == "" || whole.Prepare.Rows == prepare.RowsAuto {
		whole.Prepare.Rows = prepare.RowsTime // windows are of rows in their order
	}
	if whole.Prepare.Scores == "" || whole.Prepare.Scores == prepare.Auto {
		whole.Prepare.Scores = prepare.No // windows are learned from values
	}
	if whole.Confidence != nervure.Yes {
		whole.Confidence = nervure.No
	}
	analysis, err := nervure.Learn(ctx, s, whole)
	if err != nil {
		return nil, err
	}
	if analysis.Preparation.CutShort {
		ctx = checkpoint.Without(ctx) // with more time, the signals will be others
	}
	l := &learning{options: o, whole: analysis, names: analysis.Graph.Names(), parts: parts}
	if err := l.learn(ctx, s); err != nil {
		return nil, err
	}
	series, err := l.series()
	if err != nil {
		return nil, err
	}
	y, _ := l.prepared(s)
	series.Faults = slices.Concat(analysis.Faults, l.faults)
	series.Evidence, err = l.evidence(ctx, y)
	return series, err
}

// Identity returns what the result of [LearnWindows] depends on, for a checkpoint.
func (o WindowOptions) Identity(s *nervure.Signals) (nervure.Identity, error) {
	id, err := nervure.RunIdentity(s, o.Learn)
	if err != nil {
		return id, err
	}
	id.Options = checkpoint.Fingerprint(id.Options, "windows", o.Window.String(), o.Step.String())
	return id, nil
}

// A learning is a call of Learn.
type learning struct {
	options WindowOptions
	whole   *nervure.Analysis
	names   []string
	parts   []Part
	looks   []look  // of the windows
	faults  []error // of the program

	kept, all []map[[2]int]float64 // the weights of looks
}

// A look is what a window by itself says.
type look struct {
	kept, all *graph.Graph // after and before the cut; nil if nothing could be learned
	fault     string
}

// learn learns from each window by itself.
func (l *learning) learn(ctx context.Context, s *nervure.Signals) error {
	y, options := l.prepared(s)
	l.looks = make([]look, len(l.parts))
	faults, broken := make([]error, len(l.parts)), make([]error, len(l.parts))
	var done atomic.Int64
	tell := func(n int64) {
		if l.options.Progress != nil {
			l.options.Progress(int(n), len(l.parts))
		}
	}
	tell(0)
	checkpoint.EachPart(ctx, "window", l.whole.Options.Threads, len(l.parts), func(ctx context.Context, k int) {
		if ctx.Err() != nil {
			return
		}
		err := guard.Run(fmt.Sprintf("window %d", k+1), func() (err error) {
			guard.Trip(fmt.Sprintf("window %d", k+1))
			l.looks[k], err = checkpoint.Piece(ctx, "look", codeLook, func(ctx context.Context) (look, error) {
				return l.look(ctx, y, options, l.parts[k])
			})
			return err
		})
		if found, _ := guard.Split(err); len(found) > 0 {
			l.looks[k], broken[k] = look{fault: err.Error()}, err
		} else {
			faults[k] = err
		}
		tell(done.Add(1))
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	l.faults = slices.DeleteFunc(broken, func(err error) bool { return err == nil })
	if !slices.ContainsFunc(l.looks, func(k look) bool { return k.kept != nil }) {
		if len(l.faults) > 0 {
			return errors.Join(l.faults...)
		}
		return input.Completef(op, input.Signals, "nothing can be learned from any window: %s", l.looks[0].fault)
	}
	return nil
}

// prepared returns the signals of the whole after preprocessing, with a column for each
// observation, and how to learn from parts of them.
func (l *learning) prepared(s *nervure.Signals) (*mat.Dense, nervure.Options) {
	_, m := s.Y.Dims()
	y := l.whole.Preparation.Y
	n, have := y.Dims()
	if have < m { // differences: the first observation has none
		padded := mat.NewDense(n, m, nil)
		padded.Slice(0, n, m-have, m).(*mat.Dense).Copy(y)
		for i := range n {
			for k := range m - have {
				padded.Set(i, k, y.At(i, 0))
			}
		}
		y = padded
	}
	o := l.options.Learn
	o.Method, o.Prepare = l.whole.Result.Method, prepare.None()
	o.Prepare.Rows = prepare.RowsTime // as in the whole
	if l.whole.Preparation.Report.Center.Done {
		o.Prepare.Center = prepare.Yes // windows have means of their own
	}
	o.BadSensors, o.TimeLimit = prepare.ReportFaults, 0 // what is bad has been found in the whole
	o.AllSignals, o.Threads = true, 1                   // windows are what runs side by side
	o.Structure, o.Confidence = nervure.No, nervure.No
	return y, o
}

// look learns from a window.
func (l *learning) look(ctx context.Context, y *mat.Dense, o nervure.Options, p Part) (look, error) {
	n, _ := y.Dims()
	set := &signals.Set{Y: mat.DenseCopyOf(y.Slice(0, n, p.From, p.To)), Names: l.names}
	a, err := nervure.Learn(ctx, set, o)
	switch fault := input.Find(err); {
	case err == nil:
		return look{kept: a.Graph, all: a.Weights}, nil
	case ctx.Err() != nil:
		return look{}, context.Cause(ctx)
	case fault != nil:
		return look{fault: fault.Fault()}, nil // of this window, not of the series
	}
	return look{}, err
}

// codeLook codes what a window says.
func codeLook(c *checkpoint.Coder, k *look) {
	c.String(&k.fault)
	if k.fault == "" {
		c.Graph(&k.kept)
		c.Graph(&k.all)
	}
}

// String is what a window is called in a sentence.
func (p Part) String() string {
	if p.Begin.IsZero() {
		return fmt.Sprintf("%d to %d", p.From+1, p.To)
	}
	return label(p.Begin, p.End)
}

// label writes a time with no more parts than its steps need.
func label(t, end time.Time) string {
	if t.Truncate(24*time.Hour).Equal(t) && end.Sub(t)%(24*time.Hour) == 0 {
		return t.UTC().Format("2006-01-02")
	}
	return t.UTC().Format("2006-01-02 15:04")
}
