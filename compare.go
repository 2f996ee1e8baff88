package nervure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
)

// CompareOptions say which methods to compare, and how. The zero value compares
// all that are not too slow for it.
type CompareOptions struct {
	Prepare prepare.Options // preprocessing, the same for all methods
	// BadSensors is how to treat readings that look like sensor faults; the empty
	// rule makes them missing.
	BadSensors prepare.FaultRule
	Methods    []method.Method // nil means all of [Methods] but those that are OnlyNamed
	// Timely leaves out methods that may take minutes: those that go through all pairs
	// again and again, with more than 2000. It is so if Methods is nil. That none is left is an error.
	Timely  bool
	Kernels []kernel.Kernel // for methods that use kernels; nil means the method's own
	Cut     graph.Cut       // which edges to keep; the zero cut is each method's own
	Seed    uint64          // of every random draw; zero means 1
	Threads int             // zero means all cores; the graphs do not depend on it

	// Folds is into how many folds signals are split to rank methods by held-out
	// signals. With 1, methods learn from the first half of the signals and are ranked by
	// the second. Zero means 5, or 2 where N²M exceeds 10⁷, or 1 where it exceeds 3·10⁸.
	Folds int
	// Unranked leaves the ranking out, whatever Folds is.
	Unranked bool
	// TimeLimit is how long a method may take, its folds included. One that takes longer
	// is cut off with the graph that it has, which may take half as long again, and not ranked. Zero means 90 seconds where
	// N²M exceeds 10⁷, or a second for each 10⁹ of it if that is more, and no limit elsewhere, so
	// that a comparison can be repeated.
	TimeLimit time.Duration
	// NoTimeLimit lets methods take as long as they take, whatever TimeLimit is.
	NoTimeLimit bool
	// Truth is the true graph on the vertices of the signals, or nil. It is used to
	// score methods, and has no part in their ranking.
	Truth *graph.Graph
}

// resolve fills in what is not given, and refuses what cannot be used for these
// signals.
func (o CompareOptions) resolve(s *Signals) (CompareOptions, error) {
	if err := intake.Usable(s); err != nil {
		return o, err
	}
	if o.Methods == nil {
		o.Timely = true
		for _, e := range comparedMethods() {
			o.Methods = append(o.Methods, e.Default)
		}
	}
	for k, m := range o.Methods {
		if m == nil {
			return o, input.Errorf("nervure", "methods", "number %d is nil", k+1)
		}
	}
	o.Seed = cmp.Or(o.Seed, 1)
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	n, _ := s.Y.Dims()
	fault := o.Cut.DirectedFault
	if slices.ContainsFunc(o.Methods, func(m method.Method) bool {
		return !method.Has(m, method.DirectedEdges)
	}) {
		fault = o.Cut.Fault
	}
	if field, sentence := fault(n); sentence != "" {
		return o, input.Errorf("nervure", input.Field(field), "%s", sentence)
	}
	switch {
	case o.Threads < 0:
		return o, input.Errorf("nervure", "threads", "got %d, want at least 0", o.Threads)
	case o.Folds < 0:
		return o, input.Errorf("nervure", input.Folds, "got %d, want at least 0", o.Folds)
	case o.TimeLimit < 0:
		return o, input.Errorf("nervure", "time limit", "got %s, want at least 0", o.TimeLimit)
	case o.Truth == nil:
		return o, nil
	}
	names := s.Names
	if names == nil {
		names = graph.DefaultNames(n)
	}
	var err error
	o.Truth, err = method.OnVertices("truth", o.Truth, names)
	return o, err
}

// A Comparison is several methods on the same signals.
type Comparison struct {
	Preparation *Preparation
	Methods     []Compared  // those that are done, in the order asked for
	Agreement   [][]float64 // F1 between the edges of each two of the methods that have a graph, in their order
	Ranking     *Ranking    // nil if methods were not ranked
	Unranked    string      // why methods were not ranked although they were to be, a sentence; else ""
	Interrupted bool        // ctx ended before all methods were done
	LeftOut     []string    // methods that were cut off at the time limit, and are not ranked
	NotTried    []string    // methods that may have taken minutes, and were not named
	Unjudged    []string    // those of LeftOut that have learned their graph, but not been judged by held-out signals

	Folds          int // of held-out signals, 1 for the second half; 0 if methods are not ranked
	SignalsHeldOut int // behind the HeldOutError of methods
	Options        CompareOptions
}

// A Compared is a method and its outcome.
type Compared struct {
	Name     string         // of the method; one that is there for the second time is called "knn (2)"
	Result   *method.Result // nil if the method failed
	Err      error          // why it failed
	Warnings []string
	Duration time.Duration

	Score        *metrics.Score // against the truth, if that is known
	ScoreAtCount *metrics.Score // of only the heaviest edges, as many as are true
	HeldOut      *HeldOut       // nil if it is not ranked
	// HeldOutError is the share of the energy of held-out signals that codes on a
	// graph learned from the others do not explain; nil for methods without codes.
	HeldOutError *float64
	Place        *Place // in the ranking, or nil
	CutOff       bool   // at the time limit: the graph, if there is one, is the best so far
}

// Recommended returns the method to use, nil if there is none: no graph predicts
// better than none, or methods were not ranked.
func (c *Comparison) Recommended() *Compared {
	if c.Ranking == nil {
		return nil
	}
	for k, m := range c.Methods {
		if m.Name == c.Ranking.Recommended {
			return &c.Methods[k]
		}
	}
	return nil
}

// A CompareStage says what is being done with a method.
type CompareStage string

// The stages of each method, in their order.
const (
	LearningGraph    CompareStage = "graph"            // learning from all signals
	CodingHeldOut    CompareStage = "held-out error"   // of methods with codes, if the truth is not known
	RankingByHeldOut CompareStage = "held-out signals" // learning from folds, if methods are ranked
)

// A CompareStep is a look at a comparison at work.
type CompareStep struct {
	Preparation *Preparation // on the first step only
	Name        string       // of the method at work
	Index, Of   int          // which it is, from 1, of how many
	Doing       CompareStage
	Method      method.Step // the zero value when something begins
	Compared    *Compared   // once the method is done
	Comparison  *Comparison // on the last step only
}

// Compare runs several methods on the same signals, ranks them by held-out
// signals and recommends one. Methods run side by side, one on each thread. A method
// that cannot work with the signals is a row that says why.
//
// If ctx ends, Compare returns the methods that are done with the cause; the one
// that was cut short is left out.
func Compare(ctx context.Context, s *Signals, o CompareOptions) (*Comparison, error) {
	last, err := run.Last(CompareSteps(ctx, s, o))
	return last.Comparison, err
}

// CompareSteps is [Compare] as a loop over the work in progress; leaving the loop
// stops the work. The last step carries the comparison.
func CompareSteps(ctx context.Context, s *Signals, o CompareOptions) iter.Seq2[CompareStep, error] {
	return run.Iterate(ctx, func(ctx context.Context, show func(CompareStep)) (CompareStep, error) {
		o, err := o.resolve(s)
		if err != nil {
			return CompareStep{}, err
		}
		c := &comparisonRun{options: o}
		comparison, err := c.run(ctx, s, show)
		return CompareStep{Comparison: comparison}, err
	})
}

func (r *Compared) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// score compares a graph with the truth, if that is known.
func (r *Compared) score(truth *graph.Graph) error {
	if truth == nil {
		return nil
	}
	own, err := metrics.Edges(r.Result.Graph, truth)
	if err != nil {
		return err
	}
	heaviest, err := metrics.EdgesAtCount(r.Result.Weights, truth)
	if err != nil {
		return err
	}
	r.Score, r.ScoreAtCount = &own, &heaviest
	return nil
}

// rank orders the methods that have held-out scores and recommends one; favour says which is
// taken without a comparison.
func (c *Comparison) rank(favour func([]assess.Contender) assess.Favoured) {
	var list []assess.Contender
	for _, m := range c.Methods {
		if m.HeldOut != nil {
			own := method.ExplainerOf(m.Result)
			list = append(list, assess.Contender{
				Name: m.Name, Edges: m.Result.Graph.EdgeCount(), Iterations: m.Result.Rounds,
				Certified: own != nil && own.Explanation().Certified, Direct: method.Has(m.Result.Method,
					method.DirectOnly), HeldOut: m.HeldOut,
			})
		}
	}
	if len(list) == 0 {
		return
	}
	ranking := assess.Rank(list, favour(list))
	c.Ranking = &ranking
	for k, p := range ranking.Places {
		at := slices.IndexFunc(c.Methods, func(m Compared) bool { return m.Name == p.Name })
		c.Methods[at].Place = &ranking.Places[k]
	}
}

// agree fills in the F1 between the edges of each two graphs.
func (c *Comparison) agree() error {
	var graphs []*graph.Graph
	for _, m := range c.Methods {
		if m.Result != nil {
			graphs = append(graphs, m.Result.Graph)
		}
	}
	c.Agreement = make([][]float64, len(graphs))
	for i, a := range graphs {
		c.Agreement[i] = make([]float64, len(graphs))
		for j, b := range graphs {
			f1, err := metrics.EdgeF1(a, b)
			if err != nil {
				return err
			}
			c.Agreement[i][j] = f1
		}
	}
	return nil
}

// Warnings returns what there is to doubt whatever the method, a sentence each:
// about the signals, and that methods were not ranked. The methods have their own.
func (c *Comparison) Warnings() []string {
	list := c.Preparation.Sentences()
	return append(list, c.Doubts()...)
}

// Doubts returns those of the warnings that are not about the signals.
func (c *Comparison) Doubts() (list []string) {
	if c.Unranked != "" {
		list = append(list, c.Unranked)
	}
	if len(c.NotTried) > 0 {
		n, _ := c.Preparation.Y.Dims()
		list = append(list, fmt.Sprintf("with %d vertices these may take minutes each, and are compared only if they are named: %s",
			n, words.List(c.NotTried, "and")))
	}
	return list
}

// A MethodWarning is a reason to doubt the graphs of some methods.
type MethodWarning struct {
	Sentence string
	Methods  []string // that give it
	All      bool     // there are several methods with a graph, and all give it
}

// MethodWarnings returns the warnings of all methods, each once, in the order in
// which they are first given.
func (c *Comparison) MethodWarnings() []MethodWarning {
	var list []MethodWarning
	at := map[string]int{} // in the list, by sentence
	graphs := 0
	for _, m := range c.Methods {
		if m.Result != nil {
			graphs++
		}
		for _, sentence := range m.Warnings {
			k, known := at[sentence]
			if !known {
				k = len(list)
				at[sentence] = k
				list = append(list, MethodWarning{Sentence: sentence})
			}
			list[k].Methods = append(list[k].Methods, m.Name)
		}
	}
	for k := range list {
		list[k].All = graphs > 1 && len(list[k].Methods) == graphs
	}
	return list
}

// AllFailed returns an error if every method that is done failed, with the reason of
// the first. It is an [*input.Error] if all of them refused what they were given:
// then the signals are at fault.
func (c *Comparison) AllFailed() error {
	refused := true
	for _, m := range c.Methods {
		if m.Result != nil {
			return nil
		}
		refused = refused && input.Find(m.Err) != nil
	}
	if len(c.Methods) == 0 {
		return nil
	}
	sentence := fmt.Sprintf("no method learned a graph; %s: %s", c.Methods[0].Name, c.Methods[0].Reason())
	if refused {
		return &input.Error{Msg: sentence}
	}
	return errors.New(sentence)
}
