package cli

import (
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/sparse"
)

// heldOutError learns by the sparse method from four fifths of the signals,
// drawn at random, codes the others on the graph, and returns ‖Y − DX‖²/‖Y‖² of
// those and how many they are. There is no error, nil, if the signals are too
// few, do not suffice for learning, or ctx ends. Missing values are an error.
func (l learner) heldOutError(ctx context.Context, y *mat.Dense, show func(learn.Step)) (*float64, int, error) {
	if prepare.Missing(y) > 0 {
		return nil, 0, errors.New("values are missing")
	}
	_, m := y.Dims()
	order := rng.Stream(l.options.Seed, "held-out").Perm(m)
	held, used := order[:m/5], order[m/5:]
	if len(held) == 0 {
		return nil, 0, nil
	}
	slices.Sort(held)
	slices.Sort(used)
	train := columnsOf(y, used)
	result, err := l.learn(ctx, train, show)
	if _, misfit := faultOf(err); misfit || done(ctx) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	share, err := l.unexplained(columnsOf(y, held), result.sparse, varyingRows(train))
	return share, len(held), err
}

// done says whether ctx has ended.
func done(ctx context.Context) bool { return ctx.Err() != nil }

// unexplained returns the share of the energy of y that codes on a learned graph
// leave over, on the vertices given; nil if there is no energy.
func (l learner) unexplained(y *mat.Dense, r *learn.Result, vertices []int) (*float64, error) {
	place := map[int]int{}
	for k, i := range vertices {
		place[i] = k
	}
	edges := r.Graph.Edges() // none touches a vertex that does not vary
	for k, e := range edges {
		edges[k].I, edges[k].J = place[e.I], place[e.J]
	}
	g, err := graph.New(graph.DefaultNames(len(vertices)), edges)
	if err != nil {
		return nil, err
	}
	_, m := y.Dims()
	scaled := mat.NewDense(len(vertices), m, nil)
	for k, i := range vertices {
		scaled.SetRow(k, y.RawRowView(i))
	}
	largest := max(mat.Max(scaled), -mat.Min(scaled))
	if largest == 0 {
		return nil, nil
	}
	scaled.Apply(func(_, _ int, v float64) float64 { return v / largest }, scaled) // so that nothing overflows

	atoms := len(vertices) * len(r.Model.Kernels)
	coder, err := sparse.NewCoder(atoms, sparse.Options{Method: sparse.Beam, Sparsity: r.Model.Sparsity, Threads: l.options.Threads})
	if err != nil {
		return nil, err
	}
	spectral := dictionary.NewSpectral(scaled, r.Model.Kernels, l.options.Threads)
	pairs, w := dictionary.EdgesOf(g)
	spectral.SetPairs(pairs)
	if err := spectral.At(w); err != nil {
		return nil, err
	}
	problem, code := sparse.EmptyProblem(atoms, m), sparse.NewCode(atoms, m, r.Model.Sparsity)
	spectral.Problem(problem)
	coder.Encode(problem, code)
	share := spectral.Refit(code) / spectral.Energy()
	return &share, nil
}

func columnsOf(y *mat.Dense, columns []int) *mat.Dense {
	n, _ := y.Dims()
	some := mat.NewDense(n, len(columns), nil)
	for i := range n {
		for k, s := range columns {
			some.Set(i, k, y.At(i, s))
		}
	}
	return some
}

// varyingRows lists the vertices that the learner does not set aside as constant.
func varyingRows(y *mat.Dense) []int {
	n, _ := y.Dims()
	var rows []int
	for i := range n {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range y.RawRowView(i) {
			if !math.IsNaN(v) { // else missing
				low, high = min(low, v), max(high, v)
			}
		}
		if high/2-low/2 > 1e-12*max(math.Abs(low), math.Abs(high)) {
			rows = append(rows, i)
		}
	}
	return rows
}
