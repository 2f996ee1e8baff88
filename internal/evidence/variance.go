package evidence

import (
	"math"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

const (
	// mostLags and lagShare bound the lags at which signals are looked at.
	mostLags, lagShare = 100, 4
	// lagVertices is the most vertices whose autocorrelations are taken together.
	lagVertices = 200
	// chanceLag is the standard errors below which the common autocorrelation is chance.
	chanceLag = 2
)

// inflationOf returns by how much products of two rows vary more than those of independent values,
// 1 + 2 Σ_k (1 − k/m) ρ_k² with the mean autocorrelations ρ_k of the rows ([bartlett1946]), and the
// last lag before these are chance.
func (f *fitted) inflationOf(x linalg.Dense) (inflation float64, lags int) {
	m := x.Cols
	var rows []int
	step := max(1, x.Rows/lagVertices)
	for i := 0; i < x.Rows; i += step {
		if f.varies[i] {
			rows = append(rows, i)
		}
	}
	inflation = 1
	for lag := 1; lag <= min(m/lagShare, mostLags); lag++ {
		sum := 0.0
		for _, i := range rows {
			row := linalg.Row(x, i)
			sum += portable.Dot(row[lag:], row[:m-lag]) / float64(m)
		}
		rho := sum / float64(max(len(rows), 1))
		if rho < chanceLag/math.Sqrt(float64(m*max(len(rows), 1))) {
			break
		}
		inflation += 2 * rho * rho * (1 - float64(lag)/float64(m))
		lags = lag
	}
	return inflation, lags
}

// standardError returns the standard error of the inverse hyperbolic tangent of a partial
// correlation ρ of residuals u and v. To first order the estimate differs from ρ by the mean of
//
//	ψ = u·v + ρ + (ρ/2)(u² + v² − 2)
//
// whose variance is (1 − ρ²)² for Gaussian signals. Taken is the largest of that, of the variance of
// ψ itself, which heavy tails enlarge ([white1982]), both inflated as signals depend on each other,
// and of the long-run variance of ψ ([newey1987]), which also knows of times when signals vary more.
// psi is memory for as many numbers as there are signals.
func (f *fitted) standardError(i, j int, rho float64, psi []float64) float64 {
	u, v := linalg.Row(f.u, i), linalg.Row(f.u, j)
	for k := range psi {
		psi[k] = float64(u[k]*v[k]) + float64(rho/2*(float64(u[k]*u[k])+float64(v[k]*v[k])-2))
	}
	mean := portable.Mean(psi)
	for k := range psi {
		psi[k] -= mean
	}
	m := float64(len(psi))
	rest := 1 - rho*rho
	own := portable.Dot(psi, psi) / m
	variance := f.inflation * max(rest*rest, own)
	if f.lags > 0 {
		longRun, width := own, 2*f.lags
		for lag := 1; lag <= min(width, len(psi)/lagShare); lag++ {
			longRun += 2 * (1 - float64(lag)/float64(width+1)) * portable.Dot(psi[lag:], psi[:len(psi)-lag]) / m
		}
		variance = max(variance, longRun)
	}
	// What is left of the signals when regressions have followed them.
	left := max(f.independent-float64(max(f.regressors[i], f.regressors[j]))-1, 1)
	return math.Sqrt(variance/f.inflation/left) / rest
}
