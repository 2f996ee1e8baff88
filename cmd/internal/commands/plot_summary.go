package commands

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/kernel"
)

// A plotSummary is a summary of learn, to be drawn.
type plotSummary struct {
	*document.Summary
	file string
}

// readSummary reads a summary by its content, whatever it is called. It returns
// nil if the file is something else.
func readSummary(path string) (*plotSummary, error) {
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &input.Error{File: path, Msg: "there is no such file"}
	case err != nil:
		return nil, &input.Error{File: path, Msg: arguments.Reason(err)}
	}
	defer file.Close()
	return decodeSummary(file, path)
}

func decodeSummary(r io.Reader, name string) (*plotSummary, error) {
	summary, err := document.ReadSummary(r)
	switch {
	case err != nil:
		return nil, &input.Error{File: name, Msg: arguments.Reason(err)}
	case summary == nil:
		return nil, nil
	}
	return &plotSummary{summary, name}, nil
}

// lacks says what is not in the summary.
func (s *plotSummary) lacks(key string) error {
	return &input.Error{File: s.file, Msg: fmt.Sprintf(
		"the summary has no %q, which this figure needs: write it again with learn --summary (method %s may not provide it)", key, s.Method)}
}

func (s *plotSummary) draw(kind string) (figure.Drawing, string, error) {
	title := s.file + ": learning with method " + s.Method
	switch kind {
	case arguments.PlotWeights:
		s.Weights = slices.DeleteFunc(s.Weights, func(w float64) bool { return !(w > 0) })
		if len(s.Weights) == 0 {
			return nil, "", s.lacks("weights")
		}
		return plot.Weights(title, s.Weights, s.Edges), views.Plural(len(s.Weights), "weight"), nil
	case arguments.PlotKernels:
		kernels, err := s.kernels()
		if err != nil {
			return nil, "", err
		}
		return plot.Kernels(title, kernels), views.Plural(len(kernels), "kernel"), nil
	case arguments.PlotSpectrum:
		if s.Field == nil || len(s.Field.Energy) != len(s.Field.Frequency) {
			return nil, "", s.lacks("field")
		}
		drawn, err := plot.Spectrum(title, s.Field)
		if err != nil {
			return nil, "", &input.Error{File: s.file, Msg: err.Error()}
		}
		return drawn, fmt.Sprintf("energy at %d frequencies", len(s.Field.Frequency)), nil
	}
	if len(s.Trace) == 0 {
		return nil, "", s.lacks("trace")
	}
	steps, starts := views.Plural(len(s.Trace), "step"), views.Plural(len(plot.Starts(s.Trace)), "start")
	return plot.Convergence(title, s.Trace), steps + " of " + starts, nil
}

// kernels returns the kernels from their coefficients.
func (s *plotSummary) kernels() ([]kernel.Kernel, error) {
	if len(s.Kernels) == 0 {
		return nil, s.lacks("kernels")
	}
	kernels := make([]kernel.Kernel, len(s.Kernels))
	for i, k := range s.Kernels {
		if len(k.Coefficients) == 0 {
			return nil, s.lacks("coefficients")
		}
		made, err := k.Kernel()
		if err != nil {
			return nil, &input.Error{File: s.file, Msg: err.Error()}
		}
		kernels[i] = made
	}
	return kernels, nil
}

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
		return figure.Fields{}, arguments.Misuse("%s and %s give %d atoms, more than the %d that fit in a figure: select fewer with --vertex and --kernel",
			views.Plural(len(kernels), "kernel"), views.Plural(len(centres), "vertex"), count, mostAtoms)
	}
	return plot.Atoms(g, n, kernels, centres)
}

// atomKernels returns the kernels of a summary, or those that flags say.
func (p *plotting) atomKernels() ([]kernel.Kernel, error) {
	if p.Summary == "" {
		return arguments.KernelsOf(p.Kernels)
	}
	summary, err := summaryIn(p.Summary)
	if err != nil {
		return nil, err
	}
	return summary.kernels()
}

// summaryIn reads a summary from a file that is to be one.
func summaryIn(path string) (*plotSummary, error) {
	summary, err := readSummary(path)
	if err == nil && summary == nil {
		err = &input.Error{File: path, Msg: "this is not a summary written by learn --summary"}
	}
	return summary, err
}

// atomVertices returns the vertices named, or those with most edges.
func (p *plotting) atomVertices(g *graph.Graph) ([]int, error) {
	if g.Vertices() == 0 {
		return nil, arguments.Misuse("%s: the graph has no vertices, so there are no atoms to draw", p.in)
	}
	names := g.Names()
	var centres []int
	for _, name := range p.At {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, arguments.Misuse("--vertex %s: %s has no such vertex; it has %s, …", name, p.in, names[0])
		}
		centres = append(centres, i)
	}
	if len(centres) > 0 {
		return centres, nil
	}
	return plot.BestConnected(g, usualAtoms), nil
}
