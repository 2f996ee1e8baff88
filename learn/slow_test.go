package learn_test

import "testing"

// slow leaves a test of a law, which needs no second thread, out of the short
// ones: the race detector runs those, many times slower.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
}

// someThreads are the numbers of threads that must give the answer of one. The race
// detector sees as much with the first of them.
func someThreads() []int {
	threads := []int{3, 2, 16, 64}
	if testing.Short() {
		return threads[:1]
	}
	return threads
}
