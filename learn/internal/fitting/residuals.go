package fitting

import "github.com/nervure/nervure/internal/portable"

// Residuals are ‖r_m‖² of each signal, r = DX − Y.
type Residuals []float64

// ResidualsOf returns those of the last Fit or Refit of an engine.
func ResidualsOf(e Engine) Residuals { return append(Residuals(nil), e.Residuals()...) }

// Relative returns ‖Y − DX‖²/‖Y‖².
func (f *Fit[E]) Relative(residuals Residuals) float64 {
	return portable.Sum(residuals) / f.Energy
}

// RelativeOf returns ‖Y − DX‖²/‖Y‖² of some signals, 0 if these are zero.
func (f *Fit[E]) RelativeOf(signals []int, residuals Residuals) float64 {
	var rest, energy float64
	for _, m := range signals {
		rest += residuals[m]
		energy += f.Engine.SignalEnergy(m)
	}
	if energy == 0 {
		return 0
	}
	return rest / energy
}

// Unexplained lists the signals whose residual is above rounding.
func (f *Fit[E]) Unexplained(residuals Residuals) []int {
	var signals []int
	for m, r := range residuals {
		if r > f.rounding[m] {
			signals = append(signals, m)
		}
	}
	return signals
}

// Explained lists the signals that are not zero and not unexplained.
func (f *Fit[E]) Explained(residuals Residuals) []int {
	var signals []int
	for m, r := range residuals {
		if r <= f.rounding[m] && f.Engine.SignalEnergy(m) > 0 {
			signals = append(signals, m)
		}
	}
	return signals
}

// MostlyExplained reports whether all but one in fifty of the signals are explained
// exactly.
func (f *Fit[E]) MostlyExplained(residuals Residuals) bool {
	return 50*len(f.Unexplained(residuals)) <= len(f.Explained(residuals))
}
