package dictionary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// Local evaluates the fit and its derivative on large graphs. The atoms of a
// vertex u live on a neighbourhood V_u and are p_s(L)·δ_u with L cut down to
// V_u, so that time and memory grow with the sum of the neighbourhoods instead
// of N², and with the number of signals only where these are read.
// With neighbourhoods that hold the whole graph it agrees with [Spectral].
//
// Use: Place chooses the neighbourhoods for some weights, and At fixes weights
// that are not too far from these; then Fit or Refit a code; then Gradient, the
// exact derivative of that fit. A Local keeps its memory between calls and must
// not be used by two goroutines at once.
type Local struct {
	energies
	threads   int
	n, m      int
	kernels   []kernel.Kernel
	whole     [][]float64 // c_sk, kernel by kernel
	series    [][]float64 // as much of it as the tolerance asks for
	reach     []float64   // β_k: Σ β_k A^k bounds all atoms entrywise, each kernel being of size 1
	later     []float64   // Σ of the β after k: what a unit of A^k δ can still add anywhere
	tolerance float64
	most      int // members of a neighbourhood

	yt     linalg.Dense // Yᵀ, M×N
	memory *Memory      // where (DX − Y)ᵀ is
	hasR   bool         // memory has it for the last code, unless it went to another

	pairs   Pairs
	near    adjacency // over the pairs
	w       []float64
	b       []float64 // L − I at the pairs
	d, s, c []float64

	at      neighbourhoods
	atoms   [][]float64 // p_s on the neighbourhoods, one after the other
	uses    usage
	workers []localWorker
	partial [][]float64 // of the gradient, by block of vertices
}

// NewLocalRows returns an evaluator for the signals in the rows of yt, which it goes on
// reading, and which Impute changes, with neighbourhoods as large as atoms can reach. It
// needs SetPairs and Place before anything else. threads bounds its own goroutines; results
// do not depend on it. Evaluators that are used in turns can share a
// memory; nil means one of its own.
func NewLocalRows(yt *mat.Dense, kernels []kernel.Kernel, threads int, memory *Memory) *Local {
	m, n := yt.Dims()
	threads = max(threads, 1)
	if memory == nil {
		memory = new(Memory)
	}
	e := &Local{
		threads: threads, n: n, m: m, kernels: slices.Clone(kernels), whole: paddedSeries(kernels),
		yt: yt.RawMatrix(), energies: newEnergies(m),
		memory: memory,
		d:      make([]float64, n), s: make([]float64, n), c: make([]float64, n),
		atoms:   make([][]float64, len(kernels)),
		workers: make([]localWorker, threads),
	}
	for k := range e.workers {
		e.workers[k].allocate(n)
	}
	e.SetPrecision(0, n)
	for i := range m {
		row := linalg.Row(e.yt, i)
		e.energy[i] = portable.Dot(row, row)
	}
	return e
}

// SetPrecision says how far atoms reach: an atom is truncated where a bound on it
// falls below tolerance, for kernels of size 1, and no neighbourhood has more than
// twice the given number of members, the ends of pairs included. Polynomials are
// truncated to a tenth of the tolerance. The next call must be SetPairs or Place.
func (e *Local) SetPrecision(tolerance float64, members int) {
	e.tolerance, e.most = tolerance, members
	unit := unitSeries(e.whole)
	terms := termsNeeded(unit, tolerance/10)
	e.series = make([][]float64, len(e.whole))
	for s := range e.whole {
		e.series[s], unit[s] = e.whole[s][:terms], unit[s][:terms]
	}
	e.reach = reachOf(unit)
	e.later = make([]float64, terms)
	for k := terms - 2; k >= 0; k-- {
		e.later[k] = e.later[k+1] + e.reach[k+1]
	}
}

// unitSeries scales each series to Σ|c_k| = 1, a bound on the kernel over the
// spectrum: coders see atoms as unit vectors, so no kernel's scale may matter.
func unitSeries(series [][]float64) [][]float64 {
	unit := make([][]float64, len(series))
	for s, c := range series {
		unit[s] = slices.Clone(c)
		if size := floats.Norm(c, 1); size > 0 {
			floats.Scale(1/size, unit[s])
		}
	}
	return unit
}

// termsNeeded returns how many terms Chebyshev series need for the rest, a bound
// on the error over the spectrum, to be below tolerance.
func termsNeeded(series [][]float64, tolerance float64) int {
	terms := len(series[0])
	for rest := 0.0; terms > 2; terms-- {
		var next float64
		for _, c := range series {
			next = max(next, math.Abs(c[terms-1]))
		}
		if rest += next; rest > tolerance {
			break
		}
	}
	return terms
}

// reachOf returns β_k = max_s |b_sk| for p_s(λ) = Σ_k b_sk (λ − 1)^k.
func reachOf(series [][]float64) []float64 {
	degree := len(series[0]) - 1
	reach := make([]float64, degree+1)
	for _, c := range series {
		total := make([]float64, degree+1)
		last, now := make([]float64, degree+1), make([]float64, degree+1)
		now[0] = 1 // T_0
		for k := range c {
			floats.AddScaled(total, c[k], now)
			next := make([]float64, degree+1)
			factor := 2.0
			if k == 0 {
				factor = 1
			}
			for q := 0; q < degree; q++ {
				next[q+1] = factor * now[q]
			}
			floats.Sub(next, last)
			last, now = now, next
		}
		for k, v := range total {
			reach[k] = max(reach[k], math.Abs(v))
		}
	}
	return reach
}

// SetPairs changes which weights are free. The next call must be Place.
func (e *Local) SetPairs(p Pairs) {
	e.pairs, e.near = p, newAdjacency(p)
	e.w, e.b = make([]float64, p.Len()), make([]float64, p.Len())
}

func (e *Local) shift(w []float64) error {
	if len(w) != e.pairs.Len() {
		return input.Errorf("dictionary.Local", "weights", "got %d, want %d", len(w), e.pairs.Len())
	}
	copy(e.w, w)
	e.pairs.Degrees(e.d, w)
	inverseRoots(e.s, e.d)
	for k, v := range w {
		e.b[k] = -v * e.s[e.pairs.I[k]] * e.s[e.pairs.J[k]]
	}
	return nil
}

// Place chooses the neighbourhoods by how far atoms reach at the weights w, and
// moves there.
func (e *Local) Place(w []float64) error {
	if err := e.shift(w); err != nil {
		return err
	}
	members := make([][]int32, e.n)
	linalg.ForEach(e.threads, e.n, func(worker, u int) {
		members[u] = e.workers[worker].members(e, u)
	})
	e.at.fill(e.near, members, e.threads)
	for s := range e.atoms {
		e.atoms[s] = resize(e.atoms[s], len(e.at.member))
	}
	e.evaluate()
	return nil
}

// At moves to the graph with the given weights over the pairs.
func (e *Local) At(w []float64) error {
	if err := e.shift(w); err != nil {
		return err
	}
	e.evaluate()
	return nil
}

// Release gives the memory of neighbourhoods and atoms back. The next call must be
// SetPairs or Place.
func (e *Local) Release() {
	e.at, e.atoms, e.partial = neighbourhoods{}, make([][]float64, len(e.atoms)), nil
}

// evaluate computes all atoms.
func (e *Local) evaluate() {
	e.hasR = false
	linalg.ForEach(e.threads, e.n, func(worker, u int) {
		e.workers[worker].atoms(e, u)
	})
}

// Atom returns the vertices and values of atom j, and implements [sparse.Atoms].
func (e *Local) Atom(j int) (vertex []int32, value []float64) {
	u := j % e.n
	lo, hi := e.at.start[u], e.at.start[u+1]
	return e.at.member[lo:hi], e.atoms[j/e.n][lo:hi]
}

// Dims returns the number of vertices and of atoms.
func (e *Local) Dims() (vertices, atoms int) { return e.n, e.n * len(e.series) }

// Signal returns signal m. It must not be changed.
func (e *Local) Signal(m int) []float64 { return linalg.Row(e.yt, m) }

// An adjacency lists for each vertex the pairs it belongs to.
type adjacency struct {
	start []int
	other []int32
	pair  []int32
}

func newAdjacency(p Pairs) adjacency {
	a := adjacency{start: make([]int, p.N+1), other: make([]int32, 2*p.Len()), pair: make([]int32, 2*p.Len())}
	for e := range p.I {
		a.start[p.I[e]+1]++
		a.start[p.J[e]+1]++
	}
	for i := range p.N {
		a.start[i+1] += a.start[i]
	}
	next := slices.Clone(a.start[:p.N])
	put := func(i, j int32, e int) {
		a.other[next[i]], a.pair[next[i]] = j, int32(e)
		next[i]++
	}
	for e := range p.I {
		put(p.I[e], p.J[e], e)
		put(p.J[e], p.I[e], e)
	}
	return a
}

// neighbourhoods are the graphs that the pairs make on each V_u, in rows of
// local vertices: V_u has the members start[u] up to start[u+1], in order, and
// its local vertex i has the entries row[start[u]+i] up to row[start[u]+i+1].
type neighbourhoods struct {
	start  []int
	member []int32
	centre []int32 // the local vertex that u is
	row    []int   // one more than members
	local  []int32 // the other end, in V_u
	pair   []int32
}

// fill makes them those of the given members, in the memory that h has.
func (h *neighbourhoods) fill(a adjacency, members [][]int32, threads int) {
	n := len(members)
	h.start, h.centre = resize(h.start, n+1), resize(h.centre, n)
	h.start[0] = 0
	for u, v := range members {
		h.start[u+1] = h.start[u] + len(v)
	}
	h.member = resize(h.member, h.start[n])
	h.row = resize(h.row, h.start[n]+1)
	clear(h.row)
	places := make([][]int32, threads) // local vertex + 1
	for k := range places {
		places[k] = make([]int32, n)
	}
	each := func(worker, u int, use func(i, k int)) {
		place := places[worker]
		for i, v := range members[u] {
			place[v] = int32(i) + 1
		}
		for i, v := range members[u] {
			for k := a.start[v]; k < a.start[v+1]; k++ {
				if place[a.other[k]] > 0 {
					use(i, k)
				}
			}
		}
		for _, v := range members[u] {
			place[v] = 0
		}
	}
	linalg.ForEach(threads, n, func(worker, u int) {
		copy(h.member[h.start[u]:], members[u])
		at, _ := slices.BinarySearch(members[u], int32(u))
		h.centre[u] = int32(at)
		each(worker, u, func(i, _ int) {
			h.row[h.start[u]+i+1]++
		})
	})
	for k := range h.member {
		h.row[k+1] += h.row[k]
	}
	h.local = resize(h.local, h.row[len(h.member)])
	h.pair = resize(h.pair, len(h.local))
	linalg.ForEach(threads, n, func(worker, u int) {
		next := h.row[h.start[u]]
		place := places[worker]
		each(worker, u, func(_, k int) {
			h.local[next], h.pair[next] = place[a.other[k]]-1, a.pair[k]
			next++
		})
	})
}

var _ sparse.Atoms = (*Local)(nil)

// Impute replaces the given entries of each signal by their values in the fit of the
// last Fit or Refit, of the code x. Alternated with coding, it converges to a fit of the other
// entries alone: the residual over all entries is an upper bound on theirs that is
// tight at the current code (majorisation–minimisation).
func (e *Local) Impute(x *sparse.Code, missing [][]int32) {
	all := e.residuals(x)
	linalg.ForEach(e.threads, e.m, func(_, m int) {
		y, r := linalg.Row(e.yt, m), linalg.Row(all, m)
		for _, i := range missing[m] {
			y[i] += r[i]
			e.residual[m] -= r[i] * r[i]
			r[i] = 0
		}
		e.energy[m] = portable.Dot(y, y)
	})
}

// Imputed returns the values that stand at the given entries of the signals.
func (e *Local) Imputed(missing [][]int32) []float64 {
	var values []float64
	for m, rows := range missing {
		y := linalg.Row(e.yt, m)
		for _, i := range rows {
			values = append(values, y[i])
		}
	}
	return values
}

// SetImputed puts back what Imputed returned.
func (e *Local) SetImputed(missing [][]int32, values []float64) {
	for m, rows := range missing {
		y := linalg.Row(e.yt, m)
		for _, i := range rows {
			y[i], values = values[0], values[1:]
		}
		e.energy[m] = portable.Dot(y, y)
	}
}
