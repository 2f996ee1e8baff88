package field

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// Orders are the kernels that are compared, the simplest first.
var Orders = []Kernel{{1}, {2}, {4}, Heat}

// A Trial is how likely held-out signals are under a field of some kernel.
type Trial struct {
	Kernel Kernel
	Gain   float64 // over the first kernel, in nats per signal
	StdErr float64 // of the gain
	values []float64
	begins []int // where the values of each part begin
	behind bool  // too far to go on
}

const (
	// splits is how many parts of the signals are held out in turn.
	splits = 3
	// Blocks is into how many runs of consecutive signals they are cut.
	Blocks = 30
)

// Compare learns fields of several kernels from parts of the signals, rows of y, and
// compares how likely the rest is. Parts are made of blocks of consecutive signals. Kernels
// that are far behind after a few steps are left there.
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
		fits := make([]*fit, len(kernels))
		for _, most := range []int{1, mostTurns} {
			for t := range trials {
				if trials[t].behind {
					continue
				}
				if fits[t] == nil {
					m := start(s, kernels[t], threads)
					e.calibrate(m)
					fits[t] = newFit(e, m)
				}
				fits[t].turns(ctx, most, float64(y.Cols)/settledShare)
				if ctx.Err() != nil {
					return nil, context.Cause(ctx)
				}
				trials[t].put(part, e.densities(fits[t].model, test))
			}
			if part == 0 {
				leave(trials, float64(y.Cols)/leaveShare)
			}
		}
	}
	for t := range trials {
		trials[t].Gain, trials[t].StdErr = trials[t].over(trials[0])
	}
	return trials, nil
}

const (
	// raceSteps is how many steps a kernel takes at a time, once before it may be left behind
	// and mostTurns times at most after that.
	raceSteps, mostTurns = 15, 6
	// settledShare is how many vertices it takes for a nat of likelihood that a turn gains, below
	// which there is no next.
	settledShare = 500
	// leaveShare is how many vertices it takes for a nat that a kernel may be behind.
	leaveShare = 20
	// manyVertices is the number of vertices above which signals are held out once: they are
	// many, too.
	manyVertices = 200
)

// turns takes some steps at a time until a turn gains next to nothing.
func (f *fit) turns(ctx context.Context, most int, nats float64) {
	for range most {
		before := f.value
		if f.value = f.run(ctx, raceSteps); before-f.value < 2*nats {
			break
		}
	}
}

// put sets the values of a part, again if there are some.
func (t *Trial) put(part int, values []float64) {
	if part == len(t.begins) {
		t.begins = append(t.begins, len(t.values))
	}
	t.values = append(t.values[:t.begins[part]], values...)
}

// leave marks the trials that are behind the best by more than some nats, and by a good part
// of what that is ahead of the first.
func leave(trials []Trial, nats float64) {
	best := trials[0]
	for _, t := range trials {
		if gain, _ := t.over(best); gain > 0 {
			best = t
		}
	}
	ahead, _ := best.over(trials[0])
	for k, t := range trials {
		gain, err := best.over(t)
		trials[k].behind = t.behind || gain > max(nats, ahead/4, 5*err)
	}
}

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
// wild signals are no reason: what one gains or loses is bounded by ten times the quartile
// of all.
func (t Trial) over(other Trial) (gain, err float64) {
	count := min(len(t.values), len(other.values)) // the first part, if one was left behind
	differences := make([]float64, count)
	for k, v := range t.values[:count] {
		differences[k] = v - other.values[k]
	}
	sorted := slices.Clone(differences)
	low, middle, high := matrix.Quantile(sorted, 0.25), matrix.Quantile(sorted, 0.5), matrix.Quantile(sorted, 0.75)
	for k, d := range differences {
		differences[k] = min(max(d, middle-float64(10*(high-low))), middle+float64(10*(high-low)))
	}
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

// densities returns the logarithm of the density of each row of y under the model, but for a
// constant.
func (e *evaluation) densities(m *Model, y linalg.Dense) []float64 {
	values := make([]float64, y.Rows)
	if !e.decompose(m) {
		for k := range values {
			values[k] = math.Inf(-1)
		}
		return values
	}
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
