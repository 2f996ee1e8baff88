package field

import (
	"context"
	"math"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

// Orders are the kernels that are compared, the simplest first.
var Orders = []Kernel{{1}, {2}, {4}, Heat}

// A Trial is how likely held-out signals are under a field of some kernel.
type Trial struct {
	Kernel Kernel
	Gain   float64 // over the first kernel, in nats per signal
	StdErr float64 // of the gain
	Model  *Model  // as far as it was learned from the first part of the signals

	values  []float64
	begins  []int   // where the values of each part begin
	behind  bool    // too far to go on
	settled bool    // on the part at hand
	running *fit    // on the part at hand
	gained  float64 // nats per signal in the last turn
}

const (
	// splits is how many parts of the signals are held out in turn.
	splits = 3
	// Blocks is into how many runs of consecutive signals they are cut.
	Blocks = 30
	// raceSteps is how many steps a kernel takes in a turn, of which there are mostTurns at most.
	raceSteps, mostTurns = 5, 18
	// manyVertices is the number of vertices above which signals are held out once: they are
	// many, too.
	manyVertices = 200
)

// Compare learns fields of several kernels from parts of the signals, rows of y, and
// compares how likely the rest is. Parts are made of blocks of consecutive signals. Kernels
// that fall far behind are left there, and a single one that is left needs no more steps.
func Compare(ctx context.Context, y linalg.Dense, kernels []Kernel, threads linalg.Threads) ([]Trial, error) {
	trials := make([]Trial, len(kernels))
	for t, k := range kernels {
		trials[t] = Trial{Kernel: k}
	}
	parts := splits
	if y.Cols > manyVertices {
		parts = 1
	}
	for part := range parts {
		train, test := split(y, part)
		moments := momentsOf(train, threads)
		s, err := spectrumOf(moments, threads)
		if err != nil {
			return nil, err
		}
		e := newEvaluation(moments, float64(train.Rows), threads)
		for t := range trials {
			if trials[t].behind {
				continue
			}
			m := start(s, kernels[t], threads)
			e.calibrate(m)
			trials[t].running, trials[t].settled = newFit(e, m), false
			if part == 0 {
				trials[t].Model = m
			}
		}
		if err := race(ctx, trials, part, test); err != nil {
			return nil, err
		}
		if left(trials) == 1 {
			break
		}
	}
	for t := range trials {
		trials[t].Gain, trials[t].StdErr = trials[t].over(trials[0])
	}
	return trials, nil
}

// race lets kernels take turns on a part of the signals until more would change nothing, or one
// is left.
func race(ctx context.Context, trials []Trial, part int, test linalg.Dense) error {
	for range mostTurns {
		moved := false
		for k := range trials {
			t := &trials[k]
			if t.behind || t.settled {
				continue
			}
			t.turn(ctx)
			if run.Ended(ctx) != nil {
				return context.Cause(ctx)
			}
			t.put(part, t.running.densities(test))
			moved = true
		}
		leave(trials)
		if !moved || left(trials) == 1 {
			break
		}
	}
	return nil
}

// turn takes some steps.
func (t *Trial) turn(ctx context.Context) {
	f := t.running
	if t.gained = 0; f.fresh == 0 && !f.renew() {
		return // the signals have no field of this kernel
	}
	before := f.value
	f.run(ctx, raceSteps)
	t.gained = (before - f.value) / 2
}

// left counts the trials that are not behind.
func left(trials []Trial) int {
	count := 0
	for _, t := range trials {
		if !t.behind {
			count++
		}
	}
	return count
}

// put sets the values of a part, again if there are some.
func (t *Trial) put(part int, values []float64) {
	if part == len(t.begins) {
		t.begins = append(t.begins, len(t.values))
	}
	t.values = append(t.values[:t.begins[part]], values...)
}

// leave marks the trials that are behind the best clearly, and by more than they can hope to
// catch up, and those whose turns gain next to nothing in comparison with the errors.
func leave(trials []Trial) {
	best := 0
	for k, t := range trials {
		if gain, _ := t.over(trials[best]); gain > 0 {
			best = k
		}
	}
	least := math.Inf(1) // of the errors
	for k := range trials {
		t := &trials[k]
		if t.behind || k == best {
			continue
		}
		gain, err := trials[best].over(*t)
		t.behind = gain > max(clearly*err, catchUp*t.gained)
		t.settled = t.gained < err/settledErrors
		least = min(least, err)
	}
	trials[best].settled = trials[best].gained < least/settledErrors
}

const (
	// clearly is how many standard errors a trial must be behind to be left there, and catchUp
	// how many times what its last turn gained.
	clearly, catchUp = 5, 3
	// settledErrors is how many turns that gain the same make a standard error, at least, once
	// there is no next.
	settledErrors = 40
)

// Simplest returns the first of the trials, which begin with the simplest kernel, that is not
// worse than the best by more than z standard errors.
func Simplest(trials []Trial, z float64) Trial {
	best := trials[0]
	for _, t := range trials {
		if t.Gain > best.Gain {
			best = t
		}
	}
	for _, t := range trials {
		if gain, err := best.over(t); gain <= z*err {
			return t
		}
	}
	return best
}

const (
	// Clear is how many standard errors make a difference clear.
	Clear = 2.0
	// BeyondDoubt is how many make one between orders next to each other clear, whose errors are
	// alike and therefore small.
	BeyondDoubt = 5.0
)

// over returns the gain over another trial, and its error from the means of blocks. A few
// wild signals are no reason.
func (t Trial) over(other Trial) (gain, err float64) {
	count := min(len(t.values), len(other.values)) // the first part, if one was left behind
	differences := make([]float64, count)
	for k, v := range t.values[:count] {
		differences[k] = v - other.values[k]
	}
	differences = matrix.Bounded(differences)
	size := max(count/Blocks, 1)
	var sum, squares, n float64
	for begin := 0; begin+size <= count; begin += size {
		mean := 0.0
		for k := begin; k < begin+size; k++ {
			mean += differences[k] / float64(size)
		}
		sum, squares, n = sum+mean, squares+float64(mean*mean), n+1
	}
	gain = sum / n
	return gain, math.Sqrt(max(squares/n-float64(gain*gain), 0) / max(n-1, 1))
}

// densities returns the logarithm of the density of each row of y under the model, which was
// evaluated last, but for a constant.
func (f *fit) densities(y linalg.Dense) []float64 {
	values := make([]float64, y.Rows)
	if math.IsInf(f.value, 1) {
		for k := range values {
			values[k] = math.Inf(-1)
		}
		return values
	}
	e, m := f.evaluation, f.model
	rotated := linalg.NewDense(y.Rows, y.Cols)
	scaled := linalg.NewDense(y.Rows, y.Cols)
	for i, s := range m.Scales {
		by := exp(s)
		for k := range y.Rows {
			scaled.Data[k*y.Cols+i] = by * y.Data[k*y.Stride+i]
		}
	}
	e.threads.Mul(rotated, scaled, e.modes)
	constant := e.volume / 2
	for _, h := range e.variances {
		constant -= math.Log(h) / 2
	}
	for k := range values {
		sum := constant
		for a, x := range linalg.Row(rotated, k) {
			sum -= x * x / (2 * e.variances[a])
		}
		values[k] = sum
	}
	return values
}

// split cuts the rows of y into blocks of consecutive ones, and holds every third of them out.
func split(y linalg.Dense, part int) (train, test linalg.Dense) {
	count := min(Blocks, y.Rows)
	var kept, held []float64
	for b := range count {
		rows := y.Data[b*y.Rows/count*y.Cols : (b+1)*y.Rows/count*y.Cols]
		if b%splits == part {
			held = append(held, rows...)
		} else {
			kept = append(kept, rows...)
		}
	}
	rows := func(data []float64) linalg.Dense {
		return linalg.Dense{Rows: len(data) / y.Cols, Cols: y.Cols, Stride: y.Cols, Data: data}
	}
	return rows(kept), rows(held)
}

func scale(x []float64, by float64) {
	for k := range x {
		x[k] *= by
	}
}
