package margins

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// A Student is a multivariate t distribution of signals: one Gaussian, times a size that differs
// from signal to signal. All vertices of a signal are large together, as in a market on a nervous
// day, whatever the dependence between them.
type Student struct {
	Freedom float64 // ν; infinite for a Gaussian
	// Weights of the signals are (ν + N)/(ν + zᵀΣ⁻¹z). Those of a Gaussian are 1 except for a few
	// outliers, of which there are Outliers: these are brought in to what is usual.
	Weights  []float64
	Outliers int
}

// freedoms are the ν that are tried.
var freedoms = []float64{1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100}

const (
	// studentSteps and studentTolerance end the iteration.
	studentSteps, studentTolerance = 100, 1e-4
	// mostFreedom is the ν up to which signals are weighed. Sizes that differ less cost little, and
	// weights have errors of their own.
	mostFreedom = 8
	// outlying is how many standard deviations above its mean zᵀΣ⁻¹z is that of an outlier, and
	// outlierSteps how often Σ is computed again without these.
	outlying, outlierSteps = 4, 10
	// mostOutliers is the share of the signals that outliers are at most: more are part of what is
	// to be learned from.
	mostOutliers = 0.03
	// studentEvidence is by how many nats the distribution must be likelier than a Gaussian.
	studentEvidence = 8
	// signalsForStudent is how many signals for each vertex it takes to know Σ well enough.
	signalsForStudent = 2
	// mostStudentEffort is N²M above which it takes too long.
	mostStudentEffort = 300_000_000
)

// FitStudent returns the likeliest t distribution of the columns of z, whose rows have mean 0,
// by the EM algorithm of [liu1995]: Σ is the mean of w·zzᵀ. Fewer than two signals for each
// vertex say too little about Σ, and it is a Gaussian.
func FitStudent(z *mat.Dense) Student {
	n, m := z.Dims()
	none := Student{Freedom: math.Inf(1), Weights: make([]float64, m)}
	for k := range none.Weights {
		none.Weights[k] = 1
	}
	if m < signalsForStudent*n || n*n*m > mostStudentEffort {
		return none
	}
	s, gaussian, likeliest := none.clone(), math.NaN(), 0.0
	for range studentSteps {
		forms, logDet, ok := s.forms(z)
		if !ok {
			return none
		}
		if math.IsNaN(gaussian) { // the first weights are 1: Σ is the covariance
			gaussian = -float64(m)/2*logDet - portable.Sum(forms)/2
		}
		best := math.Inf(-1)
		for _, nu := range freedoms {
			if l := studentLikelihood(forms, logDet, n, nu); l > best {
				best, s.Freedom = l, nu
			}
		}
		likeliest = best
		moved := 0.0
		for k, q := range forms {
			w := (s.Freedom + float64(n)) / (s.Freedom + q)
			moved = max(moved, math.Abs(w-s.Weights[k]))
			s.Weights[k] = w
		}
		if moved < studentTolerance {
			break
		}
	}
	if likeliest-gaussian < studentEvidence || s.Freedom > mostFreedom {
		return none.withoutOutliers(z)
	}
	return s
}

func (s Student) clone() Student {
	s.Weights = slices.Clone(s.Weights)
	return s
}

// withoutOutliers is a Gaussian with less weight for signals that are far too large for it: a
// weight brings zᵀΣ⁻¹z down to what it is at most.
func (s Student) withoutOutliers(z *mat.Dense) Student {
	n, _ := z.Dims()
	most := float64(n) + outlying*math.Sqrt(2*float64(n))
	bounded := s.clone()
	for range outlierSteps {
		forms, _, ok := bounded.forms(z)
		if !ok {
			return s
		}
		bounded.Outliers = 0
		for k, q := range forms {
			if bounded.Weights[k] = min(1, most/q); q > most {
				bounded.Outliers++
			}
		}
		if bounded.Outliers == 0 {
			return s
		}
	}
	if float64(bounded.Outliers) > mostOutliers*float64(len(bounded.Weights)) {
		return s
	}
	return bounded
}

// forms returns zᵀΣ⁻¹z of each signal and log det Σ, for Σ by the weights; not ok if it is singular.
func (s Student) forms(z *mat.Dense) (forms []float64, logDet float64, ok bool) {
	n, m := z.Dims()
	raw, weighed := z.RawMatrix(), s.Weigh(z).RawMatrix()
	moments := linalg.NewDense(n, n)
	rows := linalg.Dense{Rows: n, Cols: m, Stride: weighed.Stride, Data: weighed.Data}
	linalg.MulTransB(moments, rows, rows)
	sigma := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sigma.SetSym(i, j, moments.Data[i*n+j]/float64(m))
		}
	}
	var chol mat.Cholesky
	inverse := mat.NewSymDense(n, nil)
	if !chol.Factorize(sigma) || chol.InverseTo(inverse) != nil {
		return nil, 0, false
	}
	for i := range n {
		for j := range n {
			moments.Data[i*n+j] = inverse.At(i, j)
		}
	}
	solved := linalg.NewDense(n, m)
	linalg.Mul(solved, moments, linalg.Dense{Rows: n, Cols: m, Stride: raw.Stride, Data: raw.Data})
	forms = make([]float64, m)
	for i := range n {
		a, b := z.RawRowView(i), linalg.Row(solved, i)
		for k := range forms {
			forms[k] += float64(a[k] * b[k])
		}
	}
	return forms, chol.LogDet(), true
}

// Weigh returns signals times the roots of their weights: their mean products are Σ.
func (s Student) Weigh(z *mat.Dense) *mat.Dense {
	weighed := mat.DenseCopyOf(z)
	roots := make([]float64, len(s.Weights))
	for k, w := range s.Weights {
		roots[k] = math.Sqrt(w)
	}
	for _, row := range matrix.Each(weighed) {
		for k := range row {
			row[k] *= roots[k]
		}
	}
	return weighed
}

// StudentDensity returns the log density of a t distribution with ν degrees of freedom in N
// dimensions as a function of zᵀΣ⁻¹z, without −½·log det Σ and the constant −N/2·log 2π; that of a
// Gaussian if ν is infinite.
func StudentDensity(n int, nu float64) func(form float64) float64 {
	if math.IsInf(nu, 1) {
		return func(form float64) float64 { return -form / 2 }
	}
	half := float64(n) / 2
	above, _ := math.Lgamma(nu/2 + half)
	below, _ := math.Lgamma(nu / 2)
	constant := above - below - float64(half*math.Log(nu/2))
	return func(form float64) float64 { return constant - float64((nu/2+half)*math.Log1p(form/nu)) }
}

func studentLikelihood(forms []float64, logDet float64, n int, nu float64) (sum float64) {
	density := StudentDensity(n, nu)
	for _, q := range forms {
		sum += density(q) - logDet/2
	}
	return sum
}
