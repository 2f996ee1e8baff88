// Package job is what a search for a graph is given, how it reports and is interrupted,
// what it answers, and how all of that is kept so that a run can go on after its process
// has died.
//
// What ends a run early is an error. A value that comes with [ErrInterrupted] is the best
// so far.
package job

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/method"
)

// A Task is what an engine is given. It is a value: an engine that needs to change
// something changes its own copy.
type Task struct {
	Data     fitting.Signals
	Model    fitting.Model // to begin with
	Settings Settings
	Side     fitting.Information
	Memory   *dictionary.Memory // of its fits, which take turns

	ChooseSparsity bool // the number of atoms was not given
	Progress       *Progress
}

// Settings are the options of a run, as resolved, that engines go by.
type Settings struct {
	Coder        sparse.Method // of the search; empty means its own
	Cut          graph.Cut
	Rounds       int // at most, in each start
	Starts       int // at most
	Seed         uint64
	Threads      int
	Kernels      KernelLearning
	KernelCount  int // of KernelsFree; zero means as many as held-out signals ask for
	KernelDegree int // of KernelsFree
}

// A KernelLearning says what is learned of the kernels.
type KernelLearning string

// What can be learned of them.
const (
	KernelsGiven  KernelLearning = "given"
	KernelsScaled KernelLearning = "scales"
	KernelsFree   KernelLearning = "free"
	KernelsAuto   KernelLearning = "auto"
)

// ExplainsBetter is the share of the residual that learned scales must not exceed
// to be preferred to those begun with.
const ExplainsBetter = 0.95

// SparsityTries bounds how often the number of atoms is chosen.
const SparsityTries = 4

// An Answer is what a method hands over, in its own vertices and scale.
type Answer struct {
	Model     fitting.Model // with what was learned of it
	Weights   *graph.Graph  // before the cut
	Graph     *graph.Graph  // after it
	Codes     *sparse.Code
	CodedOn   *graph.Graph      // the graph whose dictionary the codes are on
	Residuals fitting.Residuals // of the codes
	Residual  float64
	Objective float64
	Threshold Threshold
	Rounds    int
	Status    method.Status
	Certified bool
	Proved    bool // the weights are; the edges reported may be others, as asked for

	Unexplained int // signals above rounding
	Entries     int // numbers per signal that codes and weights have to explain, on average

	Large             bool
	CommonModeRemoved bool
	Path              []PathPoint
	Scores            []KernelScore
	Fitting           []kernel.Kernel // by which edges were found, because those given explain the signals clearly worse; else nil
}

// AnswerOf returns the answer of the codes of a fit, which leave these residuals.
func AnswerOf[E fitting.Engine](f *fitting.Fit[E], residuals fitting.Residuals) *Answer {
	left := f.Relative(residuals)
	return &Answer{
		Codes: f.Code, Residuals: residuals, Residual: left, Objective: left,
		Unexplained: len(f.Unexplained(residuals)), Entries: f.SpareEntries() + f.Sparsity,
	}
}

// EndedBy returns the answer with what ended the work on it: nil or, which marks it as
// the best so far, ErrInterrupted.
func (a *Answer) EndedBy(err error) (*Answer, error) {
	if err != nil {
		a.Status = method.Interrupted
	}
	return a, err
}

// A Threshold is the cut that was made.
type Threshold struct {
	Rule  graph.CutRule
	Value float64 // the lightest weight kept; 0 for an empty graph
	Gap   float64 // ratio of the lightest normalised weight kept to the heaviest dropped, about 100 where none is dropped
}

// WeakGap is the ratio below which the automatic cut is only a guess.
const WeakGap = 2

// ClearGap reports whether a gap after the edges kept is clear: it is large, or there
// is a good part of the edges after it.
func ClearGap(weights, kept *graph.Graph, ratio float64) bool {
	dropped := weights.EdgeCount() - kept.EdgeCount()
	return ratio >= LargeGap || ratio >= WeakGap && 5*dropped >= kept.EdgeCount()
}

// LargeGap is the gap that is clear even where there is little after it.
const LargeGap = 5

// Cut applies a rule to weights and says what it did.
func Cut(weights *graph.Graph, c graph.Cut) (*graph.Graph, Threshold) {
	kept := c.Apply(weights)
	return kept, ThresholdOf(weights, kept, c.Rule)
}

// ThresholdOf describes a cut that was made.
func ThresholdOf(weights, kept *graph.Graph, rule graph.CutRule) Threshold {
	return Threshold{Rule: rule, Value: fitting.Lightest(kept), Gap: weights.GapAfter(kept.EdgeCount())}
}

// Noise estimates the amplitude of the noise, as a share of the signals': the
// residual is noise in as many dimensions as neither codes nor weights take up.
func (a *Answer) Noise() float64 {
	_, m := a.Codes.Dims()
	if a.Unexplained == 0 || a.Residual <= 0 || 50*a.Unexplained <= m-a.Unexplained {
		return 0 // what is left are a few signals that no code explains
	}
	entries := float64(m * a.Entries)
	spare := entries - float64(a.Codes.NonZeros()+a.Graph.EdgeCount())
	return math.Sqrt(min(a.Residual*entries/max(spare, 1), 1))
}

// A PathPoint is a graph on the pruning path.
type PathPoint struct {
	Edges int
	// CodeError is ‖Y − DX‖²/‖Y‖² of signals that the weights were not fitted to; on
	// large graphs, where nothing is held out, of all.
	CodeError float64
	// Prediction is the share of the variance of a vertex, beyond the mean of the
	// others, that the others predict, in the same signals; not a number on large graphs.
	Prediction float64
	Graph      *graph.Graph
}

// A KernelScore says how well the graph that some kernels lead to predicts.
type KernelScore struct {
	Kernels           []string
	Sparsity          int
	CommonModeRemoved bool    // with each signal's mean over the vertices taken out
	Prediction        float64 // as of innerPathPoint, before any cut

	Model fitting.Model // with the kernels themselves
}

// Signals returns the signals that the score is of.
func (k KernelScore) Signals(data fitting.Signals) fitting.Signals {
	if k.CommonModeRemoved {
		return data.WithoutCommonMode()
	}
	return data
}
