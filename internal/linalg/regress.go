package linalg

// Regress regresses the variable of row own of moments on those of other rows. It returns their coefficients, which
// replace what beta has, and how much of the moment of the variable they cover: no finite number if they follow each
// other exactly.
func (s *SmallSolver) Regress(moments Dense, own int, on []int, beta []float64) (coefficients []float64, covered float64) {
	beta, row := beta[:0], Row(moments, own)
	for _, j := range on {
		beta = append(beta, row[j])
	}
	covered = s.Solve(beta, func(p int, dst []float64) {
		row := Row(moments, on[p])
		for q := range dst {
			dst[q] = row[on[q]]
		}
	})
	return beta, covered
}
