package baseline

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
)

func TestVariesIsOneRuleForAllMethods(t *testing.T) {
	for name, c := range map[string]struct {
		row  []float64
		want bool
	}{
		"zeros":             {[]float64{0, 0}, false},
		"rounding":          {[]float64{1, 1 + 1e-15}, false},
		"more than that":    {[]float64{1, 1 + 1e-11}, true},
		"huge and opposite": {[]float64{-math.MaxFloat64, math.MaxFloat64}, true},
		"tiny":              {[]float64{0, 1e-320}, true},
	} {
		if got := matrix.Varies(c.row); got != c.want {
			t.Errorf("%s: got %t", name, got)
		}
		u := standardised(mat.NewDense(1, 2, c.row))
		if got := u.Data[0] != 0; got != c.want || math.IsNaN(u.Data[0]) {
			t.Errorf("%s: standardised to %v", name, u.Data)
		}
	}
}
