package sensors

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

func recording(t *testing.T, spec simulate.MessySpec) *simulate.Recording {
	t.Helper()
	r, err := simulate.Messy(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Each kind of fault is found at its sensor, called by its name, and most of it is
// masked; and nothing else is. Of a copy and its origin, either may be named.
func TestEachKindOfFaultIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
	for _, kind := range simulate.FaultKinds() {
		t.Run(string(kind), func(t *testing.T) {
			r := recording(t, simulate.MessySpec{Seed: 501, Broken: 3, Kinds: []simulate.FaultKind{kind}})
			found := faultsIn(t, r.Signals, nil, r.Times)
			for _, truth := range r.Faults {
				if !slices.ContainsFunc(found, func(f prepare.Fault) bool {
					return f.Vertex == truth.Vertex && alike(f.Kind, prepare.FaultKind(truth.Kind)) || f.Kind == prepare.Copy && f.Origin == truth.Vertex
				}) {
					t.Errorf("sensor %d was not found: %+v", truth.Vertex, truth)
				}
			}
			for _, f := range found {
				if !slices.ContainsFunc(r.Faults, func(truth simulate.SensorFault) bool {
					return truth.Vertex == f.Vertex || f.Kind == prepare.Copy && truth.Vertex == f.Origin
				}) {
					t.Errorf("sensor %d is not broken, but got %q: %s", f.Vertex, f.Kind, f.Sentence)
				}
			}
		})
	}
}

// alike reports whether one fault may be called the other: a run of a code is a value that is
// stuck, noise with heavy tails has spikes, and a cycle that comes too late is noise.
func alike(a, b prepare.FaultKind) bool {
	if a == b {
		return true
	}
	for _, group := range [][]prepare.FaultKind{
		{prepare.Stuck, prepare.MissingCode},
		{prepare.Noisy, prepare.Spikes, prepare.UnitJump},
		{prepare.UnitJump, prepare.Drift},
		{prepare.MissingCode, prepare.Spikes},
		{prepare.ClockSlip, prepare.Noisy, prepare.Spikes},
	} {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	return false
}

// Recordings whose sensors work, with cycles, trends and gaps or without, raise no alarm, and neither do signals
// that need not come in time.
func TestSensorsThatWorkRaiseNoAlarm(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
	look := func(name string, y *mat.Dense, times []time.Time) {
		for _, f := range faultsIn(t, y, nil, times) {
			t.Errorf("%s: vertex %d, %s: %s", name, f.Vertex, f.Kind, f.Sentence)
		}
	}
	for _, mess := range []simulate.Mess{simulate.MessCycles, simulate.MessNone} {
		r := recording(t, simulate.MessySpec{Seed: 601, Mess: mess})
		look(string(mess), r.Signals, r.Times)
	}
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 50, Seed: 7}, kernel.Paper(), synth.SignalSpec{Count: 300, Sparsity: 3, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	look("signals of the model", truth.Signals, nil)
	y, draw := mat.NewDense(100, 100, nil), rng.Stream(1, "few observations")
	factors, loads := mat.NewDense(10, 100, nil), mat.NewDense(100, 10, nil)
	for _, a := range []*mat.Dense{factors, loads} {
		a.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, a)
	}
	y.Mul(loads, factors)
	y.Apply(func(_, _ int, v float64) float64 { return math.Exp((v + draw.NormFloat64()) / 4) }, y)
	look("as many sensors as observations", y, nil)
}

func TestTooFewAreNotChecked(t *testing.T) {
	for _, y := range []*mat.Dense{mat.NewDense(7, 1000, nil), mat.NewDense(40, 59, nil)} {
		if Checkable(y) || faultsIn(t, y, nil, nil) != nil {
			n, m := y.Dims()
			t.Errorf("%d×%d was checked", n, m)
		}
	}
}

func TestRulesMaskReportAndDrop(t *testing.T) {
	y := mat.NewDense(2, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	faults := []prepare.Fault{{Vertex: 1, Places: []int{0, 2}}}
	for _, c := range []struct {
		rule  prepare.FaultRule
		count int
		want  string
	}{{"", 2, "_6_8"}, {prepare.MaskFaults, 2, "_6_8"}, {prepare.ReportFaults, 0, "5678"}, {prepare.DropSensors, 4, "____"}} {
		z, count := Treat(y, faults, c.rule)
		var got strings.Builder
		for _, v := range z.RawRowView(1) {
			if isMissing(v) {
				got.WriteByte('_')
			} else {
				got.WriteByte('0' + byte(v))
			}
		}
		if count != c.count || got.String() != c.want || z.At(0, 1) != 2 {
			t.Errorf("%q: got %s, %d values", c.rule, got.String(), count)
		}
		if y.At(1, 0) != 5 {
			t.Fatal("the signals were changed")
		}
	}
}

// A column that rows are sorted by has nothing but long runs, and is not stuck; one that also measures is.
func TestSortedSensorsAreNotStuck(t *testing.T) {
	draw := rng.Stream(1, "sorted")
	y := mat.NewDense(12, 400, nil)
	y.Apply(func(i, k int, _ float64) float64 {
		switch {
		case i == 3:
			return float64(1 + k/80)
		case i == 7 && k >= 200 && k < 260:
			return 0.25
		}
		return draw.NormFloat64()
	}, y)
	faults := findStuck(t.Context(), y)
	if len(faults) != 1 || faults[0].Vertex != 7 || len(faults[0].Places) != 60 {
		t.Errorf("got %+v", faults)
	}
}

// Where sensors measure nothing most of the time, that is no fault of those that do so longest.
func TestZeroIsAValue(t *testing.T) {
	const n, m = 20, 600
	y, draw := mat.NewDense(n, m, nil), rng.Stream(1, "rain")
	for i := range n {
		for k := range m {
			if draw.Float64() < 0.3/float64(1+i) {
				y.Set(i, k, draw.ExpFloat64())
			}
		}
	}
	for _, f := range faultsIn(t, y, nil, nil) {
		if f.Kind == prepare.Stuck {
			t.Errorf("got %+v", f)
		}
	}
}

// Nor is it a code, where it is rare and far from all other values: a share of glass has no magnesium.
func TestZeroIsNoCodeWhereItIsAValue(t *testing.T) {
	const n, m = 9, 214
	y, draw := mat.NewDense(n, m, nil), rng.Stream(1, "glass")
	y.Apply(func(i, k int, _ float64) float64 {
		if i < 3 && k%5 == i {
			return 0
		}
		return 10 + 0.5*draw.NormFloat64()
	}, y)
	if faults := findCodes(t.Context(), y); faults != nil {
		t.Errorf("three of nine have zeros: got %+v", faults)
	}
	y.SetRow(0, y.RawRowView(8))
	y.SetRow(1, y.RawRowView(7))
	if faults := findCodes(t.Context(), y); len(faults) != 1 || faults[0].Vertex != 2 {
		t.Errorf("one of nine has zeros: got %+v", faults)
	}
}

// Other codes are found beside zeros that are values, and do not make codes of these; zeros that come seldom, far from
// all else, at most sensors at once are an outage.
func TestZerosBesideCodes(t *testing.T) {
	const n, m = 9, 300
	draw := rng.Stream(1, "zeros")
	with := func(zeros func(i, k int) bool, code float64) *mat.Dense {
		y := mat.NewDense(n, m, nil)
		y.Apply(func(i, k int, _ float64) float64 {
			switch {
			case i == 0 && k%100 == 7:
				return code
			case zeros(i, k):
				return 0
			}
			return 100 + 5*draw.NormFloat64()
		}, y)
		return y
	}
	values := func(i, k int) bool { return i < 6 && (k+i)%10 == 0 }
	for _, code := range []float64{9999, -999} {
		if faults := findCodes(t.Context(), with(values, code)); len(faults) != 1 || len(faults[0].Places) != 3 {
			t.Errorf("%g beside zeros: got %+v", code, faults)
		}
	}
	outage := func(_, k int) bool { return k >= 100 && k < 108 }
	if faults := findCodes(t.Context(), with(outage, 9999)); len(faults) != n+1 {
		t.Errorf("an outage of all: got %+v", faults)
	}
}

// A value that a sensor shows a quarter of the time is one of its levels, unless it usually is a code.
func TestFrequentValuesAreNoCodes(t *testing.T) {
	const n, m = 9, 300
	for _, c := range []struct {
		value float64
		every int // it comes at every such place
		code  bool
	}{{24, 3, false}, {24, 8, true}, {-999, 3, true}} {
		y, draw := mat.NewDense(n, m, nil), rng.Stream(1, "levels")
		y.Apply(func(i, k int, _ float64) float64 {
			if i == 4 && k%c.every == 0 {
				return c.value
			}
			return draw.NormFloat64()
		}, y)
		if faults := findCodes(t.Context(), y); (len(faults) > 0) != c.code {
			t.Errorf("%g at each of %d: got %+v", c.value, c.every, faults)
		}
	}
}

func TestResolutionIsThePowerOfTenOfAllValues(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{[]float64{1, 20, missing}, 1}, {[]float64{0.1, 3, 70.2}, 0.1}, {[]float64{12.25, 3}, 0.01}, {[]float64{math.Pi, 1}, 0}} {
		if got := resolution(c.values); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: got %g, want %g", c.values, got, c.want)
		}
	}
}

// Neighbours that are very alike are no copies, and copies in another unit, rounded, are.
func TestCopiesAreToTheLastDigit(t *testing.T) {
	a := recording(t, simulate.MessySpec{Seed: 613, Mess: simulate.MessNone}).Signals.RawRowView(0)
	rounded, other, near := make([]float64, len(a)), make([]float64, len(a)), make([]float64, len(a))
	for k, v := range a {
		rounded[k] = math.Round(10*(20+3*v)) / 10
		other[k] = math.Round(10*(1.8*rounded[k]+32)) / 10
		near[k] = rounded[k] + 0.2*math.Sin(float64(k*k))
	}
	from := func(x []float64, offset, slope float64) []float64 {
		y := make([]float64, len(x))
		for k, v := range x {
			y[k] = offset + slope*v
		}
		return y
	}
	for _, c := range []struct {
		b   []float64
		how string
	}{
		{rounded, ""},
		{from(a, 20, 3), ""},
		{other, " in another unit"},
		{from(rounded, 273, 1), " in another unit"},
		{from(rounded, 0, -1), " with the opposite sign"},
		{from(rounded, 6, -1), " with the opposite sign"},
		{from(other, 0, -1), " in another unit and with the opposite sign"},
	} {
		for _, pair := range [][2][]float64{{rounded, c.b}, {c.b, rounded}} {
			if how, ok := isCopy(pair[0], pair[1]); !ok || how != c.how {
				t.Errorf("got a copy%s: %v, want one%s", how, ok, c.how)
			}
		}
	}
	for _, row := range [][]float64{rounded, a} {
		if _, ok := isCopy(row, near); ok {
			t.Error("a neighbour is a copy")
		}
	}
}
