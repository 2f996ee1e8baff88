package metrics

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestEdgesByHand(t *testing.T) {
	none := binary(t, 4)
	path := binary(t, 4, ends{0, 1}, ends{1, 2}, ends{2, 3})
	for name, c := range map[string]struct {
		found, truth *graph.Graph
		want         Score
		f1           float64
	}{
		"one of two found is right, two are missed": {
			binary(t, 4, ends{0, 1}, ends{0, 3}), path,
			Score{Precision: 1. / 2, Recall: 1. / 3, True: 3, Found: 2, Correct: 1},
			2. / 5,
		},
		"nothing right": {
			binary(t, 4, ends{0, 2}), path,
			Score{True: 3, Found: 1},
			0,
		},
		"nothing found where there is something": {none, path, Score{True: 3}, 0},
		"something found where there is nothing": {path, none, Score{Found: 3}, 0},
		"nothing found where there is nothing":   {none, none, Score{Precision: 1, Recall: 1}, 1},
	} {
		got, err := Edges(c.found, c.truth)
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want || math.Abs(got.F1()-c.f1) > 1e-15 {
			t.Errorf("%s: got %+v with F1 %g, want %+v with %g", name, got, got.F1(), c.want, c.f1)
		}
	}
}

func TestEdgesAtCountKeepsTheHeaviest(t *testing.T) {
	truth := binary(t, 4, ends{0, 1}, ends{1, 2})
	found := build(t, graph.DefaultNames(4),
		graph.Edge{I: 0, J: 1, Weight: 3}, graph.Edge{I: 0, J: 3, Weight: 2}, graph.Edge{I: 1, J: 2, Weight: 1})
	all, err := Edges(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Score{Precision: 2. / 3, Recall: 1, True: 2, Found: 3, Correct: 2}); all != want {
		t.Errorf("uncut: %+v, want %+v", all, want)
	}
	cut, err := EdgesAtCount(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Score{Precision: 1. / 2, Recall: 1. / 2, True: 2, Found: 2, Correct: 1}); cut != want {
		t.Errorf("cut: %+v, want %+v", cut, want)
	}
}

// The table, over the ten pairs of five vertices: 3 edges in both, 2 in found
// only, 1 in truth only, 4 in neither. With natural logarithms, by
// I = Σ p_ij log(p_ij/(p_i p_j)), which is not how NMI computes it:
// I = 0.0863046217, H(found) = 0.6931471806, H(truth) = 0.6730116670.
func TestNMIOfWorkedTable(t *testing.T) {
	found := binary(t, 5, ends{0, 1}, ends{0, 2}, ends{0, 3}, ends{0, 4}, ends{1, 2})
	truth := binary(t, 5, ends{0, 1}, ends{0, 2}, ends{0, 3}, ends{3, 4})
	got, err := NMI(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 * 0.0863046217 / (0.6931471806 + 0.6730116670); math.Abs(got-want) > 1e-9 {
		t.Errorf("got %.10f, want %.10f", got, want)
	}
}

func TestNMIOfSpecialCases(t *testing.T) {
	none, all := binary(t, 4), complete(t, 4)
	some := binary(t, 4, ends{0, 1}, ends{1, 2}, ends{2, 3})
	for name, c := range map[string]struct {
		found, truth *graph.Graph
		want         float64
	}{
		"both empty":             {none, none, 1},
		"empty against complete": {none, all, 0},
		"empty against some":     {none, some, 0},
		"the same":               {some, some, 1},
		"the complement":         {binary(t, 4, ends{0, 2}, ends{0, 3}, ends{1, 3}), some, 1},
		"no vertex":              {binary(t, 0), binary(t, 0), 1},
		// Of 6 pairs, truth has 3 and found 2, one of them true: 1/6 = 1/3·1/2.
		"independent": {binary(t, 4, ends{0, 1}, ends{0, 2}), some, 0},
	} {
		got, err := NMI(c.found, c.truth)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: got %g, want %g", name, got, c.want)
		}
	}
}
