package large

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/sideinfo"
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

// withKernels returns a search like l with other kernels, whose scales move.
func (l search) withKernels(kernels []kernel.Kernel) search {
	l.fit.Engine.Release()
	l.task.Model.Kernels = kernels
	other := newSearch(l.task)
	other.scales = fitting.NewKernelMover(other.fit, kernelparam.Scales{})
	return other
}

// chooseKernels returns the search with the kernels that suit what was found, and
// where it comes to with them.
func (l search) chooseKernels(found searchPoint, first [][]sideinfo.Neighbour) (search, searchPoint, error) {
	least := l.fit.Relative(found.residuals)
	gap, _ := found.weights.CutAtGap()
	if least < TruncationShare || gap.EdgeCount() == 0 {
		return l, found, nil
	}
	edges := fitting.Strongest(found.weights, int(sharpenedEdges*float64(gap.EdgeCount())))
	best := l
	var weights *graph.Graph
	for _, kernels := range [][]kernel.Kernel{l.task.Model.Kernels, kernelparam.Heat(2, 0.5)} {
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
	fitted, err = job.Remember(l.task.Progress, "scales", func(c *checkpoint.Coder, fitted **graph.Graph) {
		c.Graph(fitted)
		c.Float(&residual)
		l.code(c)
	}, func() (fitted *graph.Graph, err error) {
		fitted, residual, err = l.runScaleFit(g, most)
		return fitted, err
	})
	return fitted, residual, err
}

func (l search) runScaleFit(g *graph.Graph, most float64) (*graph.Graph, float64, error) {
	v, w := l.fit.OnEdges(g)
	residual, pass := math.Inf(1), 0
	loop, _, err := job.RememberLoop(l.task.Progress, func(c *checkpoint.Coder) {
		c.Int(&pass)
		c.Floats(&w)
		c.Float(&residual)
		l.code(c)
	})
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
