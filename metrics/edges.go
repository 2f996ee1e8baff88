package metrics

import (
	"math"

	"github.com/nervure/nervure/graph"
)

// Edges scores the edges of found against those of truth, whatever their
// weights: arrows if both graphs are directed, else edges without direction. Graphs
// of different sizes or different vertex names are an error.
func Edges(found, truth *graph.Graph) (Score, error) {
	return edges("Edges", found, truth)
}

func edges(op string, found, truth *graph.Graph) (Score, error) {
	found, truth, err := align(op, found, truth)
	if err != nil {
		return Score{}, err
	}
	correct := 0
	for a, b := range pairs(found, truth) {
		if a > 0 && b > 0 {
			correct++
		}
	}
	return newScore(found.EdgeCount(), truth.EdgeCount(), correct), nil
}

// EdgesAtCount scores the heaviest edges of found, as many as truth has: the
// protocol of [maretic2017], section 4. Precision and recall are then equal,
// unless found has fewer edges than truth. Of equal weights at the cut, those
// that come first in truth's vertex order are kept.
func EdgesAtCount(found, truth *graph.Graph) (Score, error) {
	found, truth, err := align("EdgesAtCount", found, truth)
	if err != nil {
		return Score{}, err
	}
	return edges("EdgesAtCount", found.Strongest(truth.EdgeCount()), truth)
}

// EdgeF1 returns the F1 of [Edges].
func EdgeF1(found, truth *graph.Graph) (float64, error) {
	s, err := edges("EdgeF1", found, truth)
	return s.F1(), err
}

// NMI returns the normalised mutual information 2·I(a; b)/(H(a) + H(b)) between
// being an edge of found and being an edge of truth, over all N(N−1)/2 pairs of
// vertices, or N(N−1) ordered ones of directed graphs, as used for learned graphs in [dong2016]. It is 1 if the edges are
// the same, 0 if they are independent, and symmetric in its arguments. It sees
// partitions and not labels: the complement of truth scores 1 as well.
//
// An empty or a complete graph tells nothing about the other (H = 0): if both
// graphs are such, NMI is 1 when they agree and 0 when they do not.
func NMI(found, truth *graph.Graph) (float64, error) {
	s, err := edges("NMI", found, truth)
	if err != nil {
		return 0, err
	}
	n := truth.Vertices()
	total := n * (n - 1)
	if !found.Directed() || !truth.Directed() {
		total /= 2
	}
	onlyFound, onlyTruth := s.Found-s.Correct, s.True-s.Correct
	neither := total - s.Correct - onlyFound - onlyTruth

	hFound := entropy(total, s.Found, total-s.Found)
	hTruth := entropy(total, s.True, total-s.True)
	if hFound+hTruth == 0 {
		if s.Found == s.True {
			return 1, nil
		}
		return 0, nil
	}
	joint := entropy(total, s.Correct, onlyFound, onlyTruth, neither)
	return max(0, 2*(hFound+hTruth-joint)/(hFound+hTruth)), nil
}

// entropy returns −Σ p log p of the shares p = count/total, with 0 log 0 = 0.
func entropy(total int, counts ...int) float64 {
	var h float64
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(total)
			h -= p * math.Log(p)
		}
	}
	return h
}
