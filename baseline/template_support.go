package baseline

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// polish replaces A by the matrix with exact templates that vanishes off A's
// support, if there is one that is no worse: least squares for its coordinates in
// the eigenspaces. Supports are tried from the smallest.
func (t *templates) polish() {
	n := t.n
	var coordinates [][2]int // (k, l) with k ≤ l in one space
	for k := range n {
		for l := k; l < n && t.space[l] == t.space[k]; l++ {
			coordinates = append(coordinates, [2]int{k, l})
		}
	}
	if len(coordinates) > 4*n {
		return // too many of them to gain from it
	}
	largest := slices.Max(t.a.Data)
	for _, share := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		if p := t.onSupport(coordinates, share*largest); p != nil {
			copy(t.a.Data, p)
			return
		}
	}
}

// onSupport solves for the coordinates with entries of A up to level made zero;
// nil if the solution is not valid or costs more than A.
func (t *templates) onSupport(coordinates [][2]int, level float64) []float64 {
	n, v := t.n, t.vectors.Data
	entry := func(c [2]int, i, j int) float64 {
		k, l := c[0], c[1]
		if k == l {
			return v[i*n+k] * v[j*n+k]
		}
		return v[i*n+k]*v[j*n+l] + v[i*n+l]*v[j*n+k]
	}
	var rows [][2]int
	for i := range n {
		for j := i; j < n; j++ {
			if i == j || t.a.Data[i*n+j] <= level {
				rows = append(rows, [2]int{i, j})
			}
		}
	}
	system := mat.NewDense(len(rows)+1, len(coordinates), nil)
	for q, c := range coordinates {
		for p, r := range rows {
			system.Set(p, q, entry(c, r[0], r[1]))
		}
		// The last row fixes the scale.
		var sum float64
		for j, u := range t.perron {
			if t.set == AdjacencyTemplates {
				sum += entry(c, t.row, j)
				continue
			}
			for i, w := range t.perron {
				sum += u * w * entry(c, i, j)
			}
		}
		system.Set(len(rows), q, sum)
	}
	right := mat.NewVecDense(len(rows)+1, nil)
	right.SetVec(len(rows), 1)
	var svd mat.SVD
	if !svd.Factorize(system, mat.SVDThin) {
		return nil
	}
	var solution mat.VecDense
	svd.SolveVecTo(&solution, right, svd.Rank(1e-12))

	var error2, cost, before float64
	p := make([]float64, n*n)
	scale := -1.0
	for i := range n {
		for j := range n {
			var sum float64
			for q, c := range coordinates {
				sum += solution.AtVec(q) * entry(c, i, j)
			}
			if i == j || t.a.Data[i*n+j] <= level || sum < 0 {
				error2 += sum * sum
				sum = 0
			}
			p[i*n+j] = sum
			cost += t.cost[i*n+j] * sum
			before += t.cost[i*n+j] * t.a.Data[i*n+j]
		}
	}
	for q := range coordinates {
		scale += system.At(len(rows), q) * solution.AtVec(q)
	}
	if math.Sqrt(error2+scale*scale) > 1e-8 || cost > before*(1+1e-4) {
		return nil
	}
	return p
}
