package prepare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

const (
	// mostLags is the highest order of an autoregression, and lagRows the observations that
	// each lag takes.
	mostLags, lagRows = 8, 20
	// mostReflection is the largest partial autocorrelation: beyond it, an inverse would
	// add up rounding without end.
	mostReflection = 0.9999
)

// An autoregression is what an observation takes from the ones before, the same at all
// vertices: a filter in time that all have in common does not change the graph of a process
// whose dependence in time is the same everywhere. Values and differences are its two ends.
//
// It is kept as partial autocorrelations, all between −1 and 1, which give the predictions
// of every order: at the start, and after a gap, an observation is predicted from as many
// as there are.
type autoregression struct {
	partial []float64   // at lags 1, 2, …; none if nothing is removed
	level   []float64   // of each vertex, that its values are about
	orders  [][]float64 // orders[j] are the coefficients of the j observations before
	scale   []float64   // scale[j] makes the errors of these predictions as large as those of the last order
}

func (a autoregression) none() bool { return len(a.partial) == 0 }

// newAutoregression derives the predictions of every order (Levinson's recursion).
func newAutoregression(partial, level []float64) autoregression {
	a := autoregression{partial: partial, level: level, orders: [][]float64{nil}}
	variance := []float64{1}
	for p, r := range partial {
		last := a.orders[p]
		next := make([]float64, p+1)
		for k, c := range last {
			next[k] = c - float64(r*last[p-1-k])
		}
		next[p] = r
		a.orders, variance = append(a.orders, next), append(variance, variance[p]*(1-r*r))
	}
	for _, v := range variance {
		a.scale = append(a.scale, math.Sqrt(variance[len(partial)]/v))
	}
	return a
}

// fitAutoregression estimates what observations take from the ones before, by Burg's method
// over all vertices that vary, each in its own scale; the order is that of the least
// Bayesian information criterion, in which all vertices together count as one series: how
// far they are independent is not known. Errors next to a gap are left out.
func fitAutoregression(ctx context.Context, z *mat.Dense) autoregression {
	_, m := z.Dims()
	rows := matrix.DescribeRows(z)
	var ahead, back [][]float64 // the errors of predicting forwards, and backwards one step before
	level := make([]float64, len(rows))
	for i := range run.While(ctx, len(rows)) {
		if level[i] = rows[i].Mean; rows[i].Varies {
			x := standardised(z.RawRowView(i), rows[i])
			ahead, back = append(ahead, x[1:]), append(back, slices.Clone(x[:m-1]))
		}
	}
	var partial []float64
	best, order, logVariance := 0.0, 0, 0.0
	for p := range run.While(ctx, min(mostLags, m/lagRows)) {
		var products, squares float64
		for i, f := range ahead {
			for k, v := range f {
				if w := back[i][k]; !math.IsNaN(v) && !math.IsNaN(w) {
					products += float64(v * w)
					squares += float64(v*v) + float64(w*w)
				}
			}
		}
		if squares == 0 {
			break
		}
		r := max(min(2*products/squares, mostReflection), -mostReflection)
		for i, f := range ahead {
			b := back[i]
			for k, v := range f {
				f[k], b[k] = v-float64(r*b[k]), b[k]-float64(r*v)
			}
			ahead[i], back[i] = f[1:], b[:len(b)-1]
		}
		partial = append(partial, r)
		logVariance += math.Log1p(-r * r)
		if criterion := float64(m)*logVariance + float64(p+1)*math.Log(float64(m)); criterion < best {
			best, order = criterion, p+1
		}
	}
	return newAutoregression(partial[:order], level)
}

// innovations returns what is new in each observation, in a matrix of its own: the errors of
// predicting it from those before it without a gap between, in one scale.
func (a autoregression) innovations(z *mat.Dense) *mat.Dense {
	n, m := z.Dims()
	e := mat.NewDense(n, m, nil)
	for i := range n {
		x, to := z.RawRowView(i), e.RawRowView(i)
		before := 0 // observations without a gap
		for k, v := range x {
			to[k] = (v - a.level[i] - a.predict(before, func(lag int) float64 { return x[k-lag] - a.level[i] })) * a.scale[before]
			if before = min(before+1, len(a.partial)); math.IsNaN(v) {
				before = 0
			}
		}
	}
	return e
}

// predict returns the prediction of an observation from a number of those before it.
func (a autoregression) predict(before int, past func(lag int) float64) float64 {
	sum := 0.0
	for k, c := range a.orders[before] {
		sum += float64(c * past(k+1))
	}
	return sum
}

// values is the inverse: it returns the values with the innovations e, given those that were
// measured. Each is predicted from what was measured before it so that errors do not add
// up, or from what came out where nothing was.
func (a autoregression) values(e, measured *mat.Dense) *mat.Dense {
	n, m := e.Dims()
	z := mat.NewDense(n, m, nil)
	for i := range n {
		x, to := slices.Clone(measured.RawRowView(i)), z.RawRowView(i)
		run, known := 0, 0 // values before without a gap, and those known after all
		for k, v := range e.RawRowView(i) {
			before := run
			if math.IsNaN(x[k]) {
				before = known // where there was none, all that is known predicts
			}
			to[k] = v/a.scale[before] + a.predict(before, func(lag int) float64 { return x[k-lag] - a.level[i] }) + a.level[i]
			run, known = min(run+1, len(a.partial)), min(known+1, len(a.partial))
			if math.IsNaN(x[k]) {
				x[k], run = to[k], 0
			}
			if math.IsNaN(x[k]) {
				known = 0
			}
		}
	}
	return z
}

// String says what was removed, such as "autoregression of order 1 removed (0.95 of the
// observation before)".
func (a autoregression) String() string {
	p := len(a.partial)
	var parts []string
	for _, c := range a.orders[p] {
		parts = append(parts, fmt.Sprintf("%.2g", c))
	}
	if p == 1 {
		return fmt.Sprintf("autoregression removed (%s of the observation before)", parts[0])
	}
	return fmt.Sprintf("autoregression removed (%s of the %d observations before)", strings.Join(parts, ", "), p)
}

// check refuses partial autocorrelations that cannot be.
func (a autoregression) check(vertices int) error {
	for _, r := range a.partial {
		if !(math.Abs(r) < 1) {
			return input.Errorf(op, input.Autoregression, "got a partial autocorrelation of %g, want one between -1 and 1", r)
		}
	}
	if len(a.level) != vertices {
		return input.Errorf(op, input.Autoregression, "got the levels of %d vertices, want %d", len(a.level), vertices)
	}
	for _, v := range a.level {
		if !matrix.Finite(v) {
			return input.Errorf(op, input.Autoregression, "got a level of %g, want a finite number", v)
		}
	}
	return nil
}
