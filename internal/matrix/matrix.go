// Package matrix picks, sorts and describes the entries of matrices whose rows are vertices and
// whose columns are observations; NaN is a missing value.
package matrix

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// MissingCodes are numbers that stand for missing values in many archives.
var MissingCodes = []float64{-999, -9999, -99, -99.9, -999.9, 999, 9999, 99999, -32768, 32767, 1e20}

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

// Columns returns a copy of the given columns of y, in the order given.
func Columns(y *mat.Dense, columns []int) *mat.Dense {
	n, _ := y.Dims()
	some := mat.NewDense(n, len(columns), nil)
	for i := range n {
		from, to := y.RawRowView(i), some.RawRowView(i)
		for k, c := range columns {
			to[k] = from[c]
		}
	}
	return some
}

// Pick returns the entries of a list at the given places, in the order given; nil if there is no list.
func Pick[T any](list []T, places []int) []T {
	if list == nil {
		return nil
	}
	some := make([]T, len(places))
	for k, place := range places {
		some[k] = list[place]
	}
	return some
}

// Rows returns a copy of the given rows of y, in the order given.
func Rows(y *mat.Dense, rows []int) *mat.Dense {
	_, m := y.Dims()
	some := mat.NewDense(len(rows), m, nil)
	for k, i := range rows {
		some.SetRow(k, y.RawRowView(i))
	}
	return some
}

// Span lists from, from+1, …, to−1.
func Span(from, to int) []int {
	list := make([]int, 0, to-from)
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// Sorted returns 0 … n−1 sorted by compare, equals in their order.
func Sorted(n int, compare func(a, b int) int) []int {
	places := Span(0, n)
	slices.SortStableFunc(places, compare)
	return places
}

// Inverse returns the inverse of a permutation: where each of 0 … n−1 is in order.
func Inverse(order []int) []int {
	at := make([]int, len(order))
	for k, v := range order {
		at[v] = k
	}
	return at
}

// Ranks returns the rank of each value of x among those that are not missing, from 0, the mean of
// theirs for equal ones.
func Ranks(x []float64) []float64 {
	order := Where(x, func(_ int, v float64) bool { return !math.IsNaN(v) })
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	ranks := make([]float64, len(x))
	for k := range ranks {
		ranks[k] = math.NaN()
	}
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && x[order[end]] == x[order[first]] {
			end++
		}
		for _, k := range order[first:end] {
			ranks[k] = float64(first+end-1) / 2
		}
		first = end
	}
	return ranks
}

// Where lists the places of x whose values hold.
func Where[T any](x []T, holds func(k int, v T) bool) []int {
	var places []int
	for k, v := range x {
		if holds(k, v) {
			places = append(places, k)
		}
	}
	return places
}

// Each goes through the rows of y, which are not copied, with their numbers.
func Each(y *mat.Dense) iter.Seq2[int, []float64] {
	return func(yield func(int, []float64) bool) {
		for i := range y.RawMatrix().Rows {
			if !yield(i, y.RawRowView(i)) {
				return
			}
		}
	}
}
