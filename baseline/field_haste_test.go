package baseline

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
)

// A large field whose time is up is learned in what is left for an answer, and says so. Without a bound
// on that there is no graph.
func TestLargeFieldsWhoseTimeIsUpAreLearnedInAHurry(t *testing.T) {
	draw := rng.Stream(1, "field in a hurry")
	y := mat.NewDense(soonVertices+1, 100, nil) // a chain
	for k := range 100 {
		v := draw.NormFloat64()
		for i := range soonVertices + 1 {
			v = 0.7*v + 0.7*draw.NormFloat64()
			y.Set(i, k, v)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := (Field{Order: 1}).Learn(ended, method.Problem{Y: y}); r != nil {
		t.Errorf("without a bound: %d edges, %v", r.Graph.EdgeCount(), err)
	}
	enough, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	r, err := Field{Order: 1}.Learn(run.WithGrace(ended, enough), method.Problem{Y: y})
	if r == nil {
		t.Fatal(err)
	}
	right := 0
	for _, e := range r.Graph.Edges() {
		if e.J == e.I+1 {
			right++
		}
	}
	if f1 := 2 * float64(right) / float64(soonVertices+r.Graph.EdgeCount()); f1 < 0.9 || r.Status != method.Interrupted {
		t.Errorf("F1 %.3f, status %s", f1, r.Status)
	}
	findings := FieldFitOf(r).Findings(r)
	if !slices.ContainsFunc(findings, func(s string) bool { return strings.Contains(s, "in a hurry") }) {
		t.Errorf("findings %q", findings)
	}
}
