package task

import (
	"context"
	"iter"

	"github.com/nervure/nervure/internal/guard"
)

// Local does tasks in goroutines of this process.
type Local struct {
	Kinds   Kinds
	Threads int // tasks at a time; zero means 1
}

// Workers returns how many tasks are done at a time.
func (l Local) Workers() int { return max(l.Threads, 1) }

// Run keeps the contract of [Runner]. Tasks begin in their order.
func (l Local) Run(ctx context.Context, tasks []Task, data Source) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		ctx, stop := context.WithCancelCause(ctx)
		var workers guard.Group
		defer workers.Wait() // no goroutine is left behind
		defer stop(nil)
		next, found := make(chan Task), make(chan Result)
		for range min(l.Workers(), len(tasks)) {
			workers.Go(func() {
				for t := range next {
					r := l.Kinds.Do(ctx, t, data)
					select {
					case found <- r:
					case <-ctx.Done():
						return
					}
				}
			})
		}
		workers.Go(func() {
			defer close(next)
			for _, t := range tasks {
				select {
				case next <- t:
				case <-ctx.Done():
					return
				}
			}
		})
		for range tasks {
			select {
			case <-ctx.Done():
			case r := <-found:
				if ctx.Err() == nil { // whatever comes later may be of work cut short
					if !yield(r, nil) {
						return
					}
					continue
				}
			}
			yield(Result{}, context.Cause(ctx))
			return
		}
	}
}
