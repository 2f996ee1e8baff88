package baseline

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// The pruning path of the models of GGL, DDGL and CGL: edges of the least partial correlation
// are removed step by step, and the model is refitted to those that are left. So
// an edge that only stands in for others loses its weight when these are refitted.
//
// How many edges to keep is told by signals that the model was not fitted to: by
// how much better the other vertices predict each vertex than its mean does. More
// edges than there are gain next to nothing, and too few lose much, so the sparsest
// model is taken that gains nearly as much as the best.

const (
	// pruneTolerance is how far entries of W may be from their optimum on the path.
	pruneTolerance = 1e-4
	// pruneSweeps bounds the sweeps over all columns for one point of the path.
	pruneSweeps = 60
	// pruneFolds is how many parts of the signals are held out in turn.
	pruneFolds = 5
	// nearlyAll is the share of the best gain that is as good as the best. A model
	// is as good, too, if the difference is within a standard error.
	nearlyAll = 0.995
	// hopeless is the share of the best gain below which a fold's path of a large graph
	// need not go on. There the gain is a sum over so many vertices that it rises to its
	// best and falls, and what follows is not nearly the best again.
	hopeless = 0.9
	// treeShare is the share of the best gain from which on the spanning tree of the
	// largest correlations is enough. Rivers, feeders and chains are trees, and graphs
	// that are not lose far more than that with their cycles: a tree in a grid of
	// pixels or in a random graph keeps 70 to 93 percent.
	treeShare = 0.96
	// sharedTreeShare is the same for signals in which all vertices have something in
	// common, which any connected graph predicts. Fields on trees keep 97 to 100
	// percent, those on other graphs, with and without a common driver, up to 97.
	sharedTreeShare = 0.98
)

// A prunePace says how much work goes into the path.
type prunePace struct {
	keeps     float64 // share of the edges that a step keeps
	most      int     // folds that are held out at most
	mostEdges int     // that the path begins with, for each vertex; 0 means all
}

var (
	pruneInFull = prunePace{keeps: 0.93, most: math.MaxInt}
	// pruneInShort is for a run that was stopped: its answer is to come soon.
	pruneInShort = prunePace{keeps: 0.85, most: 2, mostEdges: 5}
)

// A pathPoint is a model on the path: its edges, and what they gain in signals that
// were held out, if there were any.
type pathPoint struct {
	edges []graph.Edge
	gain  float64
}

// A laplacianModel is a Gaussian model of vertices whose precision matrix is some kind
// of Laplacian, on its way to the largest likelihood.
type laplacianModel interface {
	// solve goes on until the model is known to a tolerance, of its own kind.
	solve(ctx context.Context, tolerance float64, maxSweeps int) (sweeps int, status method.Status)
	// restrict leaves only the given pairs to have a weight, of the sign that they have.
	restrict(pairs []graph.Edge)
	// partials returns the pairs with a partial correlation, in order.
	partials() []graph.Edge
	// weights returns the same pairs with what they weigh in the graph.
	weights() []graph.Edge
	// predictors returns the regressions of all vertices on the others.
	predictors() []predictor
}

// A predictor is the coefficients of a vertex on others.
type predictor struct {
	on   []int32
	beta []float64
}

// prune follows the path from where the model is to about half an edge per vertex. Each
// step keeps a share of the edges.
// The models are scored by the second moments of held-out signals, which may be empty;
// if they are not, the path ends where it is hopeless.
func prune(ctx context.Context, model laplacianModel, vertices int, held linalg.Dense, keeps float64) ([]pathPoint, method.Status) {
	var path []pathPoint
	best := 0.0
	for {
		if _, status := model.solve(ctx, pruneTolerance, pruneSweeps); status == method.Interrupted {
			return path, status
		}
		point := pathPoint{edges: model.partials()}
		if held.Rows > 0 {
			point.gain = gain(model, held)
		}
		path = append(path, point)
		if best = max(best, point.gain); best > 0 && point.gain < hopeless*best && vertices >= hopelessFrom {
			return path, method.Converged
		}
		left := int(keeps * float64(len(point.edges)))
		if left < max(vertices/2, 1) || left == len(point.edges) {
			return path, method.Converged
		}
		model.restrict(heaviest(point.edges, left))
	}
}

// heaviest returns the pairs of the largest weights, whatever their signs, of equal ones the first.
func heaviest(edges []graph.Edge, count int) []graph.Edge {
	order := slices.Clone(edges)
	slices.SortStableFunc(order, func(a, b graph.Edge) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return order[:count]
}

// gain returns how well the other vertices predict each: half the logarithm of its
// energy over that of the errors, summed over the vertices. Unlike a likelihood it
// does not rely on the variances of the signals that the model was fitted to.
// moments are the second moments of the signals in the units of K.
func gain(model laplacianModel, moments linalg.Dense) float64 {
	n, sum := moments.Rows, 0.0
	for u, c := range model.predictors() {
		own := moments.Data[u*n+u]
		left := own
		for p, v := range c.on {
			row := linalg.Row(moments, int(v))
			left -= 2 * c.beta[p] * row[u]
			for q, x := range c.on {
				left += c.beta[p] * c.beta[q] * row[x]
			}
		}
		if own > 0 {
			sum += math.Log(own/max(left, unexplainedShare*own)) / 2
		}
	}
	return sum
}

// A foldGain is what models gain in a fold of consecutive signals, which were fitted
// to the other folds.
type foldGain struct {
	path []float64 // at the numbers of edges of some path; last, of no edges at all
	tree float64   // of the spanning tree
}

// codeFold codes the gains of a fold, so that they are not computed again when a run
// goes on.
func codeFold(c *checkpoint.Coder, g *foldGain) {
	c.Floats(&g.path)
	c.Float(&g.tree)
}

// heldOutGains returns the gains of a path, fold by fold. Unless nil, among is the pairs
// that may have a weight.
func (f laplacianFit) heldOutGains(ctx context.Context, u linalg.Dense, path []pathPoint, among []graph.Edge,
	threads int,
) ([]foldGain, method.Status) {
	folds := min(f.Folds, f.pace.most)
	gains := make([]foldGain, folds)
	faults := make([]error, folds)
	checkpoint.EachPart(ctx, "folds", threads, folds, func(ctx context.Context, fold int) {
		gains[fold], faults[fold] = checkpoint.Piece(ctx, "fold", codeFold, func(ctx context.Context) (foldGain, error) {
			k, held := f.holdOut(u, fold)
			model := f.model(k)
			if among != nil {
				model.restrict(among)
			}
			own, ended := prune(ctx, model, k.Rows, held, f.pace.keeps)
			if ended == method.Interrupted {
				return foldGain{}, context.Cause(ctx)
			}
			return foldGain{append(gainsAt(path, own), 0), f.treeGain(ctx, k, held)}, nil
		})
	})
	if errors.Join(faults...) != nil {
		return nil, method.Interrupted
	}
	return gains, method.Converged
}

// holdOut holds out a fold of consecutive signals: it returns the moments of the
// others, to fit a model to, and those of the fold.
func (f laplacianFit) holdOut(u linalg.Dense, fold int) (k, held linalg.Dense) {
	train, test := splitColumns(u, fold*u.Cols/f.Folds, (fold+1)*u.Cols/f.Folds)
	restandardise(train, test)
	return attractiveMoments(train, f.Penalty), secondMoments(test)
}

// treeGain returns what the spanning tree of the largest correlations gains.
func (f laplacianFit) treeGain(ctx context.Context, k, held linalg.Dense) float64 {
	tree := f.model(k)
	tree.restrict(f.tree(k))
	tree.solve(ctx, pruneTolerance, pruneSweeps)
	return gain(tree, held)
}

// isTree reports whether the spanning tree is enough in comparison with all edges that
// the model allows.
func (f laplacianFit) isTree(ctx context.Context, u linalg.Dense, threads int) bool {
	trees, all := make([]float64, f.Folds), make([]float64, f.Folds)
	linalg.ForEach(threads, f.Folds, func(_, fold int) {
		k, held := f.holdOut(u, fold)
		trees[fold] = f.treeGain(ctx, k, held)
		full := f.model(k)
		full.solve(ctx, pruneTolerance, pruneSweeps)
		all[fold] = gain(full, held)
	})
	return portable.Sum(trees) > 0 && portable.Sum(trees) >= sharedTreeShare*portable.Sum(all)
}

// gainsAt reads the gains of a path at the numbers of edges of another, between its
// points and beyond its ends by straight lines over the logarithm of that number.
func gainsAt(path, own []pathPoint) []float64 {
	gains := make([]float64, len(path))
	for k, p := range path {
		gains[k] = gainAt(own, float64(len(p.edges)))
	}
	return gains
}

func gainAt(path []pathPoint, edges float64) float64 {
	next := slices.IndexFunc(path, func(p pathPoint) bool { return float64(len(p.edges)) <= edges })
	switch {
	case len(path) == 0:
		return 0
	case next == 0:
		return path[0].gain
	case next < 0:
		return path[len(path)-1].gain
	}
	more, fewer := path[next-1], path[next]
	from, to := math.Log(float64(max(len(fewer.edges), 1))), math.Log(float64(len(more.edges)))
	t := (math.Log(edges) - from) / (to - from)
	return fewer.gain + t*(more.gain-fewer.gain)
}

// tree returns the pairs of the spanning tree, or forest, of the largest correlations.
func (f laplacianFit) tree(k linalg.Dense) []graph.Edge {
	tree := weighedTree(k.Rows, f.sizes(k))
	return signedAs(heaviest(tree, len(tree)), k)
}

// sizes returns the correlations that speak for an edge of each pair: positive ones, or all by
// their size if signs are soft.
func (f laplacianFit) sizes(k linalg.Dense) []float64 {
	w := correlationsOf(k)
	if f.soft {
		for e := range w {
			w[e] = math.Abs(w[e])
		}
	}
	return w
}

// signedAs gives pairs the signs of their correlations.
func signedAs(pairs []graph.Edge, k linalg.Dense) []graph.Edge {
	for e, p := range pairs {
		pairs[e].Weight = math.Copysign(p.Weight, k.Data[p.I*k.Rows+p.J])
	}
	return pairs
}

// correlated returns the pairs whose correlation speaks for an edge.
func (f laplacianFit) correlated(k linalg.Dense) []graph.Edge {
	var list []graph.Edge
	w := f.sizes(k)
	eachPair(k.Rows, func(e, i, j int) {
		if w[e] > 0 {
			list = append(list, graph.Edge{I: i, J: j, Weight: w[e]})
		}
	})
	return signedAs(list, k)
}

// connections returns the pairs of the largest correlations that join the parts of a
// graph, as far as these are larger than noise would make the largest of all pairs.
// What little other vertices say of a vertex is better known than nothing.
// w are the correlations.
func connections(kept []graph.Edge, n int, w []float64, observations float64) []graph.Edge {
	const first = 2 // more than any correlation
	for _, e := range kept {
		w[pairIndex(n, min(e.I, e.J), max(e.I, e.J))] = first
	}
	chance := (math.Sqrt(2*math.Log(float64(len(w)))) + 1) / math.Sqrt(observations)
	joining := slices.DeleteFunc(weighedTree(n, w), func(e graph.Edge) bool { return e.Weight >= first || e.Weight <= chance })
	return heaviest(joining, len(joining))
}

// correlationsOf returns the correlation of each pair.
func correlationsOf(k linalg.Dense) []float64 {
	n := k.Rows
	w := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) { w[e] = k.Data[i*n+j] / math.Sqrt(k.Data[i*n+i]*k.Data[j*n+j]) })
	return w
}

// meanGain returns the mean over the folds of what a model gains.
func meanGain(gains []foldGain, of func(foldGain) float64) float64 {
	sum := 0.0
	for _, g := range gains {
		sum += of(g)
	}
	return sum / float64(len(gains))
}

// sparsestAdequate returns the last point of the path whose gain is as good as the
// best, and whether the tree is enough.
func sparsestAdequate(gains []foldGain) (point int, tree bool) {
	at := func(k int) float64 { return meanGain(gains, func(g foldGain) float64 { return g.path[k] }) }
	points, best := len(gains[0].path), 0
	for k := range points {
		if at(k) > at(best) {
			best = k
		}
	}
	point = best
	lost := make([]float64, len(gains))
	for k := best + 1; k < points; k++ {
		for f, g := range gains {
			lost[f] = g.path[best] - g.path[k]
		}
		average, variance := portable.MeanVariance(lost)
		if at(k) >= nearlyAll*at(best) || average <= stat.StdErr(math.Sqrt(variance), float64(len(lost))) {
			point = k
		}
	}
	ofTree := meanGain(gains, func(g foldGain) float64 { return g.tree })
	return point, ofTree > 0 && ofTree >= treeShare*at(best)
}

// splitColumns returns the columns outside and inside a range.
func splitColumns(u linalg.Dense, first, last int) (outside, inside linalg.Dense) {
	outside, inside = linalg.NewDense(u.Rows, u.Cols-(last-first)), linalg.NewDense(u.Rows, last-first)
	for i := range u.Rows {
		row, to := linalg.Row(u, i), linalg.Row(outside, i)
		copy(to, row[:first])
		copy(to[first:], row[last:])
		copy(linalg.Row(inside, i), row[first:last])
	}
	return outside, inside
}

// restandardise brings the rows of train to mean 0 and mean square 1, and those of
// test to the same units. A row that does not vary in train says nothing: it is zero
// in both.
func restandardise(train, test linalg.Dense) {
	for i := range train.Rows {
		row := linalg.Row(train, i)
		mean, variance := portable.PopMeanVariance(row)
		deviation := math.Sqrt(variance)
		scale := 0.0
		if deviation > leastDeviation {
			scale = 1 / deviation
		}
		for _, values := range [][]float64{row, linalg.Row(test, i)} {
			for k, v := range values {
				values[k] = (v - mean) * scale
			}
		}
	}
}

// leastDeviation is the standard deviation below which a row that varies in all
// signals does not vary in some of them.
const leastDeviation = 1e-6

// attractiveMoments returns the correlations of rows that are standardised, those
// between vertices lowered by a penalty, as if there were one more signal on which
// the vertices do not depend on each other: then no two vertices are the same.
func attractiveMoments(u linalg.Dense, penalty float64) linalg.Dense {
	k := secondMoments(u)
	m := float64(u.Cols)
	for i := range k.Rows {
		row := linalg.Row(k, i)
		for j := range row {
			row[j] = row[j]*m/(m+1) - penalty
		}
		row[i] = 1
	}
	return k
}
