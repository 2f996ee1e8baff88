package cli

import (
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/kernel"
)

// Vertices whose atoms are drawn, if none are asked for, and most atoms in a figure.
const (
	usualAtoms = 3
	mostAtoms  = 60
)

func (p *plotting) atoms(g *graph.Graph, n figure.Network) (figure.Fields, error) {
	kernels, err := p.atomKernels()
	if err != nil {
		return figure.Fields{}, err
	}
	centres, err := p.atomVertices(g)
	if err != nil {
		return figure.Fields{}, err
	}
	if count := len(kernels) * len(centres); count > mostAtoms {
		return figure.Fields{}, misuse("%s and %s give %d atoms, more than the %d that fit in a figure: select fewer with --vertex and --kernel",
			plural(len(kernels), "kernel"), plural(len(centres), "vertex"), count, mostAtoms)
	}
	return plot.Atoms(g, n, kernels, centres)
}

// atomKernels returns the kernels of a summary, or those that flags say.
func (p *plotting) atomKernels() ([]kernel.Kernel, error) {
	if p.summary == "" {
		return p.kernels.kernels()
	}
	if p.flags.Changed("kernel") {
		return nil, misuse("--kernel and --summary cannot be used together: both specify the kernels")
	}
	summary, err := readSummary(p.summary)
	switch {
	case err != nil:
		return nil, err
	case summary == nil:
		return nil, &input.Error{File: p.summary, Msg: "this is not a summary written by learn --summary"}
	}
	return summary.kernels()
}

// atomVertices returns the vertices named, or those with most edges.
func (p *plotting) atomVertices(g *graph.Graph) ([]int, error) {
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
	return plot.BestConnected(g, usualAtoms), nil
}
