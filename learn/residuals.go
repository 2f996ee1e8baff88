package learn

import "github.com/nervure/nervure/internal/portable"

// residualEnergies are ‖r_m‖² of each signal, r = DX − Y.
type residualEnergies []float64

// residualsOf returns those of the last Fit or Refit of an engine.
func residualsOf(e engine) residualEnergies { return append(residualEnergies(nil), e.Residuals()...) }

// relative returns ‖Y − DX‖²/‖Y‖².
func (f *fit[E]) relative(residuals residualEnergies) float64 {
	return portable.Sum(residuals) / f.energy
}

// relativeOf returns ‖Y − DX‖²/‖Y‖² of some signals, 0 if these are zero.
func (f *fit[E]) relativeOf(signals []int, residuals residualEnergies) float64 {
	var rest, energy float64
	for _, m := range signals {
		rest += residuals[m]
		energy += f.engine.SignalEnergy(m)
	}
	if energy == 0 {
		return 0
	}
	return rest / energy
}

// unexplained lists the signals whose residual is above rounding.
func (f *fit[E]) unexplained(residuals residualEnergies) []int {
	var signals []int
	for m, r := range residuals {
		if r > f.rounding[m] {
			signals = append(signals, m)
		}
	}
	return signals
}

// explained lists the signals that are not zero and not unexplained.
func (f *fit[E]) explained(residuals residualEnergies) []int {
	var signals []int
	for m, r := range residuals {
		if r <= f.rounding[m] && f.engine.SignalEnergy(m) > 0 {
			signals = append(signals, m)
		}
	}
	return signals
}

// mostlyExplained says whether all but one in fifty of the signals are explained
// exactly.
func (f *fit[E]) mostlyExplained(residuals residualEnergies) bool {
	return 50*len(f.unexplained(residuals)) <= len(f.explained(residuals))
}
