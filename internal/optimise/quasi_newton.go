// Package optimise minimises smooth functions of weights that are not negative, and
// quadratic functions under linear constraints.
package optimise

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// An Objective returns its value at the weights w and puts its gradient into grad.
type Objective func(w, grad []float64) float64

// QuasiNewton minimises a smooth function over w ≥ 0, or over variables of which the last
// are unbounded, by limited-memory BFGS directions in the free variables and a search along
// the projected path ([bertsekas1982], [liu1989]). A variable at zero whose derivative is
// positive is held; all others are free.
//
// It keeps its curvature pairs between calls of minimise, so that a function
// that changes a little (new codes) does not cost the scale of the problem again.
type QuasiNewton struct {
	s, y      [][]float64 // curvature pairs, oldest first
	free      []bool
	allFree   bool
	Grad      []float64
	trial     []float64
	tgrad     []float64
	dir       []float64
	alpha     []float64
	Evaluate  Objective
	Unbounded int // how many of the last variables may be negative
	// Precondition, if not nil, divides a direction by the second derivatives as far
	// as they are known; otherwise the last curvature pair gives one number for all.
	Precondition func(dir []float64)
	// Curvature, if not nil, are second derivatives, up to a factor that the last curvature pair
	// gives.
	Curvature []float64
}

// memory is how many curvature pairs are kept.
const memory = 40

// sufficientDecrease is the share of the predicted decrease that a step must achieve.
const sufficientDecrease = 1e-4

// NewQuasiNewton returns a minimiser of a function of n weights.
func NewQuasiNewton(n int, evaluate Objective) *QuasiNewton {
	return &QuasiNewton{
		Evaluate: evaluate, free: make([]bool, n),
		Grad: make([]float64, n), trial: make([]float64, n), tgrad: make([]float64, n),
		dir: make([]float64, n), alpha: make([]float64, memory),
	}
}

// Forget drops the curvature pairs.
func (q *QuasiNewton) Forget() { q.s, q.y = q.s[:0], q.y[:0] }

// Limits say when minimise stops.
type Limits struct {
	Steps  int     // at most
	Gain   float64 // relative decrease of a step below which there is no next
	Enough float64 // value below which there is no next
}

// Minimise takes steps from w, in place, and returns the value reached. It also
// stops when ctx ends.
func (q *QuasiNewton) Minimise(ctx context.Context, w []float64, stop Limits) float64 {
	return q.Resume(ctx, w, q.Evaluate(w, q.Grad), stop)
}

// Resume is [QuasiNewton.Minimise] from where it ended: f is what it returned, and w and the
// function are the same.
func (q *QuasiNewton) Resume(ctx context.Context, w []float64, f float64, stop Limits) float64 {
	rejected := false // what was evaluated last
	for range stop.Steps {
		if run.Ended(ctx) != nil || f <= stop.Enough || !q.direction(w) {
			break
		}
		next, ok := q.search(ctx, w, f)
		if rejected = !ok; rejected {
			if len(q.s) == 0 {
				break
			}
			q.Forget()
			continue
		}
		q.remember(w)
		copy(w, q.trial)
		copy(q.Grad, q.tgrad)
		stalled := f-next <= stop.Gain*f
		f = next
		if stalled {
			break
		}
	}
	if rejected {
		return q.Evaluate(w, q.Grad) // what was evaluated last must be what w stands for
	}
	return f
}

// direction fills q.dir with a descent direction in the free variables; false
// if w is stationary.
func (q *QuasiNewton) direction(w []float64) bool {
	var slope float64
	q.allFree = true
	for i, g := range q.Grad {
		q.free[i] = w[i] > 0 || g < 0 || i >= len(w)-q.Unbounded
		q.allFree = q.allFree && q.free[i]
		q.dir[i] = 0
		if q.free[i] {
			q.dir[i] = -g
			slope += g * g
		}
	}
	if slope == 0 {
		return false
	}
	q.twoLoop()
	if d := q.freeDot(q.dir, q.Grad); d < 0 {
		return true
	}
	if len(q.s) == 0 {
		return false // not a number
	}
	q.Forget()
	return q.direction(w)
}

// twoLoop applies the inverse Hessian approximation, restricted to the free variables, to q.dir.
func (q *QuasiNewton) twoLoop() {
	gamma := 0.0
	for k := len(q.s) - 1; k >= 0; k-- {
		sy := q.freeDot(q.s[k], q.y[k])
		if sy <= 0 {
			q.alpha[k] = math.NaN() // no curvature left in the free variables
			continue
		}
		if gamma == 0 {
			gamma = sy / q.scaledSquare(q.y[k])
		}
		q.alpha[k] = q.freeDot(q.s[k], q.dir) / sy
		q.freeAdd(q.dir, -q.alpha[k], q.y[k])
	}
	switch {
	case q.Precondition != nil:
		q.Precondition(q.dir)
		for i, free := range q.free {
			if !free {
				q.dir[i] = 0
			}
		}
	case gamma == 0 && q.Curvature == nil:
		return
	default:
		if gamma == 0 {
			gamma = 1
		}
		if q.Curvature != nil {
			floats.Div(q.dir, q.Curvature)
		}
		floats.Scale(gamma, q.dir)
	}
	for k := range q.s {
		if math.IsNaN(q.alpha[k]) {
			continue
		}
		beta := q.freeDot(q.y[k], q.dir) / q.freeDot(q.s[k], q.y[k])
		q.freeAdd(q.dir, q.alpha[k]-beta, q.s[k])
	}
}

// scaledSquare returns yᵀC⁻¹y in the free variables, with C the curvature known of them.
func (q *QuasiNewton) scaledSquare(y []float64) float64 {
	if q.Curvature == nil {
		return q.freeDot(y, y)
	}
	sum := 0.0
	for i, free := range q.free {
		if free {
			sum += float64(y[i] * y[i] / q.Curvature[i])
		}
	}
	return sum
}

// search backtracks along max(0, w + t·dir) and leaves the point in q.trial.
func (q *QuasiNewton) search(ctx context.Context, w []float64, f float64) (float64, bool) {
	t := 1.0
	if len(q.s) == 0 && q.Precondition == nil && q.Curvature == nil {
		// Nothing is known of the scale: let no weight move by more than a
		// tenth of the largest.
		t = 0.1 * floats.Max(w) / floats.Norm(q.dir, math.Inf(1))
	}
	for range 20 {
		if run.Ended(ctx) != nil {
			break
		}
		var predicted float64
		for i, d := range q.dir {
			if q.trial[i] = w[i] + t*d; i < len(w)-q.Unbounded {
				q.trial[i] = max(0, q.trial[i])
			}
			predicted += q.Grad[i] * (q.trial[i] - w[i])
		}
		next := q.Evaluate(q.trial, q.tgrad)
		if next <= f+sufficientDecrease*predicted {
			return next, true
		}
		// Minimiser of the parabola through f, its slope and next.
		shrink := -predicted / (2 * (next - f - predicted))
		if !(shrink > 0.1) {
			shrink = 0.1
		}
		t *= min(shrink, 0.5)
	}
	return f, false
}

// remember keeps the step from w to q.trial if it shows positive curvature.
func (q *QuasiNewton) remember(w []float64) {
	s, y := make([]float64, len(w)), make([]float64, len(w))
	floats.SubTo(s, q.trial, w)
	floats.SubTo(y, q.tgrad, q.Grad)
	if portable.Dot(s, y) <= 1e-12*floats.Norm(s, 2)*floats.Norm(y, 2) {
		return
	}
	if len(q.s) == memory {
		q.s, q.y = slices.Delete(q.s, 0, 1), slices.Delete(q.y, 0, 1)
	}
	q.s, q.y = append(q.s, s), append(q.y, y)
}

func (q *QuasiNewton) freeDot(a, b []float64) float64 {
	if q.allFree {
		return linalg.Dot(a, b)
	}
	var sum float64
	for i, free := range q.free {
		if free {
			sum += a[i] * b[i]
		}
	}
	return sum
}

func (q *QuasiNewton) freeAdd(dst []float64, c float64, a []float64) {
	if q.allFree {
		linalg.Axpy(c, a, dst)
		return
	}
	for i, free := range q.free {
		if free {
			dst[i] += c * a[i]
		}
	}
}

// Code codes the curvature pairs.
func (q *QuasiNewton) Code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &q.s, (*checkpoint.Coder).Floats)
	checkpoint.Slice(c, &q.y, (*checkpoint.Coder).Floats)
}

// Stall is a stop rule: it reports when a decreasing quantity has improved by
// less than a relative Tolerance for Patience values in a row.
// The zero value stops at the first value that is not an improvement.
type Stall struct {
	Tolerance float64
	Patience  int // zero means 1

	best    float64
	waiting int
	started bool
}

// Done records value and reports whether progress has stopped.
func (s *Stall) Done(value float64) bool {
	if !s.started {
		s.started, s.best = true, value
		return false
	}
	if value < s.best*(1-s.Tolerance) {
		s.best, s.waiting = value, 0
		return false
	}
	s.best = min(s.best, value)
	s.waiting++
	return s.waiting >= max(s.Patience, 1)
}
