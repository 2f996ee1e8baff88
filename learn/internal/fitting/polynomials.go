package fitting

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
)

const (
	// DefaultDegree follows any kernel that is smooth on [0, 2] closely,
	// yet is well determined by signals on a few tens of vertices.
	DefaultDegree = 6
	// MaxDegree is the largest degree that can be asked for.
	MaxDegree = 30
	// MaxCount is the largest number of polynomials that can be asked for.
	MaxCount = 10
)

// Bounds are what free polynomials keep to, on a grid of [0, 2].
type Bounds struct {
	Degree     int
	Sum, Slack float64
	Grid       [][]float64 // T_0 … T_K at each point
}

// pointsPerDegree makes the grid so fine that between its points a polynomial
// leaves bounds which it keeps on them by less than 0.25 % of their distance:
// 1/cos(π/2·1/16) is 1.0048 ([trefethen2013], and half of that on either side).
const pointsPerDegree = 16

// NewBounds returns the bounds of polynomials of a degree; see [Bounds].
func NewBounds(degree int, sum, slack float64) Bounds {
	b := Bounds{Degree: degree, Sum: sum, Slack: slack}
	points := pointsPerDegree * degree
	for i := range points + 1 {
		b.Grid = append(b.Grid, Chebyshev(1-math.Cos(math.Pi*float64(i)/float64(points)), degree))
	}
	return b
}

// Chebyshev returns T_0 … T_degree at λ − 1.
func Chebyshev(lambda float64, degree int) []float64 {
	x := lambda - 1
	t := make([]float64, degree+1)
	t[0], t[1] = 1, x
	for k := 2; k <= degree; k++ {
		t[k] = 2*x*t[k-1] - t[k-2]
	}
	return t
}

// CoefficientStep returns the series c_s of kernels near those given that
// minimise gradᵀθ + ½θᵀ·hess·θ, θ = c − series, within the bounds. With the normal
// equations of dictionary.Spectral.KernelNormal this is the best fit for the
// codes as they are, or the step of Gauss and Newton with their coefficients
// eliminated.
func (b Bounds) CoefficientStep(series [][]float64, hess *mat.SymDense, grad []float64) ([][]float64, error) {
	terms := b.Degree + 1
	size := terms * len(series)
	now := slices.Concat(series...)
	q := &optimise.QuadraticProgram{Hess: hess, Grad: slices.Clone(grad)}
	var shift mat.VecDense
	shift.MulVec(hess, mat.NewVecDense(size, now))
	floats.Sub(q.Grad, shift.RawVector().Data)
	atLeast := func(row []float64, bound float64) {
		q.Rows, q.Bound = append(q.Rows, row), append(q.Bound, bound)
	}
	negated := func(row []float64) []float64 {
		out := slices.Clone(row)
		floats.Scale(-1, out)
		return out
	}
	for _, t := range b.Grid {
		total := make([]float64, size)
		for s := range series {
			row := make([]float64, size)
			copy(row[s*terms:], t)
			copy(total[s*terms:], t)
			atLeast(row, 0)
			if b.Sum > 0 {
				atLeast(negated(row), -b.Sum)
			}
		}
		if b.Sum > 0 {
			atLeast(total, b.Sum-b.Slack)
			atLeast(negated(total), -b.Sum-b.Slack)
		}
	}
	x, _, err := q.Minimise()
	if err != nil {
		return nil, err
	}
	found := make([][]float64, len(series))
	for s := range found {
		found[s] = x[s*terms : (s+1)*terms : (s+1)*terms]
	}
	return found, nil
}

// Polynomials are the Chebyshev coefficients of all kernels, within bounds.
type Polynomials struct{ Bounds }

// Directions implements [Parameters].
func (p Polynomials) Directions(kernels []kernel.Kernel, lambda []float64) [][][]float64 {
	basis := make([][]float64, p.Degree+1)
	for _, l := range lambda {
		for k, t := range Chebyshev(l, p.Degree) {
			basis[k] = append(basis[k], t)
		}
	}
	directions := make([][][]float64, len(kernels))
	for s := range directions {
		directions[s] = basis
	}
	return directions
}

// Step implements [Parameters].
func (p Polynomials) Step(kernels []kernel.Kernel, hess *mat.SymDense, grad []float64) ([]kernel.Kernel, error) {
	series := make([][]float64, len(kernels))
	for s, k := range kernels {
		series[s] = k.Series()
	}
	found, err := p.CoefficientStep(series, hess, grad)
	if err != nil {
		return nil, err
	}
	return p.kernels(found)
}

// kernels makes kernels of series, scaled to a peak of 1 unless their sum is bound.
func (p Polynomials) kernels(series [][]float64) ([]kernel.Kernel, error) {
	made := make([]kernel.Kernel, len(series))
	for s, c := range series {
		if p.Sum == 0 {
			var peak float64
			for _, t := range p.Grid {
				peak = max(peak, math.Abs(portable.Dot(t, c)))
			}
			floats.Scale(1/peak, c)
		}
		var err error
		if made[s], err = kernel.FromSeries("free", c); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Start returns kernels to begin with: bumps spread over [0, 2], then heat
// kernels of spread scales, then bumps of random place and width.
func (p Polynomials) Start(count, start int, seed uint64) ([]kernel.Kernel, error) {
	r := rng.Stream(seed, "kernels", count, start)
	series := make([][]float64, count)
	for s := range series {
		centre, width := 2*(float64(s)+0.5)/float64(count), 2/float64(count)
		if count > 1 {
			centre = 2 * float64(s) / float64(count-1)
		}
		g := func(l float64) float64 { return portable.Exp(-(l - centre) * (l - centre) / (width * width)) }
		switch {
		case start == 2:
			g = func(l float64) float64 { return portable.Exp(-math.Pow(3, float64(s)-1) * l) }
		case start > 2:
			centre, width = 2*r.Float64(), 0.3+1.2*r.Float64()
		}
		k, err := kernel.FromFunction("start", g, p.Degree)
		if err != nil {
			return nil, err
		}
		series[s] = k.Series()
	}
	return p.kernels(series)
}

// UpdatedInTurns implements [Parameters].
func (Polynomials) UpdatedInTurns() bool { return true }

// FinalForm returns polynomials in powers of λ, low-pass first.
func (Polynomials) FinalForm(kernels []kernel.Kernel) ([]kernel.Kernel, []int, error) {
	n := len(kernels)
	centre := make([]float64, n)
	powers := make([]kernel.Kernel, n)
	for s, k := range kernels {
		var err error
		if powers[s], err = k.InPowers(); err != nil {
			return nil, nil, err
		}
		centre[s] = centreOfMass(k)
	}
	order := matrix.Sorted(n, func(a, b int) int { return cmp.Compare(centre[a], centre[b]) })
	place := make([]int, n)
	sorted := make([]kernel.Kernel, n)
	for to, from := range order {
		place[from], sorted[to] = to, powers[from]
	}
	return sorted, place, nil
}

// centreOfMass returns ∫λ|p|/∫|p| over [0, 2].
func centreOfMass(k kernel.Kernel) float64 {
	var mass, moment float64
	for i := range 401 {
		l := 2 * float64(i) / 400
		mass += math.Abs(k.Eval(l))
		moment += l * math.Abs(k.Eval(l))
	}
	return moment / mass
}

// Approximating returns polynomials near the given kernels.
func (p Polynomials) Approximating(kernels []kernel.Kernel) ([]kernel.Kernel, error) {
	var series [][]float64
	for _, k := range kernels {
		near, err := kernel.FromFunction("free", k.Eval, p.Degree)
		if err != nil {
			return nil, err
		}
		series = append(series, near.Series())
	}
	return p.kernels(series)
}
