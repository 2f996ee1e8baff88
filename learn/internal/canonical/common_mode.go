package canonical

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
)

// WithoutCommonMode returns the signals with the mean of each over the vertices
// taken out.
func (p Signals) WithoutCommonMode() Signals {
	p.Rows = mat.DenseCopyOf(p.Rows)
	p.SubtractCommonMode()
	p.Fill()
	return p
}

// SubtractCommonMode takes the mean over the vertices out of each signal, and
// returns it; zero for a signal that has no values.
func (p Signals) SubtractCommonMode() []float64 {
	m, n := p.Rows.Dims()
	mode, room := make([]float64, m), make([]float64, 0, n)
	for s := range mode {
		seen := p.observed(room, s)
		if len(seen) == 0 {
			continue
		}
		mode[s] = portable.Sum(seen) / float64(len(seen))
		floats.AddConst(-mode[s], p.Rows.RawRowView(s))
	}
	return mode
}
