package assess

import "testing"

// slow leaves a test of a law, which needs no second thread, out of the short
// ones: the race detector runs those, many times slower.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
}
