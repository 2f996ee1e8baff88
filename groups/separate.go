package groups

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// leastSeparate is the fewest units that a variance of their own is taken from.
const leastSeparate = 3

// separates reports whether each group has a variance of its own: if groups of different sizes differ in how much
// their units vary, as recordings of different length do, a common one is that of the larger group, and permutations
// take noise for a difference. Between groups of one size that hardly matters, and a common one is known better.
func (m *model) separates(d Design) bool {
	if d.Groups == nil || d.Subjects != nil || d.Covariate != nil {
		return false
	}
	same := true
	for _, n := range m.counts {
		if n < leastSeparate {
			return false
		}
		same = same && n == m.counts[0]
	}
	return !same
}

// separately returns the statistic of each column if unit order[u] takes the place of u: Welch's F ([welch1951]), of
// two groups his t squared. How far it is from 1 by chance depends on its degrees of freedom, which depend on who is in
// which group: it is made what it would be if they were many, by the approximation of [wallace1959], for else
// permutations of a few noisy units among many others have too few large values.
func (t *tally) separately(s *scratch) {
	largest, groups := 0, len(t.counts)
	for g, n := range t.counts {
		if n > t.counts[largest] {
			largest = g
		}
		clear(s.along[2*g])
		clear(s.along[2*g+1])
	}
	copy(s.along[2*largest+1], t.total)
	for u, from := range s.order {
		if g := t.group[u]; g != largest {
			linalg.Axpy(1, t.rest.RawRowView(from), s.along[2*g])
			linalg.Axpy(1, t.squares.RawRowView(from), s.along[2*g+1])
		}
	}
	for g := range t.counts { // the largest has the rest, as all sum to 0
		if g != largest {
			linalg.Axpy(-1, s.along[2*g], s.along[2*largest])
			linalg.Axpy(-1, s.along[2*g+1], s.along[2*largest+1])
		}
	}
	w := welch{t.counts, make([]float64, groups), make([]float64, groups)}
	for c, total := range t.total {
		s.f[c] = 0
		if total <= 0 {
			continue
		}
		for g, count := range t.counts {
			n := float64(count)
			mean := s.along[2*g][c] / n
			left := max(s.along[2*g+1][c]-float64(n*mean*mean), spent*total) // not only rounding
			w.means[g], w.weights[g] = mean, n*(n-1)/left
		}
		f, df := w.test()
		asked := float64(groups - 1)
		scale := (float64(8*df) + 1) / (float64(8*df) + 3)
		s.f[c] = df / asked * math.Log1p(asked*f/df) * scale * scale
	}
}

// A welch is a test of the means of groups.
type welch struct {
	counts         []int
	means, weights []float64 // the weights being one over the square of the standard error
}

// test returns Welch's F and its second degrees of freedom.
func (w welch) test() (f, df float64) {
	sum, middle := 0.0, 0.0
	for g, weight := range w.weights {
		sum += weight
		middle += float64(weight * w.means[g])
	}
	middle /= sum
	unsure, k := 0.0, float64(len(w.counts))
	for g, weight := range w.weights {
		away, rest := w.means[g]-middle, 1-weight/sum
		f += float64(weight*away*away) / (k - 1)
		unsure += float64(rest*rest) / float64(w.counts[g]-1)
	}
	all := float64(k*k) - 1
	return f / (1 + float64(2*(k-2)/all*unsure)), all / (3 * unsure)
}

// welchOf returns the test of a column, and its values less those of the first group, with how far intervals reach.
func (t *tally) welchOf(column []float64) (f float64, reach []float64) {
	w := welch{t.counts, make([]float64, len(t.counts)), make([]float64, len(t.counts))}
	squares := make([]float64, len(t.counts)) // of standard errors
	for g, count := range t.counts {
		var of []float64
		for u, x := range column {
			if t.group[u] == g {
				of = append(of, x)
			}
		}
		mean, variance := portable.MeanVariance(of)
		squares[g] = variance / float64(count)
		w.means[g], w.weights[g] = mean, 1/squares[g]
	}
	if slices.Min(squares) > 0 {
		f, _ = w.test()
	}
	for g := 1; g < len(squares); g++ {
		sum, freedom := squares[0]+squares[g], t.df
		if sum > 0 {
			a, b := squares[0]*squares[0]/float64(t.counts[0]-1), squares[g]*squares[g]/float64(t.counts[g]-1)
			freedom = sum * sum / (a + b)
		}
		reach = append(reach, math.Sqrt(sum)*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile((1+interval)/2))
	}
	if len(squares) == 2 && squares[0]+squares[1] > 0 { // one of them may be 0
		away := w.means[1] - w.means[0]
		f = away * away / (squares[0] + squares[1])
	}
	return f, reach
}
