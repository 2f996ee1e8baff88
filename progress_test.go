package nervure

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// A clock that a test sets.
type fakeClock struct{ now time.Duration }

func (c *fakeClock) read() time.Duration { return c.now }

// timeline is a run of the sparse method with one search of ten rounds, a path and
// half-samples that take as long as the model of the time says, times a speed.
func timeline(speed float64) (steps []Step, at []float64) {
	y := mat.NewDense(100, 300, nil)
	now := 0.0
	add := func(took float64, s Step) {
		now += took * speed
		steps, at = append(steps, s), append(at, now)
	}
	add(0.01, Step{Stage: Preparing, Preparation: &Preparation{Y: y}})
	add(0, Step{Stage: Learning})
	for round := range 10 {
		add(0.05, Step{Stage: Learning, Method: method.Step{Phase: learn.Coding, Start: 1, Round: round + 1}})
		add(0.05, Step{Stage: Learning, Method: method.Step{Phase: learn.GraphUpdate, Start: 1, Round: round + 1}})
	}
	for edges := 800.0; edges > 50; edges *= 0.92 {
		add(0.25, Step{Stage: Learning, Method: method.Step{Phase: learn.Pruning, Start: 1, Round: 10, Edges: int(edges)}})
	}
	add(0.2, Step{Stage: TestingStructure})
	add(0.7, Step{Stage: AssessingEdges})
	for k := range 32 {
		add(0.5, Step{Stage: AssessingEdges, Done: k + 1, Of: 32})
	}
	return steps, at
}

// From a third of a run on, the estimate is right to within a factor of two, however fast
// the machine is; stages are counted in their order.
func TestTimeLeftIsRightToAFactorOfTwo(t *testing.T) {
	given := learn.Sparse{Model: learn.Model{Kernels: kernel.Paper()}, Options: learn.Options{Kernels: learn.KernelsGiven}}
	for _, speed := range []float64{0.01, 1, 300} {
		clock := &fakeClock{}
		e := newEstimator(Options{Method: given}, clock.read)
		steps, at := timeline(speed)
		whole, last := at[len(at)-1], 0
		for k, s := range steps {
			clock.now = time.Duration(at[k] * float64(time.Second))
			p := e.Follow(s)
			if p.Index < last || p.Of != 4 {
				t.Fatalf("stage %d of %d after %d, want 4 stages in order", p.Index, p.Of, last)
			}
			last = p.Index
			left := whole - at[k]
			if at[k] < whole/3 || left < whole/100 {
				continue
			}
			if ratio := p.Left.Seconds() / left; ratio < 0.5 || ratio > 2 {
				t.Errorf("speed %g, %s, at %.2f of the run: %.3g s left, estimated %s", speed, p.Stage, at[k]/whole, left, p.Left)
			}
		}
		if last != 4 {
			t.Errorf("the last stage is %d of 4", last)
		}
	}
}

// What ggl has still to do is told from its first path.
func TestTimeLeftOfFields(t *testing.T) {
	clock := &fakeClock{}
	e := newEstimator(Options{Method: baseline.GGL{}, Threads: 1}, clock.read)
	for _, s := range []struct {
		at   float64
		step Step
		left float64 // of 10 s
	}{
		{0, Step{Stage: Preparing, Preparation: &Preparation{Y: mat.NewDense(50, 100, nil)}}, -1},
		{0, Step{Stage: Learning}, -1},
		{0.5, Step{Stage: Learning, Method: method.Step{Phase: baseline.WeightsLearned}}, 9.5},
		{1.2, Step{Stage: Learning, Method: method.Step{Phase: baseline.PathFollowed}}, 8.8},
		{7, Step{Stage: AssessingEdges}, 3},
		{8.5, Step{Stage: AssessingEdges, Done: 9, Of: 18}, 1.5},
	} {
		clock.now = time.Duration(s.at * float64(time.Second))
		p := e.Follow(s.step)
		switch {
		case s.left < 0 && p.Left >= 0:
			t.Errorf("at %g s: %s left, want no estimate", s.at, p.Left)
		case s.left >= 0 && (p.Left.Seconds() < s.left/2 || p.Left.Seconds() > 2*s.left):
			t.Errorf("at %g s: %s left, want about %g s", s.at, p.Left, s.left)
		}
	}
}

// While a method is chosen, the time left is told once half of the trials are done, and is
// right to within a factor of two if edges win; before that there is none.
func TestTimeLeftIsToldWhileAMethodIsChosen(t *testing.T) {
	for _, speed := range []float64{0.01, 1, 300} {
		clock := &fakeClock{}
		e := newEstimator(Options{}, clock.read)
		at := func(now float64, s Step) Progress {
			clock.now = time.Duration(now * speed * float64(time.Second))
			return e.Follow(s)
		}
		// The times of a field on 150 vertices, of 1.85 in all.
		at(0.09, Step{Stage: Preparing, Preparation: &Preparation{Y: mat.NewDense(150, 500, nil)}})
		if p := at(0.09, Step{Stage: ChoosingMethod}); p.Left >= 0 || p.Stage != ChoosingMethod || p.Index != 1 {
			t.Errorf("speed %g: before anything was tried: %+v", speed, p)
		}
		for done, now := range []float64{0.45, 0.83} {
			p := at(now, Step{Stage: ChoosingMethod, Done: done + 1, Of: 2})
			if ratio := p.Left.Seconds() / ((1.85 - now) * speed); p.Stage != ChoosingMethod || p.Index != 1 || ratio < 0.5 || ratio > 2 {
				t.Errorf("speed %g at %g: %+v, which is ×%.2f", speed, now, p, ratio)
			}
		}
		at(0.87, Step{Stage: Learning, Choice: &MethodChoice{Method: "field"}})
		// What was done of the choice is not taken for half-samples.
		p := at(1.42, Step{Stage: AssessingEdges})
		if ratio := p.Left.Seconds() / (0.43 * speed); ratio < 0.5 || ratio > 2 {
			t.Errorf("speed %g: %+v before the first half-sample, which is ×%.2f", speed, p, ratio)
		}
	}
}

// A field of many vertices is learned while the method is chosen: how far it has come is how far the run has,
// in the shares that tests and confidence have of its time.
func TestTimeLeftIsToldWhileALargeFieldIsLearned(t *testing.T) {
	clock := &fakeClock{}
	e := newEstimator(Options{}, clock.read)
	at := func(now float64, s Step) Progress {
		clock.now = time.Duration(now * float64(time.Second))
		return e.Follow(s)
	}
	of := func(p method.Phase, share float64) Step {
		return Step{Stage: ChoosingMethod, Method: method.Step{Phase: p, Share: share}}
	}
	at(1, Step{Stage: Preparing, Preparation: &Preparation{Y: mat.NewDense(3000, 2, nil)}})
	if p := at(1, Step{Stage: ChoosingMethod}); p.Left >= 0 {
		t.Errorf("%s left before anything was done", p.Left)
	}
	before := time.Hour
	for _, s := range []struct {
		at   float64
		step Step
	}{{2, of("candidates", 0.5)}, {3, of("regressions", 0)}, {5, of("regressions", 0.5)}, {7, of("certificate", 0)}} {
		p := at(s.at, s.step)
		if p.Stage != ChoosingMethod || p.Left <= 0 || p.Left >= before {
			t.Errorf("at %g s: %+v, after %s", s.at, p, before)
		}
		before = p.Left
	}
	// The sparse method may be taken after all.
	if at(12, Step{Stage: Learning, Choice: &MethodChoice{Method: "sparse"}}); !e.isCoded() {
		t.Error("the method is the field")
	}
}
