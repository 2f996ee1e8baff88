package experiment

import (
	"fmt"
	"slices"
)

// A declaration makes an experiment for some number of graphs a cell.
type declaration struct {
	name      string
	about     string
	instances int // of the full experiment
	declare   func(instances int) (*Experiment, error)
}

var declarations = []declaration{
	{"table1", "edges and codes recovered at 20, 50 and 100 vertices", 100, table1},
	{"table2", "comparison with other methods on low-pass signals", 50, table2},
	{"recovery", "recovery by number and sparsity of signals", 10, recovery},
	{"robustness", "robustness to inexact kernels", 20, robustness},
	{"kernels", "the two generating kernels over the spectrum", 1, kernels},
	{Calibration, "what confidence is worth, on signals of many kinds", 8, calibration},
	{"atoms", "atoms of both kernels at one vertex of an RBF graph", 1, atoms},
}

// Names lists the experiments, in the order in which to run them all.
func Names() []string {
	names := make([]string, len(declarations))
	for i, d := range declarations {
		names[i] = d.name
	}
	return names
}

// About says in one line what an experiment is, "" if there is none of that name.
func About(name string) string {
	for _, d := range declarations {
		if d.name == name {
			return d.about
		}
	}
	return ""
}

// Declare returns the experiment of that name with at most that many graphs a
// cell; zero means all of them.
func Declare(name string, instances int) (*Experiment, error) {
	k := slices.IndexFunc(declarations, func(d declaration) bool { return d.name == name })
	if k < 0 {
		return nil, fmt.Errorf("experiment.Declare: got %q, want one of %v", name, Names())
	}
	d := declarations[k]
	if instances > 0 {
		d.instances = min(d.instances, instances)
	}
	return d.declare(d.instances)
}
