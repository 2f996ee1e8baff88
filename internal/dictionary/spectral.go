package dictionary

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// Spectral evaluates the fit and its derivative through the eigendecomposition
// L = VΛVᵀ, whatever the degree of the kernels. In the eigenbasis the atom of
// kernel s at vertex v is p_s(λ)∘V[v,:], so residuals and least-squares refits
// need no dictionary at all, and one evaluation costs an eigendecomposition and
// a few products of N×N matrices.
//
// Use: At fixes the weights; then Fit or Refit a code; then Gradient. A Spectral
// keeps its memory between calls and must not be used by two goroutines at once.
type Spectral struct {
	energies
	kernels []kernel.Kernel
	threads linalg.Threads
	n, m    int
	yt      linalg.Dense    // Yᵀ, M×N; anything where an entry is missing
	missing *missingEntries // nil if no entry is missing

	pairs   Pairs
	w       []float64
	d, s, c []float64

	eig      *linalg.Eigen
	response [][]float64 // p_s(λ)
	memory   *Memory     // where YᵀV and (DX − Y)ᵀV are, in turns if they are large
	inPlace  bool        // residuals take the place of the signals there
	hasYhat  bool        // memory has YᵀV of the weights, unless it went to another
	hasRhat  bool        // memory has (DX − Y)ᵀV of the last code, unless it went to another
	scratch  []refitScratch

	q          []linalg.Dense // X_s Rᵀ V
	b, h       linalg.Dense   // N×N
	normalized linalg.Dense   // N×N
}

// NewSpectralRows returns an evaluator for the signals in the rows of yt, which it goes on
// reading, with all pairs free. threads bounds its own goroutines; results do not depend on
// it. missing lists the entries that signal m does not have, whatever yt
// has there; nil if all signals are complete. Evaluators that are used in turns can
// share a memory; nil means one of its own.
func NewSpectralRows(yt *mat.Dense, missing [][]int32, kernels []kernel.Kernel, threads int, memory *Memory) *Spectral {
	m, n := yt.Dims()
	if memory == nil {
		memory = new(Memory)
	}
	e := &Spectral{
		kernels: kernels, threads: linalg.Threads(max(threads, 1)), n: n, m: m,
		yt: yt.RawMatrix(), energies: newEnergies(m),
		d: make([]float64, n), s: make([]float64, n), c: make([]float64, n),
		eig:    linalg.NewEigen(n),
		memory: memory, inPlace: m*n > roomForBoth,
		b: linalg.NewDense(n, n), h: linalg.NewDense(n, n),
		normalized: linalg.NewDense(n, n),
		response:   make([][]float64, len(kernels)),
		scratch:    make([]refitScratch, max(threads, 1)),
	}
	e.eig.Threads = e.threads
	if missing != nil {
		e.missing = newMissingEntries(missing, n, len(kernels))
	}
	for range kernels {
		e.q = append(e.q, linalg.NewDense(n, n))
	}
	row := make([]float64, n)
	for i := range m {
		e.signal(row, i)
		e.energy[i] = portable.Dot(row, row)
	}
	e.SetPairs(AllPairs(n))
	return e
}

// energies are those of the signals and of what a fit leaves of them.
type energies struct {
	energy   []float64 // ‖y_m‖²
	residual []float64 // ‖r_m‖²
}

func newEnergies(m int) energies { return energies{make([]float64, m), make([]float64, m)} }

// Energy returns ‖Y‖²_F.
func (e *energies) Energy() float64 { return portable.Sum(e.energy) }

// SignalEnergy returns ‖y_m‖².
func (e *energies) SignalEnergy(m int) float64 { return e.energy[m] }

// Residuals returns ‖r_m‖² for each signal, as of the last Fit or Refit. The
// slice belongs to e.
func (e *energies) Residuals() []float64 { return e.residual }

// signal sets dst to signal m, zero where an entry is missing.
func (e *Spectral) signal(dst []float64, m int) {
	copy(dst, linalg.Row(e.yt, m))
	if e.missing != nil {
		e.missing.hide(dst, m)
	}
}

// Pairs returns the pairs whose weights are free.
func (e *Spectral) Pairs() Pairs { return e.pairs }

// SetPairs changes which weights are free. The next call must be At.
func (e *Spectral) SetPairs(p Pairs) { e.pairs, e.w = p, make([]float64, p.Len()) }

// At moves to the graph with the given weights over the pairs.
func (e *Spectral) At(w []float64) error {
	if len(w) != e.pairs.Len() {
		return input.Errorf("dictionary.At", "weights", "got %d, want %d", len(w), e.pairs.Len())
	}
	copy(e.w, w)
	e.pairs.Degrees(e.d, w)
	inverseRoots(e.s, e.d)
	l := e.eig.Vectors
	clear(l.Data)
	for i := range e.n {
		l.Data[i*l.Stride+i] = 1
	}
	for k, v := range w {
		if v != 0 {
			i, j := int(e.pairs.I[k]), int(e.pairs.J[k])
			l.Data[i*l.Stride+j] = -v * e.s[i] * e.s[j]
		}
	}
	if err := e.eig.Factorize(); err != nil {
		return err
	}
	for s, k := range e.kernels {
		e.response[s] = evaluate(e.response[s][:0], k, e.eig.Values)
	}
	e.hasYhat, e.hasRhat = false, false
	if e.missing != nil {
		e.missing.at(e)
	}
	return nil
}

// Fit returns ‖DX − Y‖²_F for the code x as it is.
func (e *Spectral) Fit(x *sparse.Code) float64 { return e.fit(x, false) }

// Refit replaces the coefficients of x by the least-squares ones on the same
// supports and returns ‖DX − Y‖²_F. Because the coefficients are optimal, the
// gradient that follows is also that of f(w) with the coefficients eliminated
// (variable projection, [golub1973]).
func (e *Spectral) Refit(x *sparse.Code) float64 { return e.fit(x, true) }

func (e *Spectral) fit(x *sparse.Code, refit bool) float64 {
	if e.missing != nil {
		e.missing.fit(e, x, refit)
		return portable.Sum(e.residual)
	}
	yhat, rhat := e.yhat(), e.room()
	linalg.ForEach(int(e.threads), e.m, func(worker, m int) {
		e.residual[m] = e.scratch[worker].fit(e, x, m, linalg.Row(yhat, m), linalg.Row(rhat, m), refit)
	})
	e.hasYhat, e.hasRhat = !e.inPlace, true
	return portable.Sum(e.residual)
}

// Synthesise sets dst = D·x_m, at every vertex. At must have been called.
func (e *Spectral) Synthesise(dst []float64, x *sparse.Code, m int) {
	hat, u := make([]float64, e.n), make([]float64, e.n)
	atom, coef := x.Column(m)
	for q, j := range atom {
		floats.MulTo(u, e.response[int(j)/e.n], linalg.Row(e.eig.Vectors, int(j)%e.n))
		linalg.Axpy(coef[q], u, hat)
	}
	for i := range dst {
		dst[i] = linalg.Dot(linalg.Row(e.eig.Vectors, i), hat)
	}
}

// Gradient writes ∂f/∂w over the pairs into grad, for the code of the last Fit
// or Refit and f = Σ_m weight_m ‖r_m‖², nil weights being ones: with df = ⟨G, dL⟩,
//
//	G = V [ Σ_s Φ_s ∘ sym(2 VᵀR X_sᵀV) ] Vᵀ,   Φ_s[a,b] = p_s[λ_a, λ_b],
//
// the divided differences of the kernels (Daleckii and Krein, [higham2008],
// section 3.2).
func (e *Spectral) Gradient(grad []float64, x *sparse.Code, weight []float64) {
	v := e.eig.Vectors
	e.products(x, weight)
	clear(e.h.Data)
	for s, k := range e.kernels {
		e.threads.MulTransA(e.b, v, e.q[s]) // (VᵀR X_sᵀV)ᵀ
		e.accumulate(k, e.response[s])
	}
	e.threads.Mul(e.b, v, e.h)
	if e.pairs.Len() > e.n*e.n/8 {
		e.threads.MulTransB(e.h, e.b, v)
		for k := range grad {
			grad[k] = e.h.Data[int(e.pairs.I[k])*e.n+int(e.pairs.J[k])]
		}
	} else {
		for k := range grad {
			grad[k] = linalg.Dot(linalg.Row(e.b, int(e.pairs.I[k])), linalg.Row(v, int(e.pairs.J[k])))
		}
	}
	e.pairs.chain(grad, e.w, e.d, e.s, e.c)
}

// products sets q to X_s Rᵀ V. Goroutines share the columns: every entry is then one
// sum in the order of the signals, however many goroutines there are.
func (e *Spectral) products(x *sparse.Code, weight []float64) {
	rhat := e.rhat(x)
	width := leastColumns * ((e.n + leastColumns*int(e.threads) - 1) / (leastColumns * int(e.threads)))
	linalg.ForEach(int(e.threads), (e.n+width-1)/width, func(_, part int) {
		low, high := part*width, min((part+1)*width, e.n)
		for _, q := range e.q {
			for i := range e.n {
				clear(linalg.Row(q, i)[low:high])
			}
		}
		for m := range e.m {
			r := linalg.Row(rhat, m)[low:high]
			atom, coef := x.Column(m)
			factor := weightOf(weight, m)
			for k, j := range atom {
				linalg.Axpy(factor*coef[k], r, linalg.Row(e.q[int(j)/e.n], int(j)%e.n)[low:high])
			}
		}
	})
}

// leastColumns is the fewest columns of a matrix that a goroutine works on: a cache
// line of them.
const leastColumns = 8

// near is the distance of eigenvalues below which the quotient of differences
// would lose digits that a recurrence keeps.
const near = 1e-2

// accumulate adds Φ ∘ (b + bᵀ) to h, for the kernel with values p at the eigenvalues.
func (e *Spectral) accumulate(k kernel.Kernel, p []float64) {
	n := e.n
	e.divided(k, p, func(a, c int, d float64) {
		t := d * (e.b.Data[a*n+c] + e.b.Data[c*n+a])
		e.h.Data[a*n+c] += t
		if c != a {
			e.h.Data[c*n+a] += t
		}
	})
}

// divided calls use with the divided differences Φ[a,c] of the kernel, a ≤ c,
// from several goroutines.
func (e *Spectral) divided(k kernel.Kernel, p []float64, use func(a, c int, d float64)) {
	lambda := e.eig.Values
	linalg.ForEach(int(e.threads), e.n, func(_, a int) {
		for c := a; c < e.n; c++ {
			if gap := lambda[c] - lambda[a]; math.Abs(gap) < near {
				use(a, c, k.DividedDifference(lambda[a], lambda[c]))
			} else {
				use(a, c, (p[c]-p[a])/gap)
			}
		}
	})
}

// Eigenvalues returns those of the Laplacian at the current weights, ascending.
// The slice belongs to e.
func (e *Spectral) Eigenvalues() []float64 { return e.eig.Values }

// Eigenvectors returns those of the Laplacian at the current weights in columns, in
// the order of their values. The matrix shares its memory with e, which changes it
// when it moves to other weights.
func (e *Spectral) Eigenvectors() *mat.Dense { return mat.NewDense(e.n, e.n, e.eig.Vectors.Data) }

// A Memory is room for as many numbers as there are in the signals, for evaluators
// that are used in turns: with many signals, each of them having its own would be
// most of what a program needs. An evaluator that finds it taken computes again what it
// needs, to the same bits. It must not be used by two goroutines at once.
type Memory struct {
	data  []float64
	owner any // the evaluator whose numbers it has
	batch batch
}

// take returns room for m×n numbers to owner, and whether what is there is its own.
func (r *Memory) take(owner any, m, n int) (room linalg.Dense, own bool) {
	own = r.owner == owner
	if len(r.data) < m*n {
		r.data = nil // the old room may go before the new one comes
		r.data, own = make([]float64, m*n), false
	}
	r.owner = owner
	return linalg.Dense{Rows: m, Cols: n, Stride: max(n, 1), Data: r.data[:m*n]}, own
}

// roomForBoth is the most numbers in the signals for which Spectral keeps both signals
// and residuals in the eigenbasis. Beyond, residuals take the place of the signals,
// and these are recomputed where they are needed again.
const roomForBoth = 1 << 19

// hat returns the room for signals and that for residuals, which may be one.
func (e *Spectral) hat() (yhat, rhat linalg.Dense) {
	if e.inPlace {
		room, own := e.memory.take(e, e.m, e.n)
		e.hasYhat, e.hasRhat = e.hasYhat && own, e.hasRhat && own
		return room, room
	}
	room, own := e.memory.take(e, 2*e.m, e.n)
	e.hasYhat, e.hasRhat = e.hasYhat && own, e.hasRhat && own
	yhat, rhat = room, room
	yhat.Rows, rhat.Rows, rhat.Data = e.m, e.m, room.Data[e.m*e.n:]
	return yhat, rhat
}

// room returns where residuals go.
func (e *Spectral) room() linalg.Dense {
	_, rhat := e.hat()
	return rhat
}

// yhat returns YᵀV.
func (e *Spectral) yhat() linalg.Dense {
	yhat, _ := e.hat()
	if !e.hasYhat {
		e.threads.Mul(yhat, e.yt, e.eig.Vectors)
		e.hasYhat, e.hasRhat = true, e.hasRhat && !e.inPlace
	}
	return yhat
}

// rhat returns (DX − Y)ᵀV for the code of the last fit.
func (e *Spectral) rhat(x *sparse.Code) linalg.Dense {
	_, rhat := e.hat()
	if !e.hasRhat {
		e.fit(x, false)
	}
	return rhat
}
