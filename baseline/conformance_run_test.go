package baseline_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/method"
)

// The same bits come again, whatever the number of threads.
func TestMethodsAreDeterministic(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		first := mustLearn(t, e.Default, p)
		threads := p
		threads.Threads = 3
		wantIdentical(t, "with 3 threads", mustLearn(t, e.Default, threads), first)
		before := runtime.GOMAXPROCS(1)
		second := mustLearn(t, e.Default, p)
		runtime.GOMAXPROCS(before)
		wantIdentical(t, "the second time", second, first)
		if !slices.Equal(second.Warnings, first.Warnings) {
			t.Errorf("the second time warns %q, the first %q", second.Warnings, first.Warnings)
		}
	})
}

func TestMethodsLeaveTheirInputAlone(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t)
		y, names := mat.DenseCopyOf(p.Y), slices.Clone(p.Names)
		var coefs [][]float64
		for _, k := range p.Kernels {
			coefs = append(coefs, k.Series())
		}
		mustLearn(t, e.Default, p)
		if !mat.Equal(p.Y, y) || !slices.Equal(p.Names, names) {
			t.Error("signals or names have changed")
		}
		for s, k := range p.Kernels {
			if !slices.Equal(k.Series(), coefs[s]) {
				t.Errorf("kernel %d has changed", s)
			}
		}
	})
}

var errEnough = errors.New("enough")

// wantInterrupted checks what a method returned after its context had ended.
func wantInterrupted(t *testing.T, e method.Entry, p method.Problem, r *method.Result, err, cause error) {
	t.Helper()
	if !errors.Is(err, cause) {
		t.Errorf("got error %v, want %v", err, cause)
	}
	if r == nil {
		return
	}
	wantSound(t, e, p, r)
	if r.Status != method.Interrupted {
		t.Errorf("status %q", r.Status)
	}
}

// A countdown is a context that ends when it has been asked that many times.
type countdown struct {
	context.Context

	left int
	stop context.CancelCauseFunc
}

func (c *countdown) Err() error {
	if c.left--; c.left == 0 {
		c.stop(errEnough)
	}
	return c.Context.Err()
}

// roundsToAnswer is the most rounds that a method takes after it was stopped.
const roundsToAnswer = 10

// Whenever its context ends, a method that asks it once more has the cause and a
// sound graph, which took no more rounds than it has asked times, but for some that
// sparse takes to answer; or no graph, if
// the method does not always have one. A method that does not ask any more is done.
func TestMethodsCanBeStoppedAtAnyMoment(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		p.Threads = 1 // so that it is asked in one order
		stopped := 0
		for _, left := range []int{1, 2, 3, 7, 20, 60} {
			ctx, stop := context.WithCancelCause(t.Context())
			c := &countdown{ctx, left, stop}
			r, err := e.Default.Learn(c, p)
			switch {
			case ctx.Err() != nil && (err != nil || r.Status == method.Interrupted):
				stopped++
				wantInterrupted(t, e, p, r, err, errEnough)
				switch always := slices.ContainsFunc(baseline.Methods(), func(o method.Entry) bool { return o.Name() == e.Name() }); {
				case r == nil && always:
					t.Errorf("stopped after it asked %d times: no graph", left)
				case r != nil && r.Rounds > left+roundsToAnswer:
					t.Errorf("stopped after it asked %d times: %d rounds", left, r.Rounds)
				}
			case err != nil:
				t.Errorf("not stopped: %v", err)
			default:
				wantSound(t, e, p, r)
			}
			stop(nil)
		}
		if stopped == 0 {
			t.Error("it never asks whether to stop")
		}
	})
}
