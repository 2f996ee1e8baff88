package assess

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

// FullGaussian is the Gaussian model of signals without any graph: every vertex may depend on
// every other. It stands for fields whose kernel is not known, which have
// more partial correlations than edges.
//
// Its covariance, in units in which vertices have variance 1, is (1 − a)·S + a·I with the
// correlations S of the columns of train. Of four shares a, from that of one signal among
// all down to a thousandth of it, it takes the one that makes each signal likeliest by the
// others: where fields are smooth and without noise, what little they vary in most directions
// tells most.
func FullGaussian(train *mat.Dense) (SignalModel, error) {
	n, signals := train.Dims()
	if n == 0 || signals < 2 {
		return nil, fmt.Errorf("assess.FullGaussian: got %d vertices and %d signals, want at least 1 and 2", n, signals)
	}
	m := unitsOf(train)
	z := m.standardised(train)
	sums := linalg.NewDense(n, n)
	linalg.MulTransB(sums, z, z)
	best, share := math.Inf(-1), 0.0
	for _, part := range []float64{1, 0.1, 0.01, 0.001} {
		a := part / float64(signals+1)
		if score, ok := leaveOneOut(sums, z, a); ok && score > best {
			best, share = score, a
		}
	}
	var chol mat.Cholesky
	if share == 0 || !chol.Factorize(shrunk(sums, signals, share)) {
		return nil, errors.New("assess.FullGaussian: the covariance of the signals is singular")
	}
	m.theta, m.logDet = mat.NewSymDense(n, nil), -chol.LogDet()
	if err := chol.InverseTo(m.theta); err != nil && !isCondition(err) {
		return nil, fmt.Errorf("assess.FullGaussian: %w", err)
	}
	return fullModel{m}, nil
}

// shrunk returns (1 − a)·sums/signals + a·I.
func shrunk(sums linalg.Dense, signals int, a float64) *mat.SymDense {
	c := mat.NewSymDense(sums.Rows, nil)
	for i := range sums.Rows {
		for j := i; j < sums.Cols; j++ {
			c.SetSym(i, j, (1-a)/float64(signals)*sums.Data[i*sums.Stride+j])
		}
		c.SetSym(i, i, c.At(i, i)+a)
	}
	return c
}

// leaveOneOut returns how likely each column of z is by the model of all others, summed. With
// G = (1 − a)·sums/(m − 1) + a·I, the model without the signal z has the covariance
// G − c·zzᵀ, c = (1 − a)/(m − 1), and so with h = zᵀG⁻¹z
//
//	log det (G − c·zzᵀ) = log det G + log(1 − ch),   zᵀ(G − c·zzᵀ)⁻¹z = h/(1 − ch).
//
// It is not there if rounding leaves G singular.
func leaveOneOut(sums, z linalg.Dense, a float64) (score float64, ok bool) {
	n, signals := z.Rows, z.Cols
	var chol mat.Cholesky
	if !chol.Factorize(shrunk(sums, signals-1, a)) {
		return 0, false
	}
	columns := mat.NewDense(n, signals, z.Data)
	var solved mat.Dense
	if err := chol.SolveTo(&solved, columns); err != nil && !isCondition(err) {
		return 0, false
	}
	forms := make([]float64, signals)
	for i := range n {
		x, y := linalg.Row(z, i), solved.RawRowView(i)
		for k := range forms {
			forms[k] += float64(x[k] * y[k])
		}
	}
	c := (1 - a) / float64(signals-1)
	for _, h := range forms {
		left := 1 - float64(c*h)
		if !(left > 0) {
			return 0, false
		}
		score -= (chol.LogDet() + math.Log(left) + h/left) / 2
	}
	return score, true
}

// fullModel is a Gaussian as a model of signals in their own units.
type fullModel struct{ *Gaussian }

// LogDensity keeps the contract of [SignalModel].
func (m fullModel) LogDensity(y *mat.Dense) ([]float64, error) {
	density := m.Gaussian.LogDensity(y)
	for k, v := range density {
		density[k] = m.inUnits(v)
	}
	return density, nil
}
