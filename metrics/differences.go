package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// Differences are what tells two learned graphs, a and b, apart.
type Differences struct {
	Names        []string // of all vertices: those of a, then those that only b has
	OnlyA, OnlyB []string // vertices that the other graph does not have
	Directed     bool     // pairs are arrows: both graphs are directed
	Rate         float64  // false discovery rate at which pairs are clear
	Tested       int      // pairs whose strengths were tested for a difference
	Pairs        []Difference
}

// A Difference is that of a pair of vertices which is an edge in a, in b, or in both.
type Difference struct {
	I, J             int             // of Differences.Names
	WeightA, WeightB float64         // 0 where it is not an edge
	A, B             *graph.Evidence // nil where it is not an edge or has none
	Missing          bool            // one of the graphs does not have both vertices: there is nothing to compare

	// Of pairs that were tested: the partial correlation in a less that in b, its 90 % interval, and
	// the false discovery rate at which it is not 0.
	Tested         bool
	Gap, Low, High float64
	Q              float64

	// Clear reports that q is at most the rate: of a pair that was tested its own, and of an edge of
	// one graph only that of its evidence. The latter says that the edge is clearly in one graph, and
	// not that it clearly is not in the other, which has no interval for it.
	Clear bool
}

// Differ compares two graphs that were learned from different signals, by the names of their vertices.
// Where both have an edge and evidence for it, its partial correlations are tested for a difference:
// on the scale of the inverse hyperbolic tangent, on which intervals are symmetric, the variance of
// the difference is the sum of both, and q-values are Benjamini and Hochberg's over all such edges
// ([benjamini1995]). The interval of the difference is made from both intervals ([zou2007]). Both
// take the two estimates to be independent, which those from the same signals are not.
//
// rate is the false discovery rate at which a difference is clear, between 0 and 1. Graphs without a
// common vertex are an error.
func Differ(a, b *graph.Graph, rate float64) (*Differences, error) {
	if !(rate > 0 && rate < 1) {
		return nil, input.Errorf("metrics.Differ", "rate", "got %g, want a number between 0 and 1", rate)
	}
	if a.Directed() != b.Directed() {
		a, b = a.Undirected(), b.Undirected()
	}
	namesA, namesB := a.Names(), b.Names()
	d := &Differences{OnlyA: without(namesA, namesB), OnlyB: without(namesB, namesA), Directed: a.Directed(), Rate: rate}
	a, b, shared := graph.Align(a, b)
	if shared == 0 && len(namesA) > 0 && len(namesB) > 0 {
		return nil, input.Errorf("metrics.Differ", "vertex names", "the graphs have no vertex in common")
	}
	d.Names = a.Names()
	d.join(a, b)
	d.test()
	return d, nil
}

// without returns the names that are not among others.
func without(names, others []string) (rest []string) {
	has := make(map[string]bool, len(others))
	for _, name := range others {
		has[name] = true
	}
	for _, name := range names {
		if !has[name] {
			rest = append(rest, name)
		}
	}
	return rest
}

// join lists the pairs that are edges of either graph, in order.
func (d *Differences) join(a, b *graph.Graph) {
	missing := make(map[string]bool, len(d.OnlyA)+len(d.OnlyB))
	for _, name := range slices.Concat(d.OnlyA, d.OnlyB) {
		missing[name] = true
	}
	at := map[[2]int]int{}
	add := func(g *graph.Graph, weight func(*Difference) *float64, evidence func(*Difference) **graph.Evidence) {
		known := g.Evidence()
		for k, e := range g.Edges() {
			place, have := at[[2]int{e.I, e.J}]
			if !have {
				place = len(d.Pairs)
				at[[2]int{e.I, e.J}] = place
				d.Pairs = append(d.Pairs, Difference{I: e.I, J: e.J, Missing: missing[d.Names[e.I]] || missing[d.Names[e.J]]})
			}
			*weight(&d.Pairs[place]) = e.Weight
			if known != nil {
				*evidence(&d.Pairs[place]) = &known[k]
			}
		}
	}
	add(a, func(p *Difference) *float64 { return &p.WeightA }, func(p *Difference) **graph.Evidence { return &p.A })
	add(b, func(p *Difference) *float64 { return &p.WeightB }, func(p *Difference) **graph.Evidence { return &p.B })
	slices.SortFunc(d.Pairs, func(p, q Difference) int { return cmp.Or(p.I-q.I, p.J-q.J) })
}

// test says which pairs are clear.
func (d *Differences) test() {
	var chances []float64
	var tested []*Difference
	for k := range d.Pairs {
		p := &d.Pairs[k]
		switch {
		case p.Missing:
		case p.A != nil && p.B != nil:
			if chance, ok := p.compare(); ok {
				chances, tested = append(chances, chance), append(tested, p)
			}
		case p.A != nil && p.WeightB == 0:
			p.Clear = p.A.Q <= d.Rate
		case p.B != nil && p.WeightA == 0:
			p.Clear = p.B.Q <= d.Rate
		}
	}
	d.Tested = len(tested)
	for k, q := range matrix.QValues(chances, len(tested)) {
		tested[k].Q = fourDigits(q)
		tested[k].Clear = tested[k].Q <= d.Rate
	}
}

// compare fills in the difference of a pair with evidence from both, and returns how likely one so
// large is by chance. It is false if an interval knows nothing.
func (p *Difference) compare() (chance float64, known bool) {
	zA, seA := p.A.OnFisherScale()
	zB, seB := p.B.OnFisherScale()
	se := math.Hypot(seA, seB)
	if math.IsInf(se, 0) {
		return 1, false
	}
	gap := p.A.Partial - p.B.Partial
	p.Tested, p.Gap = true, fourDigits(gap)
	p.Low = fourDigits(gap - math.Hypot(p.A.Partial-p.A.Low, p.B.High-p.B.Partial))
	p.High = fourDigits(gap + math.Hypot(p.A.High-p.A.Partial, p.B.Partial-p.B.Low))
	if zA == zB { // whose intervals may be single points
		return 1, true
	}
	return 2 * distuv.UnitNormal.Survival(math.Abs(zA-zB)/se), true
}

// fourDigits are those of [graph.Evidence]: later ones differ from processor to processor.
func fourDigits(v float64) float64 { return math.Round(10_000*v) / 10_000 }

// MedianRatio returns the median of the weight in a over that in b, by size, of the edges of both
// graphs: signals do not tell the scale of weights, so that two graphs may differ by a factor. It
// is 0 if they share no edge.
func (d *Differences) MedianRatio() float64 {
	var ratios []float64
	for _, p := range d.Pairs {
		if p.WeightA != 0 && p.WeightB != 0 {
			ratios = append(ratios, math.Abs(p.WeightA/p.WeightB))
		}
	}
	if len(ratios) == 0 {
		return 0
	}
	return matrix.Quantile(ratios, 0.5)
}
