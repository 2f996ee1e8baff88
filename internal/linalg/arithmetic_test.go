package linalg

import "testing"

// Kernels of one name round alike; those that do not have another one.
func TestArithmeticTellsKernelsThatRoundDifferentlyApart(t *testing.T) {
	best := active
	defer func() { active = best }()
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		x[i], y[i] = 1/float64(i+3), 1/float64(2*i+5)
	}
	seen := map[string]float64{}
	for _, active = range available() {
		got := Dot(x, y)
		if want, ok := seen[Arithmetic()]; ok && got != want {
			t.Errorf("%s: %v with kernels %s, %v with others", Arithmetic(), got, active.name, want)
		}
		seen[Arithmetic()] = got
	}
	if len(available()) > 1 && len(seen) != 2 {
		t.Errorf("%d kinds of arithmetic in %d sets of kernels, want 2", len(seen), len(available()))
	}
}
