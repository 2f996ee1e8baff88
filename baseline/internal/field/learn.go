package field

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

const (
	// learnSteps is how many steps the likelihood of all signals is maximised by at a time, at
	// most mostLearns times, or fewLearns if there are many vertices.
	learnSteps, mostLearns, fewLearns = 10, 40, 6
	// settledMisfit is by how much the misfit of a good fit must fall for another time, and
	// settledMisfitShare by what share of it that of another.
	settledMisfit, settledMisfitShare = 0.05, 0.015
)

// A Fitted is a field that was fitted to signals.
type Fitted struct {
	Model // on all pairs that may have an edge
	// Misfit is the deviance of the model, beyond that of any Gaussian, for each pair without an
	// edge: about one if signals are such a field, far above if they are not.
	Misfit float64
	// Reach is the highest frequency at which the field rises above the noise, over the mean
	// frequency. Well below one, signals say little of which vertices are neighbours.
	Reach float64

	e *evaluation
}

// GoodFit is the misfit below which a model may well be true.
const GoodFit = 3

// Fit fits a field of the given kernel to signals, rows of y with zero means. observations is
// how many independent signals they count for; near, if not nil, is a model that was learned from
// some of them. Excitations have different sizes where equal
// ones do not describe the signals and that is worth its parameters ([schwarz1978]). If ctx ends,
// the best so far comes with its cause.
func Fit(ctx context.Context, y linalg.Dense, k Kernel, near *Model, observations float64, threads linalg.Threads) (*Fitted, error) {
	moments := momentsOf(y, threads)
	s, err := spectrumOf(moments, threads)
	if err != nil {
		return nil, err
	}
	e := newEvaluation(moments, observations, threads)
	m := start(s, k, threads)
	if near != nil {
		m.take(near, observations)
	} else {
		e.calibrate(m)
	}
	n := float64(len(s.values))
	least := n // the deviance of the signals' own covariance
	for _, v := range s.values {
		least += math.Log(v)
	}
	misfit := func(m *Model, deviance float64) float64 {
		absent := n * (n - 1) / 2
		for _, w := range m.Weights {
			if w > 0 {
				absent--
			}
		}
		return observations * (deviance - least) / max(absent, 1)
	}
	most := mostLearns
	if len(s.values) > manyVertices {
		most = fewLearns
	}
	// What looks like a misfit may be a fit that has not come far enough.
	settle := func(f *fit) (deviance float64) {
		f.renew()
		for range most {
			before := misfit(f.model, f.value-f.offset)
			deviance = f.run(ctx, learnSteps)
			after := misfit(f.model, deviance)
			enough := settledMisfit
			if after > GoodFit {
				enough = settledMisfitShare * after
			}
			if !(before-after > enough) {
				break
			}
		}
		return deviance
	}
	deviance := settle(newFit(e, m))
	if math.IsInf(deviance, 1) {
		return nil, errNoField
	}
	if misfit(m, deviance) > GoodFit {
		scaled := m.clone()
		free := newFit(e, scaled)
		free.scales = true
		if other := settle(free); observations*(deviance-other) > n*math.Log(observations) {
			m, deviance = scaled, other
		}
	}
	return &Fitted{Model: *m, Misfit: misfit(m, deviance), Reach: e.reach(m), e: e}, context.Cause(ctx)
}

var errNoField = errors.New("the signals have no field of this kernel")

// Significant returns the model without the edges that are not significant.
func (f *Fitted) Significant(ctx context.Context) *Model {
	m := f.clone()
	f.e.prune(ctx, m)
	return m
}

// Units returns the logarithms of what to multiply the signals of each vertex by before all else,
// rows of y with zero means: nothing, or what makes their variances one where a field of any of
// the kernels then fits better, for vertices that are measured in units of their own.
func Units(y linalg.Dense, kernels []Kernel, threads linalg.Threads) ([]float64, error) {
	moments := momentsOf(y, threads)
	n := y.Cols
	raw, own := make([]float64, n), make([]float64, n)
	for i := range own {
		own[i] = -math.Log(moments.Data[i*n+i]) / 2
	}
	best, least := raw, math.Inf(1)
	for _, units := range [][]float64{raw, own} {
		e := newEvaluation(moments, float64(y.Rows), threads)
		e.scale(&Model{Scales: units})
		volume := e.volume
		e = newEvaluation(e.scaled, float64(y.Rows), threads)
		s, err := spectrumOf(e.moments, threads)
		if err != nil {
			return nil, err
		}
		for _, k := range kernels {
			if deviance := e.calibrate(start(s, k, threads)) - volume; deviance < least {
				best, least = units, deviance
			}
		}
	}
	return best, nil
}

// Root returns the matrix by which signals in rows are to be multiplied to become such of a field
// of order one on the same graph: their second moments are then the inverse of Θ, as far as
// those of the signals are the kernel's.
func (f *Fitted) Root() (linalg.Dense, error) {
	f.e.scale(&f.Model)
	s, err := spectrumOf(f.e.scaled, f.e.threads)
	if err != nil {
		return linalg.Dense{}, err
	}
	n := len(s.values)
	frequencies := make([]float64, n)
	for a, v := range s.values {
		frequencies[a] = f.Kernel.frequency(v)
	}
	if f.Kernel == Heat { // whose frequencies have no zero
		mean, least := portable.Mean(frequencies), frequencies[n-1]
		for a := range frequencies {
			frequencies[a] += float64(rootShare*(mean-least)) - least
		}
	}
	by := make([]float64, n)
	for a, lambda := range frequencies {
		by[a] = 1 / math.Sqrt(lambda*s.values[a])
	}
	turn := compose(s.vectors, by, f.e.threads)
	for i := range n { // signals are scaled first
		row := linalg.Row(turn, i)
		scale(row, exp(f.Scales[i]))
	}
	return turn, nil
}

// rootShare is the lowest frequency of diffusion, of which signals do not tell, over the mean.
const rootShare = 0.02

// momentsOf returns the second moments of the rows of y.
func momentsOf(y linalg.Dense, threads linalg.Threads) linalg.Dense {
	moments := linalg.NewDense(y.Cols, y.Cols)
	threads.MulTransA(moments, y, y)
	scale(moments.Data, 1/float64(y.Rows))
	return moments
}

// Partial returns what an edge weighs: its entry of Θ over the root of the diagonal entries
// of its ends, which for order one is the partial correlation. The diagonal of diffusion, which
// may be anything, counts from its least.
func (m *Model) Partial() []float64 {
	diagonal := slices.Clone(m.Diagonal)
	if m.Kernel == Heat {
		floats.AddConst(-slices.Min(m.Diagonal), diagonal)
	}
	for k, p := range m.Pairs {
		diagonal[p.I] += m.Weights[k]
		diagonal[p.J] += m.Weights[k]
	}
	partial := make([]float64, len(m.Pairs))
	for k, p := range m.Pairs {
		if d := diagonal[p.I] * diagonal[p.J]; d > 0 && diagonal[p.I] > 0 {
			partial[k] = m.Weights[k] / math.Sqrt(d)
		}
	}
	return partial
}

// reach returns the Reach of a model: where its variance is that of noise as the moments of so
// few signals blur it.
func (e *evaluation) reach(m *Model) float64 {
	if !e.decompose(m) {
		return 0
	}
	n := len(e.frequencies)
	least := 0.0
	if m.Kernel == Heat { // whose frequencies have no zero
		least = e.frequencies[0]
	}
	edge := m.Noise * math.Sqrt(float64(n)/e.observations)
	return (m.Kernel.frequency(edge) - least) / (portable.Mean(e.frequencies) - least)
}
