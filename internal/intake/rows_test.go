package intake

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// chain draws independent signals on a chain, or with phi those that keep a share of the
// one before, about a level.
func chain(n, m int, phi, level float64, seed uint64) *mat.Dense {
	draw := rng.Stream(seed, "chain")
	y := mat.NewDense(n, m, nil)
	for k := range m {
		e := 0.0
		for i := range n {
			e = 0.7*e + 0.7*draw.NormFloat64()
			v := e
			if k > 0 {
				v = phi*(y.At(i, k-1)-level) + math.Sqrt(1-phi*phi)*e
			}
			y.Set(i, k, level+v)
		}
	}
	return y
}

func ready(t *testing.T, s *signals.Set, r Request) *prepare.Prepared {
	t.Helper()
	all := must.Get(ForLearning(t.Context(), s, r))
	return all.Prepared
}

// Independent signals are prepared in the same order however they come, and say where each
// came from.
func TestIndependentRowsComeInAnOrderOfTheirOwn(t *testing.T) {
	y := chain(12, 300, 0, 3, 1)
	y.Set(4, 7, math.NaN())
	rounded := mat.DenseCopyOf(chain(12, 300, 0, 3, 2))
	rounded.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, rounded)
	for name, y := range map[string]*mat.Dense{"measured": y, "counted": rounded} {
		_, m := y.Dims()
		want := ready(t, &signals.Set{Y: y}, Request{})
		if want.Rows.Rows != prepare.RowsIndependent || want.Order == nil {
			t.Fatalf("%s: got %+v", name, want.Rows)
		}
		if !sameOrMissing(matrix.Columns(y, want.Order), want.Given) || !sameOrMissing(want.AsGiven().Given, y) {
			t.Errorf("%s: the order is not that of the signals", name)
		}
		shuffled := rng.Stream(1, "shuffle").Perm(m)
		sorted := matrix.Sorted(m, func(a, b int) int {
			if y.At(0, a) < y.At(0, b) {
				return -1
			}
			return 1
		})
		for _, order := range [][]int{shuffled, sorted} {
			got := ready(t, &signals.Set{Y: matrix.Columns(y, order)}, Request{})
			if !sameOrMissing(got.Given, want.Given) {
				t.Errorf("%s: in another order, signals are prepared in another order", name)
			}
		}
	}
}

// An error names the observation as it was given, whatever order it was looked at in.
func TestErrorsOfIndependentRowsNameThePlaceGiven(t *testing.T) {
	y := chain(12, 300, 0, 0, 4)
	y.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, y)
	y.Set(3, 217, -1)
	_, err := ForLearning(t.Context(), &signals.Set{Y: y}, Request{Prepare: prepare.Options{Log: true}})
	if err == nil || !strings.Contains(err.Error(), "observation 218") && !strings.Contains(err.Error(), "observation 217") {
		t.Errorf("got %v", err)
	}
}

// Faults and signals out of scale are told where they were given.
func TestFaultsOfIndependentRowsAreWhereTheyWere(t *testing.T) {
	y := chain(12, 300, 0, 0, 3)
	for _, k := range []int{11, 50, 120, 180, 290} {
		y.Set(5, k, -9999)
	}
	for i := range 12 {
		y.Set(i, 77, 1e5*y.At(i, 77))
	}
	p := ready(t, &signals.Set{Y: y}, Request{})
	if p.Order == nil || !slices.Equal(p.OutOfScale, []int{77}) {
		t.Errorf("out of scale: %v, rows %v", p.OutOfScale, p.Rows)
	}
	at := slices.IndexFunc(p.Faults, func(f prepare.Fault) bool { return f.Kind == prepare.MissingCode })
	if at < 0 || !slices.Equal(p.Faults[at].Places, []int{11, 50, 120, 180, 290}) || p.Faults[at].From != 11 || p.Faults[at].To != 291 {
		t.Errorf("got %+v", p.Faults)
	}
}

// Values that many rows share, as zeros in counts, are no stuck sensor where rows are independent.
func TestIndependentRowsHaveNoStuckSensors(t *testing.T) {
	draw := rng.Stream(5, "zeros")
	y := chain(12, 400, 0, 5, 4)
	for k := range 400 {
		if draw.Float64() < 0.97 {
			y.Set(3, k, 0)
		}
	}
	if p := ready(t, &signals.Set{Y: y}, Request{}); len(p.Faults) != 0 {
		t.Errorf("got %+v", p.Faults)
	}
}

// Of rows in time, innovations are learned from where they tell more, values on request, and the
// method that learns from the order always gets values.
func TestRowsInTimeAreWhitened(t *testing.T) {
	s := &signals.Set{Y: chain(20, 500, 0.95, 12, 5)}
	p := ready(t, s, Request{})
	if p.Rows.Rows != prepare.RowsTime || p.Order != nil || p.Values == nil || !p.Values.Innovations || !p.Report.Autoregression.Done {
		t.Fatalf("got %+v, %+v", p.Rows, p.Values)
	}
	if effective := prepare.EffectiveObservations(p.Y); effective < 400 {
		t.Errorf("innovations count as %g independent signals", effective)
	}
	for name, r := range map[string]Request{
		"values asked for":                {Prepare: prepare.Options{Difference: prepare.No}},
		"differences asked for":           {Prepare: prepare.Options{Difference: prepare.Yes}},
		"a method that needs their order": {CommonMode: method.OrderedCommonMode},
		"rows said to be independent":     {Prepare: prepare.Options{Rows: prepare.RowsIndependent}},
	} {
		if p := ready(t, s, r); p.Report.Autoregression.Done || p.Values != nil {
			t.Errorf("%s: %s", name, p.Report.Sentence())
		}
	}
}

func TestRowsThatCannotBeIndependentAreRefused(t *testing.T) {
	s := &signals.Set{Y: chain(6, 100, 0, 0, 6)}
	for name, r := range map[string]Request{
		"differences": {Prepare: prepare.Options{Rows: prepare.RowsIndependent, Difference: prepare.Yes}},
		"cycles":      {Prepare: prepare.Options{Rows: prepare.RowsIndependent, Periods: []float64{12}}},
		"trends":      {Prepare: prepare.Options{Rows: prepare.RowsIndependent, Detrend: prepare.Yes}},
		"an order":    {Prepare: prepare.Options{Rows: prepare.RowsIndependent}, CommonMode: method.OrderedCommonMode},
		"a word":      {Prepare: prepare.Options{Rows: "sometimes"}},
	} {
		if _, err := ForLearning(t.Context(), s, r); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if p := ready(t, s, Request{Prepare: prepare.Options{Detrend: prepare.Yes}}); p.Rows.Rows != prepare.RowsTime {
		t.Errorf("trends are to be removed: %+v", p.Rows)
	}
	times := make([]time.Time, 100)
	for k := range times {
		times[k] = time.Unix(int64(3600*k), 0)
	}
	s.Times = times
	if p := ready(t, s, Request{Prepare: prepare.Options{Rows: prepare.RowsIndependent}}); p.Order == nil || p.Options.Times == nil {
		t.Errorf("independent rows with times: %+v", p.Rows)
	}
}
