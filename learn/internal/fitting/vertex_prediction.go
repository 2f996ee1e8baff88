package fitting

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
)

// How well a graph predicts each vertex of a signal from all the others. Atoms
// drawn at random, with coefficients of mean zero, give signals of covariance
//
//	Σ = Σ_s γ_s p_s(L)² + σ²I,
//
// whatever their number. With γ and σ² by maximum likelihood from some signals,
// the best linear prediction of a vertex in another signal is a closed form: its
// error is (Θy)_i/Θ_ii, for Θ = Σ⁻¹. What all vertices share is given away, as
// an unknown constant in each signal,
//
//	Θ = Σ⁻¹ − Σ⁻¹11ᵀΣ⁻¹/(1ᵀΣ⁻¹1),
//
// so that it does not matter whether it was removed before. What to compare with is
// the mean of the other vertices: the prediction where Σ ∝ I.
//
// A high-pass kernel can code any signals vertex by vertex on a graph whose
// edges are where none should be, with as small a residual as the right one; such
// a graph predicts nothing, and this score sees it.

// mixingSteps bounds the steps towards γ and σ²; each is a multiplicative one,
// after which the likelihood is no smaller, and a few dozen suffice.
const mixingSteps = 200

// PredictVertices returns, for each of the test signals, rows of yt, the squared
// errors of the prediction and of the mean of the other vertices, each summed over
// vertices.
func PredictVertices(eig *linalg.Eigen, kernels []kernel.Kernel, yt linalg.Dense, train, test []int) (errors, meanErrors []float64) {
	n := yt.Cols
	shapes := make([][]float64, len(kernels)+1)
	for s := range shapes {
		shapes[s] = make([]float64, n)
		for a, l := range eig.Values {
			shapes[s][a] = 1
			if s < len(kernels) {
				shapes[s][a] = math.Pow(kernels[s].Eval(l), 2)
			}
		}
	}
	theta := precision(eig, mixture(shapes, spectrum(eig, yt, train), withoutMean(eig)))
	errors, meanErrors = make([]float64, len(test)), make([]float64, len(test))
	for k, m := range test {
		y := linalg.Row(yt, m)
		mean := portable.Sum(y) / float64(n)
		for i, v := range y {
			errors[k] += math.Pow(linalg.Dot(linalg.Row(theta, i), y)/theta.Data[i*n+i], 2)
			meanErrors[k] += math.Pow((v-mean)*float64(n)/float64(n-1), 2)
		}
	}
	return errors, meanErrors
}

// EigenOf returns the eigendecomposition of the Laplacian that s has moved to.
func EigenOf(s *dictionary.Spectral) *linalg.Eigen {
	return &linalg.Eigen{Values: s.Eigenvalues(), Vectors: s.Eigenvectors().RawMatrix()}
}

// LaplacianEigen returns the eigendecomposition of the Laplacian of g.
func LaplacianEigen(g *graph.Graph) (*linalg.Eigen, error) {
	eig := linalg.NewEigen(g.Vertices())
	l := eig.Vectors
	for i := range eig.Values {
		l.Data[i*l.Stride+i] = 1
	}
	for _, e := range g.NormalizedWeights() {
		l.Data[min(e.I, e.J)*l.Stride+max(e.I, e.J)] = -e.Weight
	}
	return eig, eig.Factorize()
}

// spectrum returns the mean energy of the given signals in each eigenvector, the
// mean over the vertices of each signal taken out.
func spectrum(eig *linalg.Eigen, yt linalg.Dense, signals []int) []float64 {
	n := yt.Cols
	some, hat := linalg.NewDense(len(signals), n), linalg.NewDense(len(signals), n)
	for k, m := range signals {
		row := linalg.Row(some, k)
		copy(row, linalg.Row(yt, m))
		floats.AddConst(-portable.Sum(row)/float64(n), row)
	}
	linalg.Mul(hat, some, eig.Vectors)
	energy := make([]float64, n)
	for k := range signals {
		for a, v := range linalg.Row(hat, k) {
			energy[a] += v * v / float64(len(signals))
		}
	}
	return energy
}

// withoutMean returns, for each eigenvector, how much of it is left when the mean
// over the vertices is taken out.
func withoutMean(eig *linalg.Eigen) []float64 {
	n := len(eig.Values)
	left := make([]float64, n)
	for i := range n {
		floats.Add(left, linalg.Row(eig.Vectors, i))
	}
	for a, sum := range left {
		left[a] = max(1-sum*sum/float64(n), 0)
	}
	return left
}

// mixture returns the variances Σ_s γ_s·shape_s that make the energies likeliest,
// where only the share left of each direction is seen.
func mixture(shapes [][]float64, energy, left []float64) []float64 {
	gamma := make([]float64, len(shapes))
	for s, shape := range shapes {
		gamma[s] = portable.Sum(energy) / portable.Sum(shape) / float64(len(shapes))
	}
	variance := make([]float64, len(energy))
	for range mixingSteps {
		clear(variance)
		for s, shape := range shapes {
			floats.AddScaled(variance, gamma[s], shape)
		}
		for s, shape := range shapes {
			var up, down float64
			for a, h := range shape {
				up += h * energy[a] / (variance[a] * variance[a])
				down += left[a] * h / variance[a]
			}
			gamma[s] *= math.Sqrt(up / down)
		}
	}
	return variance
}

// precision returns Θ for Σ = V·diag(variance)·Vᵀ.
func precision(eig *linalg.Eigen, variance []float64) linalg.Dense {
	n := len(variance)
	scaled, theta := linalg.NewDense(n, n), linalg.NewDense(n, n)
	for i := range n {
		to, from := linalg.Row(scaled, i), linalg.Row(eig.Vectors, i)
		for a := range to {
			to[a] = from[a] / variance[a]
		}
	}
	linalg.MulTransB(theta, scaled, eig.Vectors)
	common := make([]float64, n)
	for i := range n {
		common[i] = portable.Sum(linalg.Row(theta, i))
	}
	total := portable.Sum(common)
	for i := range n {
		linalg.Axpy(-common[i]/total, common, linalg.Row(theta, i))
	}
	return theta
}
