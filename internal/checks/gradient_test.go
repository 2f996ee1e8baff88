package checks

import (
	"math"
	"testing"
)

func TestGradientErrorHasSlopeTwo(t *testing.T) {
	f := func(x []float64) float64 { return math.Exp(x[0]) * math.Sin(x[1]) }
	x := []float64{0.3, 0.7}
	g := []float64{math.Exp(.3) * math.Sin(.7), math.Exp(.3) * math.Cos(.7)}
	ratio := GradientError(f, x, g, 1e-2) / GradientError(f, x, g, 1e-3)
	if math.Abs(ratio-100) > 1 {
		t.Errorf("error fell by %g for a ten times smaller step, want 100", ratio)
	}
	if x[0] != 0.3 || x[1] != 0.7 {
		t.Error("x was not restored")
	}
	g[0] *= -1
	if e := GradientError(f, x, g, 1e-5); e < 0.5 {
		t.Errorf("a wrong sign gives error %g, want a large one", e)
	}
}
