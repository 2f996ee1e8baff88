package report

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// An edge is [i, j, weight, confidence or null] on the page, and then, if there is evidence for
// it, [false, [partial, low, high, q]]: the fifth place is that of a mark.
type edge struct {
	graph.Edge
	confidence float64         // NaN if nothing is said
	evidence   *graph.Evidence // nil if there is none
}

func (e edge) MarshalJSON() ([]byte, error) {
	cells := []any{e.I, e.J, digits(e.Weight), digits(e.confidence)}
	if v := e.evidence; v != nil {
		cells = append(cells, false, []digits{digits(v.Partial), digits(v.Low), digits(v.High), digits(v.Q)})
	}
	return json.Marshal(cells)
}

// A ranking has the edges of a graph by weight, then those that its cut dropped.
type ranking struct {
	edges []edge
	kept  int
}

// rank ranks the edges of g, and after them those that only weights has, of which no more is
// known.
func rank(g, weights *graph.Graph) ranking {
	heavier := func(a, b edge) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
	}
	var kept, dropped []edge
	confidence, evidence, has := g.Confidence(), g.Evidence(), map[[2]int]bool{}
	for k, e := range g.Edges() {
		one := edge{e, math.NaN(), nil}
		if confidence != nil {
			one.confidence = confidence[k]
		}
		if evidence != nil {
			one.evidence = &evidence[k]
		}
		kept, has[[2]int{e.I, e.J}] = append(kept, one), true
	}
	for _, e := range weights.Edges() {
		if !has[[2]int{e.I, e.J}] {
			dropped = append(dropped, edge{e, math.NaN(), nil})
		}
	}
	slices.SortFunc(kept, heavier)
	slices.SortFunc(dropped, heavier)
	return ranking{append(kept, dropped...), len(kept)}
}

const (
	shownTimes = 3      // that many times the edges of the graph can be looked at
	shownFew   = 30     // or that many, if those are few
	shownMost  = 20_000 // but never more
)

// shown are the edges that the page can show.
func (r ranking) shown() []edge {
	return append([]edge{}, r.edges[:min(len(r.edges), max(r.kept, min(shownMost, max(shownTimes*r.kept, shownFew))))]...)
}

// ranked is [rank from 1, weight by size].
type ranked [2]digits

// curvePoints is about how many points a curve has; more cannot be told apart.
const curvePoints = 1200

// curve is the size of the weight by rank: all of them if they are few, and always those on
// both sides of the cut.
func (r ranking) curve() []ranked {
	curve := []ranked{}
	step := max(1, len(r.edges)/curvePoints)
	for k, e := range r.edges {
		if k%step == 0 || k == r.kept-1 || k == r.kept || k == len(r.edges)-1 {
			curve = append(curve, ranked{digits(k + 1), digits(math.Abs(e.Weight))})
		}
	}
	return curve
}

// A round is a point of the curves of a run.
type round struct {
	Start     int          `json:"start"`
	Round     int          `json:"round"`
	Phase     method.Phase `json:"phase"`
	Residual  digits       `json:"residual"`
	Objective digits       `json:"objective"`
	Edges     int          `json:"edges"`
}

// rounds are the last step of each round, and each step of the pruning, at most
// about curvePoints of them, and then the result, whose codes and cut are its own.
func rounds(r *learn.Result) []round {
	var list []round
	history := r.History
	for k, s := range history {
		if k+1 < len(history) && sameRound(s, history[k+1]) {
			continue
		}
		list = append(list, round{s.Start, s.Round, s.Phase, digits(s.Residual), digits(s.Objective), s.Edges})
	}
	step := max(1, len(list)/curvePoints)
	var thin []round
	for k, p := range list {
		if k%step == 0 || k == len(list)-1 {
			thin = append(thin, p)
		}
	}
	return append(thin, round{r.Starts, r.Rounds, learn.Done, digits(r.Residual), digits(r.Objective), r.Graph.EdgeCount()})
}

func sameRound(a, b learn.Step) bool {
	return a.Start == b.Start && a.Round == b.Round && a.Phase != learn.Pruning && b.Phase != learn.Pruning
}
