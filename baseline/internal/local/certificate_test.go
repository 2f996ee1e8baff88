package local

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

func inverseMoments(t *testing.T, x linalg.Dense) *mat.Dense {
	t.Helper()
	s := mat.NewDense(x.Rows, x.Rows, nil)
	s.Apply(func(i, j int, _ float64) float64 {
		return portable.Dot(linalg.Row(x, i), linalg.Row(x, j)) / float64(x.Cols)
	}, s)
	var inverse mat.Dense
	if err := inverse.Inverse(s); err != nil {
		t.Fatal(err)
	}
	return &inverse
}

// Where candidates are missing, the gap bounds what is lost by them, and a search finds them.
func TestGapBoundsWhatMissingCandidatesCost(t *testing.T) {
	for seed := range 2 {
		draw := rng.Stream(1, "gap", seed)
		of := gridField(t, 6, 0, draw)
		x := of.signals(400, draw)
		l := &learner{x: x, models: make([]model, of.n), penalty: 0.1, Options: Options{Threads: 1, Observations: 400}}
		few, everybody := make([][]int32, of.n), make([][]int32, of.n)
		for i := range of.n {
			for j := range of.n {
				if j != i {
					everybody[i] = append(everybody[i], int32(j))
				}
				if j != i && draw.IntN(3) == 0 {
					few[i] = append(few[i], int32(j))
				}
			}
		}
		all := &regression{allOf(of.n), few, []bool{false}, l.penalty}
		models, _ := l.regress(t.Context(), all)
		l.adopt(all.vertices, models, 0)
		largest := l.largestSlopes(t.Context(), allOf(of.n))
		missing := 0
		for i := range of.n {
			m := &l.models[i]
			var w worker
			w.take(signalsOf(x), i, everybody[i])
			w.solve(m.penalty)
			reached, least := objective(m.variance, m.penalty, m.beta), objective(w.variance(), m.penalty, w.beta)
			lost := (reached - least) / reached
			bound := 0.0
			if largest[i].Value > m.penalty {
				bound = m.gap(largest[i].Value)
				missing++
			}
			if lost > bound+1e-9 {
				t.Errorf("seed %d, vertex %d: %.5f of the objective is lost, and the gap is %.5f", seed, i, lost, bound)
			}
		}
		if c := l.certify(t.Context()); c.Vertices != of.n || c.Vertices-c.Exact != missing || missing == 0 {
			t.Errorf("seed %d: certificate %+v with %d vertices that lack a candidate", seed, c, missing)
		}
		for range 4 {
			more := l.searchMissing(t.Context())
			models, _ := l.regress(t.Context(), more)
			l.adopt(more.vertices, models, 0)
		}
		if c := l.certify(t.Context()); !c.isGood() {
			t.Errorf("seed %d: certificate %+v after the search", seed, c)
		}
	}
}

func objective(variance, penalty float64, beta []float64) float64 {
	sum := 0.0
	for _, b := range beta {
		sum += math.Abs(b)
	}
	return variance/2 + penalty*sum
}
