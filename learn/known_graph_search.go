package learn

import (
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// A knownGraph is one call of KernelSteps.
type knownGraph struct {
	job.Reporter[KernelStep]
	graph   *graph.Graph
	data    fitting.Signals
	memory  dictionary.Memory // of the starts, one after the other
	options KernelOptions
}

func (g *knownGraph) learn() (*KernelResult, error) {
	kernels, starts := g.options.Kernels, g.options.Starts
	var choice []document.KernelCount
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
	r := &KernelResult{
		Kernels: best.fit.Engine.Kernels(), Codes: g.data.EmbedCodes(best.fit.Code, g.graph.Vertices()), Options: g.options,
		Residual: best.fit.Relative(residuals), Rounds: best.round, Starts: starts, Status: best.status,
		Choice: choice, History: g.History,
	}
	r.Options.Count = len(r.Kernels)
	for _, k := range r.Kernels {
		if w := k.Warning(); w != "" {
			r.Warnings = append(r.Warnings, w)
		}
	}
	if err != nil {
		r.Status = method.Interrupted
	}
	return r, err
}

// parameters returns what is free of the kernels.
func (g *knownGraph) parameters() fitting.Parameters {
	if g.options.Kernels != nil {
		return fitting.Scales{}
	}
	return g.polynomials()
}

func (g *knownGraph) polynomials() fitting.Polynomials {
	return fitting.Polynomials{Bounds: fitting.NewBounds(g.options.Degree, g.options.Sum, g.options.Slack)}
}

// best learns that many free polynomials from all starts and returns the search of
// smallest residual, and how many starts there were. If the context ends, these
// come with job.ErrInterrupted.
func (g *knownGraph) best(data fitting.Signals, count int) (best *kernelSearch, starts int, err error) {
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

const (
	// kernelPatience is how many rounds in a row may gain too little.
	kernelPatience = 2
	// exceptions is one over the share of signals that may stay unexplained by
	// kernels that count as found: their supports were missed.
	exceptions = 50
)

// kernelStages are the ways to code, one after the other.
var kernelStages = []fitting.Stage{
	{CoderSetting: fitting.CoderSetting{Method: sparse.OMP}, Stall: 0.02},
	{CoderSetting: fitting.Beams(4), Stall: 0.005},
	{CoderSetting: fitting.Beams(16), Stall: 0.1},
}

// searchFrom learns from the kernels given: it alternates coding and kernel steps
// until neither gains. If the context ends, what it has come to comes with
// job.ErrInterrupted.
func (g *knownGraph) searchFrom(data fitting.Signals, kernels []kernel.Kernel, start int) (*kernelSearch, error) {
	v, err := fitting.OnGraph(g.graph, data, fitting.Model{Kernels: kernels, Sparsity: g.options.Sparsity}, g.options.Threads, &g.memory)
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
	return g.Report(KernelStep{Phase: phase, Count: len(s.fit.Engine.Kernels()), Start: s.start, Round: s.round, Residual: s.residual})
}

// chooseCount returns as many kernels as describe held-out signals best, learned
// from the others, and how the counts compare. If the context ends there may be
// fewer of these, or none.
func (g *knownGraph) chooseCount() ([]kernel.Kernel, []document.KernelCount, error) {
	m := g.data.Count()
	train, test := fitting.HoldOut(rng.Stream(g.options.Seed, "hidden signals").Perm(m))
	learned, held := g.data.Subset(train), g.data.Subset(test)
	var kernels [][]kernel.Kernel // by count
	var residuals [][]float64     // by count and signal
	for count := 1; count <= fitting.MostKernels; count++ {
		best, _, err := g.best(learned, count)
		if job.Failed(err) {
			return nil, nil, err
		}
		found := best.fit.Engine.Kernels()
		kernels = append(kernels, found)
		if err != nil {
			break
		}
		e, err := fitting.HeldOutResiduals(held, g.graph, fitting.Model{Kernels: found, Sparsity: g.options.Sparsity}, g.options.Threads)
		if err != nil {
			return nil, nil, err
		}
		residuals = append(residuals, e)
	}
	if len(residuals) == 0 {
		return kernels[0], nil, nil
	}
	scores := fitting.ScoreCounts(residuals, g.graph.Vertices(), g.options.Sparsity)
	return kernels[fitting.ChooseByScore(scores)-1], scores, nil
}
