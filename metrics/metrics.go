// Package metrics measures how well a graph and its codes were recovered:
// precision, recall and F1 of edges and of code supports, normalised mutual
// information, and the error of the weights once the scales are matched.
//
// Two graphs are compared vertex by vertex. If both carry the same names in
// another order, vertices are matched by name; if the names are not the same,
// the comparison is refused. Two directed graphs are compared arrow by arrow; if
// only one is directed, its direction is ignored.
package metrics

import (
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
)

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
		if a != 0 && b != 0 {
			correct++
		}
	}
	return newScore(found.EdgeCount(), truth.EdgeCount(), correct), nil
}

// WrongSigns returns how many edges of both graphs have a weight of one sign in found and of the
// other in truth.
func WrongSigns(found, truth *graph.Graph) (int, error) {
	found, truth, err := align("WrongSigns", found, truth)
	if err != nil {
		return 0, err
	}
	wrong := 0
	for a, b := range pairs(found, truth) {
		if min(a, b) < 0 && max(a, b) > 0 {
			wrong++
		}
	}
	return wrong, nil
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

// DenseSupport is [Support] of codes that are matrices, as in files. Matrices of
// different sizes are an [*input.Error].
func DenseSupport(found, truth mat.Matrix) (Score, error) {
	rows, cols := found.Dims()
	wantRows, wantCols := truth.Dims()
	if rows != wantRows || cols != wantCols {
		return Score{}, input.Completef("metrics.DenseSupport", "codes",
			"the codes are %d×%d, but the ground-truth codes are %d×%d: do they belong to the same signals, "+
				"vertices and kernels?", rows, cols, wantRows, wantCols)
	}
	return Support(sparse.FromDense(found), sparse.FromDense(truth))
}

// Support scores the non-zeros of the codes found against those of truth,
// pooled over all signals: one entry, one vote, as in [maretic2017], section 4.
// Entries whose coefficient is exactly zero do not count. Atoms are matched by
// position, so both codes must belong to the same kernels and vertex order.
func Support(found, truth *sparse.Code) (Score, error) {
	atoms, signals := truth.Dims()
	gotAtoms, gotSignals := found.Dims()
	if gotAtoms != atoms {
		return Score{}, input.Errorf("metrics.Support", "atoms", "got %d, want %d", gotAtoms, atoms)
	}
	if gotSignals != signals {
		return Score{}, input.Errorf("metrics.Support", "signals", "got %d, want %d", gotSignals, signals)
	}
	var nFound, nTruth, correct int
	used := make([]bool, atoms) // by the true code of the signal at hand
	for m := range signals {
		trueAtom, trueCoef := truth.Column(m)
		for k, j := range trueAtom {
			if trueCoef[k] != 0 {
				used[j] = true
				nTruth++
			}
		}
		atom, coef := found.Column(m)
		for k, j := range atom {
			if coef[k] != 0 {
				nFound++
				if used[j] {
					correct++
				}
			}
		}
		for _, j := range trueAtom {
			used[j] = false
		}
	}
	return newScore(nFound, nTruth, correct), nil
}

// A Coverage says how many of the vertices a true graph is about.
type Coverage struct {
	Joined   int // vertices with an edge
	Vertices int // all of them
}

// Covers returns how many of its vertices a true graph joins.
func Covers(truth *graph.Graph) Coverage {
	n := truth.Vertices()
	return Coverage{n - len(truth.Isolated()), n}
}

// Low says that less than half of the vertices have a true edge, as when the graph
// belongs to other signals: all edges found between the others count as false.
func (c Coverage) Low() bool { return 2*c.Joined < c.Vertices }

// align returns found with its vertices in the order of truth's, and both without
// direction unless both are directed.
func align(op string, found, truth *graph.Graph) (alignedFound, alignedTruth *graph.Graph, err error) {
	if found.Vertices() != truth.Vertices() {
		return nil, nil, input.Errorf("metrics."+op, "vertices", "got %d, want %d", found.Vertices(), truth.Vertices())
	}
	if found.Directed() != truth.Directed() {
		found, truth = found.Undirected(), truth.Undirected()
	}
	have, want := found.Names(), truth.Names()
	if slices.Equal(have, want) {
		return found, truth, nil
	}
	place := make(map[string]int, len(have))
	for i, name := range have {
		place[name] = i
	}
	order := make([]int, len(want))
	for k, name := range want {
		i, ok := place[name]
		if !ok {
			return nil, nil, input.Errorf("metrics."+op, "vertex names",
				"the vertex %q of the true graph is not in the learned graph", name)
		}
		order[k] = i
	}
	found, err = found.Permuted(order)
	return found, truth, err
}

// pairs yields, in order, the two weights of every pair of vertices that is an
// edge of either graph, 0 standing for no edge.
func pairs(found, truth *graph.Graph) iter.Seq2[float64, float64] {
	return func(yield func(a, b float64) bool) {
		f, t := found.Edges(), truth.Edges()
		for len(f) > 0 || len(t) > 0 {
			var a, b float64
			inFound := len(t) == 0 || len(f) > 0 && !before(t[0], f[0])
			inTruth := len(f) == 0 || len(t) > 0 && !before(f[0], t[0])
			if inFound {
				a, f = f[0].Weight, f[1:]
			}
			if inTruth {
				b, t = t[0].Weight, t[1:]
			}
			if !yield(a, b) {
				return
			}
		}
	}
}

func before(a, b graph.Edge) bool { return a.I < b.I || a.I == b.I && a.J < b.J }

// WeightError returns the relative error of the weights of found after its
// scale, which signals cannot tell, is matched to that of truth:
//
//	inf over c > 0 of ‖cW − W*‖_F / ‖W*‖_F
//
// with the best c = ⟨W, W*⟩/‖W‖²_F. It is the sine of the angle between W and
// W*, hence symmetric and in [0, 1]: 0 if they are proportional, 1 if they share
// no edge, just one of them is empty, or signs are mostly opposite. Two empty graphs have error 0.
func WeightError(found, truth *graph.Graph) (float64, error) {
	found, truth, err := align("WeightError", found, truth)
	if err != nil {
		return 0, err
	}
	if found.EdgeCount() == 0 || truth.EdgeCount() == 0 {
		if found.EdgeCount() == truth.EdgeCount() {
			return 0, nil
		}
		return 1, nil
	}
	var peakFound, peakTruth float64 // weights are divided by them: no square overflows
	for a, b := range pairs(found, truth) {
		peakFound, peakTruth = max(peakFound, math.Abs(a)), max(peakTruth, math.Abs(b))
	}
	var inner, normFound, normTruth float64
	for a, b := range pairs(found, truth) {
		a, b = a/peakFound, b/peakTruth
		inner += a * b
		normFound += a * a
		normTruth += b * b
	}
	c := max(inner/normFound, 0)
	var miss float64
	for a, b := range pairs(found, truth) {
		d := c*a/peakFound - b/peakTruth
		miss += d * d
	}
	return min(1, math.Sqrt(miss/normTruth)), nil
}
