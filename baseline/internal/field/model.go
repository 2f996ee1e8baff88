package field

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
)

// A Model is a field: Θ has −Weights at Pairs, and on the diagonal what makes its rows sum
// to Diagonal. The covariance of the signals, each multiplied by the Scales of their vertices,
// is the kernel's of Θ plus Noise on the diagonal. Scales stand for excitations of different
// size: if those of Θy = z have variances D, D^½·y is a field of order two on D^(−½)ΘD^(−½),
// which has the same edges.
type Model struct {
	Kernel   Kernel
	Pairs    []Pair
	Weights  []float64 // not negative
	Diagonal []float64 // κ² at each vertex
	Noise    float64   // σ²
	Scales   []float64 // logarithms

	// ridge is what the square of a weight costs in deviance. Where noise hides the high
	// frequencies, signals do not tell a large weight from a larger one.
	ridge float64
}

// clone returns a copy.
func (m *Model) clone() *Model {
	c := *m
	c.Pairs, c.Weights = slices.Clone(m.Pairs), slices.Clone(m.Weights)
	c.Diagonal, c.Scales = slices.Clone(m.Diagonal), slices.Clone(m.Scales)
	return &c
}

// theta puts Θ into a matrix.
func (m *Model) theta(into linalg.Dense) {
	clear(into.Data)
	n := into.Rows
	for i, v := range m.Diagonal {
		into.Data[i*n+i] = v
	}
	for k, p := range m.Pairs {
		w := m.Weights[k]
		into.Data[p.I*n+p.J] -= w
		into.Data[p.J*n+p.I] -= w
		into.Data[p.I*n+p.I] += w
		into.Data[p.J*n+p.J] += w
	}
}

// An evaluation is room for what a model is computed in.
type evaluation struct {
	moments      linalg.Dense // S
	observations float64      // how many independent signals they count for
	threads      linalg.Threads
	eigen        *linalg.Eigen

	// The model in the frequencies of its own graph:
	frequencies []float64    // eigenvalues of Θ, ascending
	modes       linalg.Dense // eigenvectors in columns
	variances   []float64    // of the modes: kernel and noise
	slopes      []float64    // derivatives of the variances by the frequencies
	volume      float64      // twice the sum of the scales

	scaled                  linalg.Dense // S with the scales of the model
	rotated, half, gradient linalg.Dense // VᵀSV; room; ∂f/∂Θ
	byScale                 []float64    // ∂f/∂ of the scales
}

func newEvaluation(moments linalg.Dense, observations float64, threads linalg.Threads) *evaluation {
	n := moments.Rows
	e := &evaluation{moments: moments, observations: observations, threads: threads, eigen: linalg.NewEigen(n)}
	e.eigen.Threads = threads
	e.scaled, e.rotated, e.half, e.gradient = linalg.NewDense(n, n), linalg.NewDense(n, n), linalg.NewDense(n, n), linalg.NewDense(n, n)
	e.variances, e.slopes, e.byScale = make([]float64, n), make([]float64, n), make([]float64, n)
	return e
}

// decompose finds the spectrum of a model; false if it has none with its kernel.
func (e *evaluation) decompose(m *Model) bool {
	m.theta(e.eigen.Vectors)
	if e.eigen.Factorize() != nil {
		return false
	}
	e.frequencies, e.modes = e.eigen.Values, e.eigen.Vectors
	e.scale(m)
	n := len(e.frequencies)
	if !m.Kernel.valid(e.frequencies[0], e.frequencies[n-1]) {
		return false
	}
	for a, lambda := range e.frequencies {
		v := m.Kernel.variance(lambda)
		e.variances[a], e.slopes[a] = v+m.Noise, m.Kernel.slope(lambda, v)
	}
	return true
}

// scale multiplies the moments by the scales of a model.
func (e *evaluation) scale(m *Model) {
	n := len(m.Scales)
	by := make([]float64, n)
	e.volume = 0
	for i, s := range m.Scales {
		by[i] = exp(s)
		e.volume += 2 * s
	}
	for i, s := range by {
		from, to := linalg.Row(e.moments, i), linalg.Row(e.scaled, i)
		for j, v := range from {
			to[j] = v * s * by[j]
		}
	}
}

// deviance returns log det Σ + tr(SΣ⁻¹), twice the negative logarithm of the likelihood of a
// signal but for a constant, of a model that was decomposed; it puts VᵀSV into e.rotated.
func (e *evaluation) deviance() float64 {
	e.threads.MulTransA(e.half, e.modes, e.scaled)
	e.threads.Mul(e.rotated, e.half, e.modes)
	n := len(e.variances)
	sum := -e.volume
	for a, h := range e.variances {
		sum += math.Log(h) + e.rotated.Data[a*n+a]/h
	}
	return sum
}

// differentiate puts the derivative of the deviance by Θ into e.gradient, V(A∘H)Vᵀ with
// A = Σ⁻¹ − Σ⁻¹SΣ⁻¹ in the modes and H the divided differences of the kernel
// ([daleckii1965]), and returns that by the noise, tr A. That by the logarithms of the scales is
// twice the diagonal of Σ⁻¹S − I.
func (e *evaluation) differentiate() (noise float64) {
	for i := range e.byScale {
		e.byScale[i] = -2
	}
	for a, h := range e.variances {
		row := linalg.Row(e.half, a) // of VᵀS
		for i, v := range row {
			e.byScale[i] += 2 * e.modes.Data[i*e.modes.Stride+a] * v / h
		}
	}
	for a, h := range e.variances {
		row, q := linalg.Row(e.gradient, a), linalg.Row(e.rotated, a)
		differences(row, e.frequencies, e.variances, e.slopes, a)
		for b, g := range e.variances {
			v := -q[b] / (h * g)
			if a == b {
				v += 1 / h
				noise += v
			}
			row[b] *= v
		}
	}
	e.threads.Mul(e.half, e.modes, e.gradient)
	e.threads.MulTransB(e.gradient, e.half, e.modes)
	return noise
}
