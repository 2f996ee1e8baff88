package commands

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
)

func newCombine(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Combine{}
	cmd := &cobra.Command{
		Use:   "combine GRAPH GRAPH... (--signals FILE | --labels FILE) [flags]",
		Short: "Weigh given graphs by the labels or signals they explain",
		Long: `Find the weights with which several graphs on the same vertices explain labels
or signals best, print them, and write the weighted sum of the graphs.

Use it to predict labels that are known only at some vertices, where several
graphs are at hand and none is known to be right. Do not use it to learn a graph
from signals: it finds no edge that none of the given graphs has. To choose
between methods, use compare.

The kernel of a graph is the pseudo-inverse of its Laplacian, scaled to the same
trace for all. The weights minimise the squared error plus gamma times the
roughness under the sum of the kernels, which is a convex problem; they are
optimal up to the gap that is reported.`,
		Example: `  nervure combine graph.csv old.csv --labels stations.csv --column region \
    --predict regions.csv
  nervure combine graph.csv old.csv --signals signals.csv --out combined.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return arguments.Misuse("want at least two graph files, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: arguments.GraphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.Check(); err != nil {
				return err
			}
			run := &combineRun{Combine: f, graphs: args, source: signalsOf(f.Asked.Read, f.Signals, stdin)}
			return run.do(cmd.Context(), c)
		},
	}
	f.Define(cmd)
	return cmd
}

// A combineRun is a combine command.
type combineRun struct {
	*arguments.Combine
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

func (r *combineRun) do(ctx context.Context, c views.Console) error {
	inputs := slices.Concat(r.graphs, []string{r.Labels}, r.source.inputs())
	if err := checkOutputs(r.outputs(nil), slices.DeleteFunc(inputs, func(s string) bool { return s == "" })...); err != nil {
		return err
	}
	read := r.readLabels
	if r.Signals != "" {
		read = r.readSignals
	}
	p, err := await(ctx, func() (*combineProblem, error) { return read(c) })
	if err != nil {
		return err
	}
	threads, restore := useThreads(r.Threads)
	defer restore()
	o := r.Options
	o.Center, o.Threads = true, threads
	result, err := gsp.Combine(ctx, p.graphs, p.labels, o)
	if result == nil {
		return r.explain(ctx, err)
	}
	written, err := writeOutputs(ctx, r.outputs(result))
	err = errors.Join(err, views.PrintWeights(c.Out, r.graphs, result))
	if !r.Quiet {
		given := views.Plural(len(slices.DeleteFunc(mat.Col(nil, 0, p.labels), math.IsNaN)), "label")
		if r.Labels == "" {
			given = views.Plural(p.labels.RawMatrix().Cols, "signal")
		}
		views.TellCombination(c, r.graphs, given, o.Gamma == 0, result, written)
	}
	if result.Status == method.Interrupted {
		err = errors.Join(views.Interrupted("the best weights so far were written"), err)
	}
	return err
}

// readSignals reads signals, and the graphs on their vertices.
func (r *combineRun) readSignals(c views.Console) (*combineProblem, error) {
	set, err := r.source.read(c, r.Quiet)
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
func (r *combineRun) readLabels(views.Console) (*combineProblem, error) {
	p := &combineProblem{}
	var names []string
	for k, path := range r.graphs {
		file, err := readGraphFile(path, false)
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
	table, _, err := readVertices(r.Labels, names)
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
		if c.Name == r.Column || r.Column == "" {
			return &table.Columns[k], nil
		}
		known = append(known, c.Name)
	}
	if len(known) == 0 {
		return nil, &input.Error{File: r.Labels, Msg: "it has no column of labels beside the names"}
	}
	return nil, arguments.Misuse("--column %q: %s has %s", r.Column, r.Labels, words.List(known, "and"))
}

// explain words why there are no weights.
func (r *combineRun) explain(ctx context.Context, err error) error {
	e := input.Find(err)
	switch {
	case ctx.Err() != nil:
		return views.Interrupted("nothing was written")
	case e == nil:
		return err
	case e.Field == input.Signals && r.Labels != "":
		return &input.Error{File: r.Labels, Msg: e.Msg}
	}
	return arguments.Misuse("%s", e.Fault())
}

// outputs lists the files to write.
func (r *combineRun) outputs(result *gsp.Combination) []output {
	return []output{
		{"--out", r.Out, checkGraphName, func(path string) error { return writeGraph(path, dataio.GraphFile{Graph: result.Graph}) }},
		{"--predict", r.Predict, endsIn("--predict", ".csv"), toFile(func(w io.Writer) error { return r.writePredictions(w, result) })},
	}
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
