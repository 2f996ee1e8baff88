package run

import (
	"context"
	"testing"
)

// Leaving the loop cancels the work, and nothing is shown any more.
func TestLeavingTheLoopStopsTheWork(t *testing.T) {
	shown := 0
	for range Iterate(t.Context(), func(ctx context.Context, show func(int)) (int, error) {
		show(1)
		select {
		case <-ctx.Done():
		default:
			t.Error("the work is not cancelled")
		}
		show(2)
		return 3, nil
	}) {
		shown++
		break
	}
	if shown != 1 {
		t.Errorf("%d steps were shown", shown)
	}
}
