package baseline_test

import (
	"reflect"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/method"
)

// Tests on halves ask for as many edges as the graph of all signals has.
func TestFieldsAreRelearnedWithAsManyEdges(t *testing.T) {
	p := method.Problem{Y: checks.Chain(2, 12, 200)}
	for _, f := range []baseline.Field{{Order: 1}, {Order: 2}, {Heat: true}} {
		g, err := f.Relearn(t.Context(), p, 9)
		if err != nil || g.EdgeCount() != 9 {
			t.Errorf("%+v: %v, %v", f, g, err)
		}
	}
	one, _ := baseline.Field{Order: 1}.Relearn(t.Context(), p, 11)
	ggl, err := baseline.GGL{}.Relearn(t.Context(), p, 11)
	if err != nil || !reflect.DeepEqual(one.Edges(), ggl.Edges()) {
		t.Errorf("order one is not ggl's: %v", err)
	}
}
