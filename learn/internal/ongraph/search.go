// Package ongraph learns the kernels of a graph that is known.
package ongraph

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/method"
)

// Settings are the options of a search for kernels, as resolved.
type Settings struct {
	Kernels  []kernel.Kernel // of which the scales are learned; nil means free polynomials
	Count    int             // of free polynomials; zero means as many as held-out signals ask for
	Degree   int
	Sum      float64
	Slack    float64
	Sparsity int
	Rounds   int
	Starts   int
	Seed     uint64
	Threads  int
}

// A Step is a look at a search in progress.
type Step struct {
	Phase    method.Phase
	Count    int
	Start    int
	Round    int
	Residual float64
}

// Found are what a search has found.
type Found struct {
	Kernels  []kernel.Kernel
	Codes    *sparse.Code // X for the signals as given
	Residual float64
	Rounds   int
	Starts   int
	Status   method.Status
	Choice   []CountScore // how the count was chosen; nil if it was given
}

// Search searches for kernels on a graph. It yields its steps, of which it returns
// the history. If the context ends, the best so far comes with job.ErrInterrupted.
func Search(ctx context.Context, g *graph.Graph, y *mat.Dense, o Settings, yield func(Step) bool) (*Found, []Step, error) {
	r := &knownGraph{Reporter: job.Reporter[Step]{Ctx: ctx, Yield: yield}, graph: g, data: canonical.AsGiven(y), options: o}
	found, err := r.learn()
	return found, r.History, err
}

// knownGraph is one call of searchKernels.
type knownGraph struct {
	job.Reporter[Step]
	graph   *graph.Graph
	data    canonical.Signals
	memory  dictionary.Memory // of the starts, one after the other
	options Settings
}

func (g *knownGraph) learn() (*Found, error) {
	kernels, starts := g.options.Kernels, g.options.Starts
	var choice []CountScore
	var best *kernelSearch
	var err error
	if kernels == nil && g.options.Count == 0 {
		if kernels, choice, err = g.chooseCount(); err != nil {
			return nil, err
		}
	}
	if kernels == nil {
		best, starts, err = g.best(g.data, g.options.Count)
	} else {
		best, err = g.searchFrom(g.data, kernels, 1)
	}
	if job.Failed(err) {
		return nil, err
	}
	residuals, fault := best.kernels.Finalise()
	if fault != nil {
		return nil, fault
	}
	result := &Found{
		Kernels: best.fit.Engine.Kernels(), Codes: g.data.EmbedCodes(best.fit.Code, g.graph.Vertices()),
		Residual: best.fit.Relative(residuals), Rounds: best.round, Starts: starts, Status: best.status,
		Choice: choice,
	}
	if err != nil {
		result.Status = method.Interrupted
	}
	return result, err
}

// parameters returns what is free of the kernels.
func (g *knownGraph) parameters() kernelparam.Parameters {
	if g.options.Kernels != nil {
		return kernelparam.Scales{}
	}
	return g.polynomials()
}

func (g *knownGraph) polynomials() kernelparam.Polynomials {
	return kernelparam.Polynomials{Bounds: kernelparam.NewBounds(g.options.Degree, g.options.Sum, g.options.Slack)}
}

// best learns that many free polynomials from all starts and returns the search of
// smallest residual, and how many starts there were. If the context ends, these
// come with job.ErrInterrupted.
func (g *knownGraph) best(data canonical.Signals, count int) (best *kernelSearch, starts int, err error) {
	free := g.polynomials()
	for start := 1; start <= g.options.Starts; start++ {
		kernels, err := free.Start(count, start, g.options.Seed)
		if err != nil {
			return nil, 0, err
		}
		s, err := g.searchFrom(data, kernels, start)
		if job.Failed(err) {
			return nil, 0, err
		}
		starts = start
		if best == nil || s.residual < best.residual {
			best = s
		}
		if best.status == method.Converged || err != nil {
			return best, starts, err
		}
	}
	return best, starts, nil
}

// A kernelSearch is one start: the signals, their codes and the kernels.
type kernelSearch struct {
	fit      *fitting.DenseFit
	kernels  *fitting.DenseKernelMover
	start    int
	round    int
	residual float64
	status   method.Status
}

// fitOn returns the signals with codes of a model on a graph that stays as it is.
func fitOn(g *graph.Graph, data canonical.Signals, m fitting.Model, threads int, memory *dictionary.Memory) (fitting.DenseView, error) {
	pairs, w := dictionary.EdgesOf(g)
	floats.Scale(1/floats.Max(w), w) // so that no degree overflows
	v := fitting.New(data, m, fitting.NewDense(data, m, threads, memory), new(int)).OverPairs(pairs)
	return v, v.At(w)
}

const (
	// kernelPatience is how many rounds in a row may gain too little.
	kernelPatience = 2
	// exceptions is one over the share of signals that may stay unexplained by
	// kernels that count as found: their supports were missed.
	exceptions = 50
)

// kernelStages are the ways to code, one after the other.
var kernelStages = []fitting.Stage{{CoderSetting: fitting.CoderSetting{Method: sparse.OMP, Width: 0}, Stall: 0.02}, {CoderSetting: fitting.CoderSetting{Method: sparse.Beam, Width: 4}, Stall: 0.005}, {CoderSetting: fitting.CoderSetting{Method: sparse.Beam, Width: 16}, Stall: 0.1}}

// searchFrom learns from the kernels given: it alternates coding and kernel steps
// until neither gains. If the context ends, what it has come to comes with
// job.ErrInterrupted.
func (g *knownGraph) searchFrom(data canonical.Signals, kernels []kernel.Kernel, start int) (*kernelSearch, error) {
	v, err := fitOn(g.graph, data, fitting.Model{Kernels: kernels, Sparsity: g.options.Sparsity}, g.options.Threads, &g.memory)
	if err != nil {
		return nil, err
	}
	s := &kernelSearch{fit: v.Fit, kernels: fitting.NewKernelMover(v.Fit, g.parameters()), start: start, status: method.Stalled}
	loss := fitting.NewRobustLoss(v)
	for _, stage := range kernelStages {
		stall := optimise.Stall{Tolerance: stage.Stall, Patience: kernelPatience}
		for stalled := false; !stalled; {
			if s.round == g.options.Rounds {
				s.status = method.MaxRounds
				return s, nil
			}
			s.round++
			v.Engine.PlaceHere()
			residuals := v.Improve(stage.CoderSetting, v.EverySignal())
			loss.Smooth(residuals)
			if err := g.show(s, job.Coding, residuals); err != nil {
				return s, err
			}
			var value float64
			value, residuals = s.kernels.Minimise(g.Ctx, loss, fitting.KernelSteps)
			err := g.show(s, job.KernelUpdate, residuals)
			if exceptions*len(v.Unexplained(residuals)) <= v.M {
				s.status = method.Converged
			}
			if err != nil || s.status == method.Converged {
				return s, err
			}
			stalled = stall.Done(value)
		}
	}
	return s, nil
}

// show reports a step with the residuals that it has come to.
func (g *knownGraph) show(s *kernelSearch, phase method.Phase, residuals fitting.Residuals) error {
	s.residual = s.fit.Relative(residuals)
	return g.Report(Step{Phase: phase, Count: len(s.fit.Engine.Kernels()), Start: s.start, Round: s.round, Residual: s.residual})
}

// How many kernels. More kernels are more atoms to choose from, and the best of
// more atoms explain any signal better, also one that was not learned from. So
// signals that were not learned from are charged for the choice as well: what it
// takes to write one down is, in nats and up to what all counts have in common,
//
//	N/2 · log ‖y − Dx‖² + T₀ · log S,
//
// the residual as noise and which of the S kernels each atom is of. On noise the
// best of S times as many atoms gains about as much as it costs. The least count
// is taken whose cost is within one standard error of the best.

// A CountScore is how well that many kernels describe signals that were not
// learned from.
type CountScore struct {
	Count         int
	Residual      float64 // ‖y − Dx‖²/‖y‖², the mean over these signals
	Cost          float64 // in nats, the mean over these signals; see above, ‖y‖ being 1
	StandardError float64 // of the cost's difference to the least cost; zero for the least itself
}

const (
	// MostKernels is the largest count that is tried.
	MostKernels = 3
	// HeldOutShare is one over the share of signals that is not learned from.
	HeldOutShare = 5
	// LeastToChoose is the least number of signals for which a standard error
	// of those held out means anything.
	LeastToChoose = 4 * HeldOutShare
	// smallResidual is the relative residual below which nothing is gained: a
	// hundredth of the signal's size is no reason for another kernel.
	smallResidual = 1e-4
)

// chooseCount returns as many kernels as describe held-out signals best, learned
// from the others, and how the counts compare. If the context ends there may be
// fewer of these, or none.
func (g *knownGraph) chooseCount() ([]kernel.Kernel, []CountScore, error) {
	m := g.data.Count()
	order := rng.Stream(g.options.Seed, "hidden signals").Perm(m)
	test, train := order[:m/HeldOutShare], order[m/HeldOutShare:]
	slices.Sort(test)
	slices.Sort(train)
	learned, held := g.data.Subset(train), g.data.Subset(test)
	var kernels [][]kernel.Kernel // by count
	var residuals [][]float64     // by count and signal
	for count := 1; count <= MostKernels; count++ {
		best, _, err := g.best(learned, count)
		if job.Failed(err) {
			return nil, nil, err
		}
		found := best.fit.Engine.Kernels()
		kernels = append(kernels, found)
		if err != nil {
			break
		}
		e, err := HeldOutResiduals(held, g.graph, fitting.Model{Kernels: found, Sparsity: g.options.Sparsity}, g.options.Threads)
		if err != nil {
			return nil, nil, err
		}
		residuals = append(residuals, e)
	}
	if len(residuals) == 0 {
		return kernels[0], nil, nil
	}
	scores := ScoreCounts(residuals, g.graph.Vertices(), g.options.Sparsity)
	return kernels[ChooseByScore(scores)-1], scores, nil
}

// HeldOutResiduals codes signals by a model on a graph and returns their relative
// residuals, zero for a signal that is zero.
func HeldOutResiduals(held canonical.Signals, g *graph.Graph, m fitting.Model, threads int) ([]float64, error) {
	v, err := fitOn(g, held, m, threads, nil)
	if err != nil {
		return nil, err
	}
	v.Engine.PlaceHere()
	residuals := v.Improve(kernelStages[len(kernelStages)-1].CoderSetting, v.EverySignal())
	for m := range residuals {
		if energy := v.Engine.SignalEnergy(m); energy > 0 {
			residuals[m] /= energy
		}
	}
	return residuals, nil
}

// ScoreCounts scores the counts 1, 2, … by their relative residuals, signal by signal.
func ScoreCounts(residuals [][]float64, vertices, sparsity int) []CountScore {
	scores := make([]CountScore, len(residuals))
	costs := make([][]float64, len(residuals))
	best := 0
	for k, e := range residuals {
		choice := float64(sparsity) * math.Log(float64(k+1))
		for _, v := range e {
			costs[k] = append(costs[k], float64(vertices)/2*math.Log(v+smallResidual)+choice)
		}
		scores[k] = CountScore{Count: k + 1, Residual: portable.Mean(e), Cost: portable.Mean(costs[k])}
		if scores[k].Cost < scores[best].Cost {
			best = k
		}
	}
	for k, c := range costs {
		gap := make([]float64, len(c))
		for m := range gap {
			gap[m] = c[m] - costs[best][m]
		}
		if k != best {
			_, variance := portable.MeanVariance(gap)
			scores[k].StandardError = stat.StdErr(math.Sqrt(variance), float64(len(gap)))
		}
	}
	return scores
}

// ChooseByScore returns the least count within one standard error of the best.
func ChooseByScore(scores []CountScore) int {
	best := slices.MinFunc(scores, func(a, b CountScore) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, s := range scores {
		if s.Cost-s.StandardError <= best.Cost {
			return s.Count
		}
	}
	return best.Count // only if scores are not numbers
}
