package large

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/sideinfo"
)

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
func (l search) chooseSparsity(found searchPoint, first [][]sideinfo.Neighbour) (search, searchPoint, error) {
	tried := map[int]bool{}
	for range job.SparsityTries {
		gap, _ := found.weights.CutAtGap()
		if gap.EdgeCount() == 0 {
			break
		}
		tried[l.fit.Sparsity] = true
		atoms, err := job.Remember(l.task.Progress, "sparsity", (*checkpoint.Coder).Int, func() (int, error) {
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
		other.scales = fitting.NewKernelMover(other.fit, kernelparam.Scales{})
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
