package learn

import (
	"errors"
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// A problem is a task, and what was found out about its signals.
type problem struct {
	task
	lowPass bool // low-pass kernels were chosen: neither gaps nor description lengths say much
}

// learnDense does a task with all pairs of vertices and whole atoms.
func learnDense(t task) (*answer, error) {
	p := problem{task: t}
	switch t.settings.Kernels {
	case innerKernelsAuto:
		return p.learnWithAutomaticKernels()
	case innerKernelsScaled:
		return p.learnWith(t.model, kernelScales{})
	case innerKernelsFree:
		return p.learnWithFreeKernels()
	}
	return p.learnWith(t.model, nil)
}

// An attempt learns a graph that is not large with one model: so many atoms
// per signal and so many kernels, which may move.
type attempt struct {
	task    problem
	fit     *denseFit
	pairs   dictionary.Pairs // that may have a weight
	kernels *kernelUpdate    // moves the kernels; nil if they stay
	pace    pace             // of finishing
}

// newAttempt makes ready to learn with a model. A nil free leaves the kernels as
// they are.
func newAttempt(t problem, m innerModel, free kernelParameters) *attempt {
	e := newDenseEngine(t.data, m, t.settings.Threads, t.memory)
	a := &attempt{
		task: t, fit: newFit(t.data, m, e, &t.progress.gradients),
		pairs: t.side.allowed.list(len(t.data.vertices)), pace: inFull,
	}
	if free != nil {
		a.kernels = newKernelUpdate(a.fit, free)
	}
	return a
}

// withSparsity returns an attempt like a that begins with its kernels.
func (a *attempt) withSparsity(atoms int) *attempt {
	var free kernelParameters
	if a.kernels != nil {
		free = a.kernels.free
	}
	return newAttempt(a.task, innerModel{Kernels: a.fit.engine.Kernels(), Sparsity: atoms}, free)
}

// updatedInTurns says whether a polish moves the kernels in turns with the weights.
func (a *attempt) updatedInTurns() bool { return a.kernels != nil && a.kernels.free.updatedInTurns() }

// A candidate is a point that no certificate was found for.
type candidate struct {
	weights  *graph.Graph
	code     *sparse.Code
	kernels  []kernel.Kernel
	residual float64
	score    float64 // see score
	polished bool    // weights are refitted on the edges before the gap
	rounds   int
}

// noCandidate is worse than any point.
func noCandidate() candidate { return candidate{score: math.Inf(1)} }

// hasClearGap says whether the weights show a clear gap.
func (c candidate) hasClearGap() bool {
	if c.weights == nil {
		return false
	}
	kept, gap := c.weights.CutAtGap()
	return c.polished || clearGap(c.weights, kept, gap.Ratio)
}

// hasLargeGap says whether the weights show a gap that leaves no doubt.
func (c candidate) hasLargeGap() bool {
	if c.weights == nil {
		return false
	}
	_, gap := c.weights.CutAtGap()
	return gap.Ratio >= largeGap
}

// An outcome is what a search comes to: an answer that proves itself, or else the
// best point on its way.
type outcome struct {
	proved *answer
	best   candidate
	status solver.Status
}

// settled says whether there is nothing to search for any more: an answer proves
// itself, or is polished and all but exact, which will not be bettered.
func (o outcome) settled() bool { return o.proved != nil || o.best.polished }

// errNotANumber says that no point has a residual.
var errNotANumber = errors.New("the residual is not a number: kernels or signals are too large or too small")

// An effort says how long to search for a graph.
type effort int

const (
	once     effort = iota // the usual start alone
	brief                  // other starts only if there is a clear gap
	thorough               // other starts, and hops
)

// explore runs the starts. Other starts than the usual one are for kernels that move,
// which lead elsewhere from elsewhere; with kernels that stay, signals that may be
// exact are worth hops. If the context ends, what it has found comes with
// errInterrupted.
func (a *attempt) explore(most effort) (outcome, error) {
	return remembered(a.task.progress, "explore", a.codeOutcome, func() (outcome, error) { return a.exploreAnew(most) })
}

func (a *attempt) exploreAnew(most effort) (outcome, error) {
	found, err := a.polishInit()
	if found.proved != nil || failed(err) {
		return found, err
	}
	p := a.task.progress
	for p.start = 1; ; p.start++ {
		found, err = a.search(p.start, found.best)
		if found.proved != nil || failed(err) {
			return found, err
		}
		// A polished answer that is all but exact will not be bettered.
		if err != nil || p.start == a.task.settings.Starts || found.best.polished {
			break
		}
		if p.start < a.usualStart() || a.kernels != nil && (most == thorough || most == brief && found.best.hasClearGap()) {
			continue
		}
		if most == thorough && a.mayBeExact(found.best) {
			p.start++
			found, err = a.hop(found)
		}
		break
	}
	if failed(err) || found.proved != nil {
		return found, err
	}
	if found.best.weights == nil {
		return found, errNotANumber
	}
	return found, err
}

// conclude makes an answer of what was found: if it did not prove itself, the best
// point is cut, refitted and coded anew, in short if the context has ended.
func (a *attempt) conclude(found outcome, err error) (*answer, error) {
	switch {
	case found.proved != nil:
		return found.proved, nil
	case interrupted(err):
		return a.finishSoon(found.best)
	case err != nil:
		return nil, err
	}
	pruned, err := remembered(a.task.progress, "finish", a.codeAnswer, func() (*answer, error) { return a.finish(found.best, found.status) })
	if err != nil {
		return pruned, err
	}
	return remembered(a.task.progress, "reopen", a.codeAnswer, func() (*answer, error) { return a.reopen(pruned, found) })
}

// learn explores and concludes.
func (a *attempt) learn() (*answer, error) { return a.conclude(a.explore(thorough)) }

// learnWith learns with a model and its number of atoms or, if that is to be
// chosen, as many as the signals ask for.
func (t problem) learnWith(m innerModel, free kernelParameters) (*answer, error) {
	a := newAttempt(t, m, free)
	return a.chooseSparsity(a.learn())
}
