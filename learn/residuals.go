package learn

import "gonum.org/v1/gonum/floats"

// residuals are the energies that codes leave of each signal, ‖r_m‖².
type residuals []float64

// residualsOf returns what the last Fit or Refit left.
func residualsOf(e engine) residuals { return append(residuals(nil), e.Residuals()...) }

// share returns ‖Y − DX‖²/‖Y‖².
func (f *fit[E]) share(left residuals) float64 { return floats.Sum(left) / f.energy }

// shareOf returns ‖Y − DX‖²/‖Y‖² of some signals, 0 if these are zero.
func (f *fit[E]) shareOf(signals []int, left residuals) float64 {
	var rest, energy float64
	for _, m := range signals {
		rest += left[m]
		energy += f.engine.SignalEnergy(m)
	}
	if energy == 0 {
		return 0
	}
	return rest / energy
}

// unexplained lists the signals whose residual is above rounding.
func (f *fit[E]) unexplained(left residuals) []int {
	var signals []int
	for m, r := range left {
		if r > f.rounding[m] {
			signals = append(signals, m)
		}
	}
	return signals
}

// explained lists the signals that are not zero and not unexplained.
func (f *fit[E]) explained(left residuals) []int {
	var signals []int
	for m, r := range left {
		if r <= f.rounding[m] && f.engine.SignalEnergy(m) > 0 {
			signals = append(signals, m)
		}
	}
	return signals
}

// mostlyExplained says whether all but one in fifty of the signals are explained
// exactly.
func (f *fit[E]) mostlyExplained(left residuals) bool {
	return 50*len(f.unexplained(left)) <= len(f.explained(left))
}
