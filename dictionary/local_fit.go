package dictionary

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/sparse"
)

// Fit returns ‖DX − Y‖²_F for the code x as it is.
func (e *Local) Fit(x *sparse.Code) float64 { return e.fit(x, false) }

// Refit replaces the coefficients of x by the least-squares ones on the same
// supports and returns ‖DX − Y‖²_F; see [Spectral.Refit].
func (e *Local) Refit(x *sparse.Code) float64 { return e.fit(x, true) }

func (e *Local) fit(x *sparse.Code, refit bool) float64 {
	linalg.ForEach(e.threads, e.m, func(worker, m int) {
		e.residual[m] = e.workers[worker].fit(e, x, m, refit)
	})
	return floats.Sum(e.residual)
}

func (t *localWorker) fit(e *Local, x *sparse.Code, m int, refit bool) float64 {
	atom, coef := x.Column(m)
	y, r := linalg.Row(e.yt, m), linalg.Row(e.r, m)
	if refit && len(atom) > 0 {
		t.normalEquations(e, atom, coef, y)
		sparse.SolveNormalEquations(t.gram, coef)
	}
	t.residual(e, atom, coef, y, r)
	return linalg.Dot(r, r)
}

// residual sets r to Σ coef·atom − y.
func (t *localWorker) residual(e *Local, atom []int32, coef, y, r []float64) {
	for i, v := range y {
		r[i] = -v
	}
	for q, j := range atom {
		vertex, value := e.Atom(int(j))
		c := coef[q]
		for k, v := range vertex {
			r[v] += c * value[k]
		}
	}
}

// normalEquations sets t.gram to the Gram matrix of the atoms, lower triangle by
// rows, and coef to their products with y. Atoms meet where their lists at a
// vertex do: most pairs of atoms of a signal never do.
func (t *localWorker) normalEquations(e *Local, atom []int32, coef, y []float64) {
	size := len(atom)
	t.gram = grown(t.gram, size*size)
	clear(t.gram)
	t.listNext, t.listAtom, t.listValue = append(t.listNext[:0], 0), append(t.listAtom[:0], 0), append(t.listValue[:0], 0)
	for q, j := range atom {
		vertex, value := e.Atom(int(j))
		row := t.gram[q*size : (q+1)*size]
		var dot, norm float64
		for k, v := range vertex {
			x := value[k]
			dot += x * y[v]
			norm += x * x
			for at := t.listHead[v]; at != 0; at = t.listNext[at] {
				row[t.listAtom[at]] += x * t.listValue[at]
			}
			t.listNext = append(t.listNext, t.listHead[v])
			t.listAtom = append(t.listAtom, int32(q))
			t.listValue = append(t.listValue, x)
			t.listHead[v] = int32(len(t.listNext) - 1)
		}
		coef[q], row[q] = dot, norm
	}
	for _, j := range atom {
		vertex, _ := e.Atom(int(j))
		for _, v := range vertex {
			t.listHead[v] = 0
		}
	}
}

// usage lists for each atom the signals that use it, and its coefficients there.
type usage struct {
	start  []int
	signal []int32
	coef   []float64
}

func (s *usage) fill(x *sparse.Code) {
	atoms, signals := x.Dims()
	s.start = make([]int, atoms+1)
	for m := range signals {
		atom, _ := x.Column(m)
		for _, j := range atom {
			s.start[j+1]++
		}
	}
	for j := range atoms {
		s.start[j+1] += s.start[j]
	}
	s.signal, s.coef = make([]int32, s.start[atoms]), make([]float64, s.start[atoms])
	next := make([]int, atoms)
	copy(next, s.start)
	for m := range signals {
		atom, coef := x.Column(m)
		for q, j := range atom {
			s.signal[next[j]], s.coef[next[j]] = int32(m), coef[q]
			next[j]++
		}
	}
}

func (s *usage) none(u, kernels int) bool {
	n := (len(s.start) - 1) / kernels
	for k := range kernels {
		if s.start[k*n+u+1] > s.start[k*n+u] {
			return false
		}
	}
	return true
}

func (s *usage) each(j int, use func(m int, coef float64)) {
	for k := s.start[j]; k < s.start[j+1]; k++ {
		use(int(s.signal[k]), s.coef[k])
	}
}

// gradientBlocks is into how many parts the vertices are split for a gradient.
// The parts are added in order, so it must not depend on the number of threads.
const gradientBlocks = 16

// Gradient writes ∂f/∂w over the pairs into grad, for the code of the last Fit
// or Refit and f = Σ_m weight_m ‖r_m‖², nil weights being ones. It takes one
// recurrence there and one back for each vertex.
func (e *Local) Gradient(grad []float64, x *sparse.Code, weight []float64) {
	e.uses.fill(x)
	if len(e.partial) == 0 || len(e.partial[0]) != len(grad) {
		e.partial = make([][]float64, gradientBlocks)
		for k := range e.partial {
			e.partial[k] = make([]float64, len(grad))
		}
	}
	linalg.ForEach(e.threads, gradientBlocks, func(worker, k int) {
		clear(e.partial[k])
		for u := k * e.n / gradientBlocks; u < (k+1)*e.n/gradientBlocks; u++ {
			e.workers[worker].derivative(e, u, weight, e.partial[k])
		}
	})
	clear(grad)
	for _, p := range e.partial {
		floats.Add(grad, p)
	}
	floats.Scale(0.5, grad) // G is the mean of both triangles
	e.pairs.chain(grad, e.w, e.d, e.s, e.c)
}
