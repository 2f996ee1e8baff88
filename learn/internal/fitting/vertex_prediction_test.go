package fitting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
)

// spectrumOf returns the eigendecomposition of the Laplacian of a random graph.
func spectrumOf(n int, name string) *linalg.Eigen {
	lap := randomGraph(rng.Stream(*seed, name), n).Laplacian()
	eig := linalg.NewEigen(n)
	for i := range n {
		for j := range n {
			eig.Vectors.Data[i*n+j] = lap.At(i, j)
		}
	}
	done(eig.Factorize())
	return eig
}

// The errors from the precision matrix are those of the best linear unbiased
// prediction of a vertex from the others with an unknown mean, computed here from
// its equations: weights that sum to one, and as small an error as that allows.
func TestPrecisionPredictsAsKrigingDoes(t *testing.T) {
	const n = 7
	eig := spectrumOf(n, "kriging")
	variance := make([]float64, n)
	for a, l := range eig.Values {
		variance[a] = 0.3 + math.Exp(-2*l)
	}
	sigma := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			for a, v := range variance {
				sigma.Set(i, j, sigma.At(i, j)+v*eig.Vectors.Data[i*n+a]*eig.Vectors.Data[j*n+a])
			}
		}
	}
	theta := precision(eig, variance)
	r := rng.Stream(*seed, "kriging signal")
	y := make([]float64, n)
	for i := range y {
		y[i] = 5 + r.NormFloat64()
	}
	for i := range n {
		system, right := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		row := 0
		for j := range n {
			if j == i {
				continue
			}
			column := 0
			for k := range n {
				if k != i {
					system.Set(row, column, sigma.At(j, k))
					column++
				}
			}
			system.Set(row, n-1, 1)
			system.Set(n-1, row, 1)
			right.SetVec(row, sigma.At(j, i))
			row++
		}
		right.SetVec(n-1, 1)
		var weights mat.VecDense
		done(weights.SolveVec(system, right))
		want, row := y[i], 0
		for j := range n {
			if j != i {
				want -= weights.AtVec(row) * y[j]
				row++
			}
		}
		if got := linalg.Dot(linalg.Row(theta, i), y) / theta.Data[i*n+i]; math.Abs(got-want) > 1e-9 {
			t.Errorf("vertex %d: error %.12g, want %.12g", i, got, want)
		}
	}
}

func TestWhatVerticesShareDoesNotMatter(t *testing.T) {
	const n, m = 8, 40
	eig := spectrumOf(n, "shared")
	kernels := kernel.Paper()
	r := rng.Stream(*seed, "shared signals")
	yt, moved := linalg.NewDense(m, n), linalg.NewDense(m, n)
	for s := range m {
		level := 10 * r.NormFloat64()
		for i := range n {
			yt.Data[s*n+i] = r.NormFloat64()
			moved.Data[s*n+i] = yt.Data[s*n+i] + level
		}
	}
	train, test := matrix.Span(0, 30), matrix.Span(30, m)
	e, ofMean := PredictVertices(eig, kernels, yt, train, test)
	other, otherOfMean := PredictVertices(eig, kernels, moved, train, test)
	if !floats.EqualApprox(e, other, 1e-8) || !floats.EqualApprox(ofMean, otherOfMean, 1e-8) {
		t.Errorf("errors %v and %v, those of the mean %v and %v", e, other, ofMean, otherOfMean)
	}
}

// With one shape and noise, no other mixture of the two is likelier.
func TestMixtureIsLikeliest(t *testing.T) {
	const n = 12
	eig := spectrumOf(n, "mixture")
	shapes := [][]float64{make([]float64, n), make([]float64, n)}
	energy, left := make([]float64, n), withoutMean(eig)
	r := rng.Stream(*seed, "mixture energy")
	for a, l := range eig.Values {
		shapes[0][a], shapes[1][a] = math.Exp(-2*l), 1
		energy[a] = left[a] * (2*shapes[0][a] + 0.5) * (0.5 + r.Float64())
	}
	likelihood := func(variance []float64) float64 {
		var sum float64
		for a, v := range variance {
			sum -= left[a]*math.Log(v) + energy[a]/v
		}
		return sum
	}
	best := likelihood(mixture(shapes, energy, left))
	for g := 0.02; g < 50; g *= 1.1 {
		for s := 0.02; s < 50; s *= 1.1 {
			variance := make([]float64, n)
			floats.AddScaledTo(variance, variance, g, shapes[0])
			floats.AddScaled(variance, s, shapes[1])
			if got := likelihood(variance); got > best+1e-6*math.Abs(best) {
				t.Fatalf("γ = %g, σ² = %g are likelier: %.9g against %.9g", g, s, got, best)
			}
		}
	}
}
