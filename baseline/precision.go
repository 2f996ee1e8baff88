package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// A precision is a positive definite Θ on its way to the minimum of
//
//	f(Θ) = −log det Θ + tr(SΘ) + ρ Σ_{i≠j} |Θ_ij|,
//
// and W, its inverse there.
type precision struct {
	s     linalg.Dense // symmetric, positive diagonal
	theta linalg.Dense // Θ
	w     linalg.Dense // W
}

// newPrecision starts at the minimum for ρ ≥ max |S_ij|, which is diagonal.
func newPrecision(s linalg.Dense) *precision {
	p := &precision{s: s, theta: linalg.NewDense(s.Rows, s.Rows), w: linalg.NewDense(s.Rows, s.Rows)}
	for i := range s.Rows {
		p.theta.Data[i*s.Rows+i] = 1 / s.Data[i*s.Rows+i]
		p.w.Data[i*s.Rows+i] = s.Data[i*s.Rows+i]
	}
	return p
}

func (p *precision) clone() *precision {
	c := *p
	c.theta.Data, c.w.Data = slices.Clone(p.theta.Data), slices.Clone(p.w.Data)
	return &c
}

// An ending says how solve ended.
type ending struct {
	sweeps int     // the most that any block took
	gap    float64 // f(Θ) less a lower bound of its minimum
	status method.Status
}

// solve minimises f from where Θ is, until the duality gap is at most N·tolerance.
// Vertices that no chain of |S_ij| > ρ joins have Θ_ij = 0 at the minimum
// ([witten2011]), so that each component is solved alone.
func (p *precision) solve(ctx context.Context, rho, tolerance float64, maxSweeps int) ending {
	return p.solveBlocks(ctx, rho, tolerance, maxSweeps, blocksOf(p.s, rho))
}

// solveBlocks is solve with Θ zero between the given blocks, each in order.
func (p *precision) solveBlocks(ctx context.Context, rho, tolerance float64, maxSweeps int, blocks [][]int) ending {
	end := ending{status: method.Converged}
	if ctx.Err() != nil {
		end.status = method.Interrupted
		return end
	}
	n := p.s.Rows
	var theta, w linalg.Dense
	if len(blocks) > 1 {
		theta, w = linalg.NewDense(n, n), linalg.NewDense(n, n)
	}
	for _, members := range blocks {
		part := p.block(members, rho)
		if len(members) == 1 {
			part.theta.Data[0] = 1 / part.s.Data[0]
		} else {
			e := newColumnSolver(part.s, part.w, part.theta, rho).run(ctx, tolerance*float64(len(members)), maxSweeps)
			end.sweeps = max(end.sweeps, e.sweeps)
			end.gap += e.gap
			end.status = worse(end.status, e.status)
		}
		if len(members) == n {
			p.theta, p.w = part.theta, part.w
			return end
		}
		for a, i := range members {
			for b, j := range members {
				theta.Data[i*n+j] = part.theta.Data[a*len(members)+b]
				w.Data[i*n+j] = part.w.Data[a*len(members)+b]
			}
		}
	}
	p.theta, p.w = theta, w
	return end
}

// block returns the part of p on the members of a block, with a W that is feasible
// for ρ and positive definite: between S and a matrix that is both for another ρ.
func (p *precision) block(members []int, rho float64) *precision {
	k, n := len(members), p.s.Rows
	part := &precision{s: linalg.NewDense(k, k), theta: linalg.NewDense(k, k), w: linalg.NewDense(k, k)}
	largest := 0.0
	for a, i := range members {
		for b, j := range members {
			from, to := i*n+j, a*k+b
			part.s.Data[to], part.theta.Data[to], part.w.Data[to] = p.s.Data[from], p.theta.Data[from], p.w.Data[from]
			if i != j {
				largest = max(largest, math.Abs(p.s.Data[from]-p.w.Data[from]))
			}
		}
	}
	if largest > rho {
		for e, s := range part.s.Data {
			part.w.Data[e] = s + rho/largest*(part.w.Data[e]-s)
		}
	}
	return part
}

// worse returns the status that says more about a whole of which a and b are parts.
func worse(a, b method.Status) method.Status {
	for _, s := range []method.Status{method.Interrupted, method.MaxRounds, method.Stalled} {
		if a == s || b == s {
			return s
		}
	}
	return method.Converged
}

// blocksOf lists the connected components of |A_ij| > least, each in order.
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
		slices.Sort(block)
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
	f := objective(s, p.theta, 0, linalg.NewDense(s.Rows, s.Rows))
	if math.IsNaN(f) {
		return math.Inf(1)
	}
	return f
}

// byComponents learns from more vertices than there is room for the pairs of.
func (m Glasso) byComponents(ctx context.Context, p method.Problem, u linalg.Dense) (*method.Result, error) {
	if m.Folds > 0 {
		return nil, input.Errorf(m.Name(), input.Folds, "got %d with %d vertices, want none with more than %d",
			m.Folds, u.Rows, mostVertices)
	}
	c := newComponents(ctx, p, u)
	if c == nil {
		return interrupted(m, u.Rows), nil
	}
	if largest := c.largest(m.Penalty); m.Penalty > 0 && largest > mostVertices {
		return nil, input.Errorf(m.Name(), "rho", "got %g, at which correlations hold %d vertices together, want "+
			"at least %.3g, so that they are no more than %d: each such component takes a matrix of all its pairs",
			m.Penalty, largest, c.leastPenalty(mostVertices), mostVertices)
	}
	r := &method.Result{}
	if m.Penalty == 0 {
		choice := c.leastEBIC(ctx, m)
		m.Penalty = choice.rho
		r.Rounds, r.Warnings = choice.sweeps, choice.warnings
	}
	var edges []graph.Edge
	end := c.solve(ctx, m.Penalty, m.Tolerance, glassoSweeps, func(members []int, model *precision) {
		w := model.edgeWeights(m.Absolute)
		eachPair(len(members), func(e, i, j int) {
			if w[e] > 0 {
				edges = append(edges, graph.Edge{I: members[i], J: members[j], Weight: w[e]})
			}
		})
	})
	r.Method, r.Status = m, end.status
	r.Rounds += end.sweeps
	r.Weights = mustGraph(graph.DefaultNames(u.Rows), edges)
	r.Warnings = append(r.Warnings, m.unfinished(end, u.Rows)...)
	return r, nil
}

// components are those of the graph of |S_ij| > ρ, for any ρ: the pairs of a spanning tree of the largest
// |S_ij| that exceed ρ hold together what all pairs do.
type components struct {
	u    linalg.Dense
	tree []graph.Edge // by |S_ij|
}

// newComponents returns nil if ctx ends.
func newComponents(ctx context.Context, p method.Problem, u linalg.Dense) *components {
	s := searchOf(p, u, keptPerVertex)
	s.Weigh = nearest.Absolute
	lists := s.All(ctx)
	if lists == nil {
		return nil
	}
	tree, ok := s.Forest(ctx, lists, nil)
	if !ok {
		return nil
	}
	for k := range tree {
		tree[k].Weight /= float64(u.Cols)
	}
	return &components{u: u, tree: tree}
}

// at returns the members of each component, in order.
func (c *components) at(rho float64) [][]int {
	return nearest.Components(c.u.Rows, slices.DeleteFunc(slices.Clone(c.tree), func(e graph.Edge) bool { return e.Weight <= rho }))
}

// largest returns the number of vertices of the largest component.
func (c *components) largest(rho float64) int {
	most := 0
	for _, members := range c.at(rho) {
		most = max(most, len(members))
	}
	return most
}

// leastPenalty returns the least ρ at which no component has more than that many vertices.
func (c *components) leastPenalty(most int) float64 {
	values := []float64{0}
	for _, e := range c.tree {
		values = append(values, e.Weight)
	}
	slices.Sort(values)
	return values[sort.Search(len(values)-1, func(k int) bool { return c.largest(values[k]) <= most })]
}

// solve minimises f on each component, and calls found with those of more than one vertex.
func (c *components) solve(ctx context.Context, rho, tolerance float64, maxSweeps int, found func(members []int, model *precision)) ending {
	all := ending{status: method.Converged}
	for _, members := range c.at(rho) {
		if len(members) == 1 {
			continue
		}
		rows := linalg.NewDense(len(members), c.u.Cols)
		for k, i := range members {
			copy(linalg.Row(rows, k), linalg.Row(c.u, i))
		}
		model := newPrecision(secondMoments(rows))
		end := model.solve(ctx, rho, tolerance, maxSweeps)
		all.sweeps = max(all.sweeps, end.sweeps)
		all.gap += end.gap
		all.status = worse(all.status, end.status)
		if end.status == method.Interrupted {
			break
		}
		found(members, model)
	}
	if all.status != method.Interrupted && all.gap <= tolerance*float64(c.u.Rows) {
		all.status = method.Converged // what one component lacks, others make up for
	}
	return all
}

// leastEBIC is that of all vertices, of a Θ that is zero between components. Penalties at which there is no
// room for a component are not looked at.
func (c *components) leastEBIC(ctx context.Context, o Glasso) penaltyChoice {
	largest := 0.0
	for _, e := range c.tree {
		largest = max(largest, e.Weight)
	}
	least := c.leastPenalty(mostVertices)
	path := slices.DeleteFunc(penaltiesFrom(largest), func(rho float64) bool { return rho <= least })
	bounded := least > 0
	if bounded {
		path = append(path, least)
	}
	n, signals := c.u.Rows, c.u.Cols
	choice := penaltyChoice{}
	rank := func(rho float64) (float64, bool) {
		alone, score := n, 0.0
		end := c.solve(ctx, rho, max(pathTolerance, o.Tolerance), pathSweeps, func(members []int, model *precision) {
			fit := newSupportFit(model.s, signals, o.Gamma)
			fit.price = priceOfEdge(signals, n, o.Gamma)
			score += fit.ebic(model.theta)
			alone -= len(members)
		})
		choice.sweeps += end.sweeps
		return score + float64(signals)*float64(alone), end.status != method.Interrupted && ctx.Err() == nil
	}
	choice.search(path, signals <= n, rank, func(float64) *precision { return nil })
	if choice.warnings != nil && bounded {
		choice.warnings = []string{fmt.Sprintf("rho is %.3g because at a smaller one correlations would hold more "+
			"than %d vertices together: edges are missing that a smaller one would find", choice.rho, mostVertices)}
	}
	return choice
}
