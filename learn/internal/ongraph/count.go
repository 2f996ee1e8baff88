package ongraph

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

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
