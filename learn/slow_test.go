package learn_test

import (
	"runtime"
	"testing"
)

// slow leaves a test of a law, which needs no second thread, out of the short
// ones: the race detector runs those, many times slower.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
}

// someThreads are the numbers of threads that must give the answer of one. Until the test ends they run at the same
// time, also where the tests are run on one processor.
func someThreads(t *testing.T) []int {
	t.Helper()
	before := runtime.GOMAXPROCS(4)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	return []int{3, 16}
}
