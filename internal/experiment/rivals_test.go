package experiment

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// No method is left out of the comparison, none is tuned by a parameter that it
// does not have, and none that has parameters is left untuned.
func TestGridsFitTheMethods(t *testing.T) {
	known := map[string]bool{string(learn.Maretic2017): true}
	for _, m := range baseline.Methods() {
		known[m.Name] = true
		axes, ok := grids[m.Name]
		if !ok || len(axes) == 0 && len(m.Params) > 0 {
			t.Errorf("method %s has no grid", m.Name)
		}
		for _, a := range axes {
			if !slices.ContainsFunc(m.Params, func(p baseline.Param) bool { return p.Name == a.param }) {
				t.Errorf("method %s has no parameter %s", m.Name, a.param)
			}
		}
	}
	for name := range maps.Keys(grids) {
		if !known[name] {
			t.Errorf("there is a grid for %s, which is no method", name)
		}
	}
}

func TestEveryRivalTakesEveryPointOfItsGrid(t *testing.T) {
	s, err := lowPassSetting(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 20})
	if err != nil {
		t.Fatal(err)
	}
	s.graph.Vertices, s.signals.Count = 12, 60
	truth, err := s.draw(firstTuningSeed)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rivals() {
		if testing.Short() {
			r.grid = r.grid[:1]
		}
		all, err := r.tryAll(t.Context(), truth, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range all {
			if o.failure != "" {
				t.Errorf("%s, %s: %s", r.name, o.point, o.failure)
			}
			if params, err := r.at(o.point); err != nil || r.point(params) != o.point {
				t.Errorf("%s: point %s is not found again", r.name, o.point)
			}
		}
	}
}

// oracle is a rival whose parameter says how many of the true edges it finds.
func oracle() rival {
	r := rival{name: "oracle", order: []string{"edges"}, grid: product([]axis{{"edges", []float64{2, 9, 4}}})}
	r.learn = func(_ context.Context, truth *synth.Truth, params baseline.Params, _ uint64) (weights, cut *graph.Graph, err error) {
		g := truth.Graph.Strongest(int(params["edges"]))
		return g, g, nil
	}
	return r
}

// Each protocol takes the parameters it says: the best on the graph itself, or
// the best in the records of tuning, whatever is best on the graph itself.
func TestProtocolsTakeTheParametersTheySay(t *testing.T) {
	s := paperSetting(12, 5, 2)
	truth, err := s.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	r := oracle()
	own, atCount, err := r.best(t.Context(), truth, 1)
	if err != nil || own.point != "edges=9" || atCount.point != "edges=9" {
		t.Errorf("with the truth: %+v, %+v, %v", own, atCount, err)
	}
	var tuning []Record
	for point, f1 := range map[string][2]float64{"edges=2": {0.3, 0.9}, "edges=9": {0.2, 0.8}, "edges=4": {0.5, 0.1}} {
		for range 2 {
			tuning = append(tuning, Record{Stage: Tuning, Values: Values{"params": point, "f1": f1[0], "f1_at_count": f1[1]}})
		}
	}
	own, atCount, err = r.asTuned(t.Context(), truth, 1, tuning)
	if err != nil || own.point != "edges=4" || atCount.point != "edges=2" {
		t.Errorf("tuned elsewhere: %+v, %+v, %v", own, atCount, err)
	}
}
