package baseline

import (
	"cmp"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
)

// newcomers is how many vertices may join a regression at a time.
const newcomers = 16

// regress minimises βᵀWβ/2 − kᵀβ over β ≥ 0 by active sets ([lawson1974]): the vertices
// that have a coefficient are solved for, those that come out below zero leave, and
// those whose coefficient should rise from zero join. It leaves k − Wβ in a.g, and
// is done when no entry of that is above the tolerance.
func (a *attractive) regress(c *regression, k []float64, tolerance float64) {
	limit, last := newcomers, []float64(nil)
	for {
		c.solveOn(a.w, k)
		copy(a.g, k)
		for p, v := range c.on {
			linalg.Axpy(-c.beta[p], linalg.Row(a.w, int(v)), a.g)
		}
		stuck := last != nil && slices.Equal(last, c.beta) // those who joined have left at once
		if stuck && limit == 1 {
			return // not even the best one stayed: what is left are rounding errors
		}
		limit = newcomers
		if stuck {
			limit = 1
		}
		last = slices.Clone(c.beta)
		if !a.admit(c, tolerance, limit) {
			return
		}
	}
}

// admit takes in the vertices whose coefficient should rise most, and reports whether
// there are any.
func (a *attractive) admit(c *regression, tolerance float64, limit int) bool {
	in := slices.Clone(c.on)
	slices.Sort(in)
	own := math.Sqrt(c.variance)
	var fresh []int32
	for _, v := range c.allowed {
		if a.g[v] > tolerance*own*a.own[v] {
			if _, ok := slices.BinarySearch(in, v); !ok {
				fresh = append(fresh, v)
			}
		}
	}
	if len(fresh) > limit {
		slices.SortStableFunc(fresh, func(x, y int32) int { return cmp.Compare(a.g[y]/a.own[y], a.g[x]/a.own[x]) })
		fresh = fresh[:limit]
	}
	c.on = append(c.on, fresh...)
	c.beta = append(c.beta, make([]float64, len(fresh))...)
	return len(fresh) > 0
}

// solveOn solves for the coefficients that there are, and drops those that leave.
func (c *regression) solveOn(w linalg.Dense, k []float64) {
	for len(c.on) > 0 {
		z, ok := c.unconstrained(w, k)
		if !ok {
			return
		}
		step := 1.0 // towards z, as far as no coefficient is below zero
		for p, to := range z {
			if to <= 0 {
				step = min(step, c.beta[p]/(c.beta[p]-to))
			}
		}
		kept := 0
		for p, to := range z {
			if b := c.beta[p] + step*(to-c.beta[p]); b > 0 && (to > 0 || step < 1 && c.beta[p]/(c.beta[p]-to) > step) {
				c.on[kept], c.beta[kept] = c.on[p], b
				kept++
			}
		}
		all := kept == len(z)
		c.on, c.beta = c.on[:kept], c.beta[:kept]
		if all {
			return
		}
	}
}

// unconstrained returns the coefficients that solve the regression on its vertices,
// whatever their sign; not if these determine each other.
func (c *regression) unconstrained(w linalg.Dense, k []float64) ([]float64, bool) {
	z := make([]float64, len(c.on))
	for p, v := range c.on {
		z[p] = k[v]
	}
	return z, solveOn(w, c.on, z)
}
