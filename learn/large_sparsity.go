package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/sparse"
)

// The number of atoms per signal of large graphs: as in sparsity.go, the one that
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
func (l largeSearch) chooseSparsity(found searchPoint, first [][]neighbour) (largeSearch, searchPoint, error) {
	tried := map[int]bool{}
	for range sparsityTries {
		gap, _ := found.weights.CutAtGap()
		if gap.EdgeCount() == 0 {
			break
		}
		tried[l.fit.sparsity] = true
		atoms, err := remembered(l.task.progress, "sparsity", (*checkpoint.Coder).Int, func() (int, error) {
			return l.shortestDescription(strongest(found.weights, int(sharpenedEdges*float64(gap.EdgeCount()))))
		})
		if err != nil {
			return l, found, err
		}
		if tried[atoms] {
			break
		}
		l = l.withSparsity(atoms)
		v, w := l.fit.onEdges(found.weights)
		if found, err = l.search(v, w, first); err != nil {
			return l, found, err
		}
	}
	return l, found, nil
}

// withSparsity returns a search like l with another number of atoms per signal.
func (l largeSearch) withSparsity(atoms int) largeSearch {
	l.fit.engine.Release()
	l.task.model = innerModel{Kernels: l.fit.engine.Kernels(), Sparsity: atoms}
	other := newLargeSearch(l.task)
	if l.scales != nil {
		other.scales = newKernelUpdate(other.fit, kernelScales{})
	}
	return other
}

// shortestDescription returns the number of atoms per signal that makes the message
// shortest on the graph g. It looks upwards from the present one in growing steps, or
// downwards if that leads nowhere, and then between the neighbours of the best.
func (l largeSearch) shortestDescription(g *graph.Graph) (int, error) {
	v, w := l.fit.onEdges(g)
	if err := v.place(w); err != nil {
		return 0, err
	}
	signals := evenly(l.fit.m, describedSignals)
	lengths := map[int]float64{}
	length := func(atoms int) float64 {
		if known, ok := lengths[atoms]; ok {
			return known
		}
		code := sparse.NewCode(l.fit.n*len(l.fit.engine.Kernels()), l.fit.m, atoms)
		l.fit.engine.encode(code, atoms, coderSetting{}, signals)
		l.fit.engine.Refit(code)
		lengths[atoms] = l.fit.descriptionLength(code, residualsOf(l.fit.engine), signals, truncationShare)
		return lengths[atoms]
	}
	best := shortest(l.fit.sparsity, max(l.fit.n/verticesPerAtom, l.fit.sparsity), length)
	return best, l.task.progress.ended()
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
