package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

// A stepwise is a search for the edges of the least score.
type stepwise struct {
	model    *linalg.Completion
	n        int
	price    float64 // of an edge, as log det W is
	score    float64 // log det W plus the price of all edges
	edges    int
	tried    int
	doubtful bool // the fit did not converge

	before linalg.Dense // W before a change
	chol   mat.Cholesky
	theta  *mat.SymDense // of the W that score belongs to
}

// newStepwise begins with the spanning tree.
func newStepwise(moments linalg.Dense, signals int, gamma float64) *stepwise {
	n, m := moments.Rows, float64(signals)
	for i := range n {
		for j := range n {
			if i != j {
				moments.Data[i*n+j] *= m / (m + 1)
			}
		}
		moments.Data[i*n+i] = 1
	}
	s := &stepwise{
		model: linalg.NewCompletion(moments), n: n,
		price:  (math.Log(m) + 4*gamma*math.Log(float64(n))) / m,
		before: linalg.NewDense(n, n), theta: mat.NewSymDense(n, nil),
	}
	size := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) { size[e] = math.Abs(moments.Data[i*n+j]) })
	for _, e := range weighedTree(n, size) {
		s.model.Join(e.i, e.j)
		s.edges++
	}
	s.score = s.fit()
	return s
}

const (
	stepTolerance = 1e-6 // of correlations
	stepSweeps    = 500
)

// fit returns the score of the model's edges and leaves their Θ.
func (s *stepwise) fit() float64 {
	s.tried++
	s.doubtful = !s.model.Solve(stepTolerance, stepSweeps)
	if !s.chol.Factorize(mat.NewSymDense(s.n, s.model.W.Data)) {
		return math.Inf(1)
	}
	if err := s.chol.InverseTo(s.theta); err != nil {
		s.doubtful = true
	}
	return s.chol.LogDet() + s.price*float64(s.edges)
}

// try makes pairs edges, or no edges, and undoes it unless that lowers the score.
func (s *stepwise) try(pairs [][2]int, join bool) bool {
	copy(s.before.Data, s.model.W.Data)
	theta := mat.NewSymDense(s.n, nil)
	theta.CopySym(s.theta)
	doubtful := s.doubtful
	s.set(pairs, join)
	if score := s.fit(); score < s.score-1e-9 {
		s.score = score
		return true
	}
	s.set(pairs, !join)
	copy(s.model.W.Data, s.before.Data)
	s.theta, s.doubtful = theta, doubtful
	return false
}

func (s *stepwise) set(pairs [][2]int, join bool) {
	for _, p := range pairs {
		if join {
			s.model.Join(p[0], p[1])
			s.edges++
		} else {
			s.model.Part(p[0], p[1])
			s.edges--
		}
	}
}

// growOnce adds the edge whose addition promises most: with d = S_ij − W_ij, the
// log-likelihood of a signal rises by about half of d²/(W_ii W_jj + W_ij²). On many vertices
// it adds several at once that have no vertex in common and promise more than twice
// their price.
func (s *stepwise) growOnce(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	type candidate struct {
		pair    [2]int
		promise float64
	}
	var best candidate
	var more []candidate
	eachPair(s.n, func(_, i, j int) {
		w := s.model.W.Data[i*s.n+j]
		d := s.model.S.Data[i*s.n+j] - w
		c := candidate{[2]int{i, j}, d * d / (1 + w*w)}
		if c.promise <= min(best.promise, 2*s.price) || s.model.Joined(i, j) {
			return
		}
		if c.promise > best.promise {
			best = c
		}
		if c.promise > 2*s.price {
			more = append(more, c)
		}
	})
	if best.promise == 0 {
		return false
	}
	slices.SortStableFunc(more, func(a, b candidate) int { return cmp.Compare(b.promise, a.promise) })
	busy := make([]bool, s.n)
	var batch [][2]int
	for _, c := range more {
		if i, j := c.pair[0], c.pair[1]; len(batch) < s.n/verticesPerEdge && !busy[i] && !busy[j] {
			batch = append(batch, c.pair)
			busy[i], busy[j] = true, true
		}
	}
	return len(batch) > 1 && s.try(batch, true) || s.try([][2]int{best.pair}, true)
}

// verticesPerEdge is how many vertices there are to each edge added at once.
const verticesPerEdge = 25

// shrinkOnce takes away the edge of the least partial correlation ρ. That costs
// about −log(1 − ρ²), and is not worth trying where that is above the price.
func (s *stepwise) shrinkOnce(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	least, weakest := math.Inf(1), [2]int{}
	eachPair(s.n, func(_, i, j int) {
		if s.model.Joined(i, j) {
			if rho := s.partial(i, j); rho < least {
				least, weakest = rho, [2]int{i, j}
			}
		}
	})
	return least < 1 && -math.Log1p(-least*least) < s.price && s.try([][2]int{weakest}, false)
}

// partial returns the absolute partial correlation of an edge.
func (s *stepwise) partial(i, j int) float64 {
	return min(math.Abs(s.theta.At(i, j))/math.Sqrt(s.theta.At(i, i)*s.theta.At(j, j)), 1)
}

// weights lists the partial correlations of edges over the pairs.
func (s *stepwise) weights() []float64 {
	w := make([]float64, s.n*(s.n-1)/2)
	eachPair(s.n, func(e, i, j int) {
		if s.model.Joined(i, j) {
			w[e] = s.partial(i, j)
		}
	})
	return w
}
