package fitting

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/portable"
)

// OnGraph returns the signals with codes of a model on a graph that stays as it is.
func OnGraph(g *graph.Graph, data Signals, m Model, threads int, memory *dictionary.Memory) (DenseView, error) {
	pairs, w := dictionary.EdgesOf(g)
	floats.Scale(1/floats.Max(w), w) // so that no degree overflows
	v := New(data, m, NewDense(data, m, threads, memory), new(int)).OverPairs(pairs)
	return v, v.At(w)
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

const (
	// MostKernels is the largest count that is tried.
	MostKernels = 3
	// heldOutShare is one over the share of signals that is not learned from.
	heldOutShare = 5
	// LeastToChoose is the least number of signals for which a standard error
	// of those held out means anything.
	LeastToChoose = 4 * heldOutShare
	// smallResidual is the relative residual below which nothing is gained: a
	// hundredth of the signal's size is no reason for another kernel.
	smallResidual = 1e-4
)

// HoldOut takes the first of some signals, in an order of chance, to be held out from the others.
func HoldOut(order []int) (train, test []int) {
	count := len(order) / heldOutShare
	return slices.Sorted(slices.Values(order[count:])), slices.Sorted(slices.Values(order[:count]))
}

// HeldOutResiduals codes signals by a model on a graph and returns their relative
// residuals, zero for a signal that is zero.
func HeldOutResiduals(held Signals, g *graph.Graph, m Model, threads int) ([]float64, error) {
	v, err := OnGraph(g, held, m, threads, nil)
	if err != nil {
		return nil, err
	}
	v.Engine.PlaceHere()
	residuals := v.Improve(Beams(16), v.EverySignal())
	for m := range residuals {
		if energy := v.Engine.SignalEnergy(m); energy > 0 {
			residuals[m] /= energy
		}
	}
	return residuals, nil
}

// ScoreCounts scores the counts 1, 2, … by their relative residuals, signal by signal.
func ScoreCounts(residuals [][]float64, vertices, sparsity int) []document.KernelCount {
	scores := make([]document.KernelCount, len(residuals))
	costs := make([][]float64, len(residuals))
	best := 0
	for k, e := range residuals {
		choice := float64(sparsity) * math.Log(float64(k+1))
		for _, v := range e {
			costs[k] = append(costs[k], float64(vertices)/2*math.Log(v+smallResidual)+choice)
		}
		scores[k] = document.KernelCount{Kernels: k + 1, Residual: portable.Mean(e), Cost: portable.Mean(costs[k])}
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
func ChooseByScore(scores []document.KernelCount) int {
	best := slices.MinFunc(scores, func(a, b document.KernelCount) int { return cmp.Compare(a.Cost, b.Cost) })
	for _, s := range scores {
		if s.Cost-s.StandardError <= best.Cost {
			return s.Kernels
		}
	}
	return best.Kernels // only if scores are not numbers
}
