package intake

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// A Shape knows both shapes of signals: all vertices, as a caller gave them, and those that are
// learned from. Vertices without values, constant ones and copies of others are not among the
// latter. Everything between preparation and the finished result sees only the vertices that are
// learned from: [Shape.Rows] is the only way in, and [Shape.Result], [Shape.Graph],
// [Shape.Step] and [Shape.Pair] are the only ways out.
type Shape struct {
	names    []string        // of all vertices
	vertices []int           // that are learned from, in order
	aside    []signals.Aside // those that nothing can be learned about
	equal    []prepare.Equal // those that are learned as one with another
}

// shapeOf finds the vertices of signals that can be learned from after preparation.
func shapeOf(s *signals.Set, p *prepare.Prepared) (*Shape, error) {
	shape := &Shape{names: namesOf(s), equal: p.Equal}
	n, _ := s.Y.Dims()
	screening, err := signals.ScreenInOwnUnits("nervure", p.Y, s.Names)
	for _, a := range screening.Aside {
		if !shape.isCopy(a.Vertex) {
			shape.aside = append(shape.aside, asMeasured(a, s.Y.RawRowView(a.Vertex)))
		}
	}
	shape.vertices = screening.Vertices
	switch fewer := n - len(shape.aside); {
	case err != nil && len(p.Equal) > 0 && fewer > 1:
		err = input.Completef("nervure", input.Signals, "all %d vertices that vary have the same values: add vertices that differ",
			fewer)
	case err != nil && len(p.Faults) > 0:
		err = input.Completef("nervure", input.Signals,
			"only %d of %d vertices left, want at least 2: the others look like copies or sensors at fault, which may be reported and kept",
			len(shape.vertices), n)
	}
	return shape, err
}

// asMeasured words why a vertex was set aside by its values as they were given: after preparation a
// sensor that reads 12.5 all the time is 0, and one that is at fault may have no values left.
func asMeasured(a signals.Aside, given []float64) signals.Aside {
	row := matrix.Describe(given)
	switch {
	case a.Reason == signals.TooFewValues && row.Observed > a.Observed+1: // differences take one away
		a.Reason = signals.TooFewLeft
	case a.Reason == signals.Constant && row.Varies:
		a.Reason, a.Value = signals.ConstantPrepared, 0
	case a.Reason == signals.Constant:
		a.Value = row.High
	}
	return a
}

func (s *Shape) isCopy(vertex int) bool {
	return slices.ContainsFunc(s.equal, func(e prepare.Equal) bool { return e.Vertex == vertex })
}

// isWhole reports whether all vertices are learned from.
func (s *Shape) isWhole() bool { return len(s.vertices) == len(s.names) }

// Names returns the names of the vertices that are learned from.
func (s *Shape) Names() []string { return matrix.Pick(s.names, s.vertices) }

// Rows returns the rows of the vertices that are learned from; y itself if these are all.
func (s *Shape) Rows(y *mat.Dense) *mat.Dense {
	if s.isWhole() {
		return y
	}
	return matrix.Rows(y, s.vertices)
}

// Known returns what is known beforehand of the vertices that are learned from.
func (s *Shape) Known(k method.Known) method.Known {
	if s.isWhole() {
		return k
	}
	place := make([]int, len(s.names))
	for i := range place {
		place[i] = -1
	}
	for at, i := range s.vertices {
		place[i] = at
	}
	pairs := func(list [][2]int) [][2]int {
		if list == nil {
			return nil
		}
		inner := [][2]int{}
		for _, p := range list {
			if p[0] < 0 || p[1] < 0 || p[0] >= len(place) || p[1] >= len(place) { // which the method refuses
				inner = append(inner, [2]int{-1, -1})
			} else if place[p[0]] >= 0 && place[p[1]] >= 0 {
				inner = append(inner, [2]int{place[p[0]], place[p[1]]})
			}
		}
		return inner
	}
	k.Allow, k.Forbid = pairs(k.Allow), pairs(k.Forbid)
	for _, g := range []**graph.Graph{&k.Init, &k.Prior} {
		if *g != nil && (*g).Vertices() == len(s.names) {
			part, err := (*g).Part(s.vertices).Rename(s.Names())
			if err != nil {
				panic(err) // they are the names of vertices
			}
			*g = part
		}
	}
	return k
}

// Result puts a result back among all vertices.
func (s *Shape) Result(r *method.Result) *method.Result {
	outer := *r
	outer.Graph, outer.Weights = s.Graph(r.Graph), s.Graph(r.Weights)
	outer.Aside = slices.Clone(s.aside)
	outer.Warnings = nil
	for _, a := range s.aside {
		outer.Warnings = append(outer.Warnings, a.Sentence())
	}
	outer.Warnings = append(outer.Warnings, r.Warnings...)
	for _, a := range r.Aside { // by a rule of the method's own
		a.Vertex = s.vertices[a.Vertex]
		outer.Aside = append(outer.Aside, a)
	}
	if own, ok := r.Own.(method.ByVertex); ok && !s.isWhole() {
		idle := slices.Clone(s.aside)
		for _, e := range s.equal {
			idle = append(idle, signals.Aside{Vertex: e.Vertex, Name: s.names[e.Vertex], Reason: signals.TooFewValues})
		}
		outer.Own = own.OnVertices(s.vertices, s.names, idle)
	}
	return &outer
}

// Graph puts a graph, which may be nil, back among all vertices, with its copies.
func (s *Shape) Graph(g *graph.Graph) *graph.Graph {
	if g == nil || s.isWhole() {
		return g
	}
	return rejoined(g.Embed(s.vertices, s.names), s.equal)
}

// Step puts a look at a method at work back among all vertices.
func (s *Shape) Step(step method.Step) method.Step {
	if inner := step.Weights; inner != nil && !s.isWhole() {
		step.Weights = func() *graph.Graph { return s.Graph(inner()) }
	}
	return step
}

// Pair puts a pair of vertices that are learned from back among all of them.
func (s *Shape) Pair(i, j int) (int, int) { return s.vertices[i], s.vertices[j] }
