package baseline

import (
	"context"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// What a run around a field needs besides the graph: learning again for tests on held-out
// signals, and how long it takes. Order one is ggl here, too.

// Relearn keeps the contract of [method.Relearner].
func (f Field) Relearn(ctx context.Context, p method.Problem, edges int) (*graph.Graph, error) {
	if f.Order == 1 {
		return GGL{}.Relearn(ctx, p, edges)
	}
	p.Cut = graph.Cut{Rule: graph.CutEdges, Edges: edges}
	r, err := f.Learn(ctx, p)
	if err != nil {
		return nil, err
	}
	return r.Graph, nil
}

// Clock keeps the contract of [method.Timed]: only order one, which takes longest, has steps to
// tell the time by.
func (Field) Clock(size method.Size) method.Clock { return GGL{}.Clock(size) }
