package baseline

import "slices"

// defaultDegree is how many edges a vertex has by default, on average: that of
// the graphs in [maretic2017].
const defaultDegree = 6

// tieSlack is the relative difference up to which similarities count as equal,
// so that rounding, and with it the order of vertices, decides nothing.
const tieSlack = 1e-12

// nearest marks the pairs of which one vertex is among the k most similar to the
// other; whatever ties with the k-th is among them.
func nearest(n, k int, similarity []float64) []bool {
	keep := make([]bool, len(similarity))
	k = min(k, n-1)
	row := make([]float64, 0, n-1)
	at := func(i, j int) int { return pairIndex(n, min(i, j), max(i, j)) }
	for i := range n {
		row = row[:0]
		for j := range n {
			if j != i {
				row = append(row, similarity[at(i, j)])
			}
		}
		slices.Sort(row)
		level := row[len(row)-k] - tieSlack
		for j := range n {
			if j != i && similarity[at(i, j)] >= level {
				keep[at(i, j)] = true
			}
		}
	}
	return keep
}
