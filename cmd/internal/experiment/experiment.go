// Package experiment holds the evidence for the paper's claims as declared
// experiments: a grid of cells, seeds, and a measure that turns one cell and one
// seed into a flat record. Running one writes a manifest and a line for each
// record to a directory, from which a later run goes on; see [Run]. Tables and
// figures only read records.
package experiment

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/internal/build"
)

// An Experiment is a piece of evidence that can be measured again.
type Experiment struct {
	Name   string
	Title  string // one line
	Claim  string // what the paper says, or what we expect
	Source string // where the paper says it
	// Instances is the largest number of graphs that a cell is measured on.
	Instances int
	// Options are all choices common to the cells, as resolved, for the manifest.
	Options map[string]any
	Stages  []Stage
	// Tables puts records of the last stage, of a finished run or of one that
	// was interrupted, next to what the paper prints.
	Tables func([]Record) []Table
	// Figure draws such records as the paper does, as SVG; nil if the paper does not.
	Figure func(io.Writer, []Record) error
}

// A Stage is a part of an experiment that needs the stages before it finished,
// such as measuring after tuning.
type Stage struct {
	Name  string
	Seeds Seeds // of every cell
	Cells []Cell
}

// The names of stages.
const (
	Tuning    = "tuning"    // hyper-parameters, on graphs that are not measured on
	Measuring = "measuring" // what is reported
)

// Seeds are consecutive.
type Seeds struct {
	First uint64 `json:"first"`
	Count int    `json:"count"`
}

// Tuning and measuring never see the same graph. The recipes' constants were
// chosen on seeds from 7000 on as well, and the recovery benchmark begins at 900 000.
const (
	firstTuningSeed    = 7000
	firstMeasuringSeed = 1_000_000
)

// A Cell is one point of the grid.
type Cell struct {
	// Labels tell it from the other cells of its stage.
	Labels []Label
	// Measure returns what was found on the graph of a seed. It depends on
	// nothing but its arguments, and is called from several goroutines at a
	// time. before holds the records of all earlier stages, in their order.
	Measure func(ctx context.Context, seed uint64, before []Record) (Values, error)
}

// A Label is a coordinate of a cell: a string or a float64.
type Label struct {
	Key   string
	Value any
}

// Text and Amount make labels.
func Text[S ~string](key string, value S) Label { return Label{key, string(value)} }

// Amount makes a label of a number.
func Amount[N int | float64](key string, value N) Label { return Label{key, float64(value)} }

// Name is the cell in records and manifests: "vertices=20 recipe=default".
func (c Cell) Name() string {
	words := make([]string, len(c.Labels))
	for i, l := range c.Labels {
		value := fmt.Sprint(l.Value)
		if v, ok := l.Value.(float64); ok {
			value = strconv.FormatFloat(v, 'g', -1, 64)
		}
		words[i] = l.Key + "=" + value
	}
	return strings.Join(words, " ")
}

// Size returns the number of records of the whole experiment.
func (e *Experiment) Size() int {
	size := 0
	for _, s := range e.Stages {
		size += len(s.Cells) * s.Seeds.Count
	}
	return size
}

// A point is where a record is to be made.
type point struct {
	stage int
	cell  int
	seed  uint64
}

// points lists those of a stage, seed after seed, so that an interrupted run has
// seen all cells alike and the time left can be told from the time spent.
func (e *Experiment) points(stage int) []point {
	var list []point
	s := e.Stages[stage]
	for k := range s.Seeds.Count {
		for c := range s.Cells {
			list = append(list, point{stage, c, s.Seeds.First + uint64(k)})
		}
	}
	return list
}

// key identifies the record of a point.
func (e *Experiment) key(t point) recordKey {
	s := e.Stages[t.stage]
	return recordKey{s.Name, s.Cells[t.cell].Name(), t.seed}
}

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
	if k := placeOf(name); k >= 0 {
		return declarations[k].about
	}
	return ""
}

// placeOf returns the place of an experiment among the declarations, -1 if there is none.
func placeOf(name string) int {
	return slices.IndexFunc(declarations, func(d declaration) bool { return d.name == name })
}

// Declare returns the experiment of that name with at most that many graphs a
// cell; zero means all of them.
func Declare(name string, instances int) (*Experiment, error) {
	k := placeOf(name)
	if k < 0 {
		return nil, fmt.Errorf("experiment.Declare: got %q, want one of %v", name, Names())
	}
	d := declarations[k]
	if instances > 0 {
		d.instances = min(d.instances, instances)
	}
	return d.declare(d.instances)
}

// A Build says which program measured: results of different ones do not mix.
type Build = build.Program
