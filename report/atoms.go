package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/plot"
)

// A curve is a kernel over [0, 2], at even steps.
type curve struct {
	Name   string   `json:"name"`
	Values []digits `json:"values"`
}

const kernelSteps = 100

func curves(r content) []curve {
	var list []curve
	for k, kernel := range r.Sparse.Model.Kernels {
		values := make([]float64, kernelSteps+1)
		for q := range values {
			values[q] = kernel.Eval(2 * float64(q) / kernelSteps)
		}
		list = append(list, curve{r.Kernels[k], asDigits(values)})
	}
	return list
}

// An atom is drawn on the graph.
type atom struct {
	Kernel int      `json:"kernel"`
	Vertex int      `json:"vertex"`
	Values []digits `json:"values"`
}

const (
	atomVertices = 3 // that atoms are drawn for
	atomKernels  = 3 // at most
)

// atoms are a few atoms that the codes use much, on vertices that are not joined
// to one another.
func atoms(r content, used *usage) ([]atom, error) {
	kernels := r.Sparse.Model.Kernels
	kernels = kernels[:min(len(kernels), atomKernels)]
	centres := centres(r.Graph, used)
	if len(centres) == 0 {
		return nil, nil
	}
	values, err := plot.AtomsAt(r.Sparse.CodedOn, kernels, centres)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	var list []atom
	for k, v := range values {
		list = append(list, atom{k / len(centres), centres[k%len(centres)], asDigits(v)})
	}
	return list, nil
}

// centres are the vertices used most, no two of them joined if it can be helped.
func centres(g *graph.Graph, used *usage) []int {
	degrees, total := g.Degrees(), used.total(g.Vertices())
	var order []int
	for i, d := range degrees {
		if d > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(degrees[b], degrees[a]))
	})
	joined := map[[2]int]bool{}
	for _, e := range g.Edges() {
		joined[[2]int{e.I, e.J}], joined[[2]int{e.J, e.I}] = true, true
	}
	var apart, others []int
	for _, i := range order {
		if slices.ContainsFunc(apart, func(j int) bool { return joined[[2]int{i, j}] }) {
			others = append(others, i)
		} else if apart = append(apart, i); len(apart) == atomVertices {
			break
		}
	}
	chosen := slices.Concat(apart, others)
	return chosen[:min(len(chosen), atomVertices)]
}
