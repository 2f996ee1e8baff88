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
	"strconv"
	"strings"
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

// text and amount make labels.
func text[S ~string](key string, value S) Label { return Label{key, string(value)} }

func amount[N int | float64](key string, value N) Label { return Label{key, float64(value)} }

// name is the cell in records and manifests: "vertices=20 recipe=default".
func (c Cell) name() string {
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
	return recordKey{s.Name, s.Cells[t.cell].name(), t.seed}
}
