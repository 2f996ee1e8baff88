package experiment

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// Only methods are measured, all of the paper's among them; none is tuned by a
// parameter that it does not have, and none that has parameters is left untuned.
func TestGridsFitTheMethods(t *testing.T) {
	known := map[string]bool{}
	for _, e := range slices.Concat(baseline.Methods(), learn.Methods()[1:]) {
		known[e.Name()] = true
		axes := grids[e.Name()]
		if measured(e.Name()) && len(axes) == 0 && len(e.Params()) > 0 {
			t.Errorf("method %s is not tuned", e.Name())
		}
		for _, a := range axes {
			if !slices.ContainsFunc(e.Params(), func(p method.Param) bool { return p.Name == a.param }) {
				t.Errorf("method %s has no parameter %s", e.Name(), a.param)
			}
		}
	}
	for name := range maps.Keys(grids) {
		if !known[name] {
			t.Errorf("there is a grid for %s, which is no method", name)
		}
	}
	for name := range printedTable2 {
		if !slices.ContainsFunc(rivals(), func(r rival) bool { return r.name == name }) {
			t.Errorf("the paper compares with %s, and the tables do not", name)
		}
	}
}

func TestEveryRivalTakesTheEndsOfItsGrid(t *testing.T) {
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
		r.grid = []params{r.grid[0], r.grid[len(r.grid)-1]}
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

// oracle is a method that knows its answer.
type oracle struct{ graph *graph.Graph }

func (oracle) Name() string { return "oracle" }

func (o oracle) Learn(context.Context, method.Problem) (*method.Result, error) {
	return &method.Result{Method: o, Graph: o.graph, Weights: o.graph}, nil
}

// oracleOf is a rival whose parameter says how many of the true edges it finds.
func oracleOf(truth *graph.Graph) rival {
	axes := []axis{{param: "edges", values: []float64{2, 9, 4}}}
	return rival{name: "oracle", axes: axes, grid: product(axes), method: func(p params) (method.Method, error) {
		return oracle{truth.Strongest(int(p["edges"]))}, nil
	}}
}

// Each protocol takes the parameters it says: the best on the graph itself, or
// the best in the records of tuning, whatever is best on the graph itself.
func TestProtocolsTakeTheParametersTheySay(t *testing.T) {
	s := paperSetting(12, 5, 2)
	truth, err := s.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	r := oracleOf(truth.Graph)
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

// A parameter that is said to move the cut only leaves all weights alone.
func TestParametersOfTheCutMoveNoWeight(t *testing.T) {
	s, err := lowPassSetting(synth.GraphSpec{Family: synth.FamilyER, Vertices: 12})
	if err != nil {
		t.Fatal(err)
	}
	s.signals.Count = 60
	truth, err := s.draw(firstTuningSeed)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rivals() {
		if len(r.axes) != 1 || len(r.grid) < 2 {
			continue
		}
		first, errFirst := r.learn(t.Context(), truth, r.grid[0], 1)
		last, errLast := r.learn(t.Context(), truth, r.grid[len(r.grid)-1], 1)
		if errFirst != nil || errLast != nil {
			t.Fatal(errFirst, errLast)
		}
		if same := slices.Equal(first.Weights.Edges(), last.Weights.Edges()); same != r.axes[0].cutOnly {
			t.Errorf("%s: the weights are the same: %t", r.name, same)
		}
	}
}
