package study

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
)

// The levels of a pair in a window: no weight; a weight that was cut off, of the lower
// half, of the next third or above; an edge, of each quarter of all weights.
const (
	levelCut  = 1
	levelKept = 4
	levels    = 8
)

// Where levels end, as shares of all weights that were cut off and of those that were
// kept.
var (
	cutShares  = []float64{0.5, 0.85}
	keptShares = []float64{0.25, 0.5, 0.75}
)

// series puts together what the windows say.
func (l *learning) series() (*Series, error) {
	s := &Series{Whole: l.whole, Method: l.whole.Result.Method, Names: l.names}
	for _, k := range l.looks {
		l.kept, l.all = append(l.kept, weightsOf(k.kept)), append(l.all, weightsOf(k.all))
	}
	pairs, histories := l.histories()
	c := newChain(histories, levels, levelKept, l.options.fresh())
	c.fit()
	for k, p := range pairs {
		joined := c.path(histories[k].levels)
		if !slices.Contains(joined, true) {
			continue
		}
		found, _, _ := c.posterior(histories[k].levels)
		e := Edge{I: p[0], J: p[1], Weights: l.weights(p, joined), Found: found}
		for w := 1; w < len(joined); w++ {
			if joined[w] != joined[w-1] {
				e.Changes = append(e.Changes, w)
			}
		}
		s.Edges = append(s.Edges, e)
	}
	slices.SortStableFunc(s.Edges, byChange)
	return s, l.graphs(s)
}

// byChange sorts edges: those that change first, by when and what, then the heaviest.
func byChange(a, b Edge) int {
	if stays := cmp.Compare(min(len(b.Changes), 1), min(len(a.Changes), 1)); stays != 0 {
		return stays
	}
	if by := slices.Compare(a.Changes, b.Changes); by != 0 {
		return by
	}
	comes := func(e Edge) int { // whether it is there at first
		if e.Weights[0] > 0 {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(comes(a), comes(b)), cmp.Compare(slices.Max(b.Weights), slices.Max(a.Weights)))
}

// histories returns the pairs that any window has a weight of, and the levels of each. The
// last history is that of all other pairs.
func (l *learning) histories() (pairs [][2]int, list []history) {
	scales := make([]float64, len(l.looks))
	var cut, kept []float64
	seen := map[[2]int]bool{}
	for w, k := range l.looks {
		if k.kept == nil {
			continue
		}
		scales[w] = meanWeight(k.kept)
		for p, v := range l.kept[w] {
			seen[p] = true
			kept = append(kept, v/scales[w])
		}
		for p, v := range l.all[w] {
			seen[p] = true
			if l.kept[w][p] == 0 {
				cut = append(cut, v/scales[w])
			}
		}
	}
	cutEnds, keptEnds := quantiles(cut, cutShares), quantiles(kept, keptShares)
	pairs = slices.SortedFunc(maps.Keys(seen), func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	list = make([]history, len(pairs)+1)
	for k := range list {
		list[k] = history{make([]uint8, len(l.looks)), 1}
	}
	for w, look := range l.looks {
		if look.kept == nil {
			for k := range list {
				list[k].levels[w] = noLook
			}
			continue
		}
		for k, p := range pairs {
			if v := l.kept[w][p]; v > 0 {
				list[k].levels[w] = levelKept + levelAmong(keptEnds, v/scales[w])
			} else if v := l.all[w][p]; v > 0 {
				list[k].levels[w] = levelCut + levelAmong(cutEnds, v/scales[w])
			}
		}
	}
	n := float64(len(l.names))
	all := n * (n - 1) / 2
	if l.whole.Graph.Directed() {
		all *= 2
	}
	list[len(pairs)].pairs = all - float64(len(pairs))
	return pairs, list
}

// weightsOf returns the weights of a graph by pair; none of no graph.
func weightsOf(g *graph.Graph) map[[2]int]float64 {
	if g == nil {
		return nil
	}
	all := make(map[[2]int]float64, g.EdgeCount())
	for _, e := range g.Edges() {
		all[[2]int{e.I, e.J}] = e.Weight
	}
	return all
}

// meanWeight is that of the edges of a graph by size, 1 if it has none.
func meanWeight(g *graph.Graph) float64 {
	sum := 0.0
	for _, e := range g.Edges() {
		sum += math.Abs(e.Weight)
	}
	if sum == 0 {
		return 1
	}
	return sum / float64(g.EdgeCount())
}

// quantiles returns the values below which shares of all are.
func quantiles(values, shares []float64) []float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	var ends []float64
	for _, share := range shares {
		ends = append(ends, values[int(share*float64(len(values)-1))])
	}
	return ends
}

// levelAmong returns how many ends a value reaches.
func levelAmong(ends []float64, v float64) uint8 {
	n := uint8(0)
	for _, end := range ends {
		if v >= end {
			n++
		}
	}
	return n
}

// weights returns the weight of a pair in the windows that join it: that of the window or,
// where it has not found the edge, the mean over those of the same run of windows that
// have, or over all that have any weight of it.
func (l *learning) weights(p [2]int, joined []bool) []float64 {
	own := make([]float64, len(joined))
	sum, count := 0.0, 0.0
	for w := range own {
		own[w] = l.kept[w][p]
		if v := max(l.kept[w][p], l.all[w][p]); v > 0 {
			sum += v
			count++
		}
	}
	weights := make([]float64, len(joined))
	for begin := 0; begin < len(joined); begin++ {
		if !joined[begin] {
			continue
		}
		end, run, found := begin, 0.0, 0.0
		for ; end < len(joined) && joined[end]; end++ {
			if own[end] > 0 {
				run += own[end]
				found++
			}
		}
		usual := sum / count
		if found > 0 {
			usual = run / found
		}
		for w := begin; w < end; w++ {
			if weights[w] = own[w]; own[w] == 0 {
				weights[w] = usual
			}
		}
		begin = end
	}
	return weights
}

// graphs makes the graphs of the windows.
func (l *learning) graphs(s *Series) error {
	build := graph.New
	if l.whole.Graph.Directed() {
		build = graph.NewDirected
	}
	for w, p := range l.parts {
		win := Window{Part: p, Own: l.looks[w].kept, Fault: l.looks[w].fault}
		var edges []graph.Edge
		for _, e := range s.Edges {
			if e.Weights[w] > 0 {
				edges = append(edges, graph.Edge{I: e.I, J: e.J, Weight: e.Weights[w]})
			}
			if slices.Contains(e.Changes, w) {
				if e.Weights[w] > 0 {
					win.Came++
				} else {
					win.Gone++
				}
			}
		}
		var err error
		if win.Graph, err = build(l.names, edges); err != nil {
			return err
		}
		s.Windows = append(s.Windows, win)
	}
	return nil
}
