package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/signals"
)

// CausalProcessOptions are those of [FitCausalProcess]. Penalties are in the units of
// its objectives; zero is none.
type CausalProcessOptions struct {
	Order   int     // M, at least 1; zero means 1
	Penalty float64 // λ₁ on R_1

	// Commutator is λ₃ on ‖R_i R_j − R_j R_i‖²: polynomials of one matrix commute.
	Commutator float64
	Sweeps     int // most sweeps over R_1 … R_M, with Commutator; zero means until the objective falls by less than 1e-6 of itself

	// The second step replaces A = R_1 by the minimum of
	// ½‖R_1 − A‖² + λ₁'‖A‖₁ + λ₃' Σ_{i≥2} ‖A R_i − R_i A‖².
	AdjacencyPenalty    float64 // λ₁'
	AdjacencyCommutator float64 // λ₃'

	CoefficientPenalty float64 // λ₂ on the coefficients c
}

// A CausalProcess is a causal graph process,
//
//	x_k = A x_{k−1} + Σ_{i=2..M} Σ_{j≤i} c_ij A^j x_{k−i} + noise.
type CausalProcess struct {
	Lags         []*mat.Dense // R_1 … R_M of the first step
	Objectives   []float64    // of the first step: at first, and after each sweep
	A            *mat.Dense   // vertices × vertices; A_ij is the influence of j on i
	Coefficients [][]float64  // c_ij at [i−2][j]
}

// mostCommuting is the number of vertices up to which commutators can be penalised:
// their matrix has the fourth power of it as entries.
const mostCommuting = 30

// FitCausalProcess fits a causal graph process to the columns of y, in the order of
// time and as they are, by the three steps of [mei2017]: coefficients R_i of past
// signals as in [Causal], an adjacency matrix A, and the polynomials of A that take
// the place of R_2 … R_M. It is meant for predictions; [Causal] finds as good a graph
// without the later steps, and chooses its penalty. If ctx ends, the cause is returned.
func FitCausalProcess(ctx context.Context, y *mat.Dense, o CausalProcessOptions) (*CausalProcess, error) {
	o.Order = max(o.Order, 1)
	if err := o.check(y); err != nil {
		return nil, err
	}
	n, count := y.Dims()
	u := linalg.NewDense(n, count)
	for i := range n {
		copy(linalg.Row(u, i), y.RawRowView(i))
	}
	path := newCausalPath(newLagged(u, o.Order, o.Order, 1))
	if !path.fit(ctx, o.Penalty, 1) {
		return nil, context.Cause(ctx)
	}
	p := &CausalProcess{Lags: path.lags(path.x)}
	f := &processFit{CausalProcessOptions: o, y: y, lags: p.Lags}
	p.Objectives = []float64{f.objective()}
	for sweep := 0; o.Commutator > 0 && o.Order > 1 && (o.Sweeps == 0 || sweep < o.Sweeps); sweep++ {
		for i := range f.lags {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			f.improve(i)
		}
		last := p.Objectives[sweep]
		p.Objectives = append(p.Objectives, f.objective())
		if o.Sweeps == 0 && last-p.Objectives[sweep+1] <= 1e-6*last {
			break
		}
	}
	p.A = f.adjacency()
	p.Coefficients = f.coefficients(p.A)
	return p, nil
}

func (o CausalProcessOptions) check(y *mat.Dense) error {
	const op = "baseline.FitCausalProcess"
	if y == nil {
		return input.Errorf(op, input.Signals, "got none")
	}
	n, count := y.Dims()
	for _, v := range []struct {
		field input.Field
		value float64
	}{
		{"penalty", o.Penalty},
		{"commutator", o.Commutator},
		{"adjacency penalty", o.AdjacencyPenalty},
		{"adjacency commutator", o.AdjacencyCommutator},
		{"coefficient penalty", o.CoefficientPenalty},
		{"sweeps", float64(o.Sweeps)},
	} {
		if !(v.value >= 0 && v.value <= math.MaxFloat64) {
			return input.Errorf(op, v.field, "got %g, want a number of at least 0", v.value)
		}
	}
	switch {
	case o.Order > mostOrder:
		return input.Errorf(op, "order", "got %d, want at most %d", o.Order, mostOrder)
	case count-o.Order < leastCausal || count-o.Order <= n*(o.Order-1):
		return input.Errorf(op, input.Signals, "got %d, want at least %d", count, o.Order+max(leastCausal, n*(o.Order-1)+1))
	case o.Commutator+o.AdjacencyCommutator > 0 && n > mostCommuting:
		return input.Errorf(op, input.Vertices, "got %d, want at most %d where commutators are penalised", n, mostCommuting)
	case signals.Missing(y) > 0 || math.IsInf(mat.Max(y), 0) || math.IsInf(mat.Min(y), 0):
		return input.Errorf(op, input.Signals, "a value is missing or not finite")
	}
	return nil
}

// A processFit is the state of FitCausalProcess.
type processFit struct {
	CausalProcessOptions
	y    *mat.Dense
	lags []*mat.Dense
}

// past returns the signals lag before those that have a past; lag 0 are these.
func (f *processFit) past(lag int) mat.Matrix {
	n, count := f.y.Dims()
	return f.y.Slice(0, n, f.Order-lag, count-lag)
}

// unexplained returns what all lags but one leave of the signals; −1 leaves none out.
func (f *processFit) unexplained(but int) *mat.Dense {
	rest := mat.DenseCopyOf(f.past(0))
	for i, r := range f.lags {
		if i != but {
			var part mat.Dense
			part.Mul(r, f.past(i+1))
			rest.Sub(rest, &part)
		}
	}
	return rest
}

// objective is that of the first step.
func (f *processFit) objective() float64 {
	rest := f.unexplained(-1)
	total := f.Penalty * floats.Norm(f.lags[0].RawMatrix().Data, 1)
	norm := mat.Norm(rest, 2)
	total += norm * norm / 2
	for i, r := range f.lags {
		for _, s := range f.lags[:i] {
			c := mat.Norm(commutator(r, s), 2)
			total += f.Commutator * c * c
		}
	}
	return total
}

// commutator returns AB − BA.
func commutator(a, b *mat.Dense) *mat.Dense {
	var ab, ba mat.Dense
	ab.Mul(a, b)
	ba.Mul(b, a)
	ab.Sub(&ab, &ba)
	return &ab
}

// improve minimises the objective over R_(i+1).
func (f *processFit) improve(i int) {
	n, _ := f.y.Dims()
	past := f.past(i + 1)
	var gram, cross mat.Dense
	gram.Mul(past, past.T())
	cross.Mul(f.unexplained(i), past.T())
	q := linalg.NewDense(n*n, n*n)
	for a := range n {
		for j := range n {
			copy(linalg.Row(q, a*n+j)[a*n:], gram.RawRowView(j))
		}
	}
	for j, r := range f.lags {
		if j != i {
			addCommuting(q, r, 2*f.Commutator)
		}
	}
	penalty := 0.0
	if i == 0 {
		penalty = f.Penalty
	}
	solveMatrix(q, &cross, f.lags[i], penalty)
}

// addCommuting adds factor·BᵀB to q, where B takes the rows of a matrix X, one after
// the other, to those of XR − RX.
func addCommuting(q linalg.Dense, r *mat.Dense, factor float64) {
	n, _ := r.Dims()
	b := linalg.NewDense(n*n, n*n)
	for i := range n {
		for j := range n {
			row := linalg.Row(b, i*n+j)
			for l := range n {
				row[i*n+l] += r.At(l, j)
				row[l*n+j] -= r.At(i, l)
			}
		}
	}
	scaled := linalg.Dense{Rows: b.Rows, Cols: b.Cols, Stride: b.Stride, Data: make([]float64, len(b.Data))}
	floats.ScaleTo(scaled.Data, factor, b.Data)
	linalg.Threads(1).AddMulTransA(q, b, scaled)
}

// solveMatrix moves x to the minimum of xᵀQx/2 − bᵀx + λ|x|₁, row by row.
func solveMatrix(q linalg.Dense, b, x *mat.Dense, penalty float64) {
	l := lasso{q: q, b: b.RawMatrix().Data, lambda: func(int) float64 { return penalty }, x: x.RawMatrix().Data, g: make([]float64, q.Rows)}
	l.solve()
}

// adjacency is the second step.
func (f *processFit) adjacency() *mat.Dense {
	a := mat.DenseCopyOf(f.lags[0])
	if f.AdjacencyPenalty == 0 && f.AdjacencyCommutator == 0 {
		return a
	}
	n, _ := a.Dims()
	q := linalg.NewDense(n*n, n*n)
	for i := range n * n {
		linalg.Row(q, i)[i] = 1
	}
	for _, r := range f.lags[1:] {
		if f.AdjacencyCommutator > 0 {
			addCommuting(q, r, 2*f.AdjacencyCommutator)
		}
	}
	solveMatrix(q, f.lags[0], a, f.AdjacencyPenalty)
	return a
}

// coefficients is the third step: a regression of what A leaves of the signals on
// A^j x_{k−i}.
func (f *processFit) coefficients(a *mat.Dense) [][]float64 {
	rest := mat.DenseCopyOf(f.past(0))
	var first mat.Dense
	first.Mul(a, f.past(1))
	rest.Sub(rest, &first)
	var terms [][]float64
	for i := 2; i <= f.Order; i++ {
		power := mat.DenseCopyOf(f.past(i))
		for j := range i + 1 {
			if j > 0 {
				var next mat.Dense
				next.Mul(a, power)
				power = &next
			}
			terms = append(terms, power.RawMatrix().Data)
		}
	}
	if len(terms) == 0 {
		return nil
	}
	l := lasso{
		q: linalg.NewDense(len(terms), len(terms)), b: make([]float64, len(terms)),
		lambda: func(int) float64 { return f.CoefficientPenalty }, x: make([]float64, len(terms)), g: make([]float64, len(terms)),
	}
	for p, t := range terms {
		l.b[p] = portable.Dot(t, rest.RawMatrix().Data)
		for r, s := range terms {
			linalg.Row(l.q, p)[r] = portable.Dot(t, s)
		}
	}
	l.solve()
	var c [][]float64
	for i := 2; i <= f.Order; i++ {
		c = append(c, l.x[:i+1:i+1])
		l.x = l.x[i+1:]
	}
	return c
}

// Predict returns the signal that is expected after the columns of past, of which the
// last M count.
func (p *CausalProcess) Predict(past *mat.Dense) ([]float64, error) {
	n, _ := p.A.Dims()
	rows, count := past.Dims()
	if order := 1 + len(p.Coefficients); rows != n || count < order {
		return nil, input.Errorf("baseline.CausalProcess", input.Signals, "got %d×%d, want %d vertices and at least %d", rows, count, n, order)
	}
	next := mat.NewVecDense(n, nil)
	next.MulVec(p.A, past.ColView(count-1))
	for i, c := range p.Coefficients {
		power := mat.VecDenseCopyOf(past.ColView(count - 2 - i))
		for j, v := range c {
			if j > 0 {
				var moved mat.VecDense
				moved.MulVec(p.A, power)
				power = &moved
			}
			next.AddScaledVec(next, v, power)
		}
	}
	return next.RawVector().Data, nil
}
