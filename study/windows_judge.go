package study

import (
	"maps"
	"slices"

	"github.com/nervure/nervure/graph"
)

// A Judgement is how well a series tells of a graph that is known to change at one
// moment. Stable pairs are joined before and after it, or neither. Flicker is the
// share of the stable edges of two windows, one after the other, that only one of them has.
type Judgement struct {
	Flicker  float64 `json:"flicker"`   // mean over all steps
	Away     float64 `json:"away"`      // the most at steps that are a window or more from the moment
	AtMoment float64 `json:"at_moment"` // and at the others
	Alone    float64 `json:"alone"`     // mean over all steps, of windows by themselves

	// Found is the share of the pairs that change, and whose edge was found if it goes, that
	// are as after the change in the second window after the moment; Early in the last
	// window before it.
	Found float64 `json:"found"`
	Early float64 `json:"early"`
	Off   int     `json:"off"` // how many windows the step of the most changes is from the first one after the moment

	F1      float64 `json:"f1"`       // mean over the windows, against the graph of their time
	F1Alone float64 `json:"f1_alone"` // and of windows by themselves
}

// Judge compares a series with the graphs that its signals live on, of which the second
// begins with observation moment. It has windows on both sides of the moment.
func (s *Series) Judge(before, after *graph.Graph, moment int) Judgement {
	was, is := pairsOf(before), pairsOf(after)
	var j Judgement
	steps, most, at := float64(len(s.Windows)-1), -1, 0
	for w, win := range s.Windows {
		now, alone, truth := pairsOf(win.Graph), pairsOf(win.Own), was
		if (win.From+win.To)/2 >= moment {
			truth = is
		}
		j.F1 += f1(now, truth) / float64(len(s.Windows))
		j.F1Alone += f1(alone, truth) / float64(len(s.Windows))
		if w == 0 {
			continue
		}
		last := s.Windows[w-1]
		f := flicker(pairsOf(last.Graph), now, was, is)
		j.Flicker += f / steps
		j.Alone += flicker(pairsOf(last.Own), alone, was, is) / steps
		if near := last.From < moment+last.To-last.From && win.To > moment-(win.To-win.From); near {
			j.AtMoment = max(j.AtMoment, f)
		} else {
			j.Away = max(j.Away, f)
		}
		if win.Came+win.Gone > most {
			most, at = win.Came+win.Gone, w
		}
	}
	first := slices.IndexFunc(s.Windows, func(w Window) bool { return w.From >= moment })
	last := max(slices.IndexFunc(s.Windows, func(w Window) bool { return w.To > moment })-1, 0)
	begin := pairsOf(s.Windows[0].Graph)
	j.Found = changed(begin, pairsOf(s.Windows[min(first+1, len(s.Windows)-1)].Graph), was, is)
	j.Early = changed(begin, pairsOf(s.Windows[last].Graph), was, is)
	j.Off = max(first-at, at-first)
	return j
}

// pairsOf returns the pairs that a graph joins; none of no graph.
func pairsOf(g *graph.Graph) map[[2]int]bool {
	all := map[[2]int]bool{}
	if g != nil {
		for _, p := range g.Pairs() {
			all[p] = true
		}
	}
	return all
}

// flicker is the share of the stable edges of two windows that only one has.
func flicker(a, b, before, after map[[2]int]bool) float64 {
	return share(a, b, func(p [2]int) bool { return before[p] == after[p] }, func(p [2]int) bool { return a[p] != b[p] })
}

// changed is the share of the pairs that change, and whose edge was found if it goes, that
// a graph has as they are after the change.
func changed(first, now, before, after map[[2]int]bool) float64 {
	changes := func(p [2]int) bool { return before[p] != after[p] && (after[p] || first[p]) }
	return share(before, after, changes, func(p [2]int) bool { return now[p] == after[p] })
}

// share is that of the pairs of a or b that count for which something is true.
func share(a, b map[[2]int]bool, counts, isTrue func(p [2]int) bool) float64 {
	both := maps.Clone(a)
	maps.Copy(both, b)
	hits, all := 0.0, 0.0
	for p := range both {
		if counts(p) {
			all++
			if isTrue(p) {
				hits++
			}
		}
	}
	return hits / max(all, 1)
}

// f1 is that of the pairs that were found.
func f1(found, truth map[[2]int]bool) float64 {
	both := 0.0
	for p := range found {
		if truth[p] {
			both++
		}
	}
	return 2 * both / max(float64(len(found)+len(truth)), 1)
}
