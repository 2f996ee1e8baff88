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
	return p.solveBlocks(ctx, rho, tolerance, maxSweeps, blocksOf(p.s, rho))
}

// solveBlocks is solve with Θ zero between the given blocks.
func (p *precision) solveBlocks(ctx context.Context, rho, tolerance float64, maxSweeps int, blocks [][]int) ending {
	solvers := make([]*columnSolver, len(blocks))
	for k, members := range blocks {
		solvers[k] = newColumnSolver(p, members, rho)
	}
	return p.run(ctx, tolerance, maxSweeps, blocks, solvers)
}

// refit minimises −log det Θ + tr(SΘ) with the zeros of Θ held, as solve does f. With
// fewer signals than vertices there may be no minimum; the status then says so.
func (p *precision) refit(ctx context.Context, tolerance float64, maxSweeps int) ending {
	blocks := blocksOf(p.theta, 0)
	solvers := make([]*columnSolver, len(blocks))
	for k, members := range blocks {
		solvers[k] = newColumnSolver(p, members, 0)
		solvers[k].hold()
	}
	return p.run(ctx, tolerance, maxSweeps, blocks, solvers)
}

func (p *precision) run(ctx context.Context, tolerance float64, maxSweeps int, blocks [][]int, solvers []*columnSolver) ending {
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

// blocksOf lists the connected components of |A_ij| > least, each from its first
// vertex on.
func blocksOf(a linalg.Dense, least float64) [][]int {
	n := a.Rows
	seen := make([]bool, n)
	var blocks [][]int
	for first := range n {
		if seen[first] {
			continue
		}
		seen[first] = true
		block := []int{first}
		for k := 0; k < len(block); k++ {
			for j, v := range linalg.Row(a, block[k]) {
				if !seen[j] && math.Abs(v) > least {
					seen[j] = true
					block = append(block, j)
				}
			}
		}
		blocks = append(blocks, block)
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
	free     []bool // entries of Θ that may move; nil means all
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

// restart sets Θ to the inverse of the diagonal of S.
func (c *columnSolver) restart() {
	clear(c.theta.Data)
	for i := range c.p {
		c.theta.Data[i*c.p+i] = 1 / c.s.Data[i*c.p+i]
	}
}

// chooseStart replaces Θ by the inverse of S with its off-diagonal part shrunk in
// proportion, by ρ at the largest entry, if that has the smaller f. It is the minimum
// itself for two vertices, and near it where vertices are all but equal: there steps
// by columns are slow to raise Θ to its height.
func (c *columnSolver) chooseStart() {
	n, largest := c.p, 0.0
	eachPair(n, func(_, i, j int) { largest = max(largest, math.Abs(c.s.Data[i*n+j])) })
	keep := max(1-c.rho/largest, 0)
	copy(c.inverse.RawSymmetric().Data, c.s.Data)
	eachPair(n, func(_, i, j int) { c.inverse.RawSymmetric().Data[i*n+j] *= keep })
	if !c.chol.Factorize(c.inverse) || c.chol.InverseTo(c.inverse) != nil {
		return
	}
	other := linalg.NewDense(n, n)
	copy(other.Data, c.inverse.RawSymmetric().Data)
	mirror(other)
	if now := c.objective(c.theta); math.IsNaN(now) || c.objective(other) < now {
		c.theta = other
	}
}

// objective returns f, or NaN where Θ is not positive definite.
func (c *columnSolver) objective(theta linalg.Dense) float64 {
	if !c.chol.Factorize(mat.NewSymDense(c.p, theta.Data)) {
		return math.NaN()
	}
	f := floats.Dot(c.s.Data, theta.Data) - c.chol.LogDet()
	eachPair(c.p, func(_, i, j int) { f += 2 * c.rho * math.Abs(theta.Data[i*c.p+j]) })
	return f
}

// hold fixes the zeros of Θ.
func (c *columnSolver) hold() {
	c.free = make([]bool, len(c.theta.Data))
	for k, v := range c.theta.Data {
		c.free[k] = v != 0
	}
}

// store writes Θ to the places of its members.
func (c *columnSolver) store(theta linalg.Dense, members []int) {
	for a, i := range members {
		for b, j := range members {
			theta.Data[i*theta.Rows+j] = c.theta.Data[a*c.p+b]
		}
	}
}

// run sweeps over the columns until the duality gap is at most tolerance, or has
// not halved in stallSweeps sweeps.
func (c *columnSolver) run(ctx context.Context, tolerance float64, maxSweeps int) (end ending) {
	if ctx.Err() != nil {
		end.gap, end.status = math.Inf(1), solver.Interrupted
		return end
	}
	if c.p == 1 {
		c.theta.Data[0] = 1 / c.s.Data[0]
		end.status = solver.Converged
		return end
	}
	if c.free == nil {
		c.chooseStart()
	}
	if end.gap = c.refresh(); math.IsNaN(end.gap) { // no start to go on from: take the one that is always there
		c.restart()
		end.gap = c.refresh()
	}
	const stallSweeps = 200
	earlier := math.Inf(1) // the gap at the last multiple of stallSweeps
	for {
		switch {
		case end.gap <= tolerance:
			end.status = solver.Converged
			return end
		case end.sweeps >= maxSweeps:
			end.status = solver.MaxRounds
			return end
		case end.sweeps%stallSweeps == 0:
			if end.gap > earlier/2 {
				end.status = solver.Stalled
				return end
			}
			earlier = end.gap
		}
		for j := range c.p {
			if ctx.Err() != nil {
				end.status = solver.Interrupted
				return end
			}
			c.update(j)
		}
		end.sweeps++
		before := end.gap
		end.gap = c.refresh()
		if math.IsNaN(end.gap) { // Θ is at the edge of what rounding lets be positive definite
			copy(c.theta.Data, c.backup.Data)
			end.gap, end.status = before, solver.Stalled
			return end
		}
	}
}

// update sets column j of Θ and brings W along.
func (c *columnSolver) update(j int) {
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
	c.lasso(j, s, sjj)
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
func (c *columnSolver) lasso(j int, s []float64, sjj float64) {
	const passes = 30 // what is left is for the next sweep
	n, w, x, g := c.p, c.w.Data, c.x, c.g
	first := 0.0
	for pass := range passes {
		moved := 0.0
		for k := range n {
			curvature := sjj * w[k*n+k]
			if k == j || !(curvature > 0) || c.free != nil && !c.free[j*n+k] {
				continue
			}
			to := shrink(curvature*x[k]-s[k]-sjj*g[k], c.rho) / curvature
			if d := to - x[k]; d != 0 {
				x[k] = to
				floats.AddScaled(g, d, linalg.Row(c.w, k))
				g[j] = 0
				moved = max(moved, math.Abs(d)*curvature)
			}
		}
		if pass == 0 {
			first = moved
		}
		if moved <= 0.01*first {
			break
		}
	}
}

// shrink moves v towards zero by rho.
func shrink(v, rho float64) float64 {
	return math.Copysign(max(math.Abs(v)-rho, 0), v)
}

// refresh computes W = Θ⁻¹ afresh and returns the duality gap: f(Θ) less
// log det U + p, where U is W brought to |U_ij − S_ij| ≤ ρ, where Θ_ij may move, and
// to U_ii = S_ii. That bounds
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
			if c.free != nil && !c.free[i*n+j] {
				continue
			}
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
