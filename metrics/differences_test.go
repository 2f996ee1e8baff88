package metrics

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/evidence"
)

// tested returns a graph on a, b, c, … with the edges and the evidence for them.
func tested(t *testing.T, names string, edges []graph.Edge, known []graph.Evidence) *graph.Graph {
	t.Helper()
	g, err := graph.New(strings.Fields(names), edges)
	if err == nil && known != nil {
		g, err = g.WithEvidence(known)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// around returns the evidence of an estimate whose standard error on the scale of the test is se.
func around(partial, se, q float64) graph.Evidence {
	z, reach := math.Atanh(partial), se*distuv.UnitNormal.Quantile(0.5+evidence.Level/2)
	return graph.Evidence{Partial: partial, Low: math.Tanh(z - reach), High: math.Tanh(z + reach), Q: q}
}

func differ(t *testing.T, a, b *graph.Graph) *Differences {
	t.Helper()
	d, err := Differ(a, b, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Graphs read intervals as they were made: by the level of package evidence, and by the other end where
// one was rounded to 1.
func TestIntervalsAreThoseOfEvidence(t *testing.T) {
	if z, se := around(-0.4, 0.03, 0).OnFisherScale(); math.Abs(z+math.Atanh(0.4)) > 1e-12 || math.Abs(se-0.03) > 1e-12 {
		t.Errorf("got %g ± %g", z, se)
	}
	rounded := around(0.99, 0.5, 0)
	rounded.High = 1
	if _, se := rounded.OnFisherScale(); math.Abs(se-0.5) > 1e-12 {
		t.Errorf("an end of 1: got an error of %g", se)
	}
	if _, se := (graph.Evidence{Low: -1, High: 1}).OnFisherScale(); !math.IsInf(se, 1) {
		t.Errorf("nothing known: got an error of %g", se)
	}
}

// With standard errors .03 and .04 that of the difference is .05.
func TestADifferenceIsTestedWithBothErrors(t *testing.T) {
	edges := []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 1, J: 2, Weight: 1}}
	a := tested(t, "a b c", edges, []graph.Evidence{around(math.Tanh(0.3), 0.03, 0), around(-0.4, 0.03, 0)})
	b := tested(t, "a b c", edges, []graph.Evidence{around(math.Tanh(0.2), 0.04, 0), around(0.4, 0.04, 0)})
	d := differ(t, a, b)
	if d.Tested != 2 || len(d.Pairs) != 2 {
		t.Fatalf("got %+v", d)
	}
	first, second := d.Pairs[0], d.Pairs[1]
	if want := 2 * distuv.UnitNormal.Survival(2); math.Abs(first.Q-want) > 6e-5 { // the larger of two is its own q-value
		t.Errorf("the q-value of two standard errors is %g, want %g", first.Q, want)
	}
	if second.Q != 0 || !second.Clear || math.Abs(second.Gap+0.8) > 6e-5 {
		t.Errorf("edges of opposite sign do not differ: %+v", second)
	}
	// Zou's interval, from the ends of both.
	ra, rb := math.Tanh(0.3), math.Tanh(0.2)
	la, ub := math.Tanh(0.3-0.03*1.6448536), math.Tanh(0.2+0.04*1.6448536)
	ua, lb := math.Tanh(0.3+0.03*1.6448536), math.Tanh(0.2-0.04*1.6448536)
	low := ra - rb - math.Sqrt((ra-la)*(ra-la)+(ub-rb)*(ub-rb))
	high := ra - rb + math.Sqrt((ua-ra)*(ua-ra)+(rb-lb)*(rb-lb))
	if math.Abs(first.Gap-(ra-rb)) > 6e-5 || math.Abs(first.Low-low) > 6e-5 || math.Abs(first.High-high) > 6e-5 {
		t.Errorf("got %g, from %g to %g, want %g, from %g to %g", first.Gap, first.Low, first.High, ra-rb, low, high)
	}
	back := differ(t, b, a).Pairs[0]
	if back.Gap != -first.Gap || back.Low != -first.High || back.High != -first.Low || back.Q != first.Q {
		t.Errorf("the other way round it is %+v, and not the opposite of %+v", back, first)
	}
}

func TestQValuesAreOverAllTestedPairs(t *testing.T) {
	edges := []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}}
	at := func(z ...float64) (list []graph.Evidence) {
		for _, v := range z {
			list = append(list, around(math.Tanh(v), 0.1/math.Sqrt2, 0))
		}
		return list
	}
	a, b := tested(t, "a b c d", edges, at(0.25, 0.18, 0.05, 0)), tested(t, "a b c d", edges, at(0, 0, 0, 0))
	chance := func(z float64) float64 { return 2 * distuv.UnitNormal.Survival(z) }
	for k, want := range []float64{4 * chance(2.5), 2 * chance(1.8), 4 * chance(0.5) / 3, 1} {
		p := differ(t, a, b).Pairs[k]
		if math.Abs(p.Q-want) > 1e-4 || p.Clear != (want <= 0.1) {
			t.Errorf("pair %d: got q %g, clear %t, want %g", k, p.Q, p.Clear, want)
		}
	}
}

// What is drawn in one graph only has no interval in the other: it is clear by its own q-value.
func TestEdgesOfOneGraphAreNotTested(t *testing.T) {
	known := []graph.Evidence{around(0.5, 0.05, 0.01), around(0.1, 0.05, 0.6), around(0.5, 0.05, 0.01)}
	a := tested(t, "a b c x", []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}}, known)
	b := tested(t, "c a b y", []graph.Edge{{I: 0, J: 1, Weight: 4}}, []graph.Evidence{around(0.3, 0.05, 0.1)})
	d := differ(t, a, b)
	if strings.Join(d.OnlyA, " ") != "x" || strings.Join(d.OnlyB, " ") != "y" || strings.Join(d.Names, " ") != "a b c x y" || d.Tested != 0 {
		t.Errorf("got %+v", d)
	}
	for k, want := range []struct {
		i, j           int
		a, b           float64
		clear, missing bool
	}{{0, 1, 1, 0, true, false}, {0, 2, 0, 4, true, false}, {1, 2, 1, 0, false, false}, {2, 3, 1, 0, false, true}} {
		p := d.Pairs[k]
		if p.I != want.i || p.J != want.j || p.WeightA != want.a || p.WeightB != want.b || p.Clear != want.clear || p.Missing != want.missing || p.Tested {
			t.Errorf("pair %d: got %+v, want %+v", k, p, want)
		}
	}
}

func TestGraphsWithoutEvidenceAreNotTested(t *testing.T) {
	a := tested(t, "a b c d", []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 2}, {I: 2, J: 3, Weight: -8}}, nil)
	b := tested(t, "a b c d", []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 1, J: 2, Weight: 2}, {I: 2, J: 3, Weight: 2}}, nil)
	d := differ(t, a, b)
	for _, p := range d.Pairs {
		if p.Tested || p.Clear {
			t.Errorf("got %+v", p)
		}
	}
	if got := d.MedianRatio(); got != 1 { // of .5, 1 and 4
		t.Errorf("the median ratio is %g, want 1", got)
	}
	// Arrows are pairs of their own; if only one graph has them, their direction does not count.
	arrows := arrows(t, 2, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 0, Weight: 3})
	if d := differ(t, arrows, arrows); !d.Directed || len(d.Pairs) != 2 {
		t.Errorf("got %+v", d)
	}
	if d := differ(t, arrows, arrows.Undirected()); d.Directed || len(d.Pairs) != 1 {
		t.Errorf("got %+v", d)
	}
}

// An interval that reaches 1 was rounded; one that is all there can be says nothing.
func TestIntervalsAtTheEnds(t *testing.T) {
	edge := []graph.Edge{{I: 0, J: 1, Weight: 1}}
	of := func(e graph.Evidence) *graph.Graph { return tested(t, "a b", edge, []graph.Evidence{e}) }
	near := around(0.2, 0.05, 0)
	for _, c := range []struct {
		other         graph.Evidence
		tested, clear bool
	}{
		{graph.Evidence{Partial: 0.9999, Low: 0.9998, High: 1}, true, true},
		{graph.Evidence{Partial: -1, Low: -1, High: -0.9998}, true, true},
		{graph.Evidence{Partial: 0, Low: -1, High: 1}, false, false},
		{graph.Evidence{Partial: 0.2, Low: 0.2, High: 0.2}, true, false},
	} {
		p := differ(t, of(c.other), of(near)).Pairs[0]
		if p.Tested != c.tested || p.Clear != c.clear || math.IsNaN(p.Q+p.Low+p.High) {
			t.Errorf("%+v: got %+v", c.other, p)
		}
	}
	single := of(graph.Evidence{Partial: 0.2, Low: 0.2, High: 0.2})
	if p := differ(t, single, single).Pairs[0]; p.Q != 1 {
		t.Errorf("a graph differs from itself: %+v", p)
	}
}

func TestFaultsOfDiffer(t *testing.T) {
	a, b := tested(t, "a b", nil, nil), tested(t, "c d", nil, nil)
	if _, err := Differ(a, b, 0.1); input.Find(err) == nil {
		t.Errorf("no vertex in common: got %v", err)
	}
	for _, rate := range []float64{0, 1, math.NaN()} {
		if _, err := Differ(a, a, rate); input.Find(err) == nil {
			t.Errorf("rate %g: got %v", rate, err)
		}
	}
}
