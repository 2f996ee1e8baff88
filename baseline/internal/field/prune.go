package field

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/internal/linalg"
)

const (
	// falseShare is the share of edges kept that may be false if the model is true, by
	// Benjamini and Hochberg's rule over all pairs.
	falseShare = 0.05
	// pruneSteps is how many steps a model takes after edges were removed from it.
	pruneSteps = 40
	// most of the information lies in few directions of its kernel.
	mostInformation, leastInformation = 24, 1e-6
)

// prune removes edges until those left are all significant, and fits the rest after each
// round.
func (e *evaluation) prune(ctx context.Context, m *Model) {
	n := len(m.Diagonal)
	for ctx.Err() == nil && len(m.Pairs) > 0 {
		scores := e.scores(m)
		weak := []int{}
		need := -distuv.UnitNormal.Quantile(falseShare * float64(len(m.Pairs)) / float64(n*(n-1)/2))
		for k, z := range scores {
			if !(z >= need) {
				weak = append(weak, k)
			}
		}
		if len(weak) == 0 {
			return
		}
		slices.SortStableFunc(weak, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
		most := slices.Max(m.Weights)
		nothing := 0
		for nothing < len(weak) && m.Weights[weak[nothing]] <= 1e-6*most {
			nothing++
		}
		m.remove(weak[:max(nothing, min((len(weak)+1)/2, 1+len(m.Pairs)/12))])
		newFit(e, m).run(ctx, pruneSteps)
	}
}

// remove takes edges away.
func (m *Model) remove(edges []int) {
	gone := map[int]bool{}
	for _, k := range edges {
		gone[k] = true
	}
	kept := 0
	for k := range m.Pairs {
		if !gone[k] {
			m.Pairs[kept], m.Weights[kept] = m.Pairs[k], m.Weights[k]
			kept++
		}
	}
	m.Pairs, m.Weights = m.Pairs[:kept], m.Weights[:kept]
}

// scores returns each weight in its standard errors, from the expected information on all
// weights, the diagonal and the noise; zero where there is none.
func (e *evaluation) scores(m *Model) []float64 {
	scores := make([]float64, len(m.Pairs))
	if !e.decompose(m) {
		return scores
	}
	information := e.informationMatrix(m)
	for k := range m.Pairs {
		information.SetSym(k, k, information.At(k, k)+2*m.ridge)
	}
	size := information.SymmetricDim()
	scale := make([]float64, size)
	for v := range scale {
		scale[v] = 1 / math.Sqrt(max(information.At(v, v), math.SmallestNonzeroFloat64))
	}
	for v := range size {
		for u := v; u < size; u++ {
			information.SetSym(v, u, information.At(v, u)*scale[v]*scale[u])
		}
	}
	// Where signals say next to nothing of some combination of weights, a little prior
	// information makes the rest of the answer a number.
	var factor mat.Cholesky
	known := false
	for prior := 1e-9; prior <= 1 && !known; prior *= 10 {
		for v := range size {
			information.SetSym(v, v, 1+prior)
		}
		known = factor.Factorize(information)
	}
	if !known {
		return scores // numbers that are none
	}
	var inverse mat.SymDense
	if factor.InverseTo(&inverse) != nil {
		return scores
	}
	for k, w := range m.Weights {
		scores[k] = w / (scale[k] * math.Sqrt(inverse.At(k, k)*2/e.observations))
	}
	return scores
}

// informationMatrix returns the information of a signal on weights, diagonal and noise,
// twice over: Σ_ab K_ab b_a b_b b'_a b'_b for the entries b of two variables in the modes. K
// is a sum of few products, each of which is the square of a product of matrices.
func (e *evaluation) informationMatrix(m *Model) *mat.SymDense {
	n, edges := len(m.Diagonal), len(m.Pairs)
	size := edges + n
	entries := linalg.NewDense(size, n)
	for k, p := range m.Pairs {
		a, b, row := linalg.Row(e.modes, p.I), linalg.Row(e.modes, p.J), linalg.Row(entries, k)
		for c := range row {
			row[c] = a[c] - b[c]
		}
	}
	for i := range n {
		copy(linalg.Row(entries, edges+i), linalg.Row(e.modes, i))
	}
	kernel := linalg.NewEigen(n)
	kernel.Threads = e.threads
	copyInto(kernel.Vectors, e.information())
	information := mat.NewSymDense(size+1, nil)
	if kernel.Factorize() != nil {
		return information
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(kernel.Values[b]), math.Abs(kernel.Values[a]))
	})
	scaled, product := linalg.NewDense(size, n), linalg.NewDense(size, size)
	direction := make([]float64, n)
	for _, r := range order[:min(mostInformation, n)] {
		value := kernel.Values[r]
		if math.Abs(value) <= leastInformation*math.Abs(kernel.Values[order[0]]) {
			break
		}
		for a := range direction {
			direction[a] = kernel.Vectors.Data[a*n+r]
		}
		for v := range size {
			from, to := linalg.Row(entries, v), linalg.Row(scaled, v)
			for a, x := range from {
				to[a] = x * direction[a]
			}
		}
		e.threads.MulTransB(product, scaled, entries)
		for v := range size {
			row := linalg.Row(product, v)
			for u := v; u < size; u++ {
				information.SetSym(v, u, information.At(v, u)+float64(value*row[u]*row[u]))
			}
		}
	}
	own := 0.0
	for a, h := range e.variances {
		share := m.Noise / h
		own += float64(share * share)
		for v := range size {
			b := entries.Data[v*n+a]
			information.SetSym(v, size, information.At(v, size)+float64(b*b*e.slopes[a]/h*share))
		}
	}
	information.SetSym(size, size, max(own, math.SmallestNonzeroFloat64))
	return information
}
