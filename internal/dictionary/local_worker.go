package dictionary

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
)

// localWorker is one goroutine's memory.
type localWorker struct {
	// for placing
	bound, now, next []float64 // over all vertices
	touched, chosen  []int32
	front, fresh     []int32

	// for one neighbourhood
	values []float64 // of L − I
	chain  []float64 // T_k(L − I)δ_u, by local vertex, K+1 numbers each
	back   []float64 // the same of the adjoint
	seed   []float64
	a, b   []float64

	// for one signal
	listHead  []int32 // over all vertices: the first entry of its list, or 0
	listNext  []int32 // the entry after it, or 0
	listAtom  []int32
	listValue []float64
	gram      []float64
}

func (t *localWorker) allocate(n int) {
	t.bound, t.now, t.next = make([]float64, n), make([]float64, n), make([]float64, n)
	t.listHead = make([]int32, n)
}

// members returns V_u, sorted: where the atoms of u can be larger than the
// tolerance, those with the largest bounds if these are too many, and the ends of
// pairs that begin where the bound is large.
func (t *localWorker) members(e *Local, u int) []int32 {
	t.spread(e, u)
	unit := slices.Max(e.reach)
	chosen := t.chosen[:0]
	for _, i := range t.touched {
		if t.bound[i] > e.tolerance*unit || int(i) == u {
			chosen = append(chosen, i)
		}
	}
	t.bound[u] = math.Inf(1) // u comes first
	slices.SortFunc(chosen, func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.bound[b], t.bound[a]), cmp.Compare(a, b))
	})
	chosen = chosen[:min(len(chosen), e.most)]
	for _, i := range chosen {
		if ends := e.near.other[e.near.start[i]:e.near.start[i+1]]; t.bound[i] >= large*unit && len(chosen)+len(ends) <= 2*e.most {
			chosen = append(chosen, ends...)
		}
	}
	for _, i := range t.touched {
		t.bound[i] = 0
	}
	slices.Sort(chosen)
	t.chosen = chosen
	return slices.Clone(slices.Compact(chosen))
}

// spread sets t.bound to Σ β_k A^k δ_u and t.touched to where it is not zero. A
// contribution that could not add more than the tolerance anywhere later is not
// passed on.
func (t *localWorker) spread(e *Local, u int) {
	t.touched = t.touched[:0]
	t.front = append(t.front[:0], int32(u))
	t.now[u] = 1
	level := e.tolerance * slices.Max(e.reach)
	for k, beta := range e.reach {
		t.fresh = t.fresh[:0]
		for _, i := range t.front {
			v := t.now[i]
			t.now[i] = 0
			if t.bound[i] == 0 {
				t.touched = append(t.touched, i)
			}
			t.bound[i] += beta*v + math.SmallestNonzeroFloat64
			if e.later[k]*v <= level {
				continue
			}
			for q := e.near.start[i]; q < e.near.start[i+1]; q++ {
				if a := -e.b[e.near.pair[q]]; a > 0 {
					j := e.near.other[q]
					if t.next[j] == 0 {
						t.fresh = append(t.fresh, j)
					}
					t.next[j] += a * v
				}
			}
		}
		t.front, t.fresh = t.fresh, t.front
		t.now, t.next = t.next, t.now
	}
}

// large is the share of the largest β_k from which a bound on the atoms counts as
// large, so that the ends of pairs become members.
const large = 0.1

// load makes the matrix of V_u ready.
func (t *localWorker) load(e *Local, u int) (size int) {
	h := &e.at
	lo, hi := h.start[u], h.start[u+1]
	size = hi - lo
	pairs := h.pair[h.row[lo]:h.row[hi]]
	terms := len(e.series[0])
	t.values = resize(t.values, len(pairs))
	t.chain, t.back = resize(t.chain, size*terms), resize(t.back, size*terms)
	t.seed = resize(t.seed, size*len(e.series))
	t.a, t.b = resize(t.a, size), resize(t.b, size)
	for k, p := range pairs {
		t.values[k] = e.b[p]
	}
	return size
}

// times sets out_i = factor·(B x)_i − minus_i on V_u.
func (t *localWorker) times(h *neighbourhoods, u int, out, x, minus []float64, factor float64) {
	lo := h.start[u]
	rows := h.row[lo : lo+len(out)+1]
	base := rows[0]
	local := h.local[base:rows[len(out)]]
	values := t.values[:len(local)]
	for i := range out {
		var sum float64
		for k := rows[i] - base; k < rows[i+1]-base; k++ {
			sum += values[k] * x[local[k]]
		}
		out[i] = factor*sum - minus[i]
	}
}

// forward calls use with T_k(B)δ_u for k = 0, 1, …
func (t *localWorker) forward(e *Local, u, size int, use func(k int, term []float64)) {
	last, now := t.a[:size], t.b[:size]
	clear(last)
	clear(now)
	now[e.at.centre[u]] = 1
	use(0, now)
	factor := 1.0
	for k := 1; k < len(e.series[0]); k++ {
		t.times(&e.at, u, last, now, last, factor)
		last, now = now, last
		use(k, now)
		factor = 2
	}
}

// atoms computes the atoms of u.
func (t *localWorker) atoms(e *Local, u int) {
	size := t.load(e, u)
	lo := e.at.start[u]
	for s := range e.series {
		clear(e.atoms[s][lo : lo+size])
	}
	t.forward(e, u, size, func(k int, term []float64) {
		for s, c := range e.series {
			floats.AddScaled(e.atoms[s][lo:lo+size], c[k], term)
		}
	})
}

// derivative adds to g, over the pairs, the derivative by L of
// Σ_s ⟨h_s, p_s(L)δ_u⟩ with h_s = Σ 2·weight_m·x_um·r_m, both triangles together.
func (t *localWorker) derivative(e *Local, u int, residuals linalg.Dense, weight, g []float64) {
	if e.uses.none(u, len(e.series)) {
		return
	}
	size := t.load(e, u)
	lo := e.at.start[u]
	members := e.at.member[lo : lo+size]
	terms := len(e.series[0])
	clear(t.seed)
	for s := range e.series {
		seed := t.seed[s*size : (s+1)*size]
		e.uses.each(s*e.n+u, func(m int, coef float64) {
			factor := 2 * coef
			if weight != nil {
				factor *= weight[m]
			}
			r := linalg.Row(residuals, m)
			for i, v := range members {
				seed[i] += factor * r[v]
			}
		})
	}
	t.forward(e, u, size, func(k int, term []float64) {
		for i, v := range term {
			t.chain[i*terms+k] = v
		}
	})
	// The adjoint of the recurrence: τ_k = Σ_s c_sk h_s + 2Bτ_{k+1} − τ_{k+2}.
	// back holds by local vertex τ_{k+1}, doubled for k ≥ 1, beside T_k.
	last, now := t.a, t.b
	clear(last)
	clear(now)
	for k := terms - 1; k >= 1; k-- {
		t.times(&e.at, u, last, now, last, 2)
		last, now = now, last
		for s, c := range e.series {
			floats.AddScaled(now, c[k], t.seed[s*size:(s+1)*size])
		}
		factor := 2.0
		if k == 1 {
			factor = 1
		}
		for i, v := range now {
			t.back[i*terms+k-1] = factor * v
		}
	}
	rows := e.at.row[lo : lo+size+1]
	for i := range size {
		ti := t.chain[i*terms : i*terms+terms-1]
		bi := t.back[i*terms : i*terms+terms-1]
		for k := rows[i]; k < rows[i+1]; k++ {
			j := int(e.at.local[k])
			if j < i {
				continue
			}
			tj := t.chain[j*terms : j*terms+terms-1]
			bj := t.back[j*terms : j*terms+terms-1]
			var sum float64
			for q, v := range ti {
				sum += v*bj[q] + bi[q]*tj[q]
			}
			g[e.at.pair[k]] += sum
		}
	}
}
