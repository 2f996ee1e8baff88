package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// Run is the body of Learn for methods that want complete signals of vertices
// that vary: it checks the problem, fills in missing values with the mean of
// their vertex, sets aside vertices that cannot be learned from, calls learn with
// the rest and puts its graphs back among all vertices.
//
// mostVertices bounds the size of the problem; zero means any.
func Run(ctx context.Context, m Method, p Problem, mostVertices int, learn func(context.Context, Problem) (*Result, error)) (*Result, error) {
	n, _ := p.Y.Dims()
	if mostVertices > 0 && n > mostVertices {
		return nil, input.Errorf(m.Name(), input.Vertices, "got %d, want at most %d", n, mostVertices)
	}
	if p.Names == nil {
		p.Names = graph.DefaultNames(n)
	}
	screening, err := signals.Screen(m.Name(), p.Y, p.Names)
	if err != nil {
		return nil, err
	}
	if field, sentence := p.Cut.Fault(n); sentence != "" {
		return nil, input.Errorf(m.Name(), input.Field(field), "%s", sentence)
	}
	inner := p
	var filled int
	inner.Y, filled = signals.FillMissing(p.Y)
	inner.Y = signals.Rows(inner.Y, screening.Vertices)
	inner.Names = graph.DefaultNames(len(screening.Vertices))
	r, err := learn(ctx, inner)
	if r == nil {
		return nil, err
	}
	r.Graph = r.Graph.Embed(screening.Vertices, p.Names)
	r.Weights = r.Weights.Embed(screening.Vertices, p.Names)
	r.Aside, r.Filled = screening.Aside, filled
	r.Warnings = slices.Concat(screening.Sentences(), r.Warnings)
	if filled > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d missing values were filled with the mean of their vertex", filled))
	}
	return r, err
}
