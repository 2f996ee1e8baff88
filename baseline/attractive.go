package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// An attractive is the Gaussian model of least
//
//	f(Θ) = −log det Θ + tr(KΘ)   over positive definite Θ with Θ_ij ≤ 0 for i ≠ j,
//
// whose partial correlations are therefore not negative, on its way there. What is
// held is the solution of the dual problem, the covariance
//
//	W with the largest log det W,  W_ii = K_ii,  W_ij ≥ K_ij for i ≠ j,
//
// column by column. With W fixed outside column u, the column is W·β, where β ≥ 0 are
// the coefficients of the regression of u on the other vertices, and Θ_ju is −β_j
// over the residual variance of u. Few of the β are positive, so a column costs
// few vector operations, and log det W never falls.
//
// Pairs may be left out: Θ_ij is then zero and W_ij is free.
//
// With soft signs, negative partial correlations have a price instead ([lauritzen2022]): to f comes
// λ·Θ_ij for each i ≠ j with Θ_ij > 0, which is W_ij ≤ K_ij + λ in the dual problem. Once such a
// model is restricted to some pairs, each keeps its sign, and nothing has a price: Θ_ij ≤ 0 or
// Θ_ij ≥ 0, which is W_ij ≥ K_ij or W_ij ≤ K_ij.
type attractive struct {
	k, w    linalg.Dense
	price   float64 // λ; infinite if no partial correlation is negative, zero once signs are fixed
	fresh   freshRows
	columns []regression
	own     []float64 // standard deviations of the residuals
	g       []float64 // of the regression solved last: see regress
	joining []int32   // memory of admit
}

// A regression is one of a vertex on others, with coefficients that are not negative unless signs
// are soft.
type regression struct {
	allowed  []int32 // vertices that may have a coefficient, in order
	signs    []int8  // of the coefficient of each, 0 if that is open; nil if no sign is fixed
	on       []int32 // those that have one, in the order they came
	beta     []float64
	side     []float64 // their signs, 1 or −1
	variance float64   // of the residual
}

// newAttractive begins with a W that is feasible for all pairs: W_ij is the least
// correlation on the path between i and j in the spanning tree of the largest
// positive ones ([lauritzen2019]). K must have a positive diagonal, and
// K_ij < √(K_ii K_jj).
func newAttractive(k linalg.Dense) *attractive {
	a := newModel(k, math.Inf(1))
	n := k.Rows
	for u := range a.columns {
		for v := range n {
			if v != u && k.Data[u*n+v] > 0 { // K_ij ≤ 0 ≤ W_ij: no edge, whatever W is
				a.columns[u].allowed = append(a.columns[u].allowed, int32(v))
			}
		}
	}
	a.linkSingly()
	return a
}

// newSoft begins with W = K, which must be positive definite, and all pairs.
func newSoft(k linalg.Dense, price float64) *attractive {
	a := newModel(k, price)
	copy(a.w.Data, k.Data)
	for u := range a.columns {
		for v := range k.Rows {
			if v != u {
				a.columns[u].allowed = append(a.columns[u].allowed, int32(v))
			}
		}
	}
	return a
}

// newModel is a model without edges, and without W.
func newModel(k linalg.Dense, price float64) *attractive {
	n := k.Rows
	a := &attractive{
		k: k, w: linalg.NewDense(n, n), price: price, columns: make([]regression, n),
		own: make([]float64, n), g: make([]float64, n),
	}
	for u := range a.columns {
		a.columns[u].variance = k.Data[u*n+u]
		a.own[u] = math.Sqrt(k.Data[u*n+u])
	}
	return a
}

// isSoft reports whether partial correlations may be negative.
func (a *attractive) isSoft() bool { return !math.IsInf(a.price, 1) }

// linkSingly fills W with the least correlations along the paths of the spanning tree.
func (a *attractive) linkSingly() {
	n := a.k.Rows
	scale := make([]float64, n)
	for i := range n {
		scale[i] = math.Sqrt(a.k.Data[i*n+i])
		a.w.Data[i*n+i] = a.k.Data[i*n+i]
	}
	tree := weighedTree(n, correlationsOf(a.k))
	slices.SortStableFunc(tree, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	members := make([][]int, n) // of the cluster of each vertex
	for i := range n {
		members[i] = []int{i}
	}
	for _, e := range tree { // the strongest first: what it joins is joined by nothing stronger
		left, right := members[e.I], members[e.J]
		for _, i := range left {
			for _, j := range right {
				v := e.Weight * scale[i] * scale[j]
				a.w.Data[i*n+j], a.w.Data[j*n+i] = v, v
			}
		}
		both := slices.Concat(left, right)
		for _, i := range both {
			members[i] = both
		}
	}
}

// restrict leaves only the given pairs to have a weight, of their sign if signs are soft. W stays
// feasible, unless prices have bounded it until now.
func (a *attractive) restrict(pairs []graph.Edge) {
	if a.isSoft() && a.price > 0 {
		a.price = 0
		copy(a.w.Data, a.k.Data)
	}
	for u := range a.columns {
		a.columns[u].allowed = a.columns[u].allowed[:0]
	}
	for _, p := range pairs {
		i, j := &a.columns[p.I], &a.columns[p.J]
		i.allowed, j.allowed = append(i.allowed, int32(p.J)), append(j.allowed, int32(p.I))
	}
	for u := range a.columns {
		slices.Sort(a.columns[u].allowed)
	}
	if a.isSoft() {
		a.fixSigns(pairs)
	}
	for u := range a.columns {
		c := &a.columns[u]
		kept := 0
		for k, v := range c.on {
			if at, ok := slices.BinarySearch(c.allowed, v); ok && c.allows(at, c.side[k]) {
				c.keep(kept, k, c.beta[k])
				kept++
			}
		}
		c.truncate(kept)
	}
}

// fixSigns gives each pair the sign of its weight; a weight of zero leaves it open.
func (a *attractive) fixSigns(pairs []graph.Edge) {
	for u := range a.columns {
		a.columns[u].signs = make([]int8, len(a.columns[u].allowed))
	}
	for _, p := range pairs {
		sign := int8(cmp.Compare(p.Weight, 0))
		for _, ends := range [][2]int{{p.I, p.J}, {p.J, p.I}} {
			c := &a.columns[ends[0]]
			at, _ := slices.BinarySearch(c.allowed, int32(ends[1]))
			c.signs[at] = sign
		}
	}
}

// keep puts the vertex at one place, with its new coefficient, at another before it.
func (c *regression) keep(to, from int, beta float64) {
	c.on[to], c.beta[to], c.side[to] = c.on[from], beta, c.side[from]
}

// truncate leaves the first vertices of those that have a coefficient.
func (c *regression) truncate(count int) {
	c.on, c.beta, c.side = c.on[:count], c.beta[:count], c.side[:count]
}

// solve goes over the columns until none moves an entry of W by more than the
// tolerance, in units of what the vertices have of their own: the closer vertices
// follow each other, the more digits matter.
func (a *attractive) solve(ctx context.Context, tolerance float64, maxSweeps int) (sweeps int, status method.Status) {
	defer func() { a.fresh.mirror(a.w) }()
	for sweeps = 1; ; sweeps++ {
		moved := 0.0
		for u := range a.columns {
			if ctx.Err() != nil {
				return sweeps, method.Interrupted
			}
			moved = max(moved, a.update(u, tolerance/10))
		}
		switch {
		case moved <= tolerance:
			return sweeps, method.Converged
		case sweeps == maxSweeps:
			return sweeps, method.MaxRounds
		}
	}
}

// update solves the regression of u and returns by how much an entry of W moved.
func (a *attractive) update(u int, tolerance float64) (moved float64) {
	c, k := &a.columns[u], linalg.Row(a.k, u)
	a.fresh.open(a.w, u)
	a.regress(c, k, tolerance)
	explained := 0.0
	for p, v := range c.on {
		explained += c.beta[p] * a.aim(k[v], c.side[p])
	}
	c.variance = max(k[u]-explained, unexplainedShare*k[u])
	own := math.Sqrt(c.variance)
	a.own[u] = own
	a.g[u] = 0 // W_uu is K_uu, and stays
	moved = linalg.Replace(linalg.Row(a.w, u), k, a.g, a.own)
	a.fresh.close(a.w, u)
	return moved / own
}

// aim returns the entry of W of a pair that has a weight: that of K, and the price if it is
// negative.
func (a *attractive) aim(k, side float64) float64 {
	if side < 0 {
		return k + a.price
	}
	return k
}

// unexplainedShare is the share of a vertex's variance that the others never explain.
const unexplainedShare = 1e-12

// partials returns the pairs with a partial correlation, in order.
func (a *attractive) partials() []graph.Edge {
	var list []graph.Edge
	for i := range a.columns {
		c := &a.columns[i]
		for p, v := range c.on {
			if j := int(v); i < j {
				rho := a.partial(c.beta[p], i, j) + a.partial(a.columns[j].of(int32(i)), j, i)
				list = append(list, graph.Edge{I: i, J: j, Weight: max(min(rho/2, 1), -1)})
			}
		}
		for _, v := range c.allowed {
			if j := int(v); i < j && c.of(v) == 0 && a.columns[j].of(int32(i)) != 0 {
				list = append(list, graph.Edge{I: i, J: j, Weight: max(min(a.partial(a.columns[j].of(int32(i)), j, i)/2, 1), -1)})
			}
		}
	}
	slices.SortFunc(list, func(a, b graph.Edge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return list
}

// weights returns the pairs with their partial correlations, which are the weights.
func (a *attractive) weights() []graph.Edge { return a.partials() }

// predictors returns the regressions of all vertices.
func (a *attractive) predictors() []predictor {
	list := make([]predictor, len(a.columns))
	for u, c := range a.columns {
		list[u] = predictor{c.on, c.beta}
	}
	return list
}

// partial returns the partial correlation that a coefficient of vertex i on j means:
// −Θ_ij/√(Θ_ii Θ_jj).
func (a *attractive) partial(beta float64, i, j int) float64 {
	return beta * math.Sqrt(a.columns[j].variance/a.columns[i].variance)
}

// of returns the coefficient of a vertex.
func (c *regression) of(v int32) float64 {
	if p := slices.Index(c.on, v); p >= 0 {
		return c.beta[p]
	}
	return 0
}

// newcomers is how many vertices may join a regression at a time.
const newcomers = 16

// regress minimises βᵀWβ/2 − kᵀβ over β ≥ 0 by active sets ([lawson1974]): the vertices
// that have a coefficient are solved for, those that come out below zero leave, and
// those whose coefficient should rise from zero join. It leaves k − Wβ in a.g, and
// is done when no entry of that is above the tolerance. Coefficients that may be negative are
// dealt with in the same way on their side of zero, where the price is to be paid.
func (a *attractive) regress(c *regression, k []float64, tolerance float64) {
	limit, last := newcomers, []float64(nil)
	for _, v := range c.on {
		a.fresh.complete(a.w, int(v))
	}
	for {
		c.solveOn(a, k)
		copy(a.g, k)
		linalg.AddRows(a.g, -1, a.w, c.on, c.beta)
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
	above := tolerance * math.Sqrt(c.variance)
	joining := a.joining[:0]
	for at, v := range c.allowed {
		if a.pull(v) > above*a.own[v] && c.allows(at, a.g[v]) && !slices.Contains(c.on, v) {
			joining = append(joining, v)
		}
	}
	a.joining = joining
	if len(joining) > limit {
		joining = a.steepest(joining, limit)
	}
	for _, v := range joining {
		a.fresh.complete(a.w, int(v))
		c.on, c.beta, c.side = append(c.on, v), append(c.beta, 0), append(c.side, math.Copysign(1, a.g[v]))
	}
	return len(joining) > 0
}

// pull returns how steeply f falls if the coefficient of v leaves zero, to the side where it falls.
func (a *attractive) pull(v int32) float64 {
	if a.g[v] < 0 {
		return -a.g[v] - a.price
	}
	return a.g[v]
}

// allows reports whether the coefficient of an allowed vertex may have the sign of x.
func (c *regression) allows(at int, x float64) bool {
	return c.signs == nil || c.signs[at] == 0 || (c.signs[at] > 0) == (x > 0)
}

// steepest returns the vertices whose coefficient should rise most, the most first, of equal
// ones the first. It overwrites the list.
func (a *attractive) steepest(list []int32, count int) []int32 {
	var slopes [newcomers]float64
	best := list[:0]
	for _, v := range list {
		slope, at := a.pull(v)/a.own[v], len(best)
		switch {
		case at < count:
			best = best[:at+1]
		case slope > slopes[at-1]:
			at--
		default:
			continue
		}
		for ; at > 0 && slope > slopes[at-1]; at-- {
			slopes[at], best[at] = slopes[at-1], best[at-1]
		}
		slopes[at], best[at] = slope, v
	}
	return best
}

// solveOn solves for the coefficients that there are, and drops those that leave.
func (c *regression) solveOn(a *attractive, k []float64) {
	for len(c.on) > 0 {
		z, ok := c.unconstrained(a, k)
		if !ok {
			return
		}
		step := 1.0 // towards z, as far as no coefficient is beyond zero
		for p, to := range z {
			if c.side[p]*to <= 0 {
				step = min(step, c.beta[p]/(c.beta[p]-to))
			}
		}
		kept := 0
		for p, to := range z {
			b, side := c.beta[p]+step*(to-c.beta[p]), c.side[p]
			if side*b > 0 && (side*to > 0 || step < 1 && c.beta[p]/(c.beta[p]-to) > step) {
				c.keep(kept, p, b)
				kept++
			}
		}
		all := kept == len(z)
		c.truncate(kept)
		if all {
			return
		}
	}
}

// unconstrained returns the coefficients that solve the regression on its vertices,
// whatever their sign; not if these determine each other.
func (c *regression) unconstrained(a *attractive, k []float64) ([]float64, bool) {
	z := make([]float64, len(c.on))
	for p, v := range c.on {
		z[p] = a.aim(k[v], c.side[p])
	}
	return z, solveOn(a.w, c.on, z)
}

// freshRows are the rows of a symmetric matrix, consecutive ones, that have been written while
// the columns opposite have not. A column is a cache line for each entry, so columns
// are written several at a time; until then, a row that is to be read is completed first.
type freshRows struct{ first, end int }

// mostFresh is how many rows are written before their columns are: two cache lines of each row.
const mostFresh = 16

// open completes row u, which is to be written next.
func (f *freshRows) open(w linalg.Dense, u int) {
	if u != f.end || f.end-f.first == mostFresh {
		f.mirror(w)
		f.first, f.end = u, u
	}
	f.complete(w, u)
}

// close counts row u, which was opened and has been written, among the fresh ones. These
// are complete among themselves.
func (f *freshRows) close(w linalg.Dense, u int) {
	for v := f.first; v < u; v++ {
		w.Data[v*w.Stride+u] = w.Data[u*w.Stride+v]
	}
	f.end = u + 1
}

// complete takes the entries that row v lacks from the fresh rows.
func (f *freshRows) complete(w linalg.Dense, v int) {
	if f.first <= v && v < f.end {
		return
	}
	row := linalg.Row(w, v)
	for u := f.first; u < f.end; u++ {
		row[u] = w.Data[u*w.Stride+v]
	}
}

// mirror writes the columns opposite the fresh rows; then no row is fresh.
func (f *freshRows) mirror(w linalg.Dense) {
	for _, rest := range [][2]int{{0, f.first}, {f.end, w.Rows}} {
		if from, to := rest[0], rest[1]; from < to && f.first < f.end {
			rows := linalg.Dense{Rows: f.end - f.first, Cols: to - from, Stride: w.Stride, Data: w.Data[f.first*w.Stride+from:]}
			columns := linalg.Dense{Rows: rows.Cols, Cols: rows.Rows, Stride: w.Stride, Data: w.Data[from*w.Stride+f.first:]}
			linalg.Transpose(columns, rows)
		}
	}
	f.first = f.end
}
