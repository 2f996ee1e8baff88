package gsp

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// An accuracy says how well to fill: exactly if that takes no more than some
// operations, else to a residual of conjugate gradients.
type accuracy struct {
	work     float64
	residual float64
}

var (
	precise = accuracy{5e9, solved} // a few seconds
	rough   = accuracy{2e7, solvedRough}
)

// interpolate returns the solution x of [Laplacian.Fill] for each signal, NaN where
// a component has no known vertex.
func (l *Laplacian) interpolate(ctx context.Context, y *mat.Dense, tau float64, a accuracy) (*mat.Dense, error) {
	gaps := l.gapsOf(y)
	if l.IsExact() && l.workOf(gaps, tau) <= a.work {
		h, err := l.rejections(tau)
		if err != nil {
			return nil, err
		}
		return l.interpolateExactly(ctx, y, gaps, h, tau == 0)
	}
	return l.interpolateBySteps(ctx, y, tau, a.residual)
}

// workOf is about how many operations of a factorisation it takes to fill gaps
// exactly. Products of matrices are several times faster.
func (l *Laplacian) workOf(list []gap, tau float64) float64 {
	var sum float64
	for _, g := range list {
		u := float64(len(g.missing))
		sum += u * u * (u/3 + 2*float64(len(g.columns)))
	}
	if tau > 0 {
		for _, vertices := range l.components {
			n := float64(len(vertices))
			sum += n * n * n / 4
		}
	}
	return sum
}

// A gap is the vertices of a component that are missing in the same way in some
// signals.
type gap struct {
	component int
	missing   []int // places within the component
	columns   []int
}

// gapsOf lists the gaps of signals in components that have a known vertex.
func (l *Laplacian) gapsOf(y *mat.Dense) []gap {
	var list []gap
	_, m := y.Dims()
	for c, vertices := range l.components {
		seen := map[string]int{}
		for k := range m {
			var missing []int
			pattern := make([]byte, len(vertices))
			for place, v := range vertices {
				if math.IsNaN(y.At(v, k)) {
					missing, pattern[place] = append(missing, place), 1
				}
			}
			if len(missing) == 0 || len(missing) == len(vertices) {
				continue
			}
			at, known := seen[string(pattern)]
			if !known {
				at = len(list)
				seen[string(pattern)] = at
				list = append(list, gap{component: c, missing: missing})
			}
			list[at].columns = append(list[at].columns, k)
		}
	}
	return list
}

// interpolateExactly fills with H = τL(I + τL)⁻¹: eliminating the known part of x
// from the equations leaves
//
//	H_uu x_u = −H_um y_m,
//
// the harmonic equations with H for L, to which H/τ tends. Then x = z − Hz where z is
// y with x_u in its gaps; or z itself, if x is to pass through the known values.
func (l *Laplacian) interpolateExactly(ctx context.Context, y *mat.Dense, list []gap, h []linalg.Dense, through bool) (*mat.Dense, error) {
	filled := mat.DenseCopyOf(y)
	faults := make([]error, len(list))
	linalg.ForEach(max(1, l.Threads), len(list), func(_, k int) {
		if ctx.Err() == nil {
			faults[k] = list[k].fill(filled, l.components[list[k].component], h[list[k].component])
		}
	})
	if err := errors.Join(context.Cause(ctx), errors.Join(faults...)); err != nil {
		return nil, err
	}
	if through {
		return filled, nil
	}
	for c, vertices := range l.components {
		z := matrix.Rows(filled, vertices).RawMatrix() // NaN spreads over the component, which has no known vertex
		rejected := linalg.NewDense(z.Rows, z.Cols)
		linalg.Threads(l.Threads).Mul(rejected, h[c], z)
		linalg.Axpy(-1, rejected.Data, z.Data)
		put(filled.RawMatrix(), vertices, z)
	}
	return filled, nil
}

// rejections returns H = τL(I + τL)⁻¹ on each component, and L for τ = 0.
func (l *Laplacian) rejections(tau float64) ([]linalg.Dense, error) {
	if tau == 0 {
		list := make([]linalg.Dense, len(l.components))
		for c, vertices := range l.components {
			list[c] = linalg.NewDense(len(vertices), len(vertices))
			l.denseBlock(list[c], vertices)
		}
		return list, nil
	}
	return l.matrices(func(e float64) float64 { return tau * e / (1 + tau*e) })
}

// matrices returns f(L) on each component.
func (l *Laplacian) matrices(f func(frequency float64) float64) ([]linalg.Dense, error) {
	s, err := l.Spectrum()
	if err != nil {
		return nil, err
	}
	list := make([]linalg.Dense, len(l.components))
	for c, b := range s.blocks {
		n := len(b.vertices)
		scaled := linalg.NewDense(n, n)
		for i := range n {
			from, into := linalg.Row(b.vectors, i), linalg.Row(scaled, i)
			for k, place := range b.place {
				into[k] = from[k] * f(s.Values[place])
			}
		}
		list[c] = linalg.NewDense(n, n)
		s.threads.MulTransB(list[c], scaled, b.vectors)
	}
	return list, nil
}

// fill writes the solution of H_uu x_u = −H_um y_m into the columns of y.
func (g gap) fill(y *mat.Dense, vertices []int, h linalg.Dense) error {
	isMissing := make([]bool, len(vertices))
	for _, place := range g.missing {
		isMissing[place] = true
	}
	u := len(g.missing)
	inner, right := mat.NewSymDense(u, nil), mat.NewDense(u, len(g.columns), nil)
	for a, place := range g.missing {
		row, sums := linalg.Row(h, place), right.RawRowView(a)
		for b := a; b < u; b++ {
			inner.SetSym(a, b, row[g.missing[b]])
		}
		for j, weight := range row {
			if isMissing[j] || weight == 0 {
				continue
			}
			known := y.RawRowView(vertices[j])
			for k, column := range g.columns {
				sums[k] -= weight * known[column]
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(inner) {
		return errors.New("gsp.Fill: the weights differ too much to fill the gaps: rounding makes the equations singular")
	}
	var x mat.Dense
	if err := chol.SolveTo(&x, right); err != nil && !isCondition(err) {
		return err
	}
	for a, place := range g.missing {
		row := y.RawRowView(vertices[place])
		for k, column := range g.columns {
			row[column] = x.At(a, k)
		}
	}
	return nil
}

// isCondition tells a warning about accuracy, which the weights may ask for.
func isCondition(err error) bool {
	_, ok := errors.AsType[mat.Condition](err)
	return ok
}

// interpolateBySteps solves the equations by conjugate gradients.
func (l *Laplacian) interpolateBySteps(ctx context.Context, y *mat.Dense, tau, residual float64) (*mat.Dense, error) {
	n, m := y.Dims()
	known, right := linalg.NewDense(n, m), linalg.NewDense(n, m)
	var lost []bool // entries of components without a known vertex
	for _, vertices := range l.components {
		for k := range m {
			some := false
			for _, v := range vertices {
				if value := y.At(v, k); !math.IsNaN(value) {
					known.Data[v*m+k], right.Data[v*m+k], some = 1, value, true
				}
			}
			if some {
				continue
			}
			if lost == nil {
				lost = make([]bool, n*m)
			}
			for _, v := range vertices { // held at zero, so that there is a solution
				known.Data[v*m+k], lost[v*m+k] = 1, true
			}
		}
	}
	q := equations{l: l, tau: tau, known: known}
	given := mat.NewDense(n, m, right.Data)
	if tau == 0 {
		q.tau, q.fixed = 1, true
		product := linalg.NewDense(n, m)
		l.mul(product, right)
		right = linalg.NewDense(n, m)
		for i, isKnown := range known.Data {
			if isKnown == 0 {
				right.Data[i] = -product.Data[i]
			}
		}
	}
	x, err := q.solve(ctx, right, linalg.Dense{}, residual)
	if err != nil {
		return nil, err
	}
	if tau == 0 {
		x.Add(x, given)
	}
	for i, isLost := range lost {
		if isLost {
			x.RawMatrix().Data[i] = math.NaN()
		}
	}
	return x, nil
}
