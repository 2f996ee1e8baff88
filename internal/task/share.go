package task

import "context"

type runnerKey struct{}

// With returns a context in which long work may have parts of it done by a runner.
func With(ctx context.Context, r Runner) context.Context {
	return context.WithValue(ctx, runnerKey{}, r)
}

// RunnerOf returns the runner of a context; nil if all is done in this process.
func RunnerOf(ctx context.Context) Runner {
	r, _ := ctx.Value(runnerKey{}).(Runner)
	return r
}
