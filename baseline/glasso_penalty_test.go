package baseline

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/method"
)

// stations returns what a line of weather stations measures day by day: neighbours
// differ little, the seasons move all of them alike, and there is some noise.
func stations(n, days int) *mat.Dense {
	const near = 0.99 // correlation of neighbours beside the seasons
	r := stream("glasso stations")
	y := mat.NewDense(n, days, nil)
	for d := range days {
		season, local := 8*math.Sin(2*math.Pi*float64(d)/365), r.NormFloat64()
		for i := range n {
			if i > 0 {
				local = near*local + math.Sqrt(1-near*near)*r.NormFloat64()
			}
			y.Set(i, d, 3*local+season+0.3*r.NormFloat64())
		}
	}
	return y
}

// However slowly solutions converge, choosing a penalty takes no more than its
// share of sweeps for each; and signals that are all but equal want one far below a
// hundredth of their correlations.
func TestChoosingAPenaltyForAlmostEqualSignals(t *testing.T) {
	slow(t)
	const n, days, count = 15, 100, 3
	u := standardised(stations(n, days))
	start := newPrecision(secondMoments(u))
	o, err := Glasso{Folds: count}.resolve(days)
	if err != nil {
		t.Fatal(err)
	}
	ebic, folds := leastEBIC(t.Context(), start, days, o), crossValidate(t.Context(), u, start, o)
	if most := pathMost * pathSweeps; ebic.sweeps > most {
		t.Errorf("the extended BIC took %d sweeps, want at most %d", ebic.sweeps, most)
	}
	if most := pathMost * pathSweeps * (count + 1); folds.sweeps > most {
		t.Errorf("%d folds took %d sweeps, want at most %d", count, folds.sweeps, most)
	}
	if first := penalties(start.s)[0]; ebic.rho >= first/100 || folds.rho >= first/100 {
		t.Errorf("rho = %g by the extended BIC and %g by folds, the largest correlation is %g", ebic.rho, folds.rho, first)
	}
}

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
		"a minimum early on":                   {valley(5), false, 5, pathFirst, false},
		"in haste, not far beyond it":          {valley(5), true, 5, 5 + patience + 1, false},
		"the better of two minima":             {func(k float64) float64 { return min(valley(5)(k), valley(30)(k)-1) }, false, 30, pathFirst, false},
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

// A search by folds that is stopped has the graph of the best penalty so far.
func TestStoppedFoldsHaveTheBestGraphSoFar(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso stopped folds"), 12, 60, 3, false)
	o := Glasso{Folds: 3, Absolute: true}
	left := math.MaxInt
	if _, err := o.Learn(stopWatch{t.Context(), &left}, method.Problem{Y: y, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	asked := math.MaxInt - left
	first, beyond := penalties(secondMoments(standardised(y)))[0], false
	for _, share := range []float64{0.2, 0.3, 0.5, 0.7} {
		left = int(share * float64(asked))
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errStopWatch)
		r, err := o.Learn(stopWatch{ctx, &left}, method.Problem{Y: y, Threads: 1})
		if err == nil || r == nil {
			t.Fatalf("stopped after %g of the run: %v, %v", share, r, err)
		}
		rho := r.Method.(Glasso).Penalty
		beyond = beyond || rho < first
		if rho < first && r.Graph.EdgeCount() == 0 {
			t.Errorf("stopped after %g of the run: no edge at rho = %g", share, rho)
		}
	}
	if !beyond {
		t.Error("no run came beyond the first penalty")
	}
}
