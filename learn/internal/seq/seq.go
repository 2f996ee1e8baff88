// Package seq has lists of indices.
package seq

import "slices"

// UpTo lists from, from+1, …, to−1.
func UpTo(from, to int) []int {
	list := make([]int, 0, to-from)
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// Sorted returns 0 … n−1 sorted by compare, equals in their order.
func Sorted(n int, compare func(a, b int) int) []int {
	index := UpTo(0, n)
	slices.SortStableFunc(index, compare)
	return index
}
