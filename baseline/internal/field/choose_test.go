package field

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// trial returns one whose signals have some values, each as many times in a row, that gained
// something in its last turn.
func trial(times int, gained float64, values ...float64) Trial {
	t := Trial{gained: gained}
	for _, v := range values {
		t.values = append(t.values, slices.Repeat([]float64{v}, times)...)
	}
	return t
}

// alternate returns 30 values, a and b in turn.
func alternate(a, b float64) []float64 {
	var list []float64
	for range Blocks / 2 {
		list = append(list, a, b)
	}
	return list
}

// The error is that of the mean of 30 blocks: half of them 1 and half 3 make 2 ± √(1/29).
func TestGainsAreMeansOfBlocks(t *testing.T) {
	zero := trial(4, 0, make([]float64, Blocks)...)
	for name, c := range map[string]struct {
		one, other Trial
		gain, err  float64
	}{
		"itself":          {zero, zero, 0, 0},
		"blocks":          {trial(4, 0, alternate(1, 3)...), zero, 2, math.Sqrt(1.0 / 29)},
		"the other way":   {zero, trial(4, 0, alternate(1, 3)...), -2, math.Sqrt(1.0 / 29)},
		"a shorter trial": {trial(4, 0, append(alternate(1, 3), 1e3, 1e3)...), zero, 2, math.Sqrt(1.0 / 29)},
		// Within blocks there is no error: one is twice 1 and twice 3.
		"inside blocks": {trial(2, 0, slices.Concat(alternate(1, 3), alternate(1, 3))...), zero, 2, 0},
	} {
		if gain, err := c.one.over(c.other); math.Abs(gain-c.gain) > 1e-12 || math.Abs(err-c.err) > 1e-12 {
			t.Errorf("%s: got %g ± %g, want %g ± %g", name, gain, err, c.gain, c.err)
		}
	}
}

func TestTrialsFarBehindAreLeft(t *testing.T) {
	const err = 0.18569533817705186 // √(1/29)
	best := trial(1, 0, alternate(-1, 1)...)
	behind := func(by, gained float64) Trial { return trial(1, gained, slices.Repeat([]float64{-by}, Blocks)...) }
	for name, c := range map[string]struct {
		other           Trial
		behind, settled bool
	}{
		"far behind":          {behind(5.1*err, 0), true, true},
		"not that far":        {behind(4.9*err, 0), false, true},
		"it still gains":      {behind(6, 2.1), false, false},
		"not enough":          {behind(6, 1.9), true, false},
		"turns gain next to":  {behind(0.1, err/41), false, true},
		"turns gain a little": {behind(0.1, err/39), false, false},
	} {
		trials := []Trial{best, c.other}
		leave(trials)
		if other := trials[1]; trials[0].behind || !trials[0].settled || other.behind != c.behind || other.settled != c.settled {
			t.Errorf("%s: behind %t and settled %t, want %t and %t", name, other.behind, other.settled, c.behind, c.settled)
		}
	}
}

// The simplest kernel within the error of the best is taken, whichever that is.
func TestTheSimplestWithinTheErrorIsTaken(t *testing.T) {
	const err = 0.18569533817705186 // √(1/29), of a difference between a constant and the last
	constant := func(v float64) Trial { return trial(1, 0, slices.Repeat([]float64{v}, Blocks)...) }
	for name, c := range map[string]struct {
		values []float64 // of the simpler kernels
		want   int
	}{
		"the first is as good": {[]float64{-1.9 * err, -1.9 * err}, 0},
		"the second is":        {[]float64{-2.1 * err, -1.9 * err}, 1},
		"none is":              {[]float64{-2.1 * err, -2.1 * err}, 2},
		"the first is better":  {[]float64{err, -3}, 0},
		"the second is best":   {[]float64{-1, 0.5}, 1},
	} {
		var trials []Trial
		for _, v := range c.values {
			trials = append(trials, constant(v))
		}
		trials = append(trials, trial(1, 0, alternate(-1, 1)...))
		for k := range trials {
			trials[k].Kernel = Orders[k]
			trials[k].Gain, trials[k].StdErr = trials[k].over(trials[0])
		}
		if got := Simplest(trials, Clear); got.Kernel != Orders[c.want] {
			t.Errorf("%s: got %v, want %v", name, got.Kernel, Orders[c.want])
		}
	}
}

// Every signal is held out once, in runs of consecutive ones, and the others are learned from.
func TestEverySignalIsHeldOutOnce(t *testing.T) {
	for _, rows := range []int{7, 30, 100} {
		y := linalg.NewDense(rows, 2)
		for i := range y.Data {
			y.Data[i] = float64(i)
		}
		var held []float64
		for part := range splits {
			train, test := split(y, part)
			if train.Rows+test.Rows != rows || len(train.Data) != 2*train.Rows || len(test.Data) != 2*test.Rows {
				t.Fatalf("%d rows: %d to learn from and %d held out", rows, train.Rows, test.Rows)
			}
			for _, v := range test.Data {
				if slices.Contains(train.Data, v) {
					t.Errorf("%d rows: %g is in both", rows, v)
				}
			}
			held = append(held, test.Data...)
		}
		if slices.Sort(held); !slices.Equal(held, y.Data) {
			t.Errorf("%d rows: held out %v", rows, held)
		}
	}
}

// Values of a part take the place of those it had.
func TestValuesOfAPartAreReplaced(t *testing.T) {
	var trial Trial
	trial.put(0, []float64{1, 2})
	trial.put(0, []float64{3, 4})
	trial.put(1, []float64{5})
	trial.put(1, []float64{6})
	if !slices.Equal(trial.values, []float64{3, 4, 6}) {
		t.Errorf("got %v", trial.values)
	}
}

// What a turn gains is by how much likelier the signals are that are learned from, each.
func TestTurnsGainLikelihood(t *testing.T) {
	y := sample(grid(4, Kernel{2}), 200, 0.01)
	e := newEvaluation(momentsOf(y, 1), 200, 1)
	m, _ := drawn(16, Kernel{2})
	trial := Trial{running: newFit(e, m)}
	if !trial.running.renew() {
		t.Fatal("no covariance")
	}
	before := portable.Mean(trial.running.densities(y))
	trial.turn(t.Context())
	after := portable.Mean(trial.running.densities(y))
	if gained := after - before; gained <= 0 || math.Abs(trial.gained-gained) > 1e-9*math.Abs(after) {
		t.Errorf("got %g, signals are likelier by %g", trial.gained, gained)
	}
}

// Vertices measured in units of their own are brought to one, and others left alone.
func TestUnitsOfVerticesAreFound(t *testing.T) {
	y := sample(grid(4, Kernel{2}), 480, 0)
	got, err := Units(y, Orders, 1)
	if err != nil || slices.ContainsFunc(got, func(v float64) bool { return v != 0 }) {
		t.Errorf("signals of a field: got %v, %v", got, err)
	}
	draw := rng.Stream(5, "units")
	for i := range y.Cols {
		by := math.Exp(3 * draw.NormFloat64())
		for k := range y.Rows {
			y.Data[k*y.Cols+i] *= by
		}
	}
	moments := momentsOf(y, 1)
	if got, err = Units(y, Orders, 1); err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if variance := math.Exp(2*v) * moments.Data[i*y.Cols+i]; math.Abs(variance-1) > 1e-12 {
			t.Errorf("vertex %d: the variance becomes %g", i, variance)
		}
	}
}

// The kernel that signals have is the likeliest for those held out, and the simplest of Orders
// where simpler ones are as good.
func TestTheKernelOfSignalsIsFound(t *testing.T) {
	for _, k := range Orders {
		trials, err := Compare(t.Context(), sample(grid(4, k), 480, 0), Orders, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := Simplest(trials, Clear); got.Kernel != k || got.Model == nil || got.Model.Kernel != k {
			t.Errorf("%v: got %v of %+v", k, got.Kernel, trials)
		}
		if trials[0].Gain != 0 || trials[0].StdErr != 0 {
			t.Errorf("%v: the first gains %g ± %g over itself", k, trials[0].Gain, trials[0].StdErr)
		}
	}
}
