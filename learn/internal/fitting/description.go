package fitting

import (
	"math"

	"github.com/nervure/nervure/internal/sparse"
)

// DescriptionLength returns how long a message the code makes of some signals. A
// residual below the share least counts as that.
func (f *Fit[E]) DescriptionLength(code *sparse.Code, residuals Residuals, signals []int, least float64) float64 {
	var length float64
	atoms, _ := code.Dims()
	for _, m := range signals {
		energy := f.Engine.SignalEnergy(m)
		atom, _ := code.Column(m)
		n, t := float64(f.Seen(m)), float64(len(atom))
		if energy == 0 || t == 0 || t >= n {
			continue
		}
		r := min(max(residuals[m]/energy, least), 1-least)
		length += (n-t)/2*math.Log(r/(n-t)) + t/2*math.Log((1-r)/t) + math.Log(t*(n-t))/2
		for k := range len(atom) {
			length += math.Log(float64(atoms-k) / float64(k+1))
		}
	}
	return length
}
