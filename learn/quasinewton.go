package learn

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// An objective returns its value at the weights w and puts its gradient into grad.
type objective func(w, grad []float64) float64

// quasiNewton minimises a smooth function over w ≥ 0 by limited-memory BFGS
// directions in the free variables and a search along the projected path
// ([bertsekas1982], [liu1989]). A variable at zero whose derivative is positive
// is held; all others are free.
//
// It keeps its curvature pairs between calls of minimise, so that a function
// that changes a little (new codes) does not cost the scale of the problem again.
type quasiNewton struct {
	s, y     [][]float64 // curvature pairs, oldest first
	free     []bool
	allFree  bool
	grad     []float64
	trial    []float64
	tgrad    []float64
	dir      []float64
	alpha    []float64
	evaluate objective
	// precondition, if not nil, divides a direction by the second derivatives as far
	// as they are known; otherwise the last curvature pair gives one number for all.
	precondition func(dir []float64)
}

// memory is how many curvature pairs are kept.
const memory = 40

// sufficientDecrease is the share of the predicted decrease that a step must achieve.
const sufficientDecrease = 1e-4

func newQuasiNewton(n int, evaluate objective) *quasiNewton {
	return &quasiNewton{
		evaluate: evaluate, free: make([]bool, n),
		grad: make([]float64, n), trial: make([]float64, n), tgrad: make([]float64, n),
		dir: make([]float64, n), alpha: make([]float64, memory),
	}
}

// forget drops the curvature pairs.
func (q *quasiNewton) forget() { q.s, q.y = q.s[:0], q.y[:0] }

// limits say when minimise stops.
type limits struct {
	steps  int     // at most
	gain   float64 // relative decrease of a step below which there is no next
	enough float64 // value below which there is no next
}

// minimise takes steps from w, in place, and returns the value reached. It also
// stops when ctx ends.
func (q *quasiNewton) minimise(ctx context.Context, w []float64, stop limits) float64 {
	f := q.evaluate(w, q.grad)
	rejected := false // what was evaluated last
	for range stop.steps {
		if ctx.Err() != nil || f <= stop.enough || !q.direction(w) {
			break
		}
		next, ok := q.search(ctx, w, f)
		if rejected = !ok; rejected {
			if len(q.s) == 0 {
				break
			}
			q.forget()
			continue
		}
		q.remember(w)
		copy(w, q.trial)
		copy(q.grad, q.tgrad)
		stalled := f-next <= stop.gain*f
		f = next
		if stalled {
			break
		}
	}
	if rejected {
		return q.evaluate(w, q.grad) // what was evaluated last must be what w stands for
	}
	return f
}

// direction fills q.dir with a descent direction in the free variables; false
// if w is stationary.
func (q *quasiNewton) direction(w []float64) bool {
	var slope float64
	q.allFree = true
	for i, g := range q.grad {
		q.free[i] = w[i] > 0 || g < 0
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
	if d := q.freeDot(q.dir, q.grad); d < 0 {
		return true
	}
	if len(q.s) == 0 {
		return false // not a number
	}
	q.forget()
	return q.direction(w)
}

// twoLoop applies the inverse Hessian approximation, restricted to the free variables, to q.dir.
func (q *quasiNewton) twoLoop() {
	gamma := 0.0
	for k := len(q.s) - 1; k >= 0; k-- {
		sy := q.freeDot(q.s[k], q.y[k])
		yy := q.freeDot(q.y[k], q.y[k])
		if sy <= 0 {
			q.alpha[k] = math.NaN() // no curvature left in the free variables
			continue
		}
		if gamma == 0 {
			gamma = sy / yy
		}
		q.alpha[k] = q.freeDot(q.s[k], q.dir) / sy
		q.freeAdd(q.dir, -q.alpha[k], q.y[k])
	}
	switch {
	case q.precondition != nil:
		q.precondition(q.dir)
		for i, free := range q.free {
			if !free {
				q.dir[i] = 0
			}
		}
	case gamma == 0:
		return
	default:
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

// search backtracks along max(0, w + t·dir) and leaves the point in q.trial.
func (q *quasiNewton) search(ctx context.Context, w []float64, f float64) (float64, bool) {
	t := 1.0
	if len(q.s) == 0 && q.precondition == nil {
		// Nothing is known of the scale: let no weight move by more than a
		// tenth of the largest.
		t = 0.1 * floats.Max(w) / floats.Norm(q.dir, math.Inf(1))
	}
	for range 20 {
		if ctx.Err() != nil {
			break
		}
		var predicted float64
		for i, d := range q.dir {
			q.trial[i] = max(0, w[i]+t*d)
			predicted += q.grad[i] * (q.trial[i] - w[i])
		}
		next := q.evaluate(q.trial, q.tgrad)
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
func (q *quasiNewton) remember(w []float64) {
	s, y := make([]float64, len(w)), make([]float64, len(w))
	floats.SubTo(s, q.trial, w)
	floats.SubTo(y, q.tgrad, q.grad)
	if portable.Dot(s, y) <= 1e-12*floats.Norm(s, 2)*floats.Norm(y, 2) {
		return
	}
	if len(q.s) == memory {
		q.s, q.y = slices.Delete(q.s, 0, 1), slices.Delete(q.y, 0, 1)
	}
	q.s, q.y = append(q.s, s), append(q.y, y)
}

func (q *quasiNewton) freeDot(a, b []float64) float64 {
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

func (q *quasiNewton) freeAdd(dst []float64, c float64, a []float64) {
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

// code codes the curvature pairs.
func (q *quasiNewton) code(c *checkpoint.Coder) {
	checkpoint.Slice(c, &q.s, (*checkpoint.Coder).Floats)
	checkpoint.Slice(c, &q.y, (*checkpoint.Coder).Floats)
}
