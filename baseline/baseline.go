// Package baseline holds other methods that learn a graph from signals, for use
// in their own right and to hold the sparse learner against: simple graphs of
// correlations and distances, smooth signals ([dong2016], [kalofolias2016]),
// Gaussian models ([friedman2008], [egilmez2017], [ledoit2004]), groups of vertices
// ([celik2014]), diffused signals ([pasdeloup2016], [segarra2017]), directed graphs
// from signals in time ([mei2017]) and the inversion of known kernels. Each is a type under the contract of package method:
//
//	result, err := baseline.Glasso{Penalty: 0.1}.Learn(ctx, method.Problem{Y: y})
package baseline

import (
	"context"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
)

// registry has every method of this package.
var registry method.Registry

// register adds a method, in the declaration of its entry.
func register(e method.Entry) method.Entry {
	if e.MostVertices == 0 { // it goes through all pairs again and again
		e.MostVertices, e.MostCompared = mostVertices, mostPairsCompared
	}
	return registry.Add(e)
}

// Methods lists all methods, by name.
func Methods() []method.Entry { return registry.Entries() }

// searchOf returns the search for the largest products of each vertex with others.
func searchOf(p method.Problem, x linalg.Dense, count int) nearest.Search {
	return nearest.Search{X: x, Count: min(count, x.Rows-1), Threads: p.Threads, Progress: func(share float64) {
		if p.Progress != nil {
			p.Progress(method.Step{Phase: CandidatesSearched, Share: share, Weights: func() *graph.Graph { return nil }})
		}
	}}
}

// checkKept reports that a parameter asks for more pairs of each vertex than there is room for.
func checkKept(m method.Method, field input.Field, wanted float64, n int) error {
	if most := mostKept / n; wanted > float64(most) {
		return input.Errorf(m.Name(), field, "got %g, want at most %d with %d vertices", wanted, most, n)
	}
	return nil
}

// graphOf returns the graph of edges.
func graphOf(n int, edges []graph.Edge) *graph.Graph { return mustGraph(graph.DefaultNames(n), edges) }

// interrupted is the result without edges of a method that was stopped.
func interrupted(m method.Method, n int) *method.Result {
	return &method.Result{Method: m, Weights: graphOf(n, nil), Status: method.Interrupted}
}

// Many methods work on a vector over all pairs i < j, ordered by (i, j).

// pairIndex returns the place of pair (i, j), i < j, among the pairs of n vertices.
func pairIndex(n, i, j int) int { return i*(2*n-i-1)/2 + j - i - 1 }

// eachPair calls f for every pair of n vertices with its place.
func eachPair(n int, f func(e, i, j int)) {
	e := 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			f(e, i, j)
			e++
		}
	}
}

// overPairs returns f of each pair. If ctx ends, the pairs not reached are 0 and
// the status says so.
func overPairs(ctx context.Context, n int, f func(i, j int) float64) ([]float64, method.Status) {
	values := make([]float64, n*(n-1)/2)
	e := 0
	for i := range n {
		if run.Ended(ctx) != nil {
			return values, method.Interrupted
		}
		for j := i + 1; j < n; j++ {
			values[e] = f(i, j)
			e++
		}
	}
	return values, method.Converged
}

// fromPairs returns the graph of the positive entries of w.
func fromPairs(n int, w []float64) *graph.Graph {
	return positive(n, w, func(f func(e, i, j int)) { eachPair(n, f) })
}

// positive returns the graph of the positive entries of w, over some pairs.
func positive(n int, w []float64, each func(f func(e, i, j int))) *graph.Graph {
	var edges []graph.Edge
	each(func(e, i, j int) {
		if w[e] > 0 && !math.IsInf(w[e], 0) {
			edges = append(edges, graph.Edge{I: i, J: j, Weight: w[e]})
		}
	})
	return graphOf(n, edges)
}

// A pairSet is pairs of vertices i < j, ordered by (i, j): those of vertex i are the places first[i] to
// first[i+1] of j.
type pairSet struct {
	first []int
	j     []int32
}

// allPairs returns all pairs of n vertices.
func allPairs(n int) pairSet {
	s := pairSet{first: make([]int, n+1), j: make([]int32, n*(n-1)/2)}
	eachPair(n, func(e, i, j int) {
		s.j[e] = int32(j)
		s.first[i+1] = e + 1
	})
	s.first[n] = len(s.j)
	return s
}

// pairsOf returns the given pairs, which are in order.
func pairsOf(n int, pairs []graph.Edge) pairSet {
	s := pairSet{first: make([]int, n+1), j: make([]int32, len(pairs))}
	for e, p := range pairs {
		s.first[p.I+1]++
		s.j[e] = int32(p.J)
	}
	for i := range n {
		s.first[i+1] += s.first[i]
	}
	return s
}

func (s pairSet) vertices() int { return len(s.first) - 1 }

// each calls f for every pair with its place.
func (s pairSet) each(f func(e, i, j int)) {
	for i := range s.vertices() {
		for e := s.first[i]; e < s.first[i+1]; e++ {
			f(e, i, int(s.j[e]))
		}
	}
}

// has reports whether a pair, in any order, is in the set.
func (s pairSet) has(i, j int) bool {
	i, j = min(i, j), max(i, j)
	_, is := slices.BinarySearch(s.j[s.first[i]:s.first[i+1]], int32(j))
	return is
}

// rows returns for each vertex the others that it is paired with.
func (s pairSet) rows() [][]end {
	rows := make([][]end, s.vertices())
	s.each(func(e, i, j int) {
		rows[i], rows[j] = append(rows[i], end{j, e}), append(rows[j], end{i, e})
	})
	return rows
}

// An end of a pair is a vertex and the place of the pair.
type end struct{ vertex, pair int }

// graph returns the graph of the positive entries of w.
func (s pairSet) graph(w []float64) *graph.Graph { return positive(s.vertices(), w, s.each) }

// mustGraph returns a graph of edges that are valid by construction.
func mustGraph(names []string, edges []graph.Edge) *graph.Graph {
	g, err := graph.New(names, edges)
	if err != nil {
		panic(err)
	}
	return g
}

// unscaled returns y divided by a power of two so that its largest entry is
// about 1: no digit changes, and no square overflows.
func unscaled(y *mat.Dense) *mat.Dense {
	var largest float64
	n, _ := y.Dims()
	for i := range n {
		largest = max(largest, floats.Norm(y.RawRowView(i), math.Inf(1)))
	}
	_, exponent := math.Frexp(largest)
	var scaled mat.Dense
	scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, -exponent) }, y)
	return &scaled
}

// standardised returns the rows of y with mean 0 and mean square 1; rows that do
// not vary are zero. Each row has its own unit, so that none is lost beside others.
func standardised(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	u := linalg.NewDense(n, m)
	linalg.ForEach(runtime.GOMAXPROCS(0), n, func(_, i int) {
		if !matrix.Varies(y.RawRowView(i)) {
			return
		}
		row := linalg.Row(u, i)
		_, exponent := math.Frexp(floats.Norm(y.RawRowView(i), math.Inf(1)))
		first, second := matrix.InverseUnit(exponent)
		for k, v := range y.RawRowView(i) {
			row[k] = v * first * second // so that no square overflows
		}
		floats.AddConst(-portable.Sum(row)/float64(m), row)
		floats.Scale(1/floats.Norm(row, math.Inf(1)), row)
		floats.AddConst(-portable.Sum(row)/float64(m), row)
		floats.Scale(math.Sqrt(float64(m))/floats.Norm(row, 2), row)
	})
	return u
}

// correlations returns the correlation of rows over the pairs, 0 where a row
// does not vary. If ctx ends, the pairs not reached are 0 and the status says so.
func correlations(ctx context.Context, y *mat.Dense) ([]float64, method.Status) {
	u := standardised(y)
	return overPairs(ctx, u.Rows, func(i, j int) float64 {
		return min(max(portable.Dot(linalg.Row(u, i), linalg.Row(u, j))/float64(u.Cols), -1), 1)
	})
}

// secondMoments returns U·Uᵀ over the number of columns, exactly symmetric.
func secondMoments(u linalg.Dense) linalg.Dense {
	s := linalg.NewDense(u.Rows, u.Rows)
	linalg.MulTransB(s, u, u)
	floats.Scale(1/float64(u.Cols), s.Data)
	mirror(s)
	return s
}

// mirror copies what is above the diagonal below it.
func mirror(a linalg.Dense) {
	for i := range a.Rows {
		for j := range i {
			a.Data[i*a.Stride+j] = a.Data[j*a.Stride+i]
		}
	}
}
