package baseline

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

func TestGGLKeepsWhatIsAskedFor(t *testing.T) {
	y := gridSignals(t, 3, 4, 100)
	r, err := GGL{}.Learn(t.Context(), method.Problem{Y: y, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 9}})
	if err != nil || r.Graph.EdgeCount() != 9 {
		t.Errorf("got %v and %v, want 9 edges", r, err)
	}
	few := learned(t, GGL{}, gridSignals(t, 3, 4, 6))
	if few.Graph.EdgeCount() != few.Weights.EdgeCount() {
		t.Errorf("of 6 signals some were held out: %d of %d edges", few.Graph.EdgeCount(), few.Weights.EdgeCount())
	}
}

// In a river all vertices move together because each follows the one before it: the
// tree explains what they share, and nothing is taken away. A grid does not.
func TestGGLKeepsWhatATreeExplains(t *testing.T) {
	river := mat.NewDense(30, 400, nil)
	draw := stream("river")
	for s := range 400 {
		for i := range 30 {
			flow := draw.NormFloat64()
			if i > 0 {
				flow = river.At((i-1)/2, s) + 0.15*draw.NormFloat64()
			}
			river.Set(i, s, flow)
		}
	}
	r := learned(t, GGL{}, river)
	right := 0
	for _, e := range r.Graph.Edges() {
		if e.I == (e.J-1)/2 {
			right++
		}
	}
	if right != 29 || r.Graph.EdgeCount() != 29 || !r.Method.(GGL).KeepCommonMode {
		t.Errorf("%d of %d edges are right, want 29; common mode kept: %t", right, r.Graph.EdgeCount(), r.Method.(GGL).KeepCommonMode)
	}
}

// Parts are joined by the largest correlation between them, if it is beyond chance. An edge stays an edge where
// its correlation is negative.
func TestConnectionsJoinParts(t *testing.T) {
	k := linalg.NewDense(5, 5)
	set := func(i, j int, v float64) { k.Data[i*5+j], k.Data[j*5+i] = v, v }
	for i := range 5 {
		k.Data[i*5+i] = 1
	}
	set(0, 1, 0.9)
	set(2, 3, -0.8)
	set(1, 2, 0.5)
	set(0, 3, 0.45)
	set(3, 4, 0.2)
	kept := []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 3, J: 2, Weight: 1}}
	for signals, want := range map[float64]int{10: 0, 100: 1, 1000: 2} {
		got := connections(kept, 5, correlationsOf(k), signals)
		if len(got) != want || want > 0 && got[0] != (graph.Edge{I: 1, J: 2, Weight: 0.5}) || want > 1 && got[1] != (graph.Edge{I: 3, J: 4, Weight: 0.2}) {
			t.Errorf("%g signals: got %v, want %d pairs", signals, got, want)
		}
	}
}
