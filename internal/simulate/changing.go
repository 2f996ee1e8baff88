package simulate

import (
	"cmp"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// A ChangingSpec says which recording of a graph to draw that changes at one moment.
type ChangingSpec struct {
	Vertices     int     // before isolated ones are stripped, at least 8; zero means 40
	Observations int     // hourly, at least 2; zero means 2000
	Moment       int     // the first observation of the changed graph, below Observations; zero means the one in the middle
	Share        float64 // of the edges that go, and others come for them; at most 0.5; zero means 0.2
	Memory       float64 // coefficient of the field from one hour to the next, below 1; zero means 0.5
	Seed         uint64  // the streams are those of [synth.Graph] and [synth.Field], "change" and "changing noise"
}

// A ChangingTruth is a recording of two graphs with the same vertices, one after the
// other.
type ChangingTruth struct {
	Spec          ChangingSpec // as resolved
	Before, After *graph.Graph
	Coordinates   [][2]float64
	Times         []time.Time
	Signals       *mat.Dense // vertices × observations
}

// Resolve returns the specification with its defaults filled in, as [Changing] uses it, or
// all its faults.
func (s ChangingSpec) Resolve() (ChangingSpec, error) {
	s.Vertices = cmp.Or(s.Vertices, 40)
	s.Observations = cmp.Or(s.Observations, 2000)
	s.Moment = cmp.Or(s.Moment, s.Observations/2)
	s.Share = cmp.Or(s.Share, 0.2)
	s.Memory = cmp.Or(s.Memory, 0.5)
	return s, check("simulate.ChangingSpec",
		requirement{input.Vertices, s.Vertices, s.Vertices >= 8, "at least 8"},
		requirement{input.Signals, s.Observations, s.Observations >= 2, "at least 2"},
		requirement{"moment", s.Moment, s.Moment > 0 && s.Moment < s.Observations, "a number above 0 and below that of the observations"},
		requirement{"share", s.Share, s.Share > 0 && s.Share <= 0.5, "a number above 0 and at most 0.5"},
		requirement{"memory", s.Memory, s.Memory > 0 && s.Memory < 1, "a number above 0 and below 1"},
	)
}

// Changing draws a Gaussian field on a graph of random points, which goes on from one
// hour to the next as that of [Messy] does, and from a moment on lives on another
// graph: a share of the edges, drawn at random, has gone to other pairs and taken the
// weights along.
func Changing(spec ChangingSpec) (*ChangingTruth, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return nil, err
	}
	s, err := sensorGraph(spec.Vertices, spec.Seed)
	if err != nil {
		return nil, err
	}
	after, err := rewired(s.Graph, spec.Share, rng.Stream(spec.Seed, "change"))
	if err != nil {
		return nil, err
	}
	law := synth.FieldSpec{Law: synth.GaussianField, Count: spec.Observations, Seed: spec.Seed}
	first, err := synth.Field(s.Graph, law)
	if err != nil {
		return nil, err
	}
	second, err := synth.Field(after, law)
	if err != nil {
		return nil, err
	}
	y := first.Signals
	for i := range s.Graph.Vertices() {
		copy(y.RawRowView(i)[spec.Moment:], second.Signals.RawRowView(i)[spec.Moment:])
	}
	remember(y, spec.Memory)
	addSensorNoise(y, sensorNoise, spec.Seed, "changing noise")
	return &ChangingTruth{spec, s.Graph, after, s.Coordinates, timesOf(spec.Observations, time.Hour), y}, nil
}

// rewired returns the graph with a share of its edges between other pairs. No vertex
// loses its last edge.
func rewired(g *graph.Graph, share float64, r *rand.Rand) (*graph.Graph, error) {
	n, edges := g.Vertices(), g.Edges()
	taken, degree := map[[2]int]bool{}, make([]int, n)
	for _, e := range edges {
		taken[[2]int{e.I, e.J}] = true
		degree[e.I]++
		degree[e.J]++
	}
	want := int(math.Round(share * float64(len(edges))))
	if free := n*(n-1)/2 - len(edges); want > free {
		return nil, input.Errorf("simulate.Changing", "share", "%d edges should go elsewhere, but only %d pairs are not joined", want, free)
	}
	for _, k := range r.Perm(len(edges)) {
		e := &edges[k]
		if want == 0 {
			break
		}
		if degree[e.I] < 2 || degree[e.J] < 2 {
			continue
		}
		degree[e.I]--
		degree[e.J]--
		// The old pair stays taken, so that no edge comes back.
		for taken[[2]int{e.I, e.J}] {
			i, j := r.IntN(n), r.IntN(n-1)
			if j >= i {
				j++
			}
			e.I, e.J = min(i, j), max(i, j)
		}
		taken[[2]int{e.I, e.J}] = true
		degree[e.I]++
		degree[e.J]++
		want--
	}
	return graph.New(g.Names(), edges)
}
