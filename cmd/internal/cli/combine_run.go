package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
)

// A combineRun is a combine command.
type combineRun struct {
	*combineFlags
	graphs   []string // paths
	source   signalFile
	classes  []string // of labels that are no numbers; set by readLabels
	labelled []string // labels as written; set by readLabels
}

// A combineProblem is graphs and labels on the same vertices.
type combineProblem struct {
	graphs []*graph.Graph
	labels *mat.Dense
}

func (r *combineRun) do(ctx context.Context, c console) error {
	inputs := slices.Concat(r.graphs, []string{r.labels}, r.source.inputs())
	if err := checkOutputs(r.outputs(nil), slices.DeleteFunc(inputs, func(s string) bool { return s == "" })...); err != nil {
		return err
	}
	read := r.readLabels
	if r.signals != "" {
		read = r.readSignals
	}
	p, err := await(ctx, func() (*combineProblem, error) { return read(c) })
	if err != nil {
		return err
	}
	threads, restore := useThreads(r.threads.value)
	defer restore()
	o := gsp.CombineOptions{Gamma: r.given.value, Center: true, Seed: r.seed, Threads: threads}
	result, err := gsp.Combine(ctx, p.graphs, p.labels, o)
	if result == nil {
		return r.explain(ctx, err)
	}
	written, err := writeOutputs(ctx, r.outputs(result))
	err = errors.Join(err, r.printWeights(c.out, result))
	if !r.quiet {
		r.tell(c, result, p, written)
	}
	if result.Status == method.Interrupted {
		err = errors.Join(&interruption{"the best weights so far were written"}, err)
	}
	return err
}

// readSignals reads signals, and the graphs on their vertices.
func (r *combineRun) readSignals(c console) (*combineProblem, error) {
	set, err := r.source.read(c, r.quiet)
	if err != nil {
		return nil, err
	}
	if err := r.source.refuseGaps(set); err != nil {
		return nil, err
	}
	p := &combineProblem{labels: set.Y}
	if _, m := set.Y.Dims(); m > 1 {
		p.labels, _ = gsp.Center(set.Y)
	}
	for _, path := range r.graphs {
		g, err := readGraph(path, set.Names)
		if err != nil {
			return nil, err
		}
		p.graphs = append(p.graphs, g)
	}
	return p, nil
}

// readLabels reads graphs, puts them on the vertices of all of them, and reads the
// labels of those.
func (r *combineRun) readLabels(console) (*combineProblem, error) {
	p := &combineProblem{}
	var names []string
	for k, path := range r.graphs {
		file, err := readGraphFile(path)
		if err != nil {
			return nil, err
		}
		g := file.Graph
		if k > 0 {
			if g, err = file.With(names); err != nil {
				return nil, err
			}
		}
		names = g.Names()
		p.graphs = append(p.graphs, g)
	}
	for k, g := range p.graphs {
		whole, err := g.OnVertices(names)
		if err != nil {
			return nil, err
		}
		p.graphs[k] = whole
	}
	table, _, err := readVertices(r.labels, names)
	if err != nil {
		return nil, err
	}
	column, err := r.columnOf(table)
	if err != nil {
		return nil, err
	}
	r.labelled = slices.Clone(column.Text)
	if column.Numbers != nil {
		p.labels = mat.NewDense(len(names), 1, slices.Clone(column.Numbers))
		return p, nil
	}
	for k := range r.labelled {
		if column.IsMissing(k) {
			r.labelled[k] = ""
		}
	}
	r.classes, p.labels = gsp.Classes(r.labelled)
	return p, nil
}

// columnOf finds the column of labels.
func (r *combineRun) columnOf(table *dataio.VertexTable) (*dataio.VertexColumn, error) {
	var known []string
	for k, c := range table.Columns {
		if c.Name == r.column || r.column == "" {
			return &table.Columns[k], nil
		}
		known = append(known, c.Name)
	}
	if len(known) == 0 {
		return nil, &input.Error{File: r.labels, Msg: "it has no column of labels beside the names"}
	}
	return nil, misuse("--column %q: %s has %s", r.column, r.labels, words.List(known, "and"))
}

// explain words why there are no weights.
func (r *combineRun) explain(ctx context.Context, err error) error {
	e := input.Find(err)
	switch {
	case ctx.Err() != nil:
		return &interruption{"nothing was written"}
	case e == nil:
		return err
	case e.Field == input.Signals && r.labels != "":
		return &input.Error{File: r.labels, Msg: e.Msg}
	}
	return misuse("%s", e.Fault())
}

// outputs lists the files to write.
func (r *combineRun) outputs(result *gsp.Combination) []output {
	var list []output
	if r.out != "" {
		list = append(list, output{"--out", r.out, checkGraphName, func(path string) error { return writeGraph(path, dataio.GraphFile{Graph: result.Graph}) }})
	}
	if r.predict != "" {
		list = append(list, output{"--predict", r.predict, checkCSVName("--predict"), func(path string) error {
			return dataio.WriteFile(path, func(w io.Writer) error { return r.writePredictions(w, result) })
		}})
	}
	return list
}

// writePredictions writes a row for each vertex: its name, its label if that is
// known, and the one predicted.
func (r *combineRun) writePredictions(w io.Writer, result *gsp.Combination) error {
	predicted := make([]string, result.Graph.Vertices())
	if r.classes != nil {
		predicted = gsp.NearestClasses(r.classes, result.Prediction)
	} else {
		for i := range predicted {
			predicted[i] = strconv.FormatFloat(result.Prediction.At(i, 0), 'g', -1, 64)
		}
	}
	rows := [][]string{{"name", "label", "predicted"}}
	for i, name := range result.Graph.Names() {
		rows = append(rows, []string{name, r.labelled[i], predicted[i]})
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// printWeights prints a line for each graph.
func (r *combineRun) printWeights(w io.Writer, result *gsp.Combination) error {
	if _, err := fmt.Fprintln(w, "weight  graph"); err != nil {
		return err
	}
	for k, path := range r.graphs {
		if _, err := fmt.Fprintf(w, "%6.4f  %s\n", result.Weights[k], path); err != nil {
			return err
		}
	}
	return nil
}

// tell says what the weights rest on.
func (r *combineRun) tell(c console, result *gsp.Combination, p *combineProblem, written []string) {
	note := func(format string, args ...any) { fmt.Fprintln(c.err, wrapped("note: "+fmt.Sprintf(format, args...))) }
	for _, k := range result.Joined {
		note("%s is not connected: a weak edge was added between all pairs of its vertices to compute its kernel", r.graphs[k])
	}
	if result.AtEnd {
		note("the chosen gamma is at an end of the values that were tried, %g to %g", 0.01, 10.0)
	}
	if result.Status == method.Stalled || result.Status == method.MaxRounds {
		note("the weights are not optimal to the last digits: the gap is %.2g of the objective", result.Gap/result.Objective)
	}
	_, m := p.labels.Dims()
	what := plural(m, "signal")
	if r.labels != "" {
		known := 0
		for i := range p.graphs[0].Vertices() {
			if !math.IsNaN(p.labels.At(i, 0)) {
				known++
			}
		}
		what = plural(known, "label")
	}
	how := "given"
	if !r.given.given {
		how = "chosen by hiding labels, which are predicted with " + percent(result.HiddenError) + " of their variance as error"
	}
	fmt.Fprintln(c.err, wrapped(fmt.Sprintf("weighed %s on %s by %s: gamma %.3g (%s), gap %.1g%s",
		plural(len(r.graphs), "graph"), plural(result.Graph.Vertices(), "vertex"), what, result.Gamma, how, result.Gap, wroteWords(written))))
}
