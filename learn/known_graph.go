package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// KernelOptions say how to learn kernels on a known graph. The zero value learns
// free polynomials and chooses how many.
type KernelOptions struct {
	// Kernels are the kernels to begin with. Their scales are learned; a kernel without
	// a scale stays as it is. Nil means free polynomials.
	Kernels []kernel.Kernel

	// Count is S, the number of free polynomials. Zero means 1 to 3, whichever explains
	// held-out signals best.
	Count int
	// Degree is K, the degree of free polynomials. Zero means 6.
	Degree int
	// Sum is c: free polynomials keep to 0 ≤ p_s ≤ c and |Σ_s p_s − c| ≤ Slack, as in
	// [thanou2014]. Zero means 0 ≤ p_s and peaks of 1.
	Sum float64
	// Slack is ε. Zero means c/10.
	Slack float64

	// Sparsity is T₀, the number of atoms per signal, below N. Zero means 4, or N/2 on
	// fewer than 8 vertices.
	Sparsity int
	// Rounds is the maximum number of rounds of coding and kernel update in each start.
	// Zero means 60.
	Rounds int
	// Starts is the number of starts of free polynomials. Zero means 3.
	Starts int
	// Seed seeds the starts after the second, and the choice of the signals that are
	// held out to choose the count.
	Seed uint64
	// Threads is the number of cores to use. Zero means all of them. The result does
	// not depend on it.
	Threads int
}

// A KernelStep is a look at a run in progress.
type KernelStep struct {
	Phase    method.Phase // Coding, KernelUpdate or Done
	Count    int          // S
	Start    int          // from 1
	Round    int          // from 1, within the start
	Residual float64      // ‖Y − DX‖²/‖Y‖²

	// Result is set on the last step only.
	Result *KernelResult
}

// A KernelResult are learned kernels and how they were found.
type KernelResult struct {
	// Kernels are in the order given if their scales were learned. Free
	// polynomials are named by a specification that reads back to the last bit
	// and come low-pass first, by the centre of mass of p on [0, 2].
	Kernels []kernel.Kernel
	Codes   *sparse.Code  // X for the signals as given
	Options KernelOptions // as resolved; Count is that of Kernels

	Residual float64 // ‖Y − DX‖²/‖Y‖²
	Rounds   int     // of the start that gave the result
	Starts   int     // tried
	Status   method.Status
	Warnings []string
	Choice   []document.KernelCount // how the count was chosen; nil if it was given
	History  []KernelStep           // of all starts, without results
}

// KernelSteps learns the kernels whose dictionary D = [p_1(L) … p_S(L)] on the
// graph g makes the columns of y (vertices × signals, in the order of g)
// sparse: it lowers
//
//	‖Y − D·X‖²_F   over codes X with at most T₀ entries per column and
//
// either free polynomials p_s of degree K that are not negative on [0, 2], or
// the scales of the kernels given. It alternates coding and kernel updates, as
// [thanou2014] do. Departures: kernel updates are Gauss–Newton steps with the
// coefficients eliminated, on the sum of the residuals' norms; and instead of
// bounding kernels by c, which only fixes what the codes can undo, each is
// scaled to a peak of 1, unless Sum asks for the bounds.
//
// y is not modified. Signals, a graph or options that cannot be used are an
// *input.Error. If ctx ends, the best kernels so far come with the cause.
//
// It yields after each phase of the work; leaving the loop stops it. The last step has
// Phase Done and carries the result. If ctx ended, it comes with the cause as error.
func KernelSteps(ctx context.Context, g *graph.Graph, y *mat.Dense, o KernelOptions) iter.Seq2[KernelStep, error] {
	return func(yield func(KernelStep, error) bool) {
		o, err := o.resolve(g, y)
		if err != nil {
			yield(KernelStep{}, err)
			return
		}
		k := &knownGraph{graph: g, data: fitting.AsGiven(y), options: o}
		k.Ctx, k.Yield = ctx, func(s KernelStep) bool { return yield(s, nil) }
		result, err := k.learn()
		switch {
		case errors.Is(err, job.ErrStopped):
			return
		case job.Interrupted(err):
			err = context.Cause(ctx)
		case err != nil:
			yield(KernelStep{}, fmt.Errorf("learn: %w", err))
			return
		}
		yield(KernelStep{
			Phase: Done, Count: len(result.Kernels), Start: result.Starts, Round: result.Rounds,
			Residual: result.Residual, Result: result,
		}, err)
	}
}

// resolve fills in the defaults, or reports all faults.
func (o KernelOptions) resolve(g *graph.Graph, y *mat.Dense) (KernelOptions, error) {
	n, m := y.Dims()
	o.Sparsity = cmp.Or(o.Sparsity, max(min(firstSparsity, n/2), 1))
	o.Rounds = cmp.Or(o.Rounds, defaultRounds)
	o.Threads = cores(o.Threads)
	free := o.Kernels == nil
	var f faults
	f.check(!free && (o.Count|o.Degree|o.Starts) != 0, input.Kernels, "count, degree and starts are for free polynomials only")
	f.check(!free && o.Sum != 0, fieldSum, "it is for free polynomials only")
	if free {
		o.Degree = cmp.Or(o.Degree, fitting.DefaultDegree)
		o.Starts = cmp.Or(o.Starts, 3)
		o.Slack = cmp.Or(o.Slack, o.Sum/10)
	} else {
		o.Count, o.Starts = len(o.Kernels), 1
		f.check(!hasScale(o.Kernels), input.Kernels, "none of them has a scale to learn")
		f.check(hasEmpty(o.Kernels), input.Kernels, "an empty kernel generates no atoms")
	}
	f.checkSigns(g, input.Graph)
	f.checkSignals(y, g)
	if fitting.LargestValue(y) == 0 {
		f.addComplete(input.Signals, "every value is zero")
	}
	f.check(n < 2, input.Vertices, "got %d, want at least 2", n)
	f.check(n > maxVertices, input.Vertices, "got %d, want at most %d", n, maxVertices)
	f.check(g.EdgeCount() == 0, input.Graph, "it has no edges, and without them every kernel is a constant")
	f.check(m < 2, input.Signals, "got %d, want at least 2", m)
	f.check(o.Sparsity < 1 || n >= 2 && o.Sparsity >= n, input.Sparsity,
		"got %d atoms per signal, want 1 to %d: with as many atoms as vertices all kernels explain every signal", o.Sparsity, n-1)
	f.check(free && (o.Count < 0 || o.Count > fitting.MaxCount), fieldCount, "got %d kernels, want 1 to %d", o.Count, fitting.MaxCount)
	f.check(free && o.Count == 0 && m < fitting.LeastToChoose, fieldCount,
		"got %d signals, and to choose how many kernels takes %d: give a number", m, fitting.LeastToChoose)
	f.check(free && (o.Degree < 1 || o.Degree > fitting.MaxDegree), fieldDegree, "got %d, want 1 to %d", o.Degree, fitting.MaxDegree)
	f.checkNumber(o.Sum, fieldSum)
	f.checkNumber(o.Slack, fieldSlack)
	f.checkCount(o.Rounds, input.Rounds)
	f.checkCount(o.Starts, fieldStarts)
	f.checkCount(o.Threads, fieldThreads)
	return o, errors.Join(f...)
}
