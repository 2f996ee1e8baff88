package baseline

import (
	"context"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
)

// A lagged has the moments of signals and their past, as a regression of each vertex
// on the last signal of all. With an order above 1, what the signals before that
// explain is taken out of both first.
type lagged struct {
	order, count int // count is the number of signals that have a past
	q            linalg.Dense
	b            linalg.Dense // a row for each vertex
	energy       []float64    // of each vertex

	// For the coefficients of earlier signals:
	early     *mat.Cholesky // of their moments; nil for order 1
	lastEarly *mat.Dense    // moments of the last signal with the earlier ones
	nowEarly  *mat.Dense    // moments of the present with the earlier ones
}

// newLagged takes the moments of the rows of u from the signal number first on.
func newLagged(u linalg.Dense, order, first, threads int) *lagged {
	n, count, t := u.Rows, u.Cols-first, linalg.Threads(threads)
	from := func(lag int) linalg.Dense {
		return linalg.Dense{Rows: n, Cols: count, Stride: u.Stride, Data: u.Data[first-lag:]}
	}
	moments := func(a, b int) linalg.Dense {
		c := linalg.NewDense(n, n)
		t.MulTransB(c, from(a), from(b))
		return c
	}
	l := &lagged{order: order, count: count, q: moments(1, 1), b: moments(0, 1), energy: make([]float64, n)}
	mirror(l.q)
	for i := range n {
		row := linalg.Row(from(0), i)
		l.energy[i] = linalg.Dot(row, row)
	}
	if order > 1 {
		l.takeOut(n*(order-1), moments)
	}
	return l
}

// takeOut takes out of the moments what the signals before the last one explain.
func (l *lagged) takeOut(size int, moments func(a, b int) linalg.Dense) {
	n := l.q.Rows
	early := mat.NewSymDense(size, nil)
	l.lastEarly, l.nowEarly = mat.NewDense(n, size, nil), mat.NewDense(n, size, nil)
	for a := 2; a <= l.order; a++ {
		last, now := moments(1, a), moments(0, a)
		for i := range n {
			copy(l.lastEarly.RawRowView(i)[(a-2)*n:], linalg.Row(last, i))
			copy(l.nowEarly.RawRowView(i)[(a-2)*n:], linalg.Row(now, i))
		}
		for b := a; b <= l.order; b++ {
			c := moments(a, b)
			for i := range n {
				for j, v := range linalg.Row(c, i) {
					early.SetSym((a-2)*n+i, (b-2)*n+j, v)
				}
			}
		}
	}
	l.early = &mat.Cholesky{}
	for ridge := 1e-12 * mat.Trace(early) / float64(size); !l.early.Factorize(early); ridge *= 10 {
		for i := range size { // vertices that determine each other
			early.SetSym(i, i, early.At(i, i)+ridge)
		}
	}
	var explained, ofLast, ofNow mat.Dense
	if l.early.SolveTo(&explained, l.lastEarly.T()) != nil && explained.IsEmpty() {
		panic("baseline: a factorised matrix has no solution")
	}
	ofLast.Mul(l.lastEarly, &explained)
	ofNow.Mul(l.nowEarly, &explained)
	for i := range n {
		for j := range n {
			l.q.Data[i*l.q.Stride+j] -= ofLast.At(i, j)
			l.b.Data[i*l.b.Stride+j] -= ofNow.At(i, j)
		}
	}
	mirror(l.q)
	var own mat.VecDense
	for i := range n {
		row := l.nowEarly.RowView(i)
		_ = l.early.SolveVecTo(&own, row) // badly conditioned at worst
		l.energy[i] -= mat.Dot(row, &own)
	}
}

// lags returns R_1 and the coefficients of earlier signals that go with it.
func (l *lagged) lags(last linalg.Dense) []*mat.Dense {
	n := last.Rows
	r := mat.NewDense(n, n, nil)
	r.Apply(func(i, j int, _ float64) float64 { return last.Data[i*last.Stride+j] }, r)
	list := []*mat.Dense{r}
	if l.order == 1 {
		return list
	}
	var rest, solved mat.Dense
	rest.Mul(r, l.lastEarly)
	rest.Sub(l.nowEarly, &rest)
	_ = l.early.SolveTo(&solved, rest.T()) // badly conditioned at worst
	for a := 2; a <= l.order; a++ {
		list = append(list, mat.DenseCopyOf(solved.Slice((a-2)*n, (a-1)*n, 0, n).T()))
	}
	return list
}

// The path has that many penalties, down to 1/pathDepth of the largest. It ends before
// if the criterion has not fallen for pathPatience of them and there are pathArrows for
// each vertex, or as many as are asked for: fits of hardly any penalty take longest and
// are not chosen.
const (
	pathPenalties = 25
	pathDepth     = 100
	pathPatience  = 6
	pathArrows    = 4
)

// A causalPath is the fits of all vertices for ever smaller penalties.
type causalPath struct {
	*lagged
	x    linalg.Dense // of the last penalty
	all  linalg.Dense // of the last penalty that was finished
	done int          // penalties
	best causalChoice
}

// A causalChoice is the fit of one penalty.
type causalChoice struct {
	criterion float64
	penalty   float64
	refit     linalg.Dense // least squares on the entries that are not zero
	residual  float64      // of the refit, over all vertices
}

func newCausalPath(l *lagged) *causalPath {
	n := l.q.Rows
	zero := linalg.NewDense(n, n)
	return &causalPath{
		lagged: l, x: linalg.NewDense(n, n), all: zero,
		best: causalChoice{criterion: math.Inf(1), refit: zero, residual: sum(l.energy)},
	}
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// follow fits ever smaller penalties and keeps the best by the criterion, or the one
// that is given over the number of signals. It goes on to that many arrows.
func (c *causalPath) follow(ctx context.Context, given float64, arrows, threads int) method.Status {
	largest := 0.0
	for i := range c.b.Rows {
		for j, v := range linalg.Row(c.b, i) {
			if i != j {
				largest = max(largest, math.Abs(v))
			}
		}
	}
	since := 0 // the criterion fell
	for k := range pathPenalties {
		penalty := largest * math.Pow(pathDepth, -float64(k)/(pathPenalties-1))
		if !c.fit(ctx, penalty, threads) {
			return method.Interrupted
		}
		copy(c.all.Data, c.x.Data)
		c.done++
		since++
		if one := c.choice(penalty, threads); one.criterion < c.best.criterion {
			c.best, since = one, 0
		}
		if since >= pathPatience && c.arrows() >= max(arrows, pathArrows*c.x.Rows) {
			break
		}
	}
	if given > 0 {
		copy(c.x.Data, c.all.Data)
		if !c.fit(ctx, given*float64(c.count), threads) {
			return method.Interrupted
		}
		c.best = c.choice(given*float64(c.count), threads)
	}
	return method.Converged
}

// arrows counts the entries of the last penalty off the diagonal.
func (c *causalPath) arrows() int {
	count := 0
	for i := range c.x.Rows {
		for j, v := range linalg.Row(c.x, i) {
			if i != j && v != 0 {
				count++
			}
		}
	}
	return count
}

// fit goes on to the minimum for a penalty. It is false if ctx ended before.
func (c *causalPath) fit(ctx context.Context, penalty float64, threads int) bool {
	var ended atomic.Bool
	n := c.x.Rows
	gradients := linalg.NewDense(max(threads, 1), n)
	linalg.ForEach(threads, n, func(worker, a int) {
		if ended.Load() || ctx.Err() != nil {
			ended.Store(true)
			return
		}
		row := lasso{
			q: c.q, b: linalg.Row(c.b, a), lambda: func(int) float64 { return penalty },
			x: linalg.Row(c.x, a), g: linalg.Row(gradients, worker),
		}
		row.solve()
	})
	return !ended.Load()
}

// choice refits what is not zero without a penalty. A row with more than half as many
// entries as there are signals fits anything, and the criterion does not judge it.
func (c *causalPath) choice(penalty float64, threads int) causalChoice {
	n := c.x.Rows
	one := causalChoice{penalty: penalty, refit: linalg.NewDense(n, n)}
	residuals, criteria := make([]float64, n), make([]float64, n)
	k := float64(c.count)
	free := n * (c.order - 1)
	linalg.ForEach(threads, n, func(_, a int) {
		support := matrix.Where(linalg.Row(c.x, a), func(_ int, v float64) bool { return v != 0 })
		z := make([]float64, len(support))
		for p, j := range support {
			z[p] = linalg.Row(c.b, a)[j]
		}
		residuals[a] = c.energy[a]
		if !solveOn(c.q, support, z) { // vertices that determine each other
			for p, j := range support {
				z[p] = linalg.Row(c.x, a)[j]
			}
		}
		for p, j := range support {
			linalg.Row(one.refit, a)[j] = z[p]
			residuals[a] -= z[p] * linalg.Row(c.b, a)[j]
		}
		entries := float64(len(support) + free)
		residuals[a] = max(residuals[a], 1e-12*c.energy[a])
		criteria[a] = k*math.Log(residuals[a]/k) + entries*(math.Log(k)+math.Log(float64(n)))
		if 2*entries > k && len(support) > 0 {
			criteria[a] = math.Inf(1)
		}
	})
	one.residual, one.criterion = sum(residuals), sum(criteria)
	return one
}

// weights returns what is known of all weights.
func (c *causalPath) weights() linalg.Dense {
	w := linalg.NewDense(c.all.Rows, c.all.Cols)
	copy(w.Data, c.all.Data)
	for k, v := range c.best.refit.Data {
		if w.Data[k] == 0 {
			w.Data[k] = v
		}
	}
	return w
}

// chanceLevel is the probability with which signals in a random order are taken for
// ones whose order means something.
const chanceLevel = 0.001

// isChance reports whether no correlation ρ between a vertex and the last signal of
// another is beyond chance: Kρ² is about χ² with one degree of freedom if the order
// means nothing, and above x in fewer than e^(−x/2) of the cases.
func (c *causalPath) isChance() bool {
	n := c.q.Rows
	level := 2 * math.Log(float64(n*(n-1))/chanceLevel)
	for i := range n {
		for j, v := range linalg.Row(c.b, i) {
			if own := linalg.Row(c.q, j)[j] * c.energy[i]; i != j && float64(c.count)*v*v > level*own {
				return false
			}
		}
	}
	return true
}

// predicted returns the share of the variance that the past explains.
func (c *causalPath) predicted() float64 {
	return 1 - c.best.residual/(float64(c.count)*float64(c.q.Rows))
}
