package large

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// Kernels of large graphs that nobody gave. Wrong scales blur the weights, but the
// heaviest are those of edges all the same: so the search is done with the kernels
// to begin with and, if these do not explain the signals, its heaviest edges tell the
// scales, of these kernels or of two low-pass ones. If that explains the signals
// better, the search goes on with them.

// scalePasses is how often codes, weights and scales take turns in a trial of kernels.
const scalePasses = 3

const (
	// hopeless is how much more than the best kernels others may leave after a pass.
	hopeless = 2
	// scaleGain is what a pass must multiply the residual by, at most, to be followed
	// by another.
	scaleGain = 0.98
)

// A searchPoint is where a search has come to.
type searchPoint struct {
	weights   *graph.Graph
	residuals fitting.Residuals
	status    method.Status
}

// Code codes the point.
func (p *searchPoint) Code(c *checkpoint.Coder) { c.All(&p.weights, &p.residuals, &p.status) }

// withKernels returns a search like l with other kernels, whose scales move.
func (l search) withKernels(kernels []kernel.Kernel) search {
	l.fit.Engine.Release()
	l.task.Model.Kernels = kernels
	other := newSearch(l.task)
	other.scales = fitting.NewKernelMover(other.fit, fitting.Scales{})
	return other
}

// chooseKernels returns the search with the kernels that suit what was found, and
// where it comes to with them.
func (l search) chooseKernels(found searchPoint, first [][]fitting.Neighbour) (search, searchPoint, error) {
	least := l.fit.Relative(found.residuals)
	gap, _ := found.weights.CutAtGap()
	if least < TruncationShare || gap.EdgeCount() == 0 {
		return l, found, nil
	}
	edges := fitting.Strongest(found.weights, int(sharpenedEdges*float64(gap.EdgeCount())))
	best := l
	var weights *graph.Graph
	for _, kernels := range [][]kernel.Kernel{l.task.Model.Kernels, fitting.Heat(2, 0.5)} {
		other := l.withKernels(kernels)
		fitted, residual, err := other.fitScales(edges, hopeless*least)
		if err != nil {
			return l, found, err
		}
		other.fit.Engine.Release()
		if residual < job.ExplainsBetter*least {
			best, weights, least = other, fitted, residual
		}
	}
	if weights == nil {
		return l, found, nil
	}
	v, w := best.fit.OnEdges(weights)
	next, err := best.explore(v, w, first)
	return best, next, err
}

// fitScales fits weights on the edges of g and the scales of the kernels. It returns
// the weights and the residual. It gives up where a pass leaves more than most, or
// gains next to nothing.
func (l search) fitScales(g *graph.Graph, most float64) (fitted *graph.Graph, residual float64, err error) {
	fitted, err = job.Remember(l.task.Progress, "scales", func() (fitted *graph.Graph, err error) {
		fitted, residual, err = l.runScaleFit(g, most)
		return fitted, err
	}, &residual, l)
	return fitted, residual, err
}

func (l search) runScaleFit(g *graph.Graph, most float64) (*graph.Graph, float64, error) {
	v, w := l.fit.OnEdges(g)
	residual, pass := math.Inf(1), 0
	loop, _, err := job.RememberLoop(l.task.Progress, &pass, &w, &residual, l)
	if err != nil {
		return nil, 0, err
	}
	for ; pass < scalePasses; pass++ {
		loop.Save()
		_, loss, err := l.round(v, w)
		if err != nil {
			return nil, 0, err
		}
		before := residual
		if residual = v.Relative(loss.Residuals); residual > most || residual > scaleGain*before {
			break
		}
	}
	return fitting.GraphOf(v.Pairs, w), residual, nil
}

// The number of atoms per signal of large graphs: as in package dense, the one that
// makes the shortest description of the signals, looked for on the heaviest edges.
// These are right even with a wrong number of atoms. Signals with gaps keep the number
// to begin with: filling the gaps in for each number would take longer than learning.

const (
	// describedSignals is how many signals are described.
	describedSignals = 200
	// verticesPerAtom is how many vertices there are at least for each atom per signal.
	verticesPerAtom = 8
)

// chooseSparsity goes on with as many atoms per signal as the signals ask for, until
// they ask for none other.
func (l search) chooseSparsity(found searchPoint, first [][]fitting.Neighbour) (search, searchPoint, error) {
	tried := map[int]bool{}
	for range job.SparsityTries {
		gap, _ := found.weights.CutAtGap()
		if gap.EdgeCount() == 0 {
			break
		}
		tried[l.fit.Sparsity] = true
		atoms, err := job.Remember(l.task.Progress, "sparsity", func() (int, error) {
			return l.shortestDescription(fitting.Strongest(found.weights, int(sharpenedEdges*float64(gap.EdgeCount()))))
		})
		if err != nil {
			return l, found, err
		}
		if tried[atoms] {
			break
		}
		l = l.withSparsity(atoms)
		v, w := l.fit.OnEdges(found.weights)
		if found, err = l.explore(v, w, first); err != nil {
			return l, found, err
		}
	}
	return l, found, nil
}

// withSparsity returns a search like l with another number of atoms per signal.
func (l search) withSparsity(atoms int) search {
	l.fit.Engine.Release()
	l.task.Model = fitting.Model{Kernels: l.fit.Engine.Kernels(), Sparsity: atoms}
	other := newSearch(l.task)
	if l.scales != nil {
		other.scales = fitting.NewKernelMover(other.fit, fitting.Scales{})
	}
	return other
}

// shortestDescription returns the number of atoms per signal that makes the message
// shortest on the graph g. It looks upwards from the present one in growing steps, or
// downwards if that leads nowhere, and then between the neighbours of the best.
func (l search) shortestDescription(g *graph.Graph) (int, error) {
	v, w := l.fit.OnEdges(g)
	if err := v.Place(w); err != nil {
		return 0, err
	}
	signals := evenly(l.fit.M, describedSignals)
	lengths := map[int]float64{}
	length := func(atoms int) float64 {
		if known, ok := lengths[atoms]; ok {
			return known
		}
		code := sparse.NewCode(l.fit.N*len(l.fit.Engine.Kernels()), l.fit.M, atoms)
		l.fit.Engine.EncodeAtoms(code, atoms, fitting.CoderSetting{}, signals)
		l.fit.Engine.Refit(code)
		lengths[atoms] = l.fit.DescriptionLength(code, fitting.ResidualsOf(l.fit.Engine), signals, TruncationShare)
		return lengths[atoms]
	}
	best := shortest(l.fit.Sparsity, max(l.fit.N/verticesPerAtom, l.fit.Sparsity), length)
	return best, l.task.Progress.Ended()
}

// shortest returns the number of atoms, 1 to most, from which length grows both ways.
// It looks upwards from first in growing steps and then between them, or else
// downwards.
func shortest(first, most int, length func(atoms int) float64) int {
	best, low, high := first, first, first
	for high < most && best == high {
		if high = min(best+max(best/2, 1), most); length(high) < length(best) {
			low, best = best, high
		}
	}
	for atoms := low + 1; atoms < high; atoms++ {
		if length(atoms) < length(best) {
			best = atoms
		}
	}
	for best <= first && best > 1 && length(best-1) < length(best) {
		best--
	}
	return best
}

// evenly returns up to count numbers at equal distances below n.
func evenly(n, count int) []int {
	count = min(count, n)
	list := make([]int, count)
	for k := range list {
		list[k] = k * n / count
	}
	return list
}
