package kernel

import (
	"math"
	"testing"
)

func TestMaternIsAPowerOfTheShiftedFrequency(t *testing.T) {
	for _, c := range []struct{ alpha, kappa float64 }{{1, 0.5}, {2, 0.5}, {2, 1}, {4, 0.8}, {2.5, 1.5}} {
		k := must(t)(Matern(c.alpha, c.kappa, 60))
		for l := 0.0; l <= 2; l += 0.1 {
			kappa2 := c.kappa * c.kappa
			want := math.Pow(kappa2+l, -c.alpha/2) / math.Pow(kappa2, -c.alpha/2)
			if got := k.Eval(l); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: p(%g) = %g, want %g", k.Name, l, got, want)
			}
			// The logarithm of g has the slope α·λ/(κ(κ² + λ)) by κ.
			if got, want := k.ScaleDerivative(l), want*c.alpha*l/(c.kappa*(kappa2+l)); math.Abs(got-want) > 1e-11 {
				t.Errorf("%s: ∂p(%g)/∂κ = %g, want %g", k.Name, l, got, want)
			}
			if got, want := k.Value(5*l), math.Pow(1+5*l/kappa2, -c.alpha/2); math.Abs(got-want) > 1e-14 {
				t.Errorf("%s: g(%g) = %g, want %g", k.Name, 5*l, got, want)
			}
		}
		if k.Order() != c.alpha || k.Scale() != c.kappa || k.Family() != "matern" {
			t.Errorf("%s is %s of order %g with κ = %g", k.Name, k.Family(), k.Order(), k.Scale())
		}
	}
	if order := must(t)(Heat(2, 5, Taylor)).Order(); order != 0 {
		t.Errorf("heat:2 has order %g", order)
	}
}

// A name shows if the scale was given.
func TestMaternNames(t *testing.T) {
	open, given := must(t)(Parse("matern:2", 15, Taylor)), must(t)(Parse("matern:2,0.5", 15, Taylor))
	if open.Name != "matern:2" || given.Name != "matern:2,0.5" || open.Eval(0.3) != given.Eval(0.3) {
		t.Errorf("got %s and %s", open.Name, given.Name)
	}
	if moved := must(t)(open.WithScale(0.7)); moved.Name != "matern:2,0.7" || moved.Order() != 2 {
		t.Errorf("with another scale it is %s", moved.Name)
	}
}
