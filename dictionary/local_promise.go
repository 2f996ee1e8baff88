package dictionary

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/sparse"
)

// Promising returns for each vertex up to count vertices that it is not paired
// with and whose pair would lower f most, to first order in one step of the
// atoms' recurrence: with r = DX − Y and z_m = Σ_s x_m-weighted q_s(B)δ, where
// p_s(B) = p_s(0) + B·q_s(B), the derivative by B_ij begins with Σ_m r_im z_jm.
// Residuals that are small beside the others of their signal are left out.
func (e *Local) Promising(x *sparse.Code, weight []float64, count int) [][]int32 {
	// Large residuals, by signal.
	type entry struct {
		vertex int32
		value  float64
	}
	large := make([][]entry, e.m)
	linalg.ForEach(e.threads, e.m, func(_, m int) {
		level := 2 * math.Sqrt(e.residual[m]/float64(e.n))
		for i, v := range linalg.Row(e.r, m) {
			if math.Abs(v) > level {
				large[m] = append(large[m], entry{int32(i), 2 * weight[m] * v})
			}
		}
	})
	// The derivative is led by the atoms centred at j: z_jm ≈ q_s(0)·x.
	slope := make([]float64, len(e.series))
	for s, c := range e.series {
		for k := 1; k < len(c); k += 2 { // T_k'(0)
			sign := 1.0
			if k%4 == 3 {
				sign = -1
			}
			slope[s] += sign * float64(k) * c[k]
		}
	}
	e.uses.fill(x)
	best := make([][]int32, e.n)
	scores := make([][]float64, e.threads)
	linalg.ForEach(e.threads, e.n, func(worker, j int) {
		if scores[worker] == nil {
			scores[worker] = make([]float64, e.n)
		}
		score := scores[worker]
		clear(score)
		for s := range e.series {
			e.uses.each(s*e.n+j, func(m int, coef float64) {
				for _, r := range large[m] {
					score[r.vertex] += coef * slope[s] * r.value
				}
			})
		}
		// Pairs lower f where −s_i s_j G_ij does; those of j itself and those
		// that exist are no news.
		score[j] = 0
		for q := e.near.start[j]; q < e.near.start[j+1]; q++ {
			score[e.near.other[q]] = 0
		}
		floats.Mul(score, e.s)
		for range count {
			i := floats.MaxIdx(score)
			if score[i] <= 0 {
				break
			}
			best[j] = append(best[j], int32(i))
			score[i] = 0
		}
	})
	return best
}
