package evidence

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// fitted are the regressions of all vertices on others.
type fitted struct {
	x      linalg.Dense // standardised signals
	varies []bool
	// u has the residuals of each vertex, of variance 1.
	u linalg.Dense
	// products are the means of the products of these; empty if vertices are so many that each is
	// computed when it is asked for.
	products linalg.Dense
	// coefficients of each vertex on others, by number, and size of its residuals; nil if all
	// vertices were looked at together.
	coefficients []map[int]float64
	size         []float64
	regressors   []int

	observed    float64 // signals, without those that were drawn for missing values
	inflation   float64 // of variances, because signals follow each other
	independent float64 // signals, as far as partial correlations go
	lags        int     // over which signals depend on each other
}

const (
	// mostDense is the number of vertices up to which there are matrices of all pairs.
	mostDense = 2000
	// mostSparse is how many others a vertex is regressed on where there are none, so that time grows with
	// the vertices alone.
	mostSparse = 32
)

// fit regresses each vertex on all others, if signals are many and vertices at most dense, and else on
// those suggested.
func fit(ctx context.Context, x linalg.Dense, observed float64, weights, g *graph.Graph, o Options, dense int) (*fitted, error) {
	n := x.Rows
	f := &fitted{x: x, varies: make([]bool, n), observed: observed, inflation: 1, regressors: make([]int, n)}
	for i := range n {
		f.varies[i] = slices.ContainsFunc(linalg.Row(x, i), func(v float64) bool { return v != 0 })
	}
	threads := linalg.Threads(max(o.Threads, 1))
	ofSignals := 1.0
	if o.InTime {
		ofSignals, f.lags = f.inflationOf(x)
	}
	most := max(int(observed/ofSignals/signalsForRegressor), 1)
	if n > dense {
		f.apart(ctx, linalg.Dense{}, f.suggested(weights, g, min(most, mostSparse)), threads)
	} else {
		s := threads.Moments(x)
		if observed/ofSignals < signalsForAll*float64(n) || !f.together(s, threads) {
			f.apart(ctx, s, f.suggested(weights, g, most), threads)
			f.products = threads.Moments(f.u)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if o.InTime {
		// Residuals depend on each other less than they do by the truth, because each regression
		// follows its signals by chance, and signals may more, where all share something slow.
		// Between the two, in the geometric mean, simulated fields are covered as often as said.
		ofResiduals, lags := f.inflationOf(f.u)
		f.inflation = max(math.Sqrt(ofResiduals*ofSignals), ofResiduals)
		f.lags = max(f.lags, lags)
	}
	f.independent = observed / f.inflation
	return f, nil
}

// together takes all partial correlations from the inverse covariance, unless there is none.
func (f *fitted) together(s linalg.Dense, threads linalg.Threads) bool {
	n, m := f.x.Rows, f.x.Cols
	var used []int
	for i := range n {
		if f.varies[i] {
			used = append(used, i)
		}
	}
	moments := mat.NewSymDense(len(used), nil)
	for p, i := range used {
		for q := p; q < len(used); q++ {
			moments.SetSym(p, q, s.Data[i*n+used[q]])
		}
	}
	var chol mat.Cholesky
	inverse := mat.NewSymDense(len(used), nil)
	if !chol.Factorize(moments) || chol.Cond() > mostCondition || chol.InverseTo(inverse) != nil {
		return false
	}
	k := linalg.NewDense(n, n)
	for p, i := range used {
		for q, j := range used {
			k.Data[i*n+j] = inverse.At(p, q) / math.Sqrt(inverse.At(p, p))
		}
		f.regressors[i] = len(used)
	}
	f.u, f.products = linalg.NewDense(n, m), linalg.NewDense(n, n)
	threads.Mul(f.u, k, f.x)
	for p, i := range used {
		for q, j := range used {
			f.products.Data[i*n+j] = inverse.At(p, q) / math.Sqrt(inverse.At(p, p)*inverse.At(q, q))
		}
	}
	return true
}

// mostCondition is the condition number from which on an inverse is mostly rounding errors.
const mostCondition = 1e12

// apart regresses each vertex on those suggested. Without moments s of all pairs, those within each list
// are computed by themselves.
func (f *fitted) apart(ctx context.Context, s linalg.Dense, suggested [][]int, threads linalg.Threads) {
	n, m := f.x.Rows, f.x.Cols
	f.coefficients, f.size, f.u = make([]map[int]float64, n), make([]float64, n), linalg.NewDense(n, m)
	workers := make([]regression, threads)
	linalg.ForEach(int(threads), n, func(worker, i int) {
		if run.Ended(ctx) != nil {
			return
		}
		on := suggested[i]
		b := workers[worker].solve(f.x, s, i, on)
		row := linalg.Row(f.u, i)
		copy(row, linalg.Row(f.x, i))
		f.coefficients[i] = make(map[int]float64, len(b))
		for p := range b {
			linalg.Axpy(-b[p], linalg.Row(f.x, on[p]), row)
			f.coefficients[i][on[p]] = b[p]
		}
		f.regressors[i] = len(b) + 1
		if f.size[i] = math.Sqrt(portable.Dot(row, row) / float64(m)); f.size[i] > 0 {
			for k := range row {
				row[k] /= f.size[i]
			}
		}
	})
}

// A regression has the memory of regressions one after the other.
type regression struct {
	small linalg.SmallSolver
	near  linalg.Neighbourhood
}

// solve returns the coefficients of vertex i on others; none if some of these follow each other so
// nearly that no coefficients are finite.
func (r *regression) solve(x, s linalg.Dense, i int, on []int) []float64 {
	if s.Data == nil {
		s, i, on = r.near.Moments(x, slices.Concat(on, []int{i})), len(on), matrix.Span(0, len(on))
	}
	b, covered := r.small.Regress(s, i, on, nil)
	if math.IsInf(covered, 1) || !matrix.Finite(b...) {
		return nil
	}
	return b
}

// suggested returns for each vertex the others that it is regressed on, in order: those of its
// edges in g, the strongest first, and then those that weights have besides, at most that many.
func (f *fitted) suggested(weights, g *graph.Graph, most int) [][]int {
	n := f.x.Rows
	lists := make([][]int, n)
	for _, of := range []*graph.Graph{g, weights} {
		edges := of.Edges()
		slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
		for _, e := range edges {
			for _, ends := range [][2]int{{e.I, e.J}, {e.J, e.I}} {
				i, j := ends[0], ends[1]
				if f.varies[i] && f.varies[j] && len(lists[i]) < most && !slices.Contains(lists[i], j) {
					lists[i] = append(lists[i], j)
				}
			}
		}
	}
	for i := range lists {
		slices.Sort(lists[i])
	}
	return lists
}

// partial returns the partial correlation of two vertices.
func (f *fitted) partial(i, j int) float64 {
	var product float64
	if f.products.Data != nil {
		product = f.products.Data[i*f.x.Rows+j]
	} else {
		product = portable.Dot(linalg.Row(f.u, i), linalg.Row(f.u, j)) / float64(f.x.Cols)
	}
	rho := -product
	if f.coefficients != nil {
		rho = product
		if f.size[i] > 0 && f.size[j] > 0 {
			rho += f.coefficients[j][i]*f.size[i]/f.size[j] + f.coefficients[i][j]*f.size[j]/f.size[i]
		}
	}
	return max(min(rho, mostPartial), -mostPartial)
}
