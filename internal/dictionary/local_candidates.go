package dictionary

import (
	"math"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/sparse"
)

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
