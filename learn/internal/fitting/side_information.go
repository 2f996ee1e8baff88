package fitting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/optimise"
)

// Information is what is known beside the signals, in the vertices that the
// method works on.
type Information struct {
	Allowed *AllowedPairs
	Init    *graph.Graph // to begin from; nil if there is none
	Prior   *Prior       // nil if there is none
}

// A Given says what a caller knows of the n vertices of the input besides the signals.
// Vertices are numbered from 0, and graphs have them in this order.
type Given struct {
	Allow, Forbid [][2]int     // pairs that may and may not have an edge; a nil allow means all
	Init, Prior   *graph.Graph // to begin from, and to be pulled to; nil if there is none
	PriorWeight   float64      // in signals
}

// NewInformation turns what is known of n vertices into what it means for the
// prepared ones, with warnings where it means nothing.
func NewInformation(o Given, data Signals, n int) (Information, []string, error) {
	place := make([]int32, n)
	for i := range place {
		place[i] = -1
	}
	for k, i := range data.Vertices {
		place[i] = int32(k)
	}
	varying := len(data.Vertices)
	s := Information{Allowed: newAllowedPairs(o.Allow, o.Forbid, place, varying)}
	if s.Allowed != nil && s.Allowed.Count() == 0 {
		return s, nil, input.Errorf("learn", input.AllowedPairs, "no pair of the %d vertices that vary may have an edge", varying)
	}
	var warnings []string
	use := func(name string, g *graph.Graph) *graph.Graph {
		some := s.Allowed.project(g, place, varying)
		if g != nil && some == nil {
			warnings = append(warnings, fmt.Sprintf("the %s has no edge that can be learned: it was not used", name))
		}
		return some
	}
	s.Init = use("initial graph", o.Init)
	if g := use("prior", o.Prior); g != nil {
		s.Prior = newPrior(g, o.PriorWeight, data.Count())
	}
	return s, warnings, nil
}

// HasGraph reports whether there is a graph to begin from.
func (s Information) HasGraph() bool { return s.Init != nil || s.Prior != nil }

// Apply changes weights over the pairs, of mean degree 1, to what is known: those
// of the initial graph or else, in its measure, the prior's.
func (s Information) Apply(pairs dictionary.Pairs, w []float64) {
	switch {
	case s.Init != nil:
		MoveTowards(s.Init, 1, pairs, w)
	case s.Prior != nil:
		MoveTowards(s.Prior.graph, s.Prior.share, pairs, w)
	}
}

// AddEdges returns candidates with those of the edges that are known, which may
// come to nothing like all others.
func (s Information) AddEdges(candidates [][]Neighbour) [][]Neighbour {
	all := slices.Clone(candidates)
	add := func(g *graph.Graph) {
		for _, e := range g.Edges() {
			all[e.I] = append(slices.Clip(all[e.I]), Neighbour{int32(e.J), 0})
		}
	}
	if s.Init != nil {
		add(s.Init)
	}
	if s.Prior != nil {
		add(s.Prior.graph)
	}
	return all
}

// AllowedPairs says which pairs of vertices may have a weight. A nil one allows
// all.
type AllowedPairs struct {
	n             int
	allow, forbid map[[2]int32]bool // a nil allow means all pairs; what is forbidden is also allowed
}

// newAllowedPairs returns what is known about pairs, in the n vertices of
// place, which numbers the vertices of the input, −1 for those set aside.
func newAllowedPairs(allow, forbid [][2]int, place []int32, n int) *AllowedPairs {
	if allow == nil && len(forbid) == 0 {
		return nil
	}
	a := &AllowedPairs{n: n, forbid: map[[2]int32]bool{}}
	if allow != nil {
		a.allow = map[[2]int32]bool{}
	}
	for _, p := range allow {
		if key, ok := placed(p, place); ok {
			a.allow[key] = true
		}
	}
	for _, p := range forbid {
		if key, ok := placed(p, place); ok && (a.allow == nil || a.allow[key]) {
			a.forbid[key] = true
		}
	}
	return a
}

// placed returns a pair of the input in the vertices of place; false if one of
// them is set aside.
func placed(pair [2]int, place []int32) ([2]int32, bool) {
	i, j := place[pair[0]], place[pair[1]]
	return ordered(i, j), i >= 0 && j >= 0
}

func ordered(i, j int32) [2]int32 { return [2]int32{min(i, j), max(i, j)} }

// Allows reports whether the pair of i and j may have a weight.
func (a *AllowedPairs) Allows(i, j int32) bool {
	if a == nil {
		return true
	}
	key := ordered(i, j)
	return (a.allow == nil || a.allow[key]) && !a.forbid[key]
}

// Count returns how many pairs may have a weight.
func (a *AllowedPairs) Count() int {
	if a.allow != nil {
		return len(a.allow) - len(a.forbid)
	}
	return a.n*(a.n-1)/2 - len(a.forbid)
}

// List lists the pairs of n vertices that may have a weight.
func (a *AllowedPairs) List(n int) dictionary.Pairs {
	all := dictionary.AllPairs(n)
	if a == nil {
		return all
	}
	some := dictionary.Pairs{N: n}
	for e, i := range all.I {
		if j := all.J[e]; a.Allows(i, j) {
			some.I, some.J = append(some.I, i), append(some.J, j)
		}
	}
	return some
}

// project returns g, a graph of the input, in the vertices of place, without the
// edges that are not allowed; nil if none is left.
func (a *AllowedPairs) project(g *graph.Graph, place []int32, n int) *graph.Graph {
	if g == nil {
		return nil
	}
	var edges []graph.Edge
	for _, e := range g.Edges() {
		if i, j := place[e.I], place[e.J]; i >= 0 && j >= 0 && a.Allows(i, j) {
			edges = append(edges, graph.Edge{I: int(i), J: int(j), Weight: e.Weight})
		}
	}
	if len(edges) == 0 {
		return nil
	}
	return MustGraph(n, edges)
}

// A Prior pulls the weights to those of a graph, as that many more signals would.
// It sees what the signals see, the normalised weights A, and adds to the robust
// loss, which is the mean over M signals of the share of each that is left over,
//
//	μ/M · Σ_ij |A_ij − A⁰_ij|_ε / (2 Σ_ij A⁰_ij),   |x|_ε = √(x² + ε²) − ε,
//
// where μ is its weight: a graph that has moved a share of the prior's weight to
// elsewhere costs as much as μ signals of which that share is left over. It
// grows with the deviations, not their squares, for the reason that the loss
// grows with norms: a prior that is wrong about a few edges must not lose what
// it knows of the others. Where A⁰ is zero, |x|_ε is x: A is never negative,
// and what neither the signals nor the prior want goes to zero.
//
// Pairs of a vertex that has no edge in the prior cost nothing: the prior does
// not know it.
//
// Nothing is proved by a prior: the fit that is to prove itself (see polish) is
// one of the signals alone.
type Prior struct {
	graph     *graph.Graph
	weight    map[[2]int32]float64 // A⁰ of its edges
	degree    []float64
	total     float64 // Σ A⁰
	smoothing float64 // ε
	signals   float64 // μ/M
	share     float64 // √(μ/(M + μ)), by which a start moves towards it: the errors of what it would begin from fall like 1/√M
}

// priorSmoothing is ε as a share of the mean normalised weight of the prior's edges.
const priorSmoothing = 0.1

func newPrior(g *graph.Graph, weight float64, signals int) *Prior {
	p := &Prior{
		graph: g, weight: make(map[[2]int32]float64, g.EdgeCount()), degree: g.Degrees(),
		signals: weight / float64(signals), share: math.Sqrt(weight / (float64(signals) + weight)),
	}
	for _, e := range g.NormalizedWeights() {
		p.weight[[2]int32{int32(e.I), int32(e.J)}] = e.Weight
		p.total += e.Weight
	}
	p.smoothing = priorSmoothing * p.total / float64(g.EdgeCount())
	return p
}

// A priorPenalty is what a prior adds to a loss over some pairs.
type priorPenalty struct {
	*Prior
	pairs      dictionary.Pairs
	target     []float64 // A⁰, or −1 for pairs that the prior does not know
	elsewhere  float64   // Σ A⁰ of edges that are none of the pairs
	normalised []float64 // A at the weights it was last evaluated at
	grad       []float64 // its derivatives there
}

// over returns the penalty over the pairs.
func (p *Prior) over(pairs dictionary.Pairs) *priorPenalty {
	u := &priorPenalty{
		Prior: p, pairs: pairs, target: make([]float64, pairs.Len()), elsewhere: p.total,
		normalised: make([]float64, pairs.Len()), grad: make([]float64, pairs.Len()),
	}
	for e, i := range pairs.I {
		j := pairs.J[e]
		u.target[e] = p.weight[[2]int32{i, j}]
		u.elsewhere -= u.target[e]
		if p.degree[i] == 0 || p.degree[j] == 0 {
			u.target[e] = -1
		}
	}
	return u
}

// of returns the penalty of the weights w, and leaves its derivatives in u.grad.
func (u *priorPenalty) of(w []float64) float64 {
	u.pairs.Normalized(u.normalised, w)
	unit := u.signals / (2 * u.total)
	sum := u.elsewhere
	for e, t := range u.target {
		switch {
		case t < 0:
			u.grad[e] = 0
		case t == 0:
			sum += u.normalised[e]
			u.grad[e] = unit
		default:
			x := u.normalised[e] - t
			root := math.Hypot(x, u.smoothing)
			sum += root - u.smoothing
			u.grad[e] = unit * x / root
		}
	}
	u.pairs.WeightGradient(u.grad, w)
	return unit * sum
}

// Penalised adds what the prior says to a loss over the pairs; a nil prior says nothing.
func (p *Prior) Penalised(loss optimise.Objective, pairs dictionary.Pairs) optimise.Objective {
	if p == nil {
		return loss
	}
	u := p.over(pairs)
	return func(w, grad []float64) float64 {
		value := loss(w, grad) + u.of(w)
		floats.Add(grad, u.grad)
		return value
	}
}

// Sharpening returns the objective that sharpens an answer: the loss of the
// signals whose codes are right or, with a prior, its root, which is in the unit
// of the prior, and the prior.
func Sharpening[E Engine](v View[E], p *Prior, residuals Residuals) (*TrimmedLoss[E], optimise.Objective) {
	loss := NewTrimmedLoss(v, nil)
	loss.Trim(residuals, 0.8, false)
	if p == nil {
		return loss, loss.Evaluate
	}
	smoothing := 0.01*loss.Of(residuals) + 1e-30
	root := func(w, grad []float64) float64 {
		root := math.Sqrt(loss.Evaluate(w, grad) + smoothing)
		floats.Scale(1/(2*root), grad)
		return root - math.Sqrt(smoothing)
	}
	return loss, p.Penalised(root, v.Pairs)
}

// Score is what the better of two graphs has less of: the residual or, with a
// prior, the loss with it, unsmoothed.
func Score[E Engine](f *Fit[E], p *Prior, g *graph.Graph, residuals Residuals) float64 {
	if p == nil {
		return f.Relative(residuals)
	}
	var sum float64
	for _, v := range residuals {
		sum += math.Sqrt(v)
	}
	pairs, w := dictionary.EdgesOf(g)
	return sum/math.Sqrt(f.Energy*float64(f.M)) + p.over(pairs).of(w)
}

// StepsPerSharpening bounds the quasi-Newton steps of a sharpening.
const StepsPerSharpening = 20
