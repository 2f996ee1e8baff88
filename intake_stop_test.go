package nervure

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/prepare"
)

func messySignals(t *testing.T, vertices, observations int) *Signals {
	t.Helper()
	r, err := simulate.Messy(simulate.MessySpec{Vertices: vertices, Observations: observations, Broken: 3, Kinds: []simulate.FaultKind{simulate.FaultCode, simulate.FaultStuck, simulate.FaultJump}, Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	return &Signals{Y: r.Signals, Times: r.Times}
}

func outOfTimeWarnings(p *Preparation) string {
	var list []string
	for _, w := range p.Warnings {
		if w.Kind == prepare.OutOfTime {
			list = append(list, w.Sentence())
		}
	}
	return strings.Join(list, "; ")
}

// A limit that passes while signals are prepared ends with a graph, and is no secret.
func TestTimeLimitInPreparationEndsWithAGraph(t *testing.T) {
	s := messySignals(t, 60, 3000)
	o := Options{Method: baseline.Correlation{}, TimeLimit: 200 * time.Millisecond}
	a, err := Learn(t.Context(), s, o)
	for err != nil && o.TimeLimit < time.Minute && strings.HasPrefix(err.Error(), "no graph could be learned within the time limit") {
		o.TimeLimit *= 2 // a busy machine
		a, err = Learn(t.Context(), s, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := a.Preparation
	if a.Graph.EdgeCount() == 0 || p.Sensors != prepare.SensorsCutShort || !a.Summary().LimitReached {
		t.Errorf("%d edges, sensors %s, limit reached: %t", a.Graph.EdgeCount(), p.Sensors, a.LimitReached)
	}
	if told := outOfTimeWarnings(p); told == "" || !slices.ContainsFunc(a.Warnings(), func(w string) bool { return strings.HasPrefix(told, w) }) {
		t.Errorf("warnings %q", a.Warnings())
	}
}

// Ctrl-C while signals are prepared ends the run soon, with its cause and no graph.
func TestStopReachesThePreparation(t *testing.T) {
	s := &Signals{Y: mat.DenseCopyOf(checks.Chain(1, 300, 3000))}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	time.AfterFunc(50*time.Millisecond, func() { cancel(why) })
	begun := time.Now()
	a, err := Learn(ctx, s, Options{})
	if a != nil || !errors.Is(err, why) {
		t.Errorf("got %v and %v", a, err)
	}
	if took := time.Since(begun); took > 5*time.Second { // a tenth of a second if no other test runs
		t.Errorf("took %s", took)
	}
}
