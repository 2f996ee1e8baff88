package baseline

import (
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// shrinkage returns the share of the identity in (1 − δ)S + δI that brings it nearest
// to the true correlation matrix, as estimated from the signals alone ([ledoit2004]).
// The rows of u are standardised, and s is their second moments.
//
// δ is the variance of the entries of S over their distance from the identity: with x
// the columns of u, Σ‖xxᵀ − S‖² / (M² ‖S − I‖²), at most 1.
func shrinkage(u, s linalg.Dense) float64 {
	energy := make([]float64, u.Cols) // ‖x‖²
	for i := range u.Rows {
		for k, v := range linalg.Row(u, i) {
			energy[k] += v * v
		}
	}
	m, square := float64(u.Cols), portable.Dot(s.Data, s.Data)
	variance := (portable.Dot(energy, energy)/m - square) / m
	distance := square
	for i := range s.Rows {
		distance += 1 - 2*s.Data[i*s.Rows+i]
	}
	if variance >= distance {
		return 1
	}
	return variance / distance
}
