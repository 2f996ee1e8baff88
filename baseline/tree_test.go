package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
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
		r, err := correlations(t.Context(), mixedSignals(rng.Stream(treeSeed(), "tree", trial), n, 8))
		if err != nil {
			t.Fatal(err)
		}
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
	y := mixedSignals(rng.Stream(treeSeed(), "paths"), n, 40)
	r, err := correlations(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
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

// Trees come one after another in the weights, each spanning and none with an edge of
// another; what is in no tree comes last, in the order of correlations.
func TestTreesAreLayers(t *testing.T) {
	const n = 12
	y := mixedSignals(rng.Stream(treeSeed(), "layers"), n, 60)
	one, err := SpanningTrees(t.Context(), y, TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := SpanningTrees(t.Context(), y, TreeOptions{Trees: 2})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := one.Graph.EdgeCount(), two.Graph.EdgeCount(); a != n-1 || b != 2*(n-1) {
		t.Fatalf("one tree has %d edges and two have %d, want %d and %d", a, b, n-1, 2*(n-1))
	}
	in := map[[2]int]bool{}
	for _, e := range one.Graph.Edges() {
		in[[2]int{e.I, e.J}] = true
	}
	for _, e := range two.Weights.Strongest(n - 1).Edges() {
		if !in[[2]int{e.I, e.J}] {
			t.Errorf("the first tree of two has %d–%d, which the only one has not", e.I, e.J)
		}
	}
	for _, g := range []*Result{one, two} {
		if _, parts := g.Graph.Components(); parts != 1 {
			t.Errorf("the trees leave %d parts", parts)
		}
		if got := g.Weights.EdgeCount(); got != n*(n-1)/2 {
			t.Errorf("%d pairs have weights, want all %d", got, n*(n-1)/2)
		}
	}
	r, err := correlations(t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	var ratio float64
	for _, e := range one.Weights.Edges() {
		r := math.Abs(r[pairIndex(n, e.I, e.J)])
		switch {
		case in[[2]int{e.I, e.J}]:
			if math.Abs(e.Weight-r) > 1e-15 {
				t.Errorf("edge %d–%d weighs %g, want its correlation %g", e.I, e.J, e.Weight, r)
			}
		case ratio == 0:
			ratio = e.Weight / r
		case math.Abs(e.Weight/r-ratio) > 1e-12:
			t.Errorf("pair %d–%d outside the tree weighs %g of its correlation, another %g", e.I, e.J, e.Weight/r, ratio)
		}
	}
}
