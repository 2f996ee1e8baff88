package run

import (
	"context"
	"iter"
)

// While yields 0, 1, … n − 1 as long as ctx has not ended. Who loops over it looks at ctx
// afterwards: what a loop that was cut short has come to is not an answer.
func While(ctx context.Context, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for k := range n {
			if Ended(ctx) != nil || !yield(k) {
				return
			}
		}
	}
}
