package learn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// filledIn returns y with its missing entries replaced by what their codes explain.
func filledIn(t *testing.T, g *graph.Graph, m learn.Model, y *mat.Dense) *mat.Dense {
	t.Helper()
	_, explained, err := learn.Encode(g, m, y, 1)
	if err != nil {
		t.Fatal(err)
	}
	filled := mat.DenseCopyOf(y)
	filled.Apply(func(i, s int, v float64) float64 {
		if math.IsNaN(v) {
			return explained.At(i, s)
		}
		return v
	}, filled)
	return filled
}

func TestHiddenEntriesFollowFromTheOthers(t *testing.T) {
	s := paperTable1()[1]
	truth := s.draw(*seed)
	lost := losing(truth.Signals, 0.05, *seed)
	filled := filledIn(t, truth.Graph, s.model, lost)
	n, m := lost.Dims()
	hidden, right := 0, 0
	for i := range n {
		for k := range m {
			switch want := truth.Signals.At(i, k); {
			case !math.IsNaN(lost.At(i, k)):
				if filled.At(i, k) != want {
					t.Fatalf("entry %d, %d was not missing and has changed", i, k)
				}
			default:
				hidden++
				if math.Abs(filled.At(i, k)-want) < 1e-6 {
					right++
				}
			}
		}
	}
	// An atom of which next to nothing is seen cannot be told.
	if right*10 < 8*hidden {
		t.Errorf("%d of %d hidden entries are right", right, hidden)
	}
}

func TestHeldOutSignalsTellAGraphFromAnother(t *testing.T) {
	s := paperTable1()[1]
	truth := s.draw(*seed)
	n, _ := truth.Signals.Dims()
	edges, place := truth.Graph.Edges(), rng.Stream(*seed, "other").Perm(n)
	for k, e := range edges {
		edges[k].I, edges[k].J = min(place[e.I], place[e.J]), max(place[e.I], place[e.J])
	}
	wrong := must(graph.New(truth.Graph.Names(), edges))
	train, test := mat.DenseCopyOf(truth.Signals.Slice(0, n, 0, 150)), mat.DenseCopyOf(truth.Signals.Slice(0, n, 150, 200))
	right := must(learn.CodeHeldOut(truth.Graph, s.model, train, test, 1))
	not := must(learn.CodeHeldOut(wrong, s.model, train, test, 1))
	left, leftByNot := mean(right.Error)/mean(right.MeanError), mean(not.Error)/mean(not.MeanError)
	if left >= leftByNot || mean(right.RelativeResidual()) >= mean(not.RelativeResidual())/10 {
		t.Errorf("shares of error left %.3f and %.3f, residuals %.3g and %.3g", left, leftByNot, mean(right.RelativeResidual()), mean(not.RelativeResidual()))
	}
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}
