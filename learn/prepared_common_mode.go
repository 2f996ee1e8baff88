package learn

import (
	"github.com/nervure/nervure/internal/portable"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// withoutCommonMode returns the signals with the mean of each over the vertices
// taken out.
func (p prepared) withoutCommonMode() prepared {
	p.yt = mat.DenseCopyOf(p.yt)
	p.subtractCommonMode()
	p.fill()
	return p
}

// subtractCommonMode takes the mean over the vertices out of each signal, and
// returns it; zero for a signal that has no values.
func (p prepared) subtractCommonMode() []float64 {
	m, n := p.yt.Dims()
	mode, room := make([]float64, m), make([]float64, 0, n)
	for s := range mode {
		seen := p.observed(room, s)
		if len(seen) == 0 {
			continue
		}
		mode[s] = portable.Sum(seen) / float64(len(seen))
		floats.AddConst(-mode[s], p.yt.RawRowView(s))
	}
	return mode
}
