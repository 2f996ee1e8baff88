package prepare

import (
	"context"
	"math"

	"github.com/nervure/nervure/internal/run"
)

// harmonicShare is the share of the energy of a cycle from which on a harmonic is part of
// it. What a mean over few cycles has of the others is noise.
const harmonicShare = 0.002

// findHarmonics returns the harmonics that a cycle is made of: those that the halves
// of the recording agree on. 1 is the cycle itself, 2 comes twice in it, and so on.
func (c *clock) findHarmonics(ctx context.Context, rows [][]float64) []int {
	all := make([]float64, c.bins/2+1)
	for i := range run.While(ctx, len(rows)) {
		halves := c.halfMeans(rows[i])
		for h := range all {
			a, b := harmonicOf(halves[0], h), harmonicOf(halves[1], h)
			all[h] += real(a)*real(b) + imag(a)*imag(b)
		}
	}
	sum := 0.0
	for _, energy := range all[1:] {
		sum += max(energy, 0)
	}
	var list []int
	for h, energy := range all {
		if h > 0 && energy > harmonicShare*sum {
			list = append(list, h)
		}
	}
	return list
}

// harmonicOf returns the coefficient of a harmonic of a profile.
func harmonicOf(profile []float64, h int) complex128 {
	var sum complex128
	for b, v := range profile {
		sin, cos := math.Sincos(2 * math.Pi * float64(h*b%len(profile)) / float64(len(profile)))
		sum += complex(v*cos, -v*sin)
	}
	return sum / complex(float64(len(profile)), 0)
}

// onHarmonics returns the part of a profile that is on some harmonics; nil means all.
func onHarmonics(profile []float64, harmonics []int) []float64 {
	if harmonics == nil {
		return profile
	}
	part := make([]float64, len(profile))
	for _, h := range harmonics {
		twice := 2.0
		if 2*h == len(profile) {
			twice = 1
		}
		c := harmonicOf(profile, h)
		for b := range part {
			sin, cos := math.Sincos(2 * math.Pi * float64(h*b%len(profile)) / float64(len(profile)))
			part[b] += twice * (real(c)*cos - imag(c)*sin)
		}
	}
	return part
}
