package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

const (
	templateTolerance = 1e-6 // of the stop rule
	templateExact     = 1e-4 // below this share of ‖A‖_F the smallest ε counts as zero
	templateSlack     = 2    // ε chosen over the smallest possible
	templateDelta     = 0.1  // δ over the mean of the N largest entries
	templateRounds    = 3

	// mostTemplateRounds is far beyond the round from which reweighting changes nothing.
	mostTemplateRounds = 50
)

// templates is the state of one run. Matrices are N×N and symmetric.
type templates struct {
	*spectrum
	n       int
	set     TemplateSet
	row     int     // the vertex whose weights add up to 1
	epsilon float64 // ε

	a, u, dual linalg.Dense // A in the set, U near the templates, ρ-scaled multiplier
	rho        float64
	cost       []float64 // of each entry of A

	old, x, y, z linalg.Dense // scratch
	simplex      []float64

	iterations int
	converged  bool
	warnings   []string
}

func newTemplates(c *spectrum, set TemplateSet) *templates {
	n := len(c.values)
	t := &templates{spectrum: c, n: n, set: set, cost: make([]float64, n*n), converged: true}
	for _, m := range []*linalg.Dense{&t.a, &t.u, &t.dual, &t.old, &t.x, &t.y, &t.z} {
		*m = linalg.NewDense(n, n)
	}
	var most float64
	for i := range n {
		var energy float64
		for k, v := range linalg.Row(c.vectors, i) {
			energy += c.values[k] * v * v
		}
		if energy > most*(1+tieSlack) {
			most, t.row = energy, i
		}
	}
	return t
}

// learn leaves the answer in t.a. It reports false if ctx ended.
func (t *templates) learn(ctx context.Context, o SpectralTemplates) bool {
	// The smallest ε: minimise ‖off(VᵀAV)‖²_F/2 over the set.
	t.rho = 1
	soft := func(float64) float64 { return t.rho / (1 + t.rho) }
	if !t.solve(ctx, o.MaxIterations, soft) {
		return false
	}
	copy(t.u.Data, t.a.Data)
	least := t.offNorm(t.a)
	switch {
	case least <= templateExact*frobenius(t.a) && o.Epsilon == 0:
		t.epsilon, t.converged = 0, true // however long it took, the smallest ε is found
	case o.Epsilon == 0:
		t.epsilon = templateSlack * least
	case o.Epsilon < least:
		t.epsilon = templateSlack * least
		t.warnings = append(t.warnings, fmt.Sprintf("epsilon %.3g is below the smallest possible, %.3g: raised to "+
			"%.3g", o.Epsilon, least, t.epsilon))
	default:
		t.epsilon = o.Epsilon
	}
	for k := range t.cost {
		t.cost[k] = 1
	}
	hard := func(off float64) float64 { return min(1, t.epsilon/max(off, math.SmallestNonzeroFloat64)) }
	for round := range o.Rounds {
		if round > 0 {
			t.reweigh()
		}
		clear(t.dual.Data)
		t.rho = 10
		if !t.solve(ctx, o.MaxIterations, hard) {
			return false
		}
		if t.epsilon == 0 {
			t.polish()
		}
	}
	return true
}

// reweigh sets the cost of each entry to the inverse of its size, with mean 1.
func (t *templates) reweigh() {
	sizes := make([]float64, 0, t.n*(t.n-1)/2)
	eachPair(t.n, func(_, i, j int) { sizes = append(sizes, t.a.Data[i*t.n+j]) })
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	var delta float64
	largest := sizes[:min(t.n, len(sizes))]
	for _, v := range largest {
		delta += templateDelta * v / float64(len(largest))
	}
	if delta == 0 {
		return
	}
	var sum float64
	for k, v := range t.a.Data {
		t.cost[k] = 1 / (v + delta)
		sum += t.cost[k]
	}
	for k := range t.cost {
		t.cost[k] *= float64(len(t.cost)) / sum
	}
}

// solve runs the alternating directions until they meet or the iterations are
// used up; shrink gives the factor for the off part of U by its norm. It reports
// false if ctx ended.
func (t *templates) solve(ctx context.Context, iterations int, shrink func(off float64) float64) bool {
	const relaxation = 1.6
	for k := range iterations {
		if ctx.Err() != nil {
			return false
		}
		t.iterations++
		for k, u := range t.u.Data {
			t.a.Data[k] = u - t.dual.Data[k] - t.cost[k]/t.rho
		}
		t.toSet(t.a)
		copy(t.old.Data, t.u.Data)
		for k, a := range t.a.Data {
			t.u.Data[k] = relaxation*a + (1-relaxation)*t.old.Data[k] + t.dual.Data[k]
			t.dual.Data[k] = t.u.Data[k]
		}
		t.toTemplates(t.u, shrink)
		for k, u := range t.u.Data {
			t.dual.Data[k] -= u
		}
		primal := distance(t.a, t.u) / max(frobenius(t.a), frobenius(t.u), 1e-300)
		dual := distance(t.u, t.old) / max(frobenius(t.u), 1e-300)
		if max(primal, dual) <= templateTolerance {
			return true
		}
		// Balance the two at ever rarer times, so that it cannot go on for ever.
		if k > 0 && k < 1000 && k&(k-1) == 0 {
			t.balance(primal, dual)
		}
	}
	t.converged = false
	return true
}

func (t *templates) balance(primal, dual float64) {
	factor := min(max(math.Sqrt(primal/max(dual, 1e-300)), 0.2), 5)
	t.rho *= factor
	for k := range t.dual.Data {
		t.dual.Data[k] /= factor
	}
}

// toSet moves m to the nearest member of the set without its spectral part.
func (t *templates) toSet(m linalg.Dense) {
	n := t.n
	if t.set == AdjacencyTemplates {
		t.simplex = t.simplex[:0]
		for j, v := range linalg.Row(m, t.row) {
			if j != t.row {
				t.simplex = append(t.simplex, v)
			}
		}
		shift := simplexShift(t.simplex)
		for j := range n {
			v := max(m.Data[t.row*n+j]-shift, 0)
			m.Data[t.row*n+j], m.Data[j*n+t.row] = v, v
		}
	}
	for i := range n {
		for j := range i {
			v := max((m.Data[i*n+j]+m.Data[j*n+i])/2, 0)
			if t.set == LaplacianTemplates {
				v = min(v, 1)
			}
			m.Data[i*n+j], m.Data[j*n+i] = v, v
		}
		m.Data[i*n+i] = 0
	}
}

// simplexShift returns the number to take from all values for the positive rest
// to add up to 1. It sorts values.
func simplexShift(values []float64) float64 {
	slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
	var sum, shift float64
	for k, v := range values {
		sum += v
		if next := (sum - 1) / float64(k+1); v > next {
			shift = next
		}
	}
	return shift
}

// toTemplates scales the off part of m by what shrink says and, for Laplacians,
// sets uᵀmu = 1.
func (t *templates) toTemplates(m linalg.Dense, shrink func(off float64) float64) {
	n := t.n
	linalg.Mul(t.y, m, t.vectors)
	linalg.MulTransA(t.x, t.vectors, t.y)
	factor := shrink(t.offPart(t.x))
	for k := range n {
		for l := range n {
			if t.space[k] != t.space[l] {
				t.x.Data[k*n+l] *= factor
			}
		}
	}
	linalg.Mul(t.y, t.vectors, t.x)
	linalg.MulTransB(m, t.y, t.vectors)
	if t.set == LaplacianTemplates {
		missing := 1 - quadratic(m, t.perron)
		for i, u := range t.perron {
			for j, v := range t.perron {
				m.Data[i*n+j] += missing * u * v
			}
		}
	}
}

// offNorm returns ‖off(VᵀmV)‖_F.
func (t *templates) offNorm(m linalg.Dense) float64 {
	linalg.Mul(t.y, m, t.vectors)
	linalg.MulTransA(t.x, t.vectors, t.y)
	return t.offPart(t.x)
}

func (t *templates) offPart(x linalg.Dense) float64 {
	var sum float64
	for k := range t.n {
		for l := range k {
			if t.space[k] != t.space[l] {
				a, b := x.Data[k*t.n+l], x.Data[l*t.n+k]
				sum += a*a + b*b
			}
		}
	}
	return math.Sqrt(sum)
}

func frobenius(m linalg.Dense) float64 {
	var sum float64
	for _, v := range m.Data {
		sum += v * v
	}
	return math.Sqrt(sum)
}

func distance(a, b linalg.Dense) float64 {
	var sum float64
	for k, v := range a.Data {
		sum += (v - b.Data[k]) * (v - b.Data[k])
	}
	return math.Sqrt(sum)
}

// quadratic returns xᵀmx.
func quadratic(m linalg.Dense, x []float64) float64 {
	var sum float64
	for i, xi := range x {
		for j, xj := range x {
			sum += xi * xj * m.Data[i*len(x)+j]
		}
	}
	return sum
}

// polish replaces A by the matrix with exact templates that vanishes off A's
// support, if there is one that is no worse: least squares for its coordinates in
// the eigenspaces. Supports are tried from the smallest.
func (t *templates) polish() {
	n := t.n
	var coordinates [][2]int // (k, l) with k ≤ l in one space
	for k := range n {
		for l := k; l < n && t.space[l] == t.space[k]; l++ {
			coordinates = append(coordinates, [2]int{k, l})
		}
	}
	if len(coordinates) > 4*n {
		return // too many of them to gain from it
	}
	largest := slices.Max(t.a.Data)
	for _, share := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		if p := t.onSupport(coordinates, share*largest); p != nil {
			copy(t.a.Data, p)
			return
		}
	}
}

// onSupport solves for the coordinates with entries of A up to level made zero;
// nil if the solution is not valid or costs more than A.
func (t *templates) onSupport(coordinates [][2]int, level float64) []float64 {
	n, v := t.n, t.vectors.Data
	entry := func(c [2]int, i, j int) float64 {
		k, l := c[0], c[1]
		if k == l {
			return v[i*n+k] * v[j*n+k]
		}
		return v[i*n+k]*v[j*n+l] + v[i*n+l]*v[j*n+k]
	}
	var rows [][2]int
	for i := range n {
		for j := i; j < n; j++ {
			if i == j || t.a.Data[i*n+j] <= level {
				rows = append(rows, [2]int{i, j})
			}
		}
	}
	system := mat.NewDense(len(rows)+1, len(coordinates), nil)
	for q, c := range coordinates {
		for p, r := range rows {
			system.Set(p, q, entry(c, r[0], r[1]))
		}
		// The last row fixes the scale.
		var sum float64
		for j, u := range t.perron {
			if t.set == AdjacencyTemplates {
				sum += entry(c, t.row, j)
				continue
			}
			for i, w := range t.perron {
				sum += u * w * entry(c, i, j)
			}
		}
		system.Set(len(rows), q, sum)
	}
	right := mat.NewVecDense(len(rows)+1, nil)
	right.SetVec(len(rows), 1)
	var svd mat.SVD
	if !svd.Factorize(system, mat.SVDThin) {
		return nil
	}
	var solution mat.VecDense
	svd.SolveVecTo(&solution, right, svd.Rank(1e-12))

	var error2, cost, before float64
	p := make([]float64, n*n)
	scale := -1.0
	for i := range n {
		for j := range n {
			var sum float64
			for q, c := range coordinates {
				sum += solution.AtVec(q) * entry(c, i, j)
			}
			if i == j || t.a.Data[i*n+j] <= level || sum < 0 {
				error2 += sum * sum
				sum = 0
			}
			p[i*n+j] = sum
			cost += t.cost[i*n+j] * sum
			before += t.cost[i*n+j] * t.a.Data[i*n+j]
		}
	}
	for q := range coordinates {
		scale += system.At(len(rows), q) * solution.AtVec(q)
	}
	if math.Sqrt(error2+scale*scale) > 1e-8 || cost > before*(1+1e-4) {
		return nil
	}
	return p
}
