package cli

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// heldOutError learns by the sparse method from four fifths of the signals,
// drawn at random, codes the others on the graph, and returns ‖Y − DX‖²/‖Y‖² of
// those and how many they are. There is no error, nil, if the signals are too
// few, do not suffice for learning, or ctx ends.
func (l learner) heldOutError(ctx context.Context, y *mat.Dense, show func(learn.Step)) (*float64, int, error) {
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
	test := result.sparse.AsCoded(columnsOf(y, held))
	for _, i := range still(train) { // it tells nothing, and has no edges
		clear(test.RawRowView(i))
	}
	h, err := learn.CodeHeldOut(result.graph, result.sparse.Model, train, test, l.options.Threads)
	if err != nil || floats.Sum(h.Energy) == 0 {
		return nil, 0, err
	}
	share := floats.Sum(h.Residual) / floats.Sum(h.Energy)
	return &share, len(held), nil
}

// done says whether ctx has ended.
func done(ctx context.Context) bool { return ctx.Err() != nil }

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

// still lists the vertices that the learner sets aside as constant.
func still(y *mat.Dense) []int {
	n, _ := y.Dims()
	var rows []int
	for i := range n {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range y.RawRowView(i) {
			if !math.IsNaN(v) { // else missing
				low, high = min(low, v), max(high, v)
			}
		}
		if !(high/2-low/2 > 1e-12*max(math.Abs(low), math.Abs(high))) {
			rows = append(rows, i)
		}
	}
	return rows
}
