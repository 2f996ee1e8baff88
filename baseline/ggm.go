package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// GGM learns the graph of a Gaussian model of the signals by a search over edges
// for the least extended BIC ([foygel2010])
//
//	M (tr(SΘ) − log det Θ) + E log M + 4γ E log N,
//
// where Θ is the most likely precision matrix with E edges ([dempster1972]) for M signals
// on N vertices, and S the correlation matrix of the vertices, shrunk as if there
// were one signal more on which the vertices do not depend on each other, so that Θ
// exists for any signals. The search begins with the spanning tree of the largest
// correlations ([chow1968]). By turns it takes away and adds the edges that lower the
// criterion most, judged by the likelihood of moving the entries of Θ on one pair of
// vertices; the model is fitted again after each change. Unlike the graphical lasso it
// does not shrink the edges that stay.
//
// The weight of an edge is the absolute value of its partial correlation
// −Θ_ij/√(Θ_ii Θ_jj). Rounds counts the changes tried. There is no other cut: the
// search has chosen the edges. If ctx ends, the edges so far come with the cause.
type GGM struct {
	// Gamma is γ. For the plain BIC give a tiny one.
	Gamma float64 `param:"gamma" about:"how strongly eBIC favours few edges; 0 means 0.5"`
}

var ggmEntry = register(method.Entry{
	Default: GGM{}, Source: "dempster1972",
	About: "Gaussian graphical model by stepwise selection: edges are added and removed one at a time, starting " +
		"from the maximum spanning tree",
})

// defaultGamma is γ of the extended BIC.
const defaultGamma = 0.5

// Name returns "ggm".
func (GGM) Name() string { return "ggm" }

// Learn keeps the contract of [method.Method].
func (m GGM) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return ggmEntry.Run(ctx, m, p, m.learn)
}

func (m GGM) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Gamma = cmp.Or(m.Gamma, defaultGamma)
	n, signals := p.Y.Dims()
	moments := secondMoments(standardised(p.Y))
	shrinkMoments(moments, signals)
	s := newStepwise(moments, strongestTree(moments), float64(signals), m.Gamma)
	for s.shrinkOnce(ctx) || s.growOnce(ctx) {
	}
	s.fit(finalTolerance)
	r := &method.Result{Method: m, Weights: fromPairs(n, s.weights()), Rounds: s.tried, Status: method.Converged}
	switch {
	case ctx.Err() != nil:
		r.Status = method.Interrupted
	case s.doubtful:
		r.Status = method.Stalled
		r.Warnings = []string{"a model could not be fitted exactly: signals of some vertices all but determine those of others"}
	}
	return r, nil
}

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

// newStepwise begins with some edges. The moments, of signals that count as the given number of
// independent ones, must be positive definite.
func newStepwise(moments linalg.Dense, edges []graph.Edge, signals, gamma float64) *stepwise {
	n := moments.Rows
	s := &stepwise{
		model: linalg.NewCompletion(moments), n: n, edges: len(edges),
		price:  (math.Log(signals) + 4*gamma*math.Log(float64(n))) / signals,
		before: linalg.NewDense(n, n), theta: mat.NewSymDense(n, nil),
	}
	for _, e := range edges {
		s.model.Join(e.I, e.J)
	}
	s.score = s.fit(stepTolerance)
	return s
}

// strongestTree returns the spanning tree of the largest correlations, whatever their signs.
func strongestTree(moments linalg.Dense) []graph.Edge {
	n := moments.Rows
	size := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) { size[e] = math.Abs(moments.Data[i*n+j]) })
	return weighedTree(n, size)
}

// shrinkMoments shrinks correlations as if there were one signal more, on which the
// vertices do not depend on each other. The matrix becomes positive definite.
func shrinkMoments(s linalg.Dense, signals int) {
	m := float64(signals)
	for i := range s.Rows {
		row := linalg.Row(s, i)
		own := row[i]
		floats.Scale(m/(m+1), row)
		row[i] = own
	}
}

const (
	stepTolerance  = 1e-5 // of correlations, on the way
	finalTolerance = 1e-7
	stepSweeps     = 500
)

// fit returns the score of the model's edges and leaves their Θ.
func (s *stepwise) fit(tolerance float64) float64 {
	s.doubtful = !s.model.Solve(tolerance, stepSweeps)
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
	s.tried++
	copy(s.before.Data, s.model.W.Data)
	theta := mat.NewSymDense(s.n, nil)
	theta.CopySym(s.theta)
	doubtful := s.doubtful
	s.set(pairs, join)
	if score := s.fit(stepTolerance); score < s.score-1e-9 {
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

// growOnce adds the edge that is worth most, or several at once that have no vertex in
// common and gain half as much again as their price, or more.
func (s *stepwise) growOnce(ctx context.Context) bool {
	return s.changeOnce(ctx, true, func(i, j int) float64 {
		return pairGain(s.model.S.Data[i*s.n+j], s.model.W.Data[i*s.n+j]) - s.price
	})
}

// shrinkOnce takes away the edge that is worth least, or several at once that have no
// vertex in common and are worth less than half of their price.
func (s *stepwise) shrinkOnce(ctx context.Context) bool {
	return s.changeOnce(ctx, false, func(i, j int) float64 {
		return s.price - pairLoss(s.model.S.Data[i*s.n+j], s.theta.At(i, j))
	})
}

// pairGain returns by how much −log det Θ + tr(SΘ) falls at least if a pair becomes an edge,
// s and w being its entries of S and W: by that much it falls if only the entries of Θ
// on the pair may move, which become such that W agrees with S there.
func pairGain(s, w float64) float64 {
	return math.Log((1-w*w)/(1-s*s)) + 2*(1-s*w)/(1-w*w) - 2
}

// pairLoss returns by how much −log det Θ + tr(SΘ) rises at most if an edge becomes none, s
// and theta being its entries of S and Θ: by that much it rises if only the other
// entries of Θ on the pair may move. With M the inverse of W on the pair, they are such
// that M = (m c; c m) has m² − m = c², where c is its entry less theta.
func pairLoss(s, theta float64) float64 {
	c := -s/(1-s*s) - theta
	m := (1 + math.Sqrt(1+4*c*c)) / 2
	return 2*(m-1+s*c) - math.Log(m) - math.Log1p(-s*s)
}

// A change is a pair to become an edge, or to be one no more, and what that is worth.
type change struct {
	pair  [2]int
	worth float64
}

// changeOnce changes the pair that is worth most, if that is worth anything. On many
// vertices it first tries several at once.
func (s *stepwise) changeOnce(ctx context.Context, join bool, worth func(i, j int) float64) bool {
	if ctx.Err() != nil {
		return false
	}
	best := change{}
	var more []change
	eachPair(s.n, func(_, i, j int) {
		if s.model.Joined(i, j) == join {
			return
		}
		c := change{[2]int{i, j}, worth(i, j)}
		if c.worth > best.worth {
			best = c
		}
		if c.worth > s.price/2 {
			more = append(more, c)
		}
	})
	if best.worth == 0 {
		return false
	}
	slices.SortStableFunc(more, func(a, b change) int { return cmp.Compare(b.worth, a.worth) })
	busy := make([]bool, s.n)
	var batch [][2]int
	for _, c := range more {
		if i, j := c.pair[0], c.pair[1]; len(batch) < s.n/verticesPerEdge && !busy[i] && !busy[j] {
			batch = append(batch, c.pair)
			busy[i], busy[j] = true, true
		}
	}
	return len(batch) > 1 && s.try(batch, join) || s.try([][2]int{best.pair}, join)
}

// partial returns the partial correlation of an edge.
func (s *stepwise) partial(i, j int) float64 {
	rho := -s.theta.At(i, j) / math.Sqrt(s.theta.At(i, i)*s.theta.At(j, j))
	return max(min(rho, 1), -1)
}

// weights lists the sizes of the partial correlations of edges over the pairs.
func (s *stepwise) weights() []float64 {
	w := make([]float64, s.n*(s.n-1)/2)
	eachPair(s.n, func(e, i, j int) {
		if s.model.Joined(i, j) {
			w[e] = math.Abs(s.partial(i, j))
		}
	})
	return w
}
