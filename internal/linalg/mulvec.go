package linalg

// mulVecGo is mulVec in Go, in the order of gonum's assembly for x86-64: pairs of
// columns, and the odd column of all rows but an odd last one after both sums have
// become one. The conversions of products keep the compiler from fusing them.
func mulVecGo(y []float64, a Dense, x []float64) {
	even := len(x) &^ 1
	for i := range y {
		row := Row(a, i)[:len(x)]
		var s0, s1 float64
		for j := 0; j < even; j += 2 {
			s0 += float64(row[j] * x[j])
			s1 += float64(row[j+1] * x[j+1])
		}
		switch odd := even < len(x); {
		case !odd:
			y[i] = s0 + s1
		case i == len(y)-1 && i%2 == 0:
			s0 += float64(row[even] * x[even])
			y[i] = s0 + s1
		default:
			y[i] = s0 + s1 + float64(row[even]*x[even])
		}
	}
}
