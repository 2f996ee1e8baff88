package gsp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
)

const (
	gapShare  = 1e-10 // of the objective, at which the weights are right
	mostSteps = 500
	halvings  = 40 // of a step that does not lower the objective
)

// A solution is weights for labels on some vertices.
type solution struct {
	labelled  []int
	gamma     float64
	q         []float64
	solved    linalg.Dense // (K_ll + γI)⁻¹ Y_l, for the label vectors as given
	objective float64
	gap       float64
	status    method.Status
	steps     int
}

// A search is the problem for labels on some vertices, about some weights.
type search struct {
	*combineProblem
	gamma  float64
	rows   []int
	parts  []linalg.Dense // K_k,ll
	labels linalg.Dense   // a square root of Y_l·Y_lᵀ/M: at most as many columns as rows
	q      []float64
	chol   mat.Cholesky
	b      *mat.Dense // (K_ll + γI)⁻¹·labels
	value  float64
	slope  []float64
	steps  []*mat.Dense // K_k,ll·b
}

// minimise finds the weights for labels on some vertices, beginning at start or, if
// that is nil, at equal weights.
func (p *combineProblem) minimise(ctx context.Context, labelled []int, gamma float64, start []float64) *solution {
	s := &search{combineProblem: p, gamma: gamma, rows: labelled, labels: p.compressed(labelled)}
	for k := range p.kernels {
		s.parts = append(s.parts, p.part(k, labelled))
	}
	if start == nil {
		start = make([]float64, len(p.kernels))
		for k := range start {
			start[k] = 1 / float64(len(start))
		}
	}
	s.moveTo(start)
	status, count := s.descend(ctx)
	return &solution{
		labelled: labelled, gamma: gamma, q: s.q, solved: s.solve(matrix.Rows(p.labels, labelled)).RawMatrix(),
		objective: s.value, gap: s.gap(), status: status, steps: count,
	}
}

// compressed returns labels with the same Y·Yᵀ/M in no more columns than rows.
func (p *combineProblem) compressed(rows []int) linalg.Dense {
	y := matrix.Rows(p.labels, rows)
	n, m := y.Dims()
	scaled := linalg.NewDense(n, m)
	for i := range n {
		linalg.Axpy(1/math.Sqrt(float64(m)), y.RawRowView(i), linalg.Row(scaled, i))
	}
	if m <= n {
		return scaled
	}
	eigen := linalg.NewEigen(n)
	eigen.Threads = p.threads
	p.threads.MulTransB(eigen.Vectors, scaled, scaled)
	if err := eigen.Factorize(); err != nil {
		return scaled // only slower
	}
	for i := range n {
		row := linalg.Row(eigen.Vectors, i)
		for k, e := range eigen.Values {
			row[k] *= math.Sqrt(max(e, 0))
		}
	}
	return eigen.Vectors
}

// descend takes steps until the gap is small. Newton's step on the graphs with weight
// is halved until the objective falls; a graph without weight enters if its
// derivative is below the mean. Where Newton fails, the step is that of Frank and
// Wolfe.
func (s *search) descend(ctx context.Context) (method.Status, int) {
	for step := range mostSteps {
		switch {
		case s.gap() <= gapShare*s.value:
			return method.Converged, step
		case ctx.Err() != nil:
			return method.Interrupted, step
		}
		if !s.try(s.newton()) && !s.try(s.frankWolfe()) {
			return method.Stalled, step
		}
	}
	return method.MaxRounds, mostSteps
}

// moveTo computes the objective and its derivatives at q.
func (s *search) moveTo(q []float64) bool {
	n := len(s.rows)
	k := s.mixed(q, s.rows, s.rows)
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, k.Data[i*n+j])
		}
		a.SetSym(i, i, a.At(i, i)+s.gamma)
	}
	if !s.chol.Factorize(a) {
		return false
	}
	s.q = q
	s.b = s.solve(mat.NewDense(n, s.labels.Cols, s.labels.Data))
	s.value = s.gamma * inner(s.labels, s.b.RawMatrix())
	s.slope, s.steps = make([]float64, len(q)), make([]*mat.Dense, len(q))
	for g, part := range s.parts {
		s.steps[g] = mat.NewDense(n, s.labels.Cols, nil)
		s.threads.Mul(s.steps[g].RawMatrix(), part, s.b.RawMatrix())
		s.slope[g] = -s.gamma * inner(s.b.RawMatrix(), s.steps[g].RawMatrix())
	}
	return true
}

// solve returns (K_ll + γI)⁻¹·y.
func (s *search) solve(y *mat.Dense) *mat.Dense {
	var x mat.Dense
	_ = s.chol.SolveTo(&x, y) // which complains of its condition, at most
	return &x
}

// inner is the sum of the products of all entries.
func inner(a, b linalg.Dense) float64 {
	var sum float64
	for i := range a.Rows {
		sum += linalg.Dot(linalg.Row(a, i), linalg.Row(b, i))
	}
	return sum
}

// gap returns q·∇F − min ∇F.
func (s *search) gap() float64 {
	var mean float64
	least := math.Inf(1)
	for k, v := range s.slope {
		mean += s.q[k] * v
		least = min(least, v)
	}
	return max(0, mean-least)
}

// try moves along a direction, halving the step until it leads down. It returns
// whether it did.
func (s *search) try(direction []float64) bool {
	if direction == nil {
		return false
	}
	most := 1.0 // so that no weight becomes negative
	for k, d := range direction {
		if d < 0 {
			most = min(most, -s.q[k]/d)
		}
	}
	before := *s
	for step := most; step > most*math.Ldexp(1, -halvings); step /= 2 {
		q := make([]float64, len(s.q))
		var sum float64
		for k, d := range direction {
			q[k] = before.q[k] + step*d
			if q[k] < 1e-15 {
				q[k] = 0
			}
			sum += q[k]
		}
		for k := range q {
			q[k] /= sum
		}
		if s.moveTo(q) && s.isBelow(&before) {
			return true
		}
	}
	s.moveTo(before.q)
	return false
}

// isBelow reports whether the objective fell or, where rounding hides that, the gap did:
// near the minimum the objective changes by the square of the gap.
func (s *search) isBelow(before *search) bool {
	return s.value < before.value || s.value <= before.value*(1+1e-14) && s.gap() < before.gap()
}

// newton returns the step to the minimum of the quadratic model on the graphs with
// weight, and those that are to enter, with weights that sum to 1; nil if there is
// none.
func (s *search) newton() []float64 {
	var mean float64
	for k, v := range s.slope {
		mean += s.q[k] * v
	}
	on := matrix.Where(s.slope, func(k int, v float64) bool { return s.q[k] > 0 || v < mean })
	for len(on) > 1 {
		d := s.modelStep(on)
		if d == nil {
			return nil
		}
		// A graph without weight must not get a negative one: leave the worst out.
		out := -1
		for a, k := range on {
			if s.q[k] == 0 && d[k] < 0 && (out < 0 || d[k] < d[on[out]]) {
				out = a
			}
		}
		if out < 0 {
			return d
		}
		on = append(on[:out:out], on[out+1:]...)
	}
	return nil
}

// modelStep solves for the step d on some graphs: H·d + ν·1 = −∇F, Σd = 0.
func (s *search) modelStep(on []int) []float64 {
	n := len(on)
	system, right := mat.NewDense(n+1, n+1, nil), mat.NewVecDense(n+1, nil)
	for a, k := range on {
		turned := s.solve(s.steps[k]).RawMatrix()
		for b, j := range on[:a+1] { // ∂²F/∂q_k∂q_j = 2γ tr(b'K_k B K_j b)
			h := 2 * s.gamma * inner(turned, s.steps[j].RawMatrix())
			system.Set(a, b, h)
			system.Set(b, a, h)
		}
		system.Set(a, n, 1)
		system.Set(n, a, 1)
		right.SetVec(a, -s.slope[k])
	}
	var scale float64
	for a := range n {
		scale += system.At(a, a)
	}
	for a := range n {
		system.Set(a, a, system.At(a, a)+1e-12*scale/float64(n)) // graphs may be alike
		system.Set(a, n, scale/float64(n))
		system.Set(n, a, scale/float64(n))
	}
	var x mat.VecDense
	if err := x.SolveVec(system, right); err != nil && x.Len() == 0 {
		return nil
	}
	d := make([]float64, len(s.q))
	var down float64
	for a, k := range on {
		d[k] = x.AtVec(a)
		down += d[k] * s.slope[k]
	}
	if !(down < 0) { // NaN, or rounding
		return nil
	}
	return d
}

// frankWolfe returns the step towards the graph with the smallest derivative.
func (s *search) frankWolfe() []float64 {
	best := 0
	for k, v := range s.slope {
		if v < s.slope[best] {
			best = k
		}
	}
	d := make([]float64, len(s.q))
	for k, v := range s.q {
		d[k] = -v
	}
	d[best]++
	return d
}

// joinShare is how strongly a graph that is not connected is tied together: every
// non-constant signal costs at least this share of the mean degree.
const joinShare = 0.01

// kernelOf returns the pseudo-inverse of D − W, scaled to trace N. Of a graph that
// is not connected, L gets ε(I − 11ᵀ/N) added, a weak edge between all pairs, so that
// only constants have kernel zero.
func kernelOf(g *graph.Graph, threads linalg.Threads) (kernel linalg.Dense, joined bool, err error) {
	n := g.Vertices()
	_, components := g.Components()
	joined = components > 1
	var meanDegree float64
	for _, d := range g.Degrees() {
		meanDegree += d / float64(n)
	}
	l, eigen := g.CombinatorialLaplacian(), linalg.NewEigen(n)
	eigen.Threads = threads
	for i := range n {
		for j := i; j < n; j++ {
			v := l.At(i, j) / meanDegree // in units that neither over- nor underflow
			if joined {
				v -= joinShare / float64(n)
				if i == j {
					v += joinShare
				}
			}
			eigen.Vectors.Data[i*n+j] = v
		}
	}
	if err := eigen.Factorize(); err != nil {
		return linalg.Dense{}, joined, fmt.Errorf("combine: %w", err)
	}
	var trace float64
	for _, e := range eigen.Values[1:] { // the first is that of constants
		trace += 1 / e
	}
	half := linalg.NewDense(n, n) // V·diag(√(N/(trace·e)))
	for k, e := range eigen.Values[1:] {
		scale := math.Sqrt(float64(n) / (trace * e))
		for i := range n {
			half.Data[i*n+k+1] = scale * eigen.Vectors.Data[i*n+k+1]
		}
	}
	kernel = linalg.NewDense(n, n)
	threads.MulTransB(kernel, half, half)
	return kernel, joined, nil
}

// A combineProblem is kernels of graphs and labels.
type combineProblem struct {
	threads linalg.Threads
	n       int
	kernels []linalg.Dense
	labels  *mat.Dense
}

// mixed returns Σ q_k K_k on some rows and columns.
func (p *combineProblem) mixed(q []float64, rows, columns []int) linalg.Dense {
	sum := linalg.NewDense(len(rows), len(columns))
	for k, weight := range q {
		if weight == 0 {
			continue
		}
		for a, i := range rows {
			from, into := linalg.Row(p.kernels[k], i), linalg.Row(sum, a)
			for b, j := range columns {
				into[b] += weight * from[j]
			}
		}
	}
	return sum
}

// part returns one kernel on some vertices.
func (p *combineProblem) part(k int, vertices []int) linalg.Dense {
	q := make([]float64, len(p.kernels))
	q[k] = 1
	return p.mixed(q, vertices, vertices)
}
