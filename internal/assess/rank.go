package assess

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/internal/matrix"
)

// A Contender is a method with its graph from all signals and what it did on held-out ones.
type Contender struct {
	Name       string
	Edges      int  // of the graph learned from all signals
	Iterations int  // that it took; of methods that tie, the one with the fewest is the simplest
	Certified  bool // the graph proves itself
	// Direct says that the method keeps only edges between vertices that depend on each
	// other directly, as many as held-out signals ask for.
	Direct  bool
	HeldOut *HeldOut // on the same folds as all others
}

// A Place is a contender's in a ranking.
type Place struct {
	Name  string
	Rank  int // from 1
	Gain  Estimate
	Share float64 // of the best mean gain; 0 if that is not above 0
	Needs float64 // the share with which it may be recommended
	Tied  bool    // with the one recommended: within one standard error, at about as many edges
}

// A Ranking is an order of methods and a choice among them, made without any truth.
type Ranking struct {
	Places      []Place // the best first
	Recommended string  // "" if no graph predicts better than none
	Rule        Rule    // by which it is
	Because     string  // a part of a sentence
}

// A Rule is what decided a ranking.
type Rule string

// The rules, in the order in which [Rank] goes through them.
const (
	ByProof    Rule = "exact"        // the graph proves itself
	ByLearn    Rule = "learn"        // it is what is taken without a comparison
	ByOwnModel Rule = "own model"    // its own model of signals gains more than any edges
	ByNothing  Rule = "none"         // nothing is recommended
	ByDirect   Rule = "direct edges" // only direct edges, which keep half of the best gain
	ByFewEdges Rule = "fewest edges" // of those that keep Adequate of the best gain
)

// Favoured is the method that is taken without a comparison of all, if it is among them: the zero value
// if that is not known.
type Favoured struct {
	Name    string
	Because string // a part of a sentence
}

const (
	// Adequate is the share of the best gain that makes a graph adequate. Denser graphs
	// nearly always predict a little better; what is asked for is the sparsest that
	// carries nearly all that signals say about each other. On measured sets the price
	// of an edge in an information criterion is far too low: nearly every edge is worth
	// it there. From 0.92 to 0.94 the choice is the same on the rivers and temperatures
	// of docs/real-data.md, which were seen when it was made.
	Adequate = 0.93
	// enoughOfDirect is the share of the best gain that a graph of direct edges must keep
	// to be taken. Edges between vertices that are two steps apart predict, too: on
	// fields spread by diffusion or in time, direct edges kept 66 to 90 percent of the gain
	// of graphs with twice as many edges, most of them wrong.
	enoughOfDirect = 0.5
	// sameSizeFactor is the factor up to which numbers of edges count as the same.
	sameSizeFactor = 1.1
	// clearErrors is how many standard errors make a difference clear where one claim is
	// picked out of several.
	clearErrors = 2
)

// Rank orders methods by held-out signals and recommends one:
//
//   - a graph that proves itself, if there is one;
//   - else the one that is favoured, if it has a graph that says something: its edges, or its own
//     model of signals, gain more than none by two standard errors;
//   - else, if none is, a method whose own model of signals gains more than the edges of any graph,
//     by more than two standard errors;
//   - else, if no graph predicts better than none by that much, none;
//   - else a graph of direct edges that keeps half of the best gain;
//   - else, among the graphs that keep [Adequate] of the best gain, the sparsest. If
//     others have at most a tenth more edges, the one of these that gains most, and of
//     those within a standard error of that again the sparsest, then the simplest.
//
// The others follow: first those that are adequate, the sparsest first, then the rest
// by their gains. A graph counts as many edges as its method learned from all signals or
// from the folds on average, whichever is more: what gains is the latter.
func Rank(list []Contender, favoured Favoured) Ranking {
	if len(list) == 0 {
		return Ranking{Rule: ByNothing, Because: "no method could be assessed"}
	}
	places := make([]Place, len(list))
	best := 0
	for k, c := range list {
		places[k] = Place{Name: c.Name, Gain: c.HeldOut.MeanGain(), Needs: ShareNeeded(c.Direct)}
		if places[k].Gain.Mean > places[best].Gain.Mean {
			best = k
		}
	}
	most := places[best].Gain
	if most.Mean > 0 {
		for k := range places {
			places[k].Share = places[k].Gain.Mean / most.Mean
		}
	}
	r := Ranking{}
	chosen := -1
	known := slices.IndexFunc(list, func(c Contender) bool { return c.Name == favoured.Name })
	switch proven, own := slices.IndexFunc(list, func(c Contender) bool { return c.Certified }), bestOwn(list, best); {
	case proven >= 0:
		chosen, r.Rule = proven, ByProof
		r.Because = "its result is exact: it explains the signals to rounding error, which a wrong graph cannot do"
	case known >= 0 && (isClear(places[known].Gain) || isClear(list[known].HeldOut.MeanModelGain())):
		chosen, r.Rule, r.Because = known, ByLearn, favoured.Because
		if isClear(places[known].Gain) {
			r.Because += "; " + shareOfBest(list, places, chosen, best)
		}
	case known < 0 && own >= 0:
		chosen, r.Rule = own, ByOwnModel
		r.Because = fmt.Sprintf("its own model gains %.3g nats per held-out signal, more than the edges of any graph (%.3g at most)",
			list[own].HeldOut.MeanModelGain().Mean, max(most.Mean, 0))
	case !isClear(most):
		r.Rule, r.Because = ByNothing, "no method's edges predict held-out signals better than a model without edges"
	default:
		if chosen = direct(list, places); chosen >= 0 {
			r.Rule = ByDirect
			r.Because = shareOfBest(list, places, chosen,
				best) + ", and it keeps only edges between vertices that depend on each other directly"
			if chosen != best {
				r.Because += ", of which half of the best gain is enough"
			}
			break
		}
		r.Rule = ByFewEdges
		chosen, r.Because = choose(list, places, best)
	}
	if chosen >= 0 {
		r.Recommended = list[chosen].Name
	}
	order := matrix.Sorted(len(list), func(a, b int) int {
		return cmp.Or(first(a == chosen, b == chosen), first(places[a].Share >= Adequate, places[b].Share >= Adequate),
			inOrder(list, places, a, b))
	})
	for rank, k := range order {
		places[k].Rank = rank + 1
		r.Places = append(r.Places, places[k])
	}
	return r
}

// ShareNeeded is the share of the best gain that a graph must keep to be recommended, without more
// being said for it: of direct edges less is enough.
func ShareNeeded(direct bool) float64 {
	if direct {
		return enoughOfDirect
	}
	return Adequate
}

// isClear reports whether a gain is above zero beyond chance.
func isClear(gain Estimate) bool { return gain.Mean > clearErrors*gain.StdErr }

// first orders what is before what is not.
func first(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

// inOrder compares two that are both adequate or both not.
func inOrder(list []Contender, places []Place, a, b int) int {
	gain := cmp.Compare(places[b].Gain.Mean, places[a].Gain.Mean)
	if places[a].Share >= Adequate {
		return cmp.Or(cmp.Compare(list[a].size(), list[b].size()), gain)
	}
	return gain
}

// size is how many edges a contender counts as having.
func (c Contender) size() float64 { return max(float64(c.Edges), c.HeldOut.Edges) }

// direct returns the graph of direct edges that gains most, -1 if none gains enough.
func direct(list []Contender, places []Place) int {
	chosen := -1
	for k, c := range list {
		if c.Direct && places[k].Share >= ShareNeeded(true) && (chosen < 0 || places[k].Share > places[chosen].Share) {
			chosen = k
		}
	}
	return chosen
}

// shareOfBest says how much of the best gain a graph keeps.
func shareOfBest(list []Contender, places []Place, chosen, best int) string {
	if chosen == best {
		return fmt.Sprintf("its %d edges predict held-out signals best", list[chosen].Edges)
	}
	return fmt.Sprintf("its %d edges keep %.0f%% of the best held-out gain (%s, with %d edges)",
		list[chosen].Edges, 100*places[chosen].Share, list[best].Name, list[best].Edges)
}

// choose returns the sparsest adequate graph and why it is.
func choose(list []Contender, places []Place, best int) (chosen int, because string) {
	least := math.Inf(1)
	for k, c := range list {
		if places[k].Share >= Adequate {
			least = min(least, c.size())
		}
	}
	lead := -1
	var group []int
	for k, c := range list {
		if places[k].Share >= Adequate && c.size() <= sameSizeFactor*least {
			group = append(group, k)
			if lead < 0 || places[k].Gain.Mean > places[lead].Gain.Mean {
				lead = k
			}
		}
	}
	group = slices.DeleteFunc(group, func(k int) bool {
		d := difference(list[lead].HeldOut.Gain, list[k].HeldOut.Gain)
		return d.Mean > d.StdErr
	})
	chosen = slices.MinFunc(group, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[a].size(), list[b].size()), cmp.Compare(list[a].Iterations, list[b].Iterations))
	})
	var ties []string
	for _, k := range group {
		places[k].Tied = k != chosen
		if k != chosen {
			ties = append(ties, list[k].Name)
		}
	}
	because = shareOfBest(list, places, chosen, best)
	if chosen != best {
		because += fmt.Sprintf(", and no graph that keeps %.0f%% has clearly fewer, in the folds as well", 100*Adequate)
	}
	if len(ties) > 0 {
		because += "; tied within one standard error with " + strings.Join(ties, ", ")
	}
	return chosen, because
}

// bestOwn returns the method whose own model gains most, if that is more than the best
// edges do, else -1.
func bestOwn(list []Contender, best int) int {
	chosen := -1
	for k, c := range list {
		own := c.HeldOut.MeanModelGain()
		if !isClear(own) || chosen >= 0 && own.Mean <= list[chosen].HeldOut.MeanModelGain().Mean {
			continue
		}
		if over := difference(c.HeldOut.ModelGain, list[best].HeldOut.Gain); isClear(over) {
			chosen = k
		}
	}
	return chosen
}
