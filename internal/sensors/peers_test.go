package sensors

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// Predictions are those of a ridge regression on all other observations, solved for each by itself.
func TestPredictionsHaveNotSeenWhatTheyPredict(t *testing.T) {
	const n, m = 5, 9
	p := &peers{known: linalg.NewDense(n, m)}
	draw := rng.Stream(1, "peers")
	for k := range p.known.Data {
		p.known.Data[k] = draw.NormFloat64()
	}
	out := []bool{false, false, true, false, false}
	got := p.without(t.Context(), out)
	for i := range n {
		for k := range m {
			if want := predictedFromOthers(t, p.known, out, i, k); math.Abs(got.Data[i*m+k]-want) > 1e-12 {
				t.Errorf("sensor %d, observation %d: got %g, want %g", i, k, got.Data[i*m+k], want)
			}
		}
	}
}

// predictedFromOthers predicts observation k of sensor i from all others by normal equations.
func predictedFromOthers(t *testing.T, known linalg.Dense, out []bool, i, k int) float64 {
	t.Helper()
	n, m := known.Rows, known.Cols
	var used []int
	for j := range n {
		if j != i && !out[j] {
			used = append(used, j)
		}
	}
	normal, right := mat.NewSymDense(len(used), nil), mat.NewVecDense(len(used), nil)
	for a, j := range used {
		for b, l := range used {
			sum := 0.0
			for at := range m {
				if at != k {
					sum += known.Data[j*m+at] * known.Data[l*m+at]
				}
			}
			if a == b {
				sum += ridge*float64(m) + float64(n)
			}
			normal.SetSym(a, b, sum)
		}
		for at := range m {
			if at != k {
				right.SetVec(a, right.AtVec(a)+known.Data[j*m+at]*known.Data[i*m+at])
			}
		}
	}
	var chol mat.Cholesky
	var weights mat.VecDense
	if !chol.Factorize(normal) || chol.SolveVecTo(&weights, right) != nil {
		t.Fatal("the regression cannot be solved")
	}
	sum := 0.0
	for a, j := range used {
		sum += weights.AtVec(a) * known.Data[j*m+k]
	}
	return sum
}
