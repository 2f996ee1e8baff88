package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/solver"
)

// A precision is a positive definite Θ on its way to the minimum of
//
//	f(Θ) = −log det Θ + tr(SΘ) + ρ Σ_{i≠j} |Θ_ij|.
type precision struct {
	s     linalg.Dense // symmetric, positive diagonal
	theta linalg.Dense // Θ
}

// newPrecision starts at the minimum for ρ ≥ max |S_ij|, which is diagonal.
func newPrecision(s linalg.Dense) *precision {
	p := &precision{s, linalg.NewDense(s.Rows, s.Rows)}
	for i := range s.Rows {
		p.theta.Data[i*s.Rows+i] = 1 / s.Data[i*s.Rows+i]
	}
	return p
}

func (p *precision) clone() *precision {
	c := &precision{p.s, linalg.NewDense(p.s.Rows, p.s.Rows)}
	copy(c.theta.Data, p.theta.Data)
	return c
}

// An ending says how solve ended.
type ending struct {
	sweeps int     // the most that any block took
	gap    float64 // f(Θ) less a lower bound of its minimum
	status solver.Status
}

// solve minimises f from where Θ is, until the duality gap is at most N·tolerance.
// Vertices that no chain of |S_ij| > ρ joins have Θ_ij = 0 at the minimum
// ([witten2011]), so that each component is solved alone.
func (p *precision) solve(ctx context.Context, rho, tolerance float64, maxSweeps int) ending {
	return p.solveBlocks(ctx, rho, tolerance, maxSweeps, p.components(rho))
}

// solveBlocks is solve with Θ zero between the given blocks.
func (p *precision) solveBlocks(ctx context.Context, rho, tolerance float64, maxSweeps int, blocks [][]int) ending {
	solvers := make([]*columnSolver, len(blocks))
	for k, members := range blocks {
		solvers[k] = newColumnSolver(p, members, rho)
	}
	clear(p.theta.Data)
	end := ending{status: solver.Converged}
	for k, c := range solvers {
		e := c.run(ctx, tolerance*float64(c.p), maxSweeps)
		c.store(p.theta, blocks[k])
		end.sweeps = max(end.sweeps, e.sweeps)
		end.gap += e.gap
		end.status = worse(end.status, e.status)
	}
	return end
}

// worse returns the status that says more about a whole of which a and b are parts.
func worse(a, b solver.Status) solver.Status {
	for _, s := range []solver.Status{solver.Interrupted, solver.MaxRounds, solver.Stalled} {
		if a == s || b == s {
			return s
		}
	}
	return solver.Converged
}

// components lists the connected components of |S_ij| > ρ, members in order.
func (p *precision) components(rho float64) [][]int {
	n := p.s.Rows
	seen := make([]bool, n)
	var blocks [][]int
	for first := range n {
		if seen[first] {
			continue
		}
		seen[first] = true
		for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
			for j, v := range linalg.Row(p.s, queue[0]) {
				if !seen[j] && math.Abs(v) > rho {
					seen[j] = true
					queue = append(queue, j)
				}
			}
			if queue[0] == first {
				blocks = append(blocks, nil)
			}
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], queue[0])
		}
	}
	return blocks
}

// edgeWeights returns the partial correlations over the pairs, the negative ones
// as 0 or, if absolute, as their absolute values.
func (p *precision) edgeWeights(absolute bool) []float64 {
	n := p.s.Rows
	w := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) {
		t := linalg.Row(p.theta, i)
		w[e] = -t[j] / math.Sqrt(t[i]*p.theta.Data[j*n+j])
		if absolute {
			w[e] = math.Abs(w[e])
		}
		w[e] = max(w[e], 0)
	})
	return w
}

// edges counts the pairs with Θ_ij ≠ 0.
func (p *precision) edges() int {
	count := 0
	eachPair(p.s.Rows, func(_, i, j int) {
		if p.theta.Data[i*p.s.Rows+j] != 0 {
			count++
		}
	})
	return count
}

// loss returns tr(SΘ) − log det Θ for any covariance S.
func (p *precision) loss(s linalg.Dense) float64 {
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(s.Rows, p.theta.Data)) {
		return math.Inf(1)
	}
	return floats.Dot(s.Data, p.theta.Data) - chol.LogDet()
}

// A columnSolver minimises f on one block, a column (and row) of Θ at a time.
// With column j last, Θ = (Θ₁₁ x; xᵀ θ), V = Θ₁₁⁻¹ and Θ₁₁ held fixed, the best θ is
// 1/S_jj + xᵀVx, which leaves the lasso
//
//	½ S_jj xᵀVx + S_jᵀx + ρ‖x‖₁.
//
// V comes from W = Θ⁻¹ and goes back into it by changes of rank one.
type columnSolver struct {
	p        int
	rho      float64
	s        linalg.Dense
	theta, w linalg.Dense // Θ and its inverse, both in full
	backup   linalg.Dense // the last Θ known to be positive definite
	x, g     []float64    // the column and V·x
	chol     mat.Cholesky
	inverse  *mat.SymDense
}

func newColumnSolver(p *precision, members []int, rho float64) *columnSolver {
	k := len(members)
	c := &columnSolver{
		p: k, rho: rho,
		s: linalg.NewDense(k, k), theta: linalg.NewDense(k, k), w: linalg.NewDense(k, k), backup: linalg.NewDense(k, k),
		x: make([]float64, k), g: make([]float64, k),
		inverse: mat.NewSymDense(k, nil),
	}
	for a, i := range members {
		for b, j := range members {
			c.s.Data[a*k+b] = p.s.Data[i*p.s.Rows+j]
			c.theta.Data[a*k+b] = p.theta.Data[i*p.s.Rows+j]
		}
	}
	return c
}

// store writes Θ to the places of its members.
func (c *columnSolver) store(theta linalg.Dense, members []int) {
	for a, i := range members {
		for b, j := range members {
			theta.Data[i*theta.Rows+j] = c.theta.Data[a*c.p+b]
		}
	}
}

// run sweeps over the columns until the duality gap is at most tolerance.
func (c *columnSolver) run(ctx context.Context, tolerance float64, maxSweeps int) (end ending) {
	if c.p == 1 {
		c.theta.Data[0] = 1 / c.s.Data[0]
		end.status = solver.Converged
		return end
	}
	end.gap = c.refresh()
	for {
		switch {
		case end.gap <= tolerance:
			end.status = solver.Converged
			return end
		case end.sweeps >= maxSweeps:
			end.status = solver.MaxRounds
			return end
		}
		moved := 0.0
		for j := range c.p {
			if ctx.Err() != nil {
				end.status = solver.Interrupted
				return end
			}
			moved = max(moved, c.update(j))
		}
		end.sweeps++
		before := end.gap
		end.gap = c.refresh()
		if math.IsNaN(end.gap) { // Θ is at the edge of what rounding lets be positive definite
			copy(c.theta.Data, c.backup.Data)
			end.gap, end.status = before, solver.Stalled
			return end
		}
		if moved <= 1e-15 && end.gap > tolerance {
			end.status = solver.Stalled
			return end
		}
	}
}

// update sets column j of Θ and brings W along. It returns how far the derivatives
// moved, as a share of ρ.
func (c *columnSolver) update(j int) float64 {
	n, w, x, g := c.p, c.w.Data, c.x, c.g
	s, sjj, wj := linalg.Row(c.s, j), c.s.Data[j*c.p+j], linalg.Row(c.w, j)
	wjj := wj[j]
	copy(x, linalg.Row(c.theta, j))
	x[j] = 0
	for k, v := range wj { // V·x = −w₁₂/w₂₂
		g[k] = -v / wjj
	}
	g[j] = 0
	c.rankOne(j, g, -wjj) // W₁₁ becomes V
	moved := c.lasso(j, s, sjj)
	c.rankOne(j, g, sjj) // and, with the new x, W₁₁ again
	theta := 1/sjj + floats.Dot(x, g)
	for k := range n {
		if k == j {
			continue
		}
		wj[k] = -sjj * g[k]
		w[k*n+j] = wj[k]
		c.theta.Data[j*n+k], c.theta.Data[k*n+j] = x[k], x[k]
	}
	wj[j] = sjj
	c.theta.Data[j*n+j] = theta
	return moved
}

// rankOne adds a·vvᵀ to W; v[j] = 0 leaves row and column j alone.
func (c *columnSolver) rankOne(j int, v []float64, a float64) {
	for k, vk := range v {
		if k != j && vk != 0 {
			floats.AddScaled(linalg.Row(c.w, k), a*vk, v)
		}
	}
}

// lasso descends along the coordinates of x, from where it is, with g = V·x, until
// a pass moves the derivatives by less than a hundredth of what the first did.
func (c *columnSolver) lasso(j int, s []float64, sjj float64) (first float64) {
	const passes = 30 // what is left is for the next sweep
	n, w, x, g := c.p, c.w.Data, c.x, c.g
	for pass := range passes {
		moved := 0.0
		for k := range n {
			curvature := sjj * w[k*n+k]
			if k == j || !(curvature > 0) {
				continue
			}
			to := shrink(curvature*x[k]-s[k]-sjj*g[k], c.rho) / curvature
			if d := to - x[k]; d != 0 {
				x[k] = to
				floats.AddScaled(g, d, linalg.Row(c.w, k))
				g[j] = 0
				moved = max(moved, math.Abs(d)*curvature/c.rho)
			}
		}
		if pass == 0 {
			first = moved
		}
		if moved <= 0.01*first {
			break
		}
	}
	return first
}

// shrink moves v towards zero by rho.
func shrink(v, rho float64) float64 {
	return math.Copysign(max(math.Abs(v)-rho, 0), v)
}

// refresh computes W = Θ⁻¹ afresh and returns the duality gap: f(Θ) less
// log det U + p, where U is W brought to |U_ij − S_ij| ≤ ρ and U_ii = S_ii. That bounds
// f from below wherever U is positive definite; elsewhere the gap is +Inf. It is
// NaN, and W not to be used, if Θ is not positive definite.
func (c *columnSolver) refresh() float64 {
	n := c.p
	if !c.chol.Factorize(mat.NewSymDense(n, c.theta.Data)) || c.chol.InverseTo(c.inverse) != nil {
		return math.NaN()
	}
	copy(c.backup.Data, c.theta.Data)
	copy(c.w.Data, c.inverse.RawSymmetric().Data)
	mirror(c.w)
	f := floats.Dot(c.s.Data, c.theta.Data) - c.chol.LogDet()
	u := c.inverse.RawSymmetric().Data
	for i := range n {
		for j := i + 1; j < n; j++ {
			f += 2 * c.rho * math.Abs(c.theta.Data[i*n+j])
			u[i*n+j] = min(max(u[i*n+j], c.s.Data[i*n+j]-c.rho), c.s.Data[i*n+j]+c.rho)
		}
		u[i*n+i] = c.s.Data[i*n+i]
	}
	if !c.chol.Factorize(c.inverse) {
		return math.Inf(1)
	}
	return f - c.chol.LogDet() - float64(n)
}

// mirror copies what is above the diagonal below it.
func mirror(a linalg.Dense) {
	for i := range a.Rows {
		for j := range i {
			a.Data[i*a.Stride+j] = a.Data[j*a.Stride+i]
		}
	}
}
