package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
)

// A resistance is the Gaussian model whose precision matrix is a graph Laplacian L(w),
// of least
//
//	f(w) = −log det L(w) + Σ_e h_e w_e   over weights w ≥ 0,
//
// on its way there. The determinant is that of L without the row and column of one
// vertex in each part of the graph, its ground; the pseudo-determinant is larger by a
// constant factor. h_ij is K_ii + K_jj − 2K_ij, the mean square of the difference
// between two vertices.
//
// A Laplacian with positive terms added to its diagonal is the same with one vertex
// more, the ground, which vertex i is joined to by the term v_i at h = K_ii.
//
// With C the inverse of L, r_ij = C_ii + C_jj − 2C_ij is the effective resistance
// between two vertices. At the optimum it is h where w is positive, and at most h
// elsewhere. The best weight of one pair, the others held fixed, is
// max(0, w + 1/h − 1/r) ([pavez2019]). Sweeps of that over all pairs find which are
// positive, and Newton steps on those do what would take hundreds of sweeps.
type resistance struct {
	k      linalg.Dense
	n      int        // vertices, with the ground that is added
	pairs  []resistor // that may have a weight, in order
	ground []bool     // of each vertex
	rank   int        // of L: vertices that are not grounds
	c      linalg.Dense
	u      []float64
	chol   mat.Cholesky
	l, inv *mat.SymDense
	newton newtonStep
}

// resistanceTolerance is the duality gap for each vertex at which to stop by default.
const resistanceTolerance = 1e-10

// A resistor is a pair of vertices that may have a weight.
type resistor struct {
	graph.Edge

	h float64
}

// newResistance begins with the spanning tree of the least h, at its optimum 1/h. All
// h must be positive. With loops, positive terms are added to the diagonal.
func newResistance(k linalg.Dense, loops bool) *resistance {
	n := k.Rows
	if loops {
		n++
	}
	g := &resistance{
		k: k, n: n, ground: make([]bool, n), c: linalg.NewDense(n, n), u: make([]float64, n),
		l: mat.NewSymDense(n, nil), inv: mat.NewSymDense(n, nil), pairs: make([]resistor, 0, n*(n-1)/2),
	}
	eachPair(n, func(_, i, j int) { g.pairs = append(g.pairs, resistor{graph.Edge{I: i, J: j}, g.difference(i, j)}) })
	g.connect()
	return g
}

// difference returns h of a pair.
func (g *resistance) difference(i, j int) float64 {
	n := g.k.Rows
	if j == n {
		return g.k.Data[i*n+i]
	}
	return g.k.Data[i*n+i] + g.k.Data[j*n+j] - 2*g.k.Data[i*n+j]
}

// connect gives a weight to the pairs of a spanning tree, or forest, that have none,
// and chooses the grounds. Pairs with a weight are taken for the tree first.
func (g *resistance) connect() {
	order := matrix.Sorted(len(g.pairs), func(a, b int) int {
		p, q := g.pairs[a], g.pairs[b]
		return cmp.Or(cmp.Compare(rank(q.Weight), rank(p.Weight)), cmp.Compare(p.h, q.h))
	})
	part := make([]int, g.n) // the last vertex of the part of each
	for i := range part {
		part[i] = i
	}
	for _, e := range order {
		p := &g.pairs[e]
		from, to := min(part[p.I], part[p.J]), max(part[p.I], part[p.J])
		if from == to {
			continue
		}
		for i := range part {
			if part[i] == from {
				part[i] = to
			}
		}
		if p.Weight == 0 {
			p.Weight = 1 / p.h
		}
	}
	g.rank = 0
	for i := range part {
		if g.ground[i] = part[i] == i; !g.ground[i] {
			g.rank++
		}
	}
}

// rank is 1 for a pair that has a weight.
func rank(w float64) int {
	if w > 0 {
		return 1
	}
	return 0
}

// restrict leaves only the given pairs to have a weight, and loops.
func (g *resistance) restrict(pairs []graph.Edge) {
	before := g.pairs
	g.pairs = make([]resistor, 0, len(pairs)+g.n)
	for _, p := range pairs {
		g.pairs = append(g.pairs, resistor{Edge: graph.Edge{I: min(p.I, p.J), J: max(p.I, p.J)}})
	}
	for i := range g.k.Rows {
		if g.n > g.k.Rows {
			g.pairs = append(g.pairs, resistor{Edge: graph.Edge{I: i, J: g.k.Rows}})
		}
	}
	inOrder := func(p, q resistor) int { return cmp.Or(cmp.Compare(p.I, q.I), cmp.Compare(p.J, q.J)) }
	slices.SortFunc(g.pairs, inOrder)
	for e := range g.pairs {
		p := &g.pairs[e]
		p.h = g.difference(p.I, p.J)
		if at, ok := slices.BinarySearchFunc(before, *p, inOrder); ok {
			p.Weight = before[at].Weight
		}
	}
	g.connect()
}

// solve sweeps over the pairs, with a Newton step after each sweep, until the duality
// gap is at most the tolerance times the rank of L.
func (g *resistance) solve(ctx context.Context, tolerance float64, maxSweeps int) (sweeps int, status method.Status) {
	const stallSweeps = 50
	limit := tolerance * float64(max(g.rank, 1))
	_, ok := g.refresh()
	_, excess := g.gap()
	earlier := math.Inf(1) // the gap at the last multiple of stallSweeps
	for sweeps = 1; ; sweeps++ {
		switch {
		case ctx.Err() != nil:
			return sweeps, method.Interrupted
		case !ok: // L is at the edge of what rounding lets be positive definite
			return sweeps, method.Stalled
		}
		g.sweep(ctx, max(tolerance, excess)/10)
		var f, gap float64
		if f, ok = g.refresh(); !ok {
			continue
		}
		gap, excess = g.gap()
		switch {
		case gap <= limit:
			g.rescale()
			return sweeps, method.Converged
		case sweeps == maxSweeps:
			return sweeps, method.MaxRounds
		case sweeps%stallSweeps == 0:
			if gap > earlier/2 {
				return sweeps, method.Stalled
			}
			earlier = gap
		}
		ok = g.step(ctx, f)
	}
}

// sweep sets each pair's weight to the best, the others held fixed. Resistances that
// are right within the tolerance are left as they are: what is small beside the rest is
// better left to the Newton step, which moves all weights at once.
func (g *resistance) sweep(ctx context.Context, tolerance float64) {
	last := -1
	for e := range g.pairs {
		p := &g.pairs[e]
		if p.I != last {
			if last = p.I; ctx.Err() != nil {
				return
			}
		}
		r := g.between(p.I, p.J)
		if r <= p.h && p.Weight == 0 || math.Abs(r-p.h) <= tolerance*p.h {
			continue
		}
		to := max(p.Weight+1/p.h-1/r, 0)
		d := to - p.Weight
		if 1+d*r <= leastLeft {
			continue // a bridge, whose resistance is not known better than this
		}
		p.Weight = to
		g.move(p.I, p.J, d/(1+d*r))
	}
}

// leastLeft is the least share of a determinant that a change of one weight leaves.
const leastLeft = 1e-9

// between returns the effective resistance of a pair.
func (g *resistance) between(i, j int) float64 {
	c := g.c.Data
	return c[i*g.n+i] + c[j*g.n+j] - 2*c[i*g.n+j]
}

// move takes a·uuᵀ from C, u its column i less its column j.
func (g *resistance) move(i, j int, a float64) {
	copy(g.u, linalg.Row(g.c, i))
	linalg.Axpy(-1, linalg.Row(g.c, j), g.u)
	for k, v := range g.u {
		if v != 0 {
			linalg.Axpy(-a*v, g.u, linalg.Row(g.c, k))
		}
	}
}

// refresh computes C afresh and returns f. It says no if L is singular.
func (g *resistance) refresh() (f float64, ok bool) {
	if f, ok = g.factorize(nil); !ok || g.chol.InverseTo(g.inv) != nil {
		return f, false
	}
	copy(g.c.Data, g.inv.RawSymmetric().Data)
	mirror(g.c)
	for i, ground := range g.ground {
		if ground {
			g.c.Data[i*g.n+i] = 0
		}
	}
	return f, true
}

// factorize factors L at other weights, or at those of the pairs, and returns f.
// Grounds have a 1 on the diagonal and are joined to nothing.
func (g *resistance) factorize(weights []float64) (f float64, ok bool) {
	l := g.l.RawSymmetric().Data
	clear(l)
	for e, p := range g.pairs {
		w := p.Weight
		if weights != nil {
			w = weights[e]
		}
		if w == 0 {
			continue
		}
		f += p.h * w
		l[p.I*g.n+p.I] += w
		l[p.J*g.n+p.J] += w
		if !g.ground[p.I] && !g.ground[p.J] {
			l[p.I*g.n+p.J] -= w
		}
	}
	for i, ground := range g.ground {
		if ground {
			l[i*g.n+i] = 1
		}
	}
	if ok = g.chol.Factorize(g.l); !ok {
		return math.Inf(1), false
	}
	return f - g.chol.LogDet(), true
}

// gap returns f less a lower bound of its minimum, which C makes when it is divided by
// the largest r/h: then no resistance is above h. The excess is that ratio less 1.
func (g *resistance) gap() (gap, excess float64) {
	sum, largest := 0.0, 0.0
	for _, p := range g.pairs {
		sum += p.h * p.Weight
		largest = max(largest, g.between(p.I, p.J)/p.h)
	}
	rank := float64(g.rank)
	if g.rank == 0 {
		return 0, 0
	}
	return sum - rank + rank*math.Log(largest), largest - 1
}

// rescale makes Σ h·w the rank of L, as it is at the optimum, which lowers f.
func (g *resistance) rescale() {
	sum := 0.0
	for _, p := range g.pairs {
		sum += p.h * p.Weight
	}
	for e := range g.pairs {
		g.pairs[e].Weight *= float64(g.rank) / sum
	}
}

// diagonal returns that of the precision matrix.
func (g *resistance) diagonal() []float64 {
	d := make([]float64, g.n)
	for _, p := range g.pairs {
		d[p.I] += p.Weight
		d[p.J] += p.Weight
	}
	return d
}

// weights returns the pairs with a positive weight, in order, without loops.
func (g *resistance) weights() []graph.Edge {
	var list []graph.Edge
	for _, p := range g.pairs {
		if p.Weight > 0 && p.J < g.k.Rows {
			list = append(list, p.Edge)
		}
	}
	return list
}

// partials returns the same pairs with their partial correlations.
func (g *resistance) partials() []graph.Edge {
	list, d := g.weights(), g.diagonal()
	for k, p := range list {
		list[k].Weight = p.Weight / math.Sqrt(d[p.I]*d[p.J])
	}
	return list
}

// predictors returns the coefficients of all vertices on their neighbours.
func (g *resistance) predictors() []predictor {
	list, d := make([]predictor, g.k.Rows), g.diagonal()
	for _, p := range g.weights() {
		i, j := &list[p.I], &list[p.J]
		i.on, i.beta = append(i.on, int32(p.J)), append(i.beta, p.Weight/d[p.I])
		j.on, j.beta = append(j.on, int32(p.I)), append(j.beta, p.Weight/d[p.J])
	}
	return list
}
