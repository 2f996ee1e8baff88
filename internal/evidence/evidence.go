// Package evidence says what signals tell of each edge of a graph, whatever method learned it: the
// partial correlation of its vertices, an interval, and whether it is stronger than a floor.
//
// Where signals are many, partial correlations are those of the inverse covariance. Where they are
// few, each vertex is regressed on the vertices that the weights suggest, and the partial
// correlation is the debiased product of residuals ([liu2013]): what a regression left out comes
// back in the residuals, so that no estimate is drawn to zero.
//
// In measured fields no partial correlation is exactly zero, and with enough signals every pair is
// beyond chance. So edges are tested for being stronger than a floor, which follows the graph.
package evidence

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/signals"
)

// Options say how to look at edges. The zero value takes signals as independent.
type Options struct {
	InTime  bool    // signals follow each other in time
	Floor   float64 // the partial correlation that edges are tested for exceeding; 0 means that of [FloorOf]
	Threads int     // zero means 1; the result does not depend on it
}

// A Finding is what signals say of the edges of a graph.
type Finding struct {
	Edges []graph.Evidence // in the order of the graph's edges
	Floor float64          // that they were tested for exceeding
	// Above has the standard errors by which each edge by itself is above the floor, on Fisher's scale.
	Above []float64
	// Independent is how many independent signals there are as to partial correlations.
	Independent float64
	// Undrawn are pairs that are no edges and exceed the floor at a false discovery rate of [Rate], the
	// strongest first and at most [MostUndrawn] of the UndrawnCount that there are.
	Undrawn      []Pair
	UndrawnCount int
	// AllPairs reports whether all pairs were looked at, and not only those with a weight.
	AllPairs bool
	// Regressed reports whether signals were too few for all vertices to be looked at together.
	Regressed bool
}

// A Pair is a pair of vertices, I < J, and what signals say of it.
type Pair struct {
	I, J int
	graph.Evidence
}

const (
	// Rate is the false discovery rate at which a pair is taken to exceed the floor.
	Rate = 0.1
	// MostUndrawn is how many pairs that are no edges are listed.
	MostUndrawn = 100
	// Level is the probability that an interval covers what it is of.
	Level = 0.9
	// signalsForAll is how many independent signals there must be for each vertex for partial
	// correlations to be taken from the inverse covariance.
	signalsForAll = 3
	// signalsForRegressor is how many there must be for each vertex of a regression otherwise.
	signalsForRegressor = 5
	// mostPartial bounds partial correlations, so that the interval is not one point.
	mostPartial = 0.9999
)

// Of returns what the columns of y say of the edges of g, which was cut out of weights. Missing
// values are NaN. If ctx ends, there is only its cause.
func Of(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, o Options) (*Finding, error) {
	return findings(ctx, y, weights, g, o, mostDense)
}

// findings looks at all pairs if vertices are at most dense, and else at those of weights and g.
func findings(ctx context.Context, y *mat.Dense, weights, g *graph.Graph, o Options, dense int) (*Finding, error) {
	whole, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	n, m := whole.Dims()
	x := inOwnUnits(whole)
	share := matrix.ObservedShare(y)
	f, err := fit(ctx, x, float64(m)*share*share, weights, g, o, dense)
	if err != nil {
		return nil, err
	}
	floor := o.Floor
	if floor == 0 {
		floor = FloorOf(g)
	}
	found := &Finding{
		Edges: make([]graph.Evidence, g.EdgeCount()), Floor: floor, Above: make([]float64, g.EdgeCount()),
		Independent: f.independent, Regressed: f.coefficients != nil, AllPairs: n <= dense,
	}
	for k := range found.Edges {
		found.Edges[k] = unknown // of a vertex that does not vary
	}
	rest := func(i int) []int { return matrix.Span(i+1, n) }
	if n > dense {
		rest = later(weights, g)
	}
	if err := f.test(ctx, found, g, rest, max(o.Threads, 1)); err != nil {
		return nil, err
	}
	return found, nil
}

// FloorOf is the floor for the edges of a graph: two fifths of 1/d, the partial correlations of a
// lattice whose vertices have d neighbours each, with the mean d of the graph, at least 2. What is
// weaker is not what edges of such a graph are like.
func FloorOf(g *graph.Graph) float64 {
	const share, leastDegree = 0.4, 2
	degree := max(2*float64(g.EdgeCount())/float64(max(g.Vertices(), 1)), leastDegree)
	return math.Round(1000*share/degree) / 1000
}

// later returns, for each vertex, those of higher number that it has a pair with in weights or g.
func later(weights, g *graph.Graph) func(i int) []int {
	lists := make([][]int, g.Vertices())
	for _, of := range []*graph.Graph{weights, g} {
		for _, p := range of.Pairs() {
			lists[p[0]] = append(lists[p[0]], p[1])
		}
	}
	for i := range lists {
		slices.Sort(lists[i])
		lists[i] = slices.Compact(lists[i])
	}
	return func(i int) []int { return lists[i] }
}

// A tested pair is one that may be more than the floor, or is an edge.
type tested struct {
	edge   int // −1 of none
	i, j   int
	chance float64
}

// test fills in intervals and q-values: Benjamini and Hochberg's over all pairs of vertices that
// vary ([benjamini1995]). rest are the vertices that each is looked at with; what is not looked at
// counts as a test that found nothing.
func (f *fitted) test(ctx context.Context, into *Finding, g *graph.Graph, rest func(i int) []int, threads int) error {
	n, m := f.x.Rows, f.x.Cols
	at := map[[2]int]int{}
	for k, p := range g.Pairs() {
		at[p] = k
	}
	least := math.Atanh(into.Floor)
	memory := make([][]float64, threads)
	rows := make([][]tested, n)
	linalg.ForEach(threads, n, func(worker, i int) {
		if run.Ended(ctx) != nil || !f.varies[i] {
			return
		}
		if memory[worker] == nil {
			memory[worker] = make([]float64, m)
		}
		for _, j := range rest(i) {
			if !f.varies[j] {
				continue
			}
			edge, isEdge := at[[2]int{i, j}]
			rho := f.partial(i, j)
			z := math.Atanh(rho)
			if !isEdge && !(math.Abs(z) > least) {
				continue // no p-value below a half, which changes no q-value of an edge that passes
			}
			se := f.standardError(i, j, rho, memory[worker])
			if math.IsNaN(se) { // of vertices that others determine nothing can be computed
				continue
			}
			p := distuv.UnitNormal.Survival((math.Abs(z)-least)/se) + distuv.UnitNormal.Survival((math.Abs(z)+least)/se)
			if !isEdge {
				edge = -1
			}
			rows[i] = append(rows[i], tested{edge, i, j, min(p, 1)})
			if !isEdge {
				continue
			}
			into.Above[edge] = (math.Abs(z) - least) / se
			into.Edges[edge] = evidenceOf(rho, se)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	f.giveQ(into, slices.Concat(rows...))
	return nil
}

// unknown is what is known of a pair of which nothing can be computed.
var unknown = graph.Evidence{Low: -1, High: 1, Q: 1}

// evidenceOf returns a partial correlation with its interval, without a q-value.
func evidenceOf(rho, se float64) graph.Evidence {
	z, reach := math.Atanh(rho), distuv.UnitNormal.Quantile(0.5+Level/2)*se
	return graph.Evidence{Partial: rounded(rho), Low: rounded(math.Tanh(z - reach)), High: rounded(math.Tanh(z + reach)), Q: 1}
}

// giveQ gives edges their q-values, among all pairs of vertices that vary.
func (f *fitted) giveQ(into *Finding, list []tested) {
	varying := 0
	for _, v := range f.varies {
		if v {
			varying++
		}
	}
	chances := make([]float64, len(list))
	for k, t := range list {
		chances[k] = t.chance
	}
	var undrawn []tested
	for k, q := range matrix.QValues(chances, varying*(varying-1)/2) {
		t := list[k]
		switch t.chance = rounded(q); {
		case t.edge >= 0:
			into.Edges[t.edge].Q = t.chance
		case t.chance <= Rate:
			undrawn = append(undrawn, t)
		}
	}
	f.listUndrawn(into, undrawn)
}

// listUndrawn lists pairs that are no edges, with q-values for chances.
func (f *fitted) listUndrawn(into *Finding, list []tested) {
	slices.SortStableFunc(list, func(a, b tested) int {
		return cmp.Compare(math.Abs(rounded(f.partial(b.i, b.j))), math.Abs(rounded(f.partial(a.i, a.j))))
	})
	into.UndrawnCount = len(list)
	memory := make([]float64, f.x.Cols)
	for _, t := range list[:min(len(list), MostUndrawn)] {
		rho := f.partial(t.i, t.j)
		e := evidenceOf(rho, f.standardError(t.i, t.j, rho, memory))
		e.Q = t.chance
		into.Undrawn = append(into.Undrawn, Pair{t.i, t.j, e})
	}
}

// rounded keeps four digits after the point: more are rounding errors, which differ from
// processor to processor.
func rounded(v float64) float64 { return math.Round(10_000*v)/10_000 + 0 }

// inOwnUnits returns the rows of y with mean 0 and variance 1; those that do not vary are 0.
func inOwnUnits(y *mat.Dense) linalg.Dense {
	x := linalg.NewDense(y.Dims())
	for i := range x.Rows {
		row := matrix.Describe(y.RawRowView(i))
		matrix.Standardise(linalg.Row(x, i), y.RawRowView(i), row.Mean, row.SD)
	}
	return x
}
