package learn

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
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

// A CountScore is how well so many kernels describe signals that were not
// learned from.
type CountScore struct {
	Count         int
	Residual      float64 // ‖y − Dx‖²/‖y‖², the mean over these signals
	Cost          float64 // in nats, the mean over these signals; see above, ‖y‖ being 1
	StandardError float64 // of the cost's difference to the least cost; zero for the least itself
}

const (
	// mostChosen is the largest count that is tried.
	mostChosen = 3
	// hiddenShare is one over the share of signals that is not learned from.
	hiddenShare = 5
	// leastToChoose is the least number of signals for which a standard error
	// of those hidden means anything.
	leastToChoose = 4 * hiddenShare
	// explainedWell is the relative residual below which nothing is gained: a
	// hundredth of the signal's size is no reason for another kernel.
	explainedWell = 1e-4
)

// chooseCount returns as many kernels as describe hidden signals best, learned
// from the others, and how the counts compare. If the context ends there may be
// fewer of these, or none.
func (r *kernelRun) chooseCount(data prepared) ([]kernel.Kernel, []CountScore, error) {
	_, m := data.y.Dims()
	order := rng.Stream(r.options.Seed, "hidden signals").Perm(m)
	test, train := order[:m/hiddenShare], order[m/hiddenShare:]
	slices.Sort(test)
	slices.Sort(train)
	learned, held := data.some(train), data.some(test)
	var kernels [][]kernel.Kernel // by count
	var residuals [][]float64     // by count and signal
	for count := 1; count <= mostChosen; count++ {
		fit, _, err := r.best(learned, count)
		if err != nil {
			return nil, nil, err
		}
		kernels = append(kernels, fit.kernels)
		if !r.going() {
			break
		}
		e, err := heldResiduals(held, r.g, fit.kernels, fit.sparsity, fit.threads)
		if err != nil {
			return nil, nil, err
		}
		residuals = append(residuals, e)
	}
	if len(residuals) == 0 {
		return kernels[0], nil, nil
	}
	scores := scoreCounts(residuals, r.g.Vertices(), r.options.Sparsity)
	return kernels[choose(scores)-1], scores, nil
}

// some returns the given signals only.
func (p prepared) some(signals []int) prepared {
	n, _ := p.y.Dims()
	out := p
	out.y, out.signals, out.rounding = mat.NewDense(n, len(signals), nil), nil, nil
	for k, s := range signals {
		out.signals, out.rounding = append(out.signals, p.signals[s]), append(out.rounding, p.rounding[s])
		for i := range n {
			out.y.Set(i, k, p.y.At(i, s))
		}
	}
	out.missing = nil
	out.findMissing()
	return out
}

// heldResiduals codes signals with kernels on a graph and returns their relative
// residuals, zero for a signal that is zero.
func heldResiduals(held prepared, g *graph.Graph, kernels []kernel.Kernel, sparsity, threads int) ([]float64, error) {
	coded, err := newKernelFit(held, g, kernels, nil, sparsity, threads, 1)
	if err != nil {
		return nil, err
	}
	if err := coded.improve(nil, kernelStages[len(kernelStages)-1].effort, coded.everySignal()); err != nil {
		return nil, err
	}
	relative := slices.Clone(coded.engine.Residuals())
	for m := range relative {
		if energy := coded.engine.SignalEnergy(m); energy > 0 {
			relative[m] /= energy
		}
	}
	return relative, nil
}

// scoreCounts scores the counts 1, 2, … by their relative residuals, signal by signal.
func scoreCounts(residuals [][]float64, vertices, sparsity int) []CountScore {
	scores := make([]CountScore, len(residuals))
	costs := make([][]float64, len(residuals))
	best := 0
	for k, e := range residuals {
		choice := float64(sparsity) * math.Log(float64(k+1))
		for _, v := range e {
			costs[k] = append(costs[k], float64(vertices)/2*math.Log(v+explainedWell)+choice)
		}
		scores[k] = CountScore{Count: k + 1, Residual: stat.Mean(e, nil), Cost: stat.Mean(costs[k], nil)}
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
			scores[k].StandardError = stat.StdErr(stat.StdDev(gap, nil), float64(len(gap)))
		}
	}
	return scores
}

// choose returns the least count within one standard error of the best.
func choose(scores []CountScore) int {
	best := slices.MinFunc(scores, func(a, b CountScore) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, s := range scores {
		if s.Cost-s.StandardError <= best.Cost {
			return s.Count
		}
	}
	return best.Count // only if scores are not numbers
}
