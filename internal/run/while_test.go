package run_test

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/run"
)

func TestWhileEndsWithItsContext(t *testing.T) {
	for looks, want := range map[int][]int{0: nil, 2: {0, 1}, 3: {0, 1, 2}, 9: {0, 1, 2}} {
		if got := slices.Collect(run.While(checks.EndsAfter(looks), 3)); !slices.Equal(got, want) {
			t.Errorf("after %d looks: got %v, want %v", looks, got, want)
		}
	}
	for k := range run.While(t.Context(), 5) {
		if k == 1 {
			break
		}
	}
}
