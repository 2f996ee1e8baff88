// Package metrics measures how well a graph and its codes were recovered:
// precision, recall and F1 of edges and of code supports, normalised mutual
// information, and the error of the weights once the scales are matched.
//
// Two graphs are compared vertex by vertex. If both carry the same names in
// another order, vertices are matched by name; if the names are not the same,
// the comparison is refused. Two directed graphs are compared arrow by arrow; if
// only one is directed, its direction is ignored.
package metrics

// A Score counts how many of the things found are true ones.
//
// Precision is Correct/Found and recall Correct/True. Where a denominator is
// zero the ratio is 0, so that finding nothing where there is something, or
// something where there is nothing, scores 0 throughout; if there is nothing
// to find and nothing was found, both are 1.
type Score struct {
	Precision, Recall float64
	True              int // how many there are
	Found             int // how many were reported
	Correct           int // how many are in both
}

// F1 returns the harmonic mean of precision and recall, 0 if both are 0.
func (s Score) F1() float64 {
	if s.Precision+s.Recall == 0 {
		return 0
	}
	return 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
}

func newScore(found, truth, correct int) Score {
	s := Score{True: truth, Found: found, Correct: correct}
	if found == 0 && truth == 0 {
		s.Precision, s.Recall = 1, 1
	}
	if found > 0 {
		s.Precision = float64(correct) / float64(found)
	}
	if truth > 0 {
		s.Recall = float64(correct) / float64(truth)
	}
	return s
}
