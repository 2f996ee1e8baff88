package learn

import "slices"

// upTo lists from, from+1, …, to−1.
func upTo(from, to int) []int {
	list := make([]int, 0, to-from)
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// sortedIndex returns 0 … n−1 sorted by compare, equals in their order.
func sortedIndex(n int, compare func(a, b int) int) []int {
	index := upTo(0, n)
	slices.SortStableFunc(index, compare)
	return index
}
