package optimise

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
)

// errInfeasible says that no point satisfies the constraints.
var errInfeasible = errors.New("the constraints contradict each other")

// A QuadraticProgram is the problem of minimising ½xᵀHx + gᵀx under a_iᵀx ≥ b_i.
// H is positive definite.
type QuadraticProgram struct {
	Hess  *mat.SymDense
	Grad  []float64
	Rows  [][]float64 // a_i
	Bound []float64   // b_i
}

// Minimise solves the problem by the dual method of [goldfarb1983]: it begins at
// the minimum without constraints and takes in violated ones, the worst first,
// always at the minimum under those taken in. It returns the point and the
// multipliers, one for each constraint.
//
// Problems here have some tens of variables, so the factors of the active
// constraints are recomputed each time instead of updated.
func (q *QuadraticProgram) Minimise() (x, multiplier []float64, err error) {
	var chol mat.Cholesky
	if !chol.Factorize(q.Hess) {
		return nil, nil, errors.New("the quadratic form is not positive definite")
	}
	d := dual{QuadraticProgram: q, x: make([]float64, len(q.Grad))}
	chol.LTo(&d.factor)
	d.size = make([]float64, len(q.Rows))
	for i, a := range q.Rows {
		d.size[i] = floats.Norm(a, 2)
	}
	floats.SubTo(d.x, d.x, q.Grad)
	d.forward(d.x)
	d.backward(d.x)
	for range 50 * (len(q.Rows) + len(q.Grad)) {
		worst := d.mostViolated()
		if worst < 0 {
			multiplier = make([]float64, len(q.Rows))
			for k, i := range d.active {
				multiplier[i] = d.u[k]
			}
			return d.x, multiplier, nil
		}
		if !d.takeIn(worst) {
			return nil, nil, errInfeasible
		}
	}
	return nil, nil, errors.New("the active set did not settle")
}

// violated is how far below its bound, relative to a point's size and the
// constraint's, a constraint counts as violated.
const violated = 1e-12

// A dual is the state of the dual method.
type dual struct {
	*QuadraticProgram
	factor mat.TriDense // H = LLᵀ
	size   []float64    // ‖a_i‖
	x      []float64
	active []int
	u      []float64 // multipliers of the active constraints
}

// forward and backward solve with L and Lᵀ in place.
func (d *dual) forward(v []float64)  { d.solve(blas.NoTrans, v) }
func (d *dual) backward(v []float64) { d.solve(blas.Trans, v) }

func (d *dual) solve(t blas.Transpose, v []float64) {
	blas64.Trsv(t, d.factor.RawTriangular(), blas64.Vector{N: len(v), Inc: 1, Data: v})
}

func (d *dual) slack(i int) float64 { return portable.Dot(d.Rows[i], d.x) - d.Bound[i] }

func (d *dual) mostViolated() int {
	worst, least := -1, 0.0
	size := floats.Norm(d.x, 2)
	for i := range d.Rows {
		unit := d.size[i]*size + math.Abs(d.Bound[i])
		if s := d.slack(i); s < -violated*unit && s/d.size[i] < least {
			worst, least = i, s/d.size[i]
		}
	}
	return worst
}

// takeIn moves to the minimum under the active constraints and constraint p,
// which may let others go; false if no point satisfies them all.
func (d *dual) takeIn(p int) bool {
	var own float64 // multiplier of p
	for {
		step, fall := d.directions(p)
		// How far until another multiplier vanishes, and until p is met.
		partial, leaves := math.Inf(1), -1
		for k, r := range fall {
			if r > 0 && d.u[k]/r < partial {
				partial, leaves = d.u[k]/r, k
			}
		}
		full := math.Inf(1)
		if step != nil {
			full = -d.slack(p) / portable.Dot(step, d.Rows[p])
		}
		t := min(partial, full)
		if math.IsInf(t, 1) {
			return false
		}
		if step != nil {
			floats.AddScaled(d.x, t, step)
		}
		floats.AddScaled(d.u, -t, fall)
		own += t
		if full <= partial {
			d.active, d.u = append(d.active, p), append(d.u, own)
			return true
		}
		d.active = append(d.active[:leaves], d.active[leaves+1:]...)
		d.u = append(d.u[:leaves], d.u[leaves+1:]...)
	}
}

// directions returns where x moves per unit of the multiplier of p, nil if p
// depends on the active constraints, and by how much theirs fall.
func (d *dual) directions(p int) (step, fall []float64) {
	k := len(d.active)
	basis := make([][]float64, k) // orthonormal, of the L⁻¹a_i of the active ones
	r := mat.NewDense(k+1, k+1, nil)
	project := func(v []float64, onto int) {
		for range 2 { // the second pass removes what rounding left
			for j := range onto {
				c := portable.Dot(v, basis[j])
				floats.AddScaled(v, -c, basis[j])
				r.Set(j, onto, r.At(j, onto)+c)
			}
		}
	}
	for j, i := range d.active {
		v := append([]float64{}, d.Rows[i]...)
		d.forward(v)
		project(v, j)
		norm := floats.Norm(v, 2)
		r.Set(j, j, norm)
		floats.Scale(1/norm, v)
		basis[j] = v
	}
	step = append([]float64{}, d.Rows[p]...)
	d.forward(step)
	before := floats.Norm(step, 2)
	project(step, k)
	fall = make([]float64, k)
	for j := k - 1; j >= 0; j-- {
		fall[j] = r.At(j, k)
		for l := j + 1; l < k; l++ {
			fall[j] -= r.At(j, l) * fall[l]
		}
		fall[j] /= r.At(j, j)
	}
	if floats.Norm(step, 2) <= 1e-9*before {
		return nil, fall
	}
	d.backward(step)
	return step, fall
}
