package layout

import (
	"math"
	"testing"
)

func TestVerticesWithoutAPlaceStandBelowAllApart(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct{ x, y []float64 }{
		"some have one":     {[]float64{0, nan, 4, nan}, []float64{1, nan, 3, nan}},
		"all at one place":  {[]float64{2, nan, 2, nan}, []float64{5, nan, 5, nan}},
		"none has one":      {[]float64{nan, nan, nan}, []float64{nan, nan, nan}},
		"all but no number": {[]float64{1e308, -1e308, nan, nan}, []float64{1, -1e308, nan, nan}},
	} {
		t.Run(name, func(t *testing.T) {
			low, homeless := math.Inf(1), []int{}
			for i := range c.x {
				if math.IsNaN(c.x[i]) || math.IsNaN(c.y[i]) {
					homeless = append(homeless, i)
				}
			}
			before := c.x[0]
			if Settle(c.x, c.y); name == "some have one" && c.x[0] != before {
				t.Errorf("a place that is known became %g", c.x[0])
			}
			for i, k := 0, 0; i < len(c.x); i++ {
				if sum := c.x[i]*c.x[i] + c.y[i]*c.y[i]; math.IsNaN(sum) || math.IsInf(sum, 0) {
					t.Fatalf("vertex %d is at (%g, %g)", i, c.x[i], c.y[i])
				}
				if k < len(homeless) && homeless[k] == i {
					k++
					continue
				}
				low = min(low, c.y[i])
			}
			for k, i := range homeless {
				if !(c.y[i] < low) || k > 0 && !(c.x[i] > c.x[homeless[k-1]]) {
					t.Errorf("vertex %d is at (%g, %g), the others above %g", i, c.x[i], c.y[i], low)
				}
			}
		})
	}
}
