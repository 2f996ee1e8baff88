package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// Correlation weighs each pair of vertices by |r_ij|, the absolute value of the
// correlation of their signals, means removed.
//
// The method's own cut keeps the N·Degree/2 heaviest edges, and those that tie
// with the last of them. Correlations have no gap to cut at, so the wanted
// degree has to be given.
//
// From 2,000 vertices on, only the pairs are weighed of which one vertex is among the
// 32 most correlated with the other, or more for a larger degree, and those that the
// cut keeps: they are found exactly, by blocks.
//
// If ctx ends, the pairs reached so far come with the cause; from 2,000 vertices on
// there are none.
type Correlation struct {
	Degree float64 `param:"degree" about:"mean number of edges per vertex, if the cut is the method's own; 0 means 6"`
}

var correlationEntry = register(method.Entry{
	Default: Correlation{}, MostVertices: mostByBlocks, About: "the pairs with the largest absolute correlations",
})

// Name returns "correlation".
func (Correlation) Name() string { return "correlation" }

// Learn keeps the contract of [method.Method].
func (m Correlation) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return correlationEntry.Run(ctx, m, p, m.learn)
}

func (m Correlation) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Degree = cmp.Or(m.Degree, defaultDegree)
	n, _ := p.Y.Dims()
	if n >= blocksFrom {
		return m.byBlocks(ctx, p)
	}
	w, status := correlations(ctx, p.Y)
	for e, r := range w {
		w[e] = math.Abs(r)
	}
	g := fromPairs(n, w)
	return &method.Result{Method: m, Weights: g, Graph: heaviestWithTies(g, m.Degree), Status: status}, nil
}

// byBlocks weighs the largest correlations of each vertex.
func (m Correlation) byBlocks(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	if err := checkKept(m, "degree", m.Degree, n); err != nil {
		return nil, err
	}
	wanted := int(min(edgesOfDegree(n, m.Degree), float64(n)*float64(n-1)/2))
	if p.Cut.Rule == graph.CutEdges {
		wanted = max(wanted, p.Cut.Edges)
	}
	u := standardised(p.Y)
	s := searchOf(p, u, min(max(keptPerVertex, 4*wanted/n), mostKept/n))
	s.Weigh = nearest.Absolute
	lists := s.All(ctx)
	if lists == nil || !s.Strongest(ctx, lists, wanted, tieSlack) {
		return interrupted(m, n), nil
	}
	pairs := nearest.Pairs(lists)
	for k := range pairs {
		pairs[k].Weight = min(pairs[k].Weight/float64(u.Cols), 1)
	}
	g := graphOf(n, pairs)
	return &method.Result{Method: m, Weights: g, Graph: heaviestWithTies(g, m.Degree), Status: method.Converged}, nil
}

// edgesOfDegree returns the number of edges that make a mean degree, at least one.
func edgesOfDegree(n int, degree float64) float64 {
	return max(math.Round(degree*float64(n)/2), 1)
}

// heaviestWithTies keeps the edges that make the wanted mean degree, rounded to
// the nearest number of edges and at least one, and those that tie with the last.
func heaviestWithTies(g *graph.Graph, degree float64) *graph.Graph {
	wanted := edgesOfDegree(g.Vertices(), degree)
	if wanted >= float64(g.EdgeCount()) {
		return g
	}
	level := math.Inf(1)
	for _, e := range g.Strongest(int(wanted)).Edges() {
		level = min(level, e.Weight)
	}
	return g.Above(level * (1 - tieSlack))
}

// KNN joins each vertex to the k others whose signals are nearest once those of
// every vertex have mean 0 and the same length; that squared distance is
// 2(1 − r_ij) in units of the length, so the nearest are the most correlated. A
// pair is an edge if either vertex chooses the other; its weight is the
// similarity (1 + r_ij)/2. Whoever ties with the k-th neighbour is chosen too.
// There is no other cut.
//
// If ctx ends, a graph without edges comes with the cause: neighbours among some
// of the vertices are not those among all.
type KNN struct {
	Neighbours int `param:"k" about:"number of nearest neighbours of each vertex; 0 means 6"` // more than N − 1 means N − 1
}

var knnEntry = register(method.Entry{
	Default: KNN{}, MostVertices: mostByBlocks, About: "each vertex with its most correlated vertices",
})

// Name returns "knn".
func (KNN) Name() string { return "knn" }

// Learn keeps the contract of [method.Method].
func (m KNN) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return knnEntry.Run(ctx, m, p, m.learn)
}

func (m KNN) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	m.Neighbours = min(cmp.Or(m.Neighbours, defaultDegree), n-1)
	if n >= blocksFrom {
		return m.byBlocks(ctx, p)
	}
	w, status := correlations(ctx, p.Y)
	keep := mostSimilar(n, m.Neighbours, w)
	for e, r := range w {
		w[e] = 0
		if keep[e] && status == method.Converged {
			w[e] = (1 + r) / 2
		}
	}
	return &method.Result{Method: m, Weights: fromPairs(n, w), Status: status}, nil
}

// byBlocks chooses among the largest correlations of each vertex.
func (m KNN) byBlocks(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, signals := p.Y.Dims()
	if err := checkKept(m, "k", float64(m.Neighbours), n); err != nil {
		return nil, err
	}
	s := searchOf(p, standardised(p.Y), m.Neighbours+1)
	s.Above = math.Inf(-1)
	lists := s.All(ctx)
	length := float64(signals) // of every row, squared
	level := func(i int) float64 { return lists[i].Neighbours()[m.Neighbours-1].Value - tieSlack*length }
	if lists == nil || !s.Complete(ctx, lists, level, mostKept) {
		return interrupted(m, n), nil
	}
	chosen := nearest.Pairs(lists)
	levels := make([]float64, n)
	for i := range levels {
		levels[i] = level(i)
	}
	chosen = slices.DeleteFunc(chosen, func(e graph.Edge) bool { return e.Weight < min(levels[e.I], levels[e.J]) })
	for k := range chosen {
		chosen[k].Weight = (1 + min(max(chosen[k].Weight/length, -1), 1)) / 2
	}
	return &method.Result{Method: m, Weights: graphOf(n, chosen), Status: method.Converged}, nil
}

// defaultDegree is how many edges a vertex has by default, on average: that of
// the graphs in [maretic2017].
const defaultDegree = 6

// tieSlack is the relative difference up to which similarities count as equal,
// so that rounding, and with it the order of vertices, decides nothing.
const tieSlack = 1e-12

// mostSimilar marks the pairs of which one vertex is among the k most similar to the
// other; whatever ties with the k-th is among them.
func mostSimilar(n, k int, similarity []float64) []bool {
	keep := make([]bool, len(similarity))
	k = min(k, n-1)
	row := make([]float64, 0, n-1)
	at := func(i, j int) int { return pairIndex(n, min(i, j), max(i, j)) }
	for i := range n {
		row = row[:0]
		for j := range n {
			if j != i {
				row = append(row, similarity[at(i, j)])
			}
		}
		slices.Sort(row)
		level := row[len(row)-k] - tieSlack
		for j := range n {
			if j != i && similarity[at(i, j)] >= level {
				keep[at(i, j)] = true
			}
		}
	}
	return keep
}

// GaussianKernel weighs each pair of vertices by exp(−d_ij²/2σ²), where d_ij is
// the distance between their signals as they are, and σ is Width times the
// median of the distances. The median makes the weights independent of the scale of
// the signals. If it is zero, most vertices are equal: their edges then weigh 1 and
// all others nothing.
//
// The method's own cut keeps an edge if one of its vertices is among the k
// nearest of the other, ties included.
//
// From 2,000 vertices on, only the pairs are weighed of which one vertex is among the
// 32 nearest of the other, or among the 2k nearest: they are found by blocks, and the
// median is that of the distances between 2,000 vertices.
//
// If ctx ends, a graph without edges comes with the cause: the median of some
// distances is not that of all.
type GaussianKernel struct {
	Width      float64 `param:"width" about:"width σ, in units of the median distance; 0 means 1"`
	Neighbours int     `param:"k" about:"number of nearest neighbours of each vertex; 0 means 6"` // more than N − 1 means N − 1
}

var gaussianKernelEntry = register(method.Entry{
	Default: GaussianKernel{}, MostVertices: mostByBlocks,
	About: "Gaussian kernel of the distance between rows, as wide as the median distance",
})

// Name returns "gaussian-kernel".
func (GaussianKernel) Name() string { return "gaussian-kernel" }

// Capabilities keeps the contract of [method.Capable].
func (GaussianKernel) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m GaussianKernel) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return gaussianKernelEntry.Run(ctx, m, p, m.learn)
}

func (m GaussianKernel) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	m.Width = cmp.Or(m.Width, 1)
	m.Neighbours = min(cmp.Or(m.Neighbours, defaultDegree), n-1)
	if n >= blocksFrom {
		return m.byBlocks(ctx, p)
	}
	z := unscaled(p.Y)
	d, status := overPairs(ctx, n, func(i, j int) float64 {
		return floats.Distance(z.RawRowView(i), z.RawRowView(j), 2)
	})
	w := make([]float64, len(d))
	if status == method.Converged {
		sigma := m.Width * medianOf(d)
		for e := range d {
			w[e] = bell(d[e], sigma)
		}
	}
	r := &method.Result{Method: m, Weights: fromPairs(n, w), Status: status}
	if p.Cut == (graph.Cut{}) {
		r.Graph = amongNearest(r.Weights, d, m.Neighbours)
	}
	return r, nil
}

// bell returns exp(−d²/2σ²), or its limit if σ is zero.
func bell(d, sigma float64) float64 {
	switch {
	case d == 0:
		return 1
	case sigma > 0:
		return portable.Exp(-d * d / (2 * sigma * sigma))
	}
	return 0
}

// byBlocks weighs the nearest of each vertex.
func (m GaussianKernel) byBlocks(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	if err := checkKept(m, "k", 2*float64(m.Neighbours), n); err != nil {
		return nil, err
	}
	near := searchDistances(p, max(keptPerVertex, 2*m.Neighbours))
	pairs := near.pairs(ctx)
	if pairs == nil {
		return interrupted(m, n), nil
	}
	sigma := m.Width * near.median()
	weights := slices.Clone(pairs)
	for k, e := range pairs {
		weights[k].Weight = bell(e.Weight, sigma)
	}
	r := &method.Result{Method: m, Weights: graphOf(n, weights), Status: method.Converged}
	if p.Cut == (graph.Cut{}) {
		farthest := make([]float64, n) // that each vertex chooses
		for i, row := range distancesOf(n, pairs) {
			farthest[i] = row[m.Neighbours-1] + tieSlack*near.largest
		}
		k := 0
		r.Graph = graphOf(n, slices.DeleteFunc(weights, func(graph.Edge) bool {
			e := pairs[k]
			k++
			return e.Weight > max(farthest[e.I], farthest[e.J])
		}))
	}
	return r, nil
}

// amongNearest keeps the edges of which one vertex is among the k nearest of the
// other. Distances d over the pairs decide, because weights may vanish.
func amongNearest(g *graph.Graph, d []float64, k int) *graph.Graph {
	n := g.Vertices()
	nearness := make([]float64, len(d))
	for e, farthest := 0, slices.Max(d); e < len(d) && farthest > 0; e++ {
		nearness[e] = -d[e] / farthest
	}
	keep := mostSimilar(n, k, nearness)
	return mustGraph(g.Names(), slices.DeleteFunc(g.Edges(), func(e graph.Edge) bool { return !keep[pairIndex(n, e.I, e.J)] }))
}

// medianOf returns the median of values, which are left as they are.
func medianOf(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
