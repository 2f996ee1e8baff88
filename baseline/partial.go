package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// Partial weighs each pair of vertices by its partial correlation, what the two have
// in common beyond all others: with S the correlation matrix of the vertices and
//
//	Θ = ((1 − δ)S + δI)⁻¹,
//
// it is −Θ_ij/√(Θ_ii Θ_jj). The share δ of the identity is that of [ledoit2004], so that
// there are partial correlations for any number of signals, and good ones for few.
// Positive ones are edges; with Absolute, negative ones too, by their absolute value.
//
// The method's own cut keeps the heaviest edges, as many as give the least extended
// BIC when a Gaussian model without shrinkage is fitted to them ([foygel2010]).
//
// From 2,000 vertices on, Θ is not computed: its entries are products of rows as long as
// there are signals, and only the 32 largest of each vertex are kept, found by blocks. The
// cut then fits each vertex to its neighbours, where the model of all vertices would take
// their covariance. More than 5,000 vertices with more than 5,000 signals are
// refused: one of the two matrices of all pairs has to be inverted.
//
// If ctx ends, the graph without edges comes with the cause, or the weights if they
// are known.
type Partial struct {
	// Gamma is γ of the extended BIC that chooses the number of edges. For the plain
	// BIC give a tiny one.
	Gamma    float64 `param:"gamma" about:"how strongly eBIC favours few edges; 0 means 0.5"`
	Absolute bool    `param:"absolute" about:"1 to keep negative partial correlations as edges, 0 to drop them"`
}

var partialEntry = register(method.Entry{
	Default: Partial{}, Source: "ledoit2004", MostVertices: mostByBlocks,
	About: "partial correlations after Ledoit–Wolf shrinkage",
})

// Name returns "partial".
func (Partial) Name() string { return "partial" }

// Learn keeps the contract of [method.Method].
func (m Partial) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return partialEntry.Run(ctx, m, p, m.learn)
}

func (m Partial) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Gamma = cmp.Or(m.Gamma, defaultGamma)
	n, signals := p.Y.Dims()
	switch {
	case n >= blocksFrom && signals <= mostVertices:
		return m.byBlocks(ctx, p)
	case n > mostVertices:
		return nil, input.Errorf(m.Name(), input.Vertices, "got %d, and %d signals, want at most %d of one of "+
			"them: a matrix of all pairs has to be inverted, of vertices or of signals", n, signals, mostVertices)
	}
	u := standardised(p.Y)
	s := secondMoments(u)
	r := &method.Result{Method: m, Status: method.Converged, Weights: fromPairs(n, shrunkPartials(u, s, m.Absolute))}
	if p.Cut == (graph.Cut{}) {
		fit := newSupportFit(s, signals, m.Gamma)
		r.Graph, r.Status = cutSupport(ctx, r.Weights, growing{fit, fit.model}, fit.signals*float64(n))
	}
	return r, nil
}

// shrunkPartials returns the partial correlations over the pairs, the negative ones as
// 0 or, if absolute, as their absolute values.
func shrunkPartials(u, s linalg.Dense, absolute bool) []float64 {
	n, delta := s.Rows, shrinkage(u, s)
	shrunk := mat.NewSymDense(n, nil)
	for i := range n {
		shrunk.SetSym(i, i, 1)
		for j := range i {
			shrunk.SetSym(i, j, (1-max(delta, leastShrinkage))*s.Data[i*n+j])
		}
	}
	var chol mat.Cholesky
	theta := mat.NewSymDense(n, nil)
	if !chol.Factorize(shrunk) || chol.InverseTo(theta) != nil {
		panic("baseline: a matrix with a share of the identity is not positive definite") // a bug of ours
	}
	p := precision{s: s, theta: linalg.Dense{Rows: n, Cols: n, Stride: n, Data: theta.RawSymmetric().Data}}
	return p.edgeWeights(absolute)
}

// leastShrinkage is the share of the identity that there is in any case: vertices with
// the same signals have no precision matrix.
const leastShrinkage = 1e-6

// A support has a score that changes as edges join it.
type support interface {
	Join(i, j int)
	// cost returns the score with that many edges, and false if neither it nor that of more edges is below least.
	cost(edges int, least float64) (score float64, ok bool)
}

// cutSupport returns the heaviest edges that have the least score, below that of none: numbers
// of edges grow by a tenth while it falls, and a while longer.
func cutSupport(ctx context.Context, weights *graph.Graph, of support, none float64) (*graph.Graph, method.Status) {
	edges := weights.Edges()
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	best, least, waited := 0, none, 0
	for next, count := 0, 0; count < len(edges) && waited < cutPatience; {
		if ctx.Err() != nil {
			return weights.Strongest(best), method.Interrupted
		}
		count = min(max(count+1, count*11/10), len(edges))
		for ; next < count; next++ {
			of.Join(edges[next].I, edges[next].J)
		}
		score, ok := of.cost(count, least)
		if !ok {
			break
		}
		if waited++; score < least {
			best, least, waited = count, score, 0
		}
	}
	return weights.Strongest(best), method.Converged
}

// growing is the support of a model of all vertices.
type growing struct {
	*supportFit
	*linalg.Completion
}

func (g growing) cost(edges int, least float64) (float64, bool) {
	if g.lowest(edges) > least {
		return 0, false // more edges cannot pay for themselves
	}
	g.Solve(refitTolerance, refitSweeps)
	return g.score(edges), true
}

// cutPatience is how many numbers of edges may pass without a better one.
const cutPatience = 12

// byBlocks keeps the largest partial correlations of each vertex. They are products of rows, like
// correlations: see partialRows.
func (m Partial) byBlocks(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, signals := p.Y.Dims()
	x := standardised(p.Y)
	partialRows(x, p.Threads)
	s := searchOf(p, x, keptPerVertex)
	if m.Absolute {
		s.Weigh = nearest.Absolute
	}
	lists := s.All(ctx)
	if lists == nil {
		return interrupted(m, n), nil
	}
	r := &method.Result{Method: m, Status: method.Converged, Weights: graphOf(n, nearest.Pairs(lists))}
	if p.Cut == (graph.Cut{}) {
		c := newVertexCut(standardised(p.Y), priceOfEdge(signals, n, m.Gamma), p.Threads)
		r.Graph, r.Status = cutSupport(ctx, r.Weights, c, 0)
	}
	return r, nil
}

// partialRows replaces the rows u of U, which are standardised, by rows x whose products are partial correlations.
// With a = (1 − δ)/M and LLᵀ = δI + aUᵀU, of as many rows as there are signals,
//
//	Θ = (aUUᵀ + δI)⁻¹ = (I − VVᵀ)/δ,   V = √a·U·L⁻ᵀ,
//
// so that −Θ_ij/√(Θ_ii Θ_jj) = x_i·x_j with x = v/√(1 − ‖v‖²).
func partialRows(u linalg.Dense, threads int) {
	m := u.Cols
	gram := linalg.NewDense(m, m)
	linalg.Threads(max(threads, 1)).MulTransA(gram, u, u)
	mirror(gram)
	delta := max(shrinkageOf(gram, u.Rows), leastShrinkage)
	a := (1 - delta) / float64(m)
	system := mat.NewSymDense(m, gram.Data)
	system.ScaleSym(a, system)
	for k := range m {
		system.SetSym(k, k, system.At(k, k)+delta)
	}
	var chol mat.Cholesky
	var lower, inverse mat.TriDense
	if !chol.Factorize(system) {
		panic("baseline: a matrix with a share of the identity is not positive definite") // a bug of ours
	}
	chol.LTo(&lower)
	if err := inverse.InverseTri(&lower); err != nil {
		panic(err) // likewise
	}
	raw := inverse.RawTriangular()
	to := linalg.Dense{Rows: m, Cols: m, Stride: raw.Stride, Data: raw.Data}
	floats.Scale(math.Sqrt(a), to.Data)
	const together = 256
	linalg.ForEach(max(threads, 1), (u.Rows+together-1)/together, func(_, g int) {
		first := g * together
		rows := linalg.NewDense(min(together, u.Rows-first), m)
		of := linalg.Dense{Rows: rows.Rows, Cols: m, Stride: u.Stride, Data: u.Data[first*u.Stride:]}
		linalg.MulTransB(rows, of, to)
		for k := range rows.Rows {
			row := linalg.Row(rows, k)
			floats.Scale(1/math.Sqrt(max(1-portable.Dot(row, row), leastShrinkage*leastShrinkage)), row)
			copy(linalg.Row(of, k), row)
		}
	})
}

// A vertexCut scores supports vertex by vertex, as a model of all vertices would take a matrix of all pairs:
//
//	M/2 Σ_i log v_i + E (log M + 4 γ log N),
//
// where v_i is the share of the variance of vertex i that its neighbours leave. Of edges that share no vertex it is the
// extended BIC itself, as log det Ω then is −½ Σ log v_i.
type vertexCut struct {
	u          linalg.Dense
	price      float64
	neighbours [][]int
	changed    []bool
	logs       []float64 // log v_i
	workers    []linalg.Regression
}

func newVertexCut(u linalg.Dense, price float64, threads int) *vertexCut {
	return &vertexCut{
		u: u, price: price, neighbours: make([][]int, u.Rows), changed: make([]bool, u.Rows),
		logs: make([]float64, u.Rows), workers: make([]linalg.Regression, max(threads, 1)),
	}
}

// Join adds an edge.
func (c *vertexCut) Join(i, j int) {
	c.neighbours[i], c.neighbours[j] = append(c.neighbours[i], j), append(c.neighbours[j], i)
	c.changed[i], c.changed[j] = true, true
}

func (c *vertexCut) cost(edges int, _ float64) (float64, bool) {
	linalg.ForEach(len(c.workers), c.u.Rows, func(worker, i int) {
		if c.changed[i] {
			left := 1.0
			if _, explained := c.workers[worker].Solve(c.u, i, c.neighbours[i], leastShrinkage); !math.IsInf(explained, 1) {
				left = max(1-explained, leastShrinkage)
			}
			c.logs[i], c.changed[i] = math.Log(left), false
		}
	})
	return float64(c.u.Cols)/2*portable.Sum(c.logs) + float64(edges)*c.price, true
}

// shrinkage returns the share of the identity in (1 − δ)S + δI that brings it nearest
// to the true correlation matrix, as estimated from the signals alone ([ledoit2004]).
// The rows of u are standardised, and s is their second moments.
//
// δ is the variance of the entries of S over their distance from the identity: with x
// the columns of u, Σ‖xxᵀ − S‖² / (M² ‖S − I‖²), at most 1.
func shrinkage(u, s linalg.Dense) float64 {
	energy := make([]float64, u.Cols) // ‖x‖²
	for i := range u.Rows {
		for k, v := range linalg.Row(u, i) {
			energy[k] += v * v
		}
	}
	square := portable.Dot(s.Data, s.Data)
	distance := square
	for i := range s.Rows {
		distance += 1 - 2*s.Data[i*s.Rows+i]
	}
	return shareOfIdentity(energy, square, distance)
}

// shrinkageOf is shrinkage by UᵀU of n rows, which has as many rows as there are signals.
func shrinkageOf(gram linalg.Dense, n int) float64 {
	m, trace := float64(gram.Rows), 0.0
	energy := make([]float64, gram.Rows)
	for k := range energy {
		energy[k] = gram.Data[k*gram.Rows+k]
		trace += energy[k] / m
	}
	square := portable.Dot(gram.Data, gram.Data) / (m * m)
	return shareOfIdentity(energy, square, square+float64(n)-2*trace)
}

// shareOfIdentity returns δ for signals of that energy, by ‖S‖² and ‖S − I‖².
func shareOfIdentity(energy []float64, square, distance float64) float64 {
	m := float64(len(energy))
	variance := (portable.Dot(energy, energy)/m - square) / m
	if variance >= distance {
		return 1
	}
	return variance / distance
}
