package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// A moduleModel is the module graphical lasso on its way to a minimum of
//
//	G = ½ Σ_i ‖x_i − L_z(i)‖² + M/2 [tr(SΘ) − log det Θ + λ Σ_ab |Θ_ab|],   S = LLᵀ/M,
//
// over the latent signals L of k modules, the module z(i) of each row x_i of M values,
// and the precision matrix Θ between modules ([celik2014]). Each step solves for one of the
// three with the others held fixed, so that G never rises. It has many minima.
type moduleModel struct {
	x       linalg.Dense
	lambda  float64
	divisor float64 // M
	of      []int   // z
	latent  linalg.Dense
	model   *precision // Θ, of S with λ added to its diagonal
}

const (
	// moduleTolerance is by how much entries of L and Θ may move in the last round.
	moduleTolerance = 1e-8
	// moduleGap is the duality gap of Θ for each module, and moduleSweeps bounds the
	// sweeps over Θ in a round.
	moduleGap    = 1e-12
	moduleSweeps = 1000
)

// newModuleModel starts from latent signals.
func newModuleModel(ctx context.Context, x, latent linalg.Dense, lambda, divisor float64) *moduleModel {
	m := &moduleModel{x: x, lambda: lambda, divisor: divisor, of: make([]int, x.Rows), latent: latent}
	m.assign()
	m.model = newPrecision(m.moments())
	m.relate(ctx)
	return m
}

// solve repeats the three steps until nothing moves.
func (m *moduleModel) solve(ctx context.Context, maxRounds int) (rounds int, status method.Status) {
	for rounds = 1; ; rounds++ {
		if ctx.Err() != nil {
			return rounds, method.Interrupted
		}
		latent, theta := m.latent, m.model.theta
		same := m.assign()
		m.estimate()
		m.relate(ctx)
		switch {
		case same && apartBy(latent, m.latent) <= moduleTolerance && apartBy(theta, m.model.theta) <= moduleTolerance:
			return rounds, method.Converged
		case rounds == maxRounds:
			return rounds, method.MaxRounds
		}
	}
}

// apartBy returns the largest difference of two matrices, relative to entries above 1.
func apartBy(a, b linalg.Dense) float64 {
	worst := 0.0
	for k, v := range a.Data {
		worst = max(worst, math.Abs(v-b.Data[k])/max(1, math.Abs(v)))
	}
	return worst
}

// assign gives each row to the module whose latent signal is nearest, and reports whether
// none moved.
func (m *moduleModel) assign() (same bool) {
	same = true
	for i := range m.of {
		to := nearestRow(m.latent, linalg.Row(m.x, i))
		same = same && to == m.of[i]
		m.of[i] = to
	}
	return same
}

// estimate solves (diag(n) + Θ)·L = B, n the sizes of modules and B the sums of their rows.
func (m *moduleModel) estimate() {
	k := m.latent.Rows
	sum := moduleSums(m.x, m.of, k)
	theta := mat.NewSymDense(k, append([]float64(nil), m.model.theta.Data...))
	for a, size := range sizesOf(m.of, k) {
		theta.SetSym(a, a, theta.At(a, a)+size)
	}
	var chol mat.Cholesky
	var latent mat.Dense
	if chol.Factorize(theta) && chol.SolveTo(&latent, mat.NewDense(k, sum.Cols, sum.Data)) == nil {
		m.latent = latent.RawMatrix()
	}
}

// moments returns S with λ on its diagonal: a penalty on the diagonal of Θ is the same.
func (m *moduleModel) moments() linalg.Dense {
	k := m.latent.Rows
	s := linalg.NewDense(k, k)
	linalg.MulTransB(s, m.latent, m.latent)
	floats.Scale(1/m.divisor, s.Data)
	mirror(s)
	for a := range k {
		s.Data[a*k+a] += m.lambda
	}
	return s
}

// relate fits Θ to the latent signals.
func (m *moduleModel) relate(ctx context.Context) {
	next := newPrecision(m.moments())
	copy(next.theta.Data, m.model.theta.Data)
	next.solve(ctx, m.lambda, moduleGap, moduleSweeps)
	m.model = next
}

// objective returns G.
func (m *moduleModel) objective() float64 {
	k := m.latent.Rows
	g := 0.0
	for i, a := range m.of {
		g += squaredDistance(linalg.Row(m.x, i), linalg.Row(m.latent, a)) / 2
	}
	s := m.moments()
	penalty := 0.0
	for a := range k {
		for b := range k {
			if a != b {
				penalty += m.lambda * math.Abs(m.model.theta.Data[a*k+b])
			}
		}
	}
	return g + m.divisor/2*(m.model.loss(s)+penalty)
}

// collapsed counts modules whose latent signal has less than a quarter of the energy of
// their mean: the fewer vertices a module has, the more a precise prior pulls it to zero.
func (m *moduleModel) collapsed() int {
	count := 0
	sums := moduleSums(m.x, m.of, m.latent.Rows)
	for a, size := range sizesOf(m.of, m.latent.Rows) {
		sum, latent := linalg.Row(sums, a), linalg.Row(m.latent, a)
		if size*size*linalg.Dot(latent, latent) < linalg.Dot(sum, sum)/4 {
			count++
		}
	}
	return count
}

// moduleSums returns the sums of the rows in each of k modules.
func moduleSums(x linalg.Dense, of []int, k int) linalg.Dense {
	sums := linalg.NewDense(k, x.Cols)
	for i, a := range of {
		linalg.Axpy(1, linalg.Row(x, i), linalg.Row(sums, a))
	}
	return sums
}

// bicTie is by how much BIC must differ not to be the same but for rounding.
const bicTie = 1e-6

// chooseLambda returns the λ of the least BIC, of the models between the means of the
// clusters, each refitted without penalty to the pairs that λ leaves; of several that
// leave the same, the smallest, because latent signals are smaller than means.
func chooseLambda(ctx context.Context, means linalg.Dense) float64 {
	const values = 25
	s := secondMoments(means)
	k := s.Rows
	largest := 0.0
	eachPair(k, func(_, a, b int) { largest = max(largest, math.Abs(s.Data[a*k+b])) })
	if largest == 0 {
		return 1 // any will do
	}
	best, score := largest, math.Inf(1)
	fit := newSupportFit(s, means.Cols, 0)
	for v := range values {
		lambda := largest * math.Pow(100, -float64(v)/(values-1))
		raised := linalg.NewDense(k, k)
		copy(raised.Data, s.Data)
		for a := range k {
			raised.Data[a*k+a] += lambda
		}
		p := newPrecision(raised)
		p.solve(ctx, lambda, moduleGap, moduleSweeps)
		if ctx.Err() != nil {
			break
		}
		if bic := fit.ebic(p.theta); bic < score+bicTie {
			best, score = lambda, min(bic, score)
		}
	}
	return best
}
