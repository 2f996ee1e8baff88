package dictionary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// Kernels returns the kernels there are.
func (e *Local) Kernels() []kernel.Kernel { return slices.Clone(e.kernels) }

// SetKernels replaces the kernels by as many others that do not reach much farther:
// weights and neighbourhoods stay.
func (e *Local) SetKernels(kernels []kernel.Kernel) {
	e.kernels, e.whole = slices.Clone(kernels), paddedSeries(kernels)
	e.SetPrecision(e.tolerance, e.most)
	if e.at.start != nil {
		e.evaluate()
	}
}

// scaleStep is the step in the logarithm of a scale over which differences are taken.
const scaleStep = 1e-4

// ScaleNormalEquations describes f = Σ_m weight_m ‖r_m‖² near the current kernels, for
// the code of the last Refit: if the logarithms of the scales of those that have one
// move by θ, and the coefficients follow, f is about f(0) + 2 gradᵀθ + θᵀ·hess·θ; see
// [Spectral.KernelNormalEquations].
func (e *Local) ScaleNormalEquations(x *sparse.Code, weight []float64) (hess, grad []float64) {
	var scaled []int // kernels
	moves := map[int][]float64{}
	for s, k := range e.kernels {
		if k.Family() == "" {
			continue
		}
		change := make([]float64, len(e.series[s]))
		for _, sign := range []float64{1, -1} {
			moved, err := k.WithScale(k.Scale() * portable.Exp(sign*scaleStep))
			if err != nil {
				continue // at the end of the scales that there are
			}
			floats.AddScaled(change, sign/(2*scaleStep), moved.Series()[:len(change)])
		}
		scaled = append(scaled, s)
		moves[s] = e.atomsOf(change)
	}
	size := len(scaled)
	residuals := e.residuals(x)
	blocks := (e.m + normalBlock - 1) / normalBlock
	partial := make([][]float64, blocks) // of hess, and grad as a last row
	linalg.ForEach(e.threads, blocks, func(worker, b int) {
		partial[b] = make([]float64, (size+1)*size)
		v, left := linalg.NewDense(size, e.n), linalg.NewDense(size, e.n)
		for m := b * normalBlock; m < min((b+1)*normalBlock, e.m); m++ {
			atom, coef := x.Column(m)
			for p, s := range scaled {
				row := linalg.Row(v, p)
				clear(row)
				for q, j := range atom {
					if int(j)/e.n == s {
						lo, hi := e.at.start[int(j)%e.n], e.at.start[int(j)%e.n+1]
						for k, i := range e.at.member[lo:hi] {
							row[i] += coef[q] * moves[s][lo+k]
						}
					}
				}
				e.workers[worker].project(e, atom, row, linalg.Row(left, p)) // with the other sign, which hess does not see
			}
			for p := range size {
				for q := range size {
					partial[b][p*size+q] += weightOf(weight, m) * linalg.Dot(linalg.Row(left, p), linalg.Row(left, q))
				}
				partial[b][size*size+p] += weightOf(weight, m) * linalg.Dot(linalg.Row(v, p), linalg.Row(residuals, m))
			}
		}
	})
	sum := make([]float64, (size+1)*size)
	for _, p := range partial {
		floats.Add(sum, p)
	}
	return sum[:size*size], sum[size*size:]
}

// atomsOf returns the atoms of a kernel with the given series, on the neighbourhoods.
func (e *Local) atomsOf(series []float64) []float64 {
	values := make([]float64, len(e.at.member))
	linalg.ForEach(e.threads, e.n, func(worker, u int) {
		t := &e.workers[worker]
		size := t.load(e, u)
		own := values[e.at.start[u] : e.at.start[u]+size]
		t.forward(e, u, size, func(k int, term []float64) { floats.AddScaled(own, series[k], term) })
	})
	return values
}

// Information estimates, for each pair, how much the signals say about its weight:
// Σ_m ‖∂r_m/∂w_e‖², with the coefficients eliminated, the diagonal of the
// Gauss–Newton matrix of f/2. White noise of variance σ² in the signals, but for the
// entries that are missing, moves half the derivative of f by a normal variable of
// variance σ² times that; so it is estimated from what noise that is drawn, that many
// times, does to the derivative. A weight of 0 leaves a signal out, nil weights being
// ones.
//
// x must be the code of the last Refit, whose residuals are lost.
func (e *Local) Information(dst []float64, x *sparse.Code, weight []float64, missing [][]int32, probes int, seed uint64) {
	clear(dst)
	grad := make([]float64, len(dst))
	r, _ := e.memory.take(e, e.m, e.n)
	e.hasR = false
	noise := make([][]float64, e.threads)
	for k := range probes {
		linalg.ForEach(e.threads, e.m, func(worker, m int) {
			if noise[worker] == nil {
				noise[worker] = make([]float64, e.n)
			}
			z := noise[worker]
			draw := rng.Stream(seed, "information", k, m)
			for i := range z {
				z[i] = draw.NormFloat64()
			}
			if missing != nil {
				for _, i := range missing[m] {
					z[i] = 0
				}
			}
			atom, _ := x.Column(m)
			e.workers[worker].project(e, atom, z, linalg.Row(r, m))
		})
		e.gradient(grad, x, r, weight)
		for q, g := range grad {
			dst[q] += g * g / 4
		}
	}
	floats.Scale(1/float64(probes), dst)
}

// project sets r to what the span of the atoms leaves of y, with the other sign.
func (t *localWorker) project(e *Local, atom []int32, y, r []float64) {
	coef := make([]float64, len(atom))
	if len(atom) > 0 {
		t.normalEquations(e, atom, coef, y)
		sparse.SolveNormalEquations(t.gram, coef)
	}
	t.residual(e, atom, coef, y, r)
}

// CandidatePairs returns for each vertex up to count vertices that it is not paired
// with, that may says it could be, and whose pair would lower f most, to first order
// in one step of the atoms' recurrence: with r = DX − Y and z_m = Σ_s x_m-weighted
// q_s(B)δ, where p_s(B) = p_s(0) + B·q_s(B), the derivative by B_ij begins with
// Σ_m r_im z_jm. Residuals that are small beside the others of their signal are
// ignored, and z is restricted to its leading part, the atoms centred at j.
func (e *Local) CandidatePairs(x *sparse.Code, weight []float64, count int, may func(i, j int32) bool) [][]int32 {
	large := e.largeResiduals(x, weight)
	slope := make([]float64, len(e.series))
	for s, c := range e.series {
		slope[s] = slopeAtCentre(c)
	}
	e.uses.fill(x)
	best := make([][]int32, e.n)
	linalg.ForEach(e.threads, e.n, func(worker, j int) {
		t := &e.workers[worker]
		t.collect(e, j, large, slope)
		// Pairs lower f where −s_i s_j G_ij does. Neither j itself nor its pairs are candidates.
		t.next[j] = 0
		for q := e.near.start[j]; q < e.near.start[j+1]; q++ {
			t.next[e.near.other[q]] = 0
		}
		for range count {
			top, most := int32(-1), 0.0
			for _, i := range t.touched {
				if v := t.next[i] * e.s[i]; v > most && may(i, int32(j)) {
					top, most = i, v
				}
			}
			if top < 0 {
				break
			}
			best[j] = append(best[j], top)
			t.next[top] = 0
		}
		for _, i := range t.touched {
			t.next[i] = 0
		}
	})
	return best
}

// A residualEntry is a residual at a vertex, times its share of the derivative.
type residualEntry struct {
	vertex int32
	value  float64
}

// largeResiduals lists for each signal where its residual is more than twice its
// root mean square.
func (e *Local) largeResiduals(x *sparse.Code, weight []float64) [][]residualEntry {
	r := e.residuals(x)
	large := make([][]residualEntry, e.m)
	linalg.ForEach(e.threads, e.m, func(_, m int) {
		level := 2 * math.Sqrt(e.residual[m]/float64(e.n))
		for i, v := range linalg.Row(r, m) {
			if math.Abs(v) > level {
				large[m] = append(large[m], residualEntry{int32(i), 2 * weight[m] * v})
			}
		}
	})
	return large
}

// slopeAtCentre returns p'(1) of a series, q(0) in [Local.CandidatePairs].
func slopeAtCentre(series []float64) float64 {
	var slope float64
	for k := 1; k < len(series); k += 2 { // T_k'(0) = ±k for odd k, else 0
		sign := 1.0
		if k%4 == 3 {
			sign = -1
		}
		slope += sign * float64(k) * series[k]
	}
	return slope
}

// collect sets t.next to Σ_m r_im z_jm over the large residuals, for all i, and
// t.touched to the i that occur.
func (t *localWorker) collect(e *Local, j int, large [][]residualEntry, slope []float64) {
	t.touched = t.touched[:0]
	for s := range e.series {
		e.uses.each(s*e.n+j, func(m int, coef float64) {
			for _, r := range large[m] {
				if t.next[r.vertex] == 0 {
					t.touched = append(t.touched, r.vertex)
				}
				t.next[r.vertex] += coef*slope[s]*r.value + math.SmallestNonzeroFloat64
			}
		})
	}
}
