package baseline

import (
	"math"
	"strings"
	"testing"
)

func TestSearchEndsWhereItShould(t *testing.T) {
	path := make([]float64, pathMost)
	for k := range path {
		path[k] = 1 / float64(k+1)
	}
	place := func(rho float64) float64 { return 1/rho - 1 }
	valley := func(best float64) func(float64) float64 {
		return func(k float64) float64 { return math.Abs(k - best) }
	}
	for name, c := range map[string]struct {
		score func(k float64) float64
		haste bool
		best  int
		tried int
		warns bool
	}{
		"in haste, not far beyond it":          {valley(5), true, 5, 5 + patience + 1, false},
		"a minimum beyond the first penalties": {valley(pathFirst + 3), false, pathFirst + 3, pathFirst + 5, false},
		"none at all":                          {func(k float64) float64 { return -k }, false, pathMost - 1, pathMost, true},
	} {
		var choice penaltyChoice
		tried := 0
		choice.search(path, c.haste, func(rho float64) (float64, bool) {
			tried++
			return c.score(math.Round(place(rho))), true
		}, func(float64) *precision { return nil })
		if got := math.Round(place(choice.rho)); got != float64(c.best) || tried != c.tried {
			t.Errorf("%s: penalty %g after %d, want %d after %d", name, got, tried, c.best, c.tried)
		}
		if warns := len(choice.warnings) == 1 && strings.HasPrefix(choice.warnings[0], "rho is the smallest tried ("); warns != c.warns {
			t.Errorf("%s: warnings %q", name, choice.warnings)
		}
	}
}
