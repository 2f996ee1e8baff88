package dictionary

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
)

// Fit returns ‖DX − Y‖²_F for the code x as it is.
func (e *Local) Fit(x *sparse.Code) float64 { return e.fit(x, false) }

// Refit replaces the coefficients of x by the least-squares ones on the same
// supports and returns ‖DX − Y‖²_F; see [Spectral.Refit].
func (e *Local) Refit(x *sparse.Code) float64 { return e.fit(x, true) }

func (e *Local) fit(x *sparse.Code, refit bool) float64 {
	all, _ := e.memory.take(e, e.m, e.n)
	linalg.ForEach(e.threads, e.m, func(worker, m int) {
		e.residual[m] = e.workers[worker].fit(e, x, m, linalg.Row(all, m), refit)
	})
	e.hasR = true
	return portable.Sum(e.residual)
}

// residuals returns (DX − Y)ᵀ for the code of the last fit.
func (e *Local) residuals(x *sparse.Code) linalg.Dense {
	r, own := e.memory.take(e, e.m, e.n)
	if !own || !e.hasR {
		e.fit(x, false)
	}
	return r
}

func (t *localWorker) fit(e *Local, x *sparse.Code, m int, r []float64, refit bool) float64 {
	atom, coef := x.Column(m)
	y := linalg.Row(e.yt, m)
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
	t.gram = resize(t.gram, size*size)
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
	next   []int // scratch
}

func (s *usage) fill(x *sparse.Code) {
	atoms, signals := x.Dims()
	s.start = resize(s.start, atoms+1)
	clear(s.start)
	for m := range signals {
		atom, _ := x.Column(m)
		for _, j := range atom {
			s.start[j+1]++
		}
	}
	for j := range atoms {
		s.start[j+1] += s.start[j]
	}
	s.signal, s.coef = resize(s.signal, s.start[atoms]), resize(s.coef, s.start[atoms])
	s.next = resize(s.next, atoms)
	copy(s.next, s.start)
	for m := range signals {
		atom, coef := x.Column(m)
		for q, j := range atom {
			s.signal[s.next[j]], s.coef[s.next[j]] = int32(m), coef[q]
			s.next[j]++
		}
	}
}

// resize returns a slice of that length, in the memory of s if it has room.
func resize[T any](s []T, size int) []T {
	if cap(s) < size {
		return make([]T, size, size+size/4)
	}
	return s[:size]
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

// The vertices are split into blocks for a gradient, by their number alone: whatever
// the number of threads, each entry is the sum over the blocks, in their order.
// Small blocks keep many threads busy, but each costs a sum over all pairs.
const (
	gradientBlocks        = 64 // of a graph that is not large
	leastVerticesPerBlock = 4
	mostVerticesPerBlock  = 32
)

// blocksPerThread is how many blocks are under work at a time, for each thread: some,
// because blocks differ in their work, and not all, because each takes memory.
const blocksPerThread = 4

// pairsPerTask is how many pairs are summed up at a time.
const pairsPerTask = 1 << 12

// Synthesise sets dst = D·x_m, at every vertex. Place must have been called.
func (e *Local) Synthesise(dst []float64, x *sparse.Code, m int) {
	clear(dst)
	atom, coef := x.Column(m)
	for q, j := range atom {
		vertex, value := e.Atom(int(j))
		for k, i := range vertex {
			dst[i] += coef[q] * value[k]
		}
	}
}

// Gradient writes ∂f/∂w over the pairs into grad, for the code of the last Fit
// or Refit and f = Σ_m weight_m ‖r_m‖², nil weights being ones. It takes one
// recurrence there and one back for each vertex.
func (e *Local) Gradient(grad []float64, x *sparse.Code, weight []float64) {
	e.gradient(grad, x, e.residuals(x), weight)
}

// gradient is Gradient with the residuals in the rows of r.
func (e *Local) gradient(grad []float64, x *sparse.Code, r linalg.Dense, weight []float64) {
	e.uses.fill(x)
	perBlock := min(max(e.n/gradientBlocks, leastVerticesPerBlock), mostVerticesPerBlock)
	blocks := (e.n + perBlock - 1) / perBlock
	atOnce := min(blocks, blocksPerThread*e.threads)
	e.partial = resize(e.partial, atOnce)
	for k := range e.partial {
		e.partial[k] = resize(e.partial[k], len(grad))
	}
	clear(grad)
	for first := 0; first < blocks; first += atOnce {
		part := e.partial[:min(atOnce, blocks-first)]
		linalg.ForEach(e.threads, len(part), func(worker, k int) {
			clear(part[k])
			for u := (first + k) * perBlock; u < min((first+k+1)*perBlock, e.n); u++ {
				e.workers[worker].derivative(e, u, r, weight, part[k])
			}
		})
		linalg.ForEach(e.threads, (len(grad)+pairsPerTask-1)/pairsPerTask, func(_, task int) {
			low, high := task*pairsPerTask, min((task+1)*pairsPerTask, len(grad))
			for _, p := range part {
				floats.Add(grad[low:high], p[low:high])
			}
		})
	}
	floats.Scale(0.5, grad) // G is the mean of both triangles
	e.pairs.chain(grad, e.w, e.d, e.s, e.c)
}
