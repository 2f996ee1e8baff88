package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

// mixedSignals returns n rows, each of noise and a share of an earlier row.
func mixedSignals(r *rand.Rand, n, signals int) *mat.Dense {
	y := mat.NewDense(n, signals, nil)
	for i := range n {
		for k := range signals {
			v := r.NormFloat64()
			if i > 0 {
				v += 0.8 * y.At((i-1)/2, k)
			}
			y.Set(i, k, v)
		}
	}
	return y
}

// Of all 125 trees on five vertices, found by their Prüfer codes, none is likelier.
func TestSpanningTreeIsTheLikeliest(t *testing.T) {
	const n = 5
	for trial := range 10 {
		r, _ := correlations(t.Context(), mixedSignals(stream("tree", trial), n, 8))
		likelihood := func(e int) float64 { return -math.Log1p(-r[e] * r[e]) }
		size := make([]float64, len(r))
		for e := range r {
			size[e] = math.Abs(r[e])
		}
		got := 0.0
		for _, e := range spanningTree(n, size) {
			got += likelihood(e)
		}
		best := 0.0
		for code := range n * n * n {
			sum := 0.0
			for _, e := range pruefer(n, []int{code % n, code / n % n, code / n / n}) {
				sum += likelihood(e)
			}
			best = max(best, sum)
		}
		if math.Abs(got-best) > 1e-12*best {
			t.Errorf("trial %d: got a tree of %g, the best has %g", trial, got, best)
		}
	}
}

// pruefer returns the pairs of the tree with a code.
func pruefer(n int, code []int) []int {
	degree := make([]int, n)
	for i := range degree {
		degree[i] = 1
	}
	for _, v := range code {
		degree[v]++
	}
	var tree []int
	join := func(a, b int) {
		tree = append(tree, pairIndex(n, min(a, b), max(a, b)))
		degree[a]--
		degree[b]--
	}
	for _, v := range code {
		join(slices.Index(degree, 1), v)
	}
	a := slices.Index(degree, 1)
	b := a + 1 + slices.Index(degree[a+1:], 1)
	join(a, b)
	return tree
}

// What a tree explains is what the covariance completed on it says.
func TestPathProductsAreTheCompletionOnTheTree(t *testing.T) {
	const n = 9
	y := mixedSignals(stream("paths"), n, 40)
	r, _ := correlations(t.Context(), y)
	size := make([]float64, len(r))
	for e := range r {
		size[e] = math.Abs(r[e])
	}
	tree := spanningTree(n, size)
	model := linalg.NewCompletion(secondMoments(standardised(y)))
	eachPair(n, func(e, i, j int) {
		if slices.Contains(tree, e) {
			model.Join(i, j)
		}
	})
	if !model.Solve(1e-13, 1000) {
		t.Fatal("the completion did not converge")
	}
	product := alongPaths(n, tree, r)
	eachPair(n, func(e, i, j int) {
		if want := model.W.Data[i*n+j]; math.Abs(product[e]-want) > 1e-10 {
			t.Errorf("%d–%d: the path gives %g, the completion %g", i, j, product[e], want)
		}
	})
}
