package cli

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
)

// Vertices whose atoms are drawn, if none are asked for, and fields in a row.
const (
	usualAtoms  = 3
	atomsPerRow = 4
	mostAtoms   = 60
)

func (p *plot) atoms(g *graph.Graph, n figure.Network) (figure.Fields, error) {
	kernels, err := p.atomKernels()
	if err != nil {
		return figure.Fields{}, err
	}
	return p.atomsOf(g, n, kernels)
}

// atomsOf draws the atoms of kernels at some vertices, a row of them for each
// kernel.
func (p *plot) atomsOf(g *graph.Graph, n figure.Network, kernels []kernel.Kernel) (figure.Fields, error) {
	fields := figure.Fields{Title: n.Title}
	centres, err := p.atomVertices(g)
	if err != nil {
		return fields, err
	}
	if count := len(kernels) * len(centres); count > mostAtoms {
		return fields, misuse("%s and %s make %d atoms, want at most %d in a figure: name fewer with --vertex and --kernel",
			plural(len(kernels), "kernel"), plural(len(centres), "vertex"), count, mostAtoms)
	}
	operator, err := dictionary.NewOperator(g, kernels)
	if err != nil {
		return fields, err
	}
	chosen := mat.NewDense(operator.Atoms(), len(kernels)*len(centres), nil)
	for s := range kernels {
		for k, v := range centres {
			chosen.Set(s*g.Vertices()+v, s*len(centres)+k, 1)
		}
	}
	atoms, err := operator.Mul(chosen)
	if err != nil {
		return fields, err
	}
	n.Confidence = nil
	fields.PerRow = min(len(centres), atomsPerRow)
	for s, generator := range kernels {
		for k, v := range centres {
			fields.Fields = append(fields.Fields, figure.Field{
				Title:   kernel.ShortName(generator.Name) + " at " + n.Vertices[v].Name,
				Network: n, Marked: []int{v}, Values: mat.Col(nil, s*len(centres)+k, atoms),
			})
		}
	}
	return fields, nil
}

// atomKernels returns the kernels of a summary, or those that flags say.
func (p *plot) atomKernels() ([]kernel.Kernel, error) {
	if p.summary == "" {
		return p.kernels.kernels()
	}
	if p.flags.Changed("kernel") {
		return nil, misuse("--kernel and --summary both say which kernels; give one of them")
	}
	summary, err := readSummary(p.summary)
	switch {
	case err != nil:
		return nil, err
	case summary == nil:
		return nil, &input.Error{File: p.summary, Msg: "it is not a summary that learn --summary wrote"}
	}
	return summary.kernels()
}

// atomVertices returns the vertices named, or those with most edges.
func (p *plot) atomVertices(g *graph.Graph) ([]int, error) {
	if g.Vertices() == 0 {
		return nil, misuse("%s: the graph has no vertices, so there are no atoms to draw", p.in)
	}
	names := g.Names()
	var centres []int
	for _, name := range p.at {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, misuse("--vertex %s: %s has no such vertex; it has %s, …", name, p.in, names[0])
		}
		centres = append(centres, i)
	}
	if len(centres) > 0 {
		return centres, nil
	}
	edges := make([]int, len(names))
	for _, e := range g.Edges() {
		edges[e.I]++
		edges[e.J]++
	}
	for i := range names {
		centres = append(centres, i)
	}
	slices.SortStableFunc(centres, func(a, b int) int { return cmp.Compare(edges[b], edges[a]) })
	return centres[:min(usualAtoms, len(centres))], nil
}
