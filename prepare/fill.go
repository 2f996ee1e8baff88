package prepare

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// FillMissing returns y with each missing entry replaced by the mean of its row,
// and how many there were; y itself if there are none. A row without any value is
// filled with zeros.
func FillMissing(y *mat.Dense) (*mat.Dense, int) {
	missing := Missing(y)
	if missing == 0 {
		return y, 0
	}
	filled := mat.DenseCopyOf(y)
	for i, r := range describe(y) {
		x := filled.RawRowView(i)
		for k, v := range x {
			if math.IsNaN(v) {
				x[k] = r.mean
			}
		}
	}
	return filled, missing
}

// Missing returns how many entries of y are missing, that is, NaN.
func Missing(y *mat.Dense) int {
	missing := 0
	n, _ := y.Dims()
	for i := range n {
		for _, v := range y.RawRowView(i) {
			if math.IsNaN(v) {
				missing++
			}
		}
	}
	return missing
}
