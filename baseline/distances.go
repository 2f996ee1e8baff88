package baseline

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
)

// squaredDistances returns z_e = ‖y_i − y_j‖² over the pairs.
func squaredDistances(y *mat.Dense) []float64 {
	n, _ := y.Dims()
	z := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) {
		d := floats.Distance(y.RawRowView(i), y.RawRowView(j), 2)
		z[e] = d * d
	})
	return z
}

// unitDistances returns the squared distances between the rows of y over their
// mean. They are all zero if all rows are equal.
func unitDistances(y *mat.Dense) []float64 {
	z := squaredDistances(unscaled(y))
	if mean := portable.Sum(z) / float64(len(z)); mean > 0 {
		for e := range z {
			z[e] /= mean
		}
	}
	return z
}

// sortedDistances returns for each vertex its distances z to the others, nearest first.
func sortedDistances(n int, z []float64) [][]float64 {
	rows := make([][]float64, n)
	all := make([]float64, n*(n-1))
	for i := range rows {
		rows[i] = all[i*(n-1) : i*(n-1) : (i+1)*(n-1)]
	}
	eachPair(n, func(e, i, j int) {
		rows[i], rows[j] = append(rows[i], z[e]), append(rows[j], z[e])
	})
	for _, row := range rows {
		slices.Sort(row)
	}
	return rows
}
