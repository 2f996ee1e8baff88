package commands

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/metrics"
)

// An evaluation is an evaluate command.
type evaluation struct {
	*arguments.Evaluate
	found string // path, or "-"
	note  string
}

func newEvaluate(c views.Console, stdin io.Reader) *cobra.Command {
	e := &evaluation{Evaluate: &arguments.Evaluate{}}
	cmd := &cobra.Command{
		Use:   "evaluate --truth TRUTH GRAPH [flags]",
		Short: "Score a graph against the ground truth or another graph",
		Long: `Score a learned graph against the ground truth: precision, recall and F1 of the
edges, weight error after matching scales, and normalised mutual information.
Vertices are matched by name; a vertex that a file does not mention has no edges
there. GRAPH may be - for an edge list on standard input.

If both graphs are directed, arrows are scored, and edges either way; otherwise
direction is ignored. An edge list has arrows if a pair is in it both ways, or
with --directed.

With --against instead of --truth, say how two learned graphs differ. If both
have evidence for their edges (columns partial, low, high and q), the partial
correlations of each edge in both are tested for a difference, and differences
with a q-value of at most --fdr are clear. An edge of one graph only is clearly
there if its own q is at most --fdr; the other graph has no interval for it, and
no test is made. Graphs without evidence, such as directed ones, are compared by
their edges and weights alone. The tests assume that the graphs come from
different recordings: two runs on the same file are not independent.`,
		Example: `  nervure evaluate --truth truth.csv graph.csv
  nervure evaluate --truth truth.csv graph.graphml --json
  nervure evaluate --truth truth.csv graph.csv \
    --codes-truth codes.npy --codes learned-codes.npy
  nervure evaluate before.csv --against after.csv --out differences.csv`,
		Args:              arguments.OneArgument("the graph to score"),
		ValidArgsFunction: arguments.GraphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			e.found = args[0]
			return e.do(cmd.Context(), c, stdin)
		},
	}
	e.Define(cmd)
	return cmd
}

func (e *evaluation) do(ctx context.Context, c views.Console, stdin io.Reader) error {
	if err := e.Check(); err != nil {
		return err
	}
	if e.Against != "" {
		return e.differ(ctx, c, stdin)
	}
	evaluation, err := await(ctx, func() (*document.Evaluation, error) { return e.score(c, stdin) })
	if err != nil {
		return err
	}
	if e.note != "" {
		c.Note("%s", e.note)
	}
	if e.JSON {
		return document.Write(c.Out, evaluation)
	}
	return views.PrintScores(c.Out, evaluation)
}

func (e *evaluation) score(c views.Console, stdin io.Reader) (*document.Evaluation, error) {
	truth, found, err := e.readGraphs(c, stdin)
	if err != nil {
		return nil, err
	}
	s, err := document.Evaluate(found, truth)
	if err != nil || e.CodesTruth == "" {
		return s, err
	}
	trueCodes, err := dataio.ReadMatrix(e.CodesTruth)
	if err != nil {
		return nil, err
	}
	foundCodes, err := dataio.ReadMatrix(e.CodesFound)
	if err != nil {
		return nil, err
	}
	support, err := metrics.DenseSupport(foundCodes, trueCodes)
	if fault := input.Find(err); fault != nil {
		return nil, &input.Error{File: e.CodesFound, Msg: fault.Fault()}
	}
	if err != nil {
		return nil, err
	}
	s.Codes = document.NewScore(support)
	return s, nil
}

// differ compares the graph with another learned one.
func (e *evaluation) differ(ctx context.Context, c views.Console, stdin io.Reader) error {
	check := func(path string) error {
		if !isTable(path) {
			return arguments.Misuse("--out %s: want a name that ends in .json or .csv", path)
		}
		return nil
	}
	outputs := func(d *document.Differences) []output { return []output{{"--out", e.Out, check, asTable(d)}} }
	if err := checkOutputs(outputs(nil), e.found, e.Against); err != nil {
		return err
	}
	differences, err := await(ctx, func() (*document.Differences, error) {
		other, graph, err := e.readFiles(c, stdin, e.Against)
		if err != nil {
			return nil, err
		}
		b, a, err := dataio.Match(other, graph)
		if err != nil {
			return nil, err
		}
		views.TellUnmentioned(c, e.Against, b.Names()[other.Graph.Vertices():])
		views.TellUnmentioned(c, arguments.InputName(e.found), a.Names()[graph.Graph.Vertices():])
		return document.Differ(a, b, cmp.Or(e.FDR, nervure.SureRate))
	})
	if err != nil {
		return err
	}
	if e.note != "" {
		c.Note("%s", e.note)
	}
	written, err := writeOutputs(ctx, outputs(differences))
	if e.JSON {
		err = errors.Join(err, document.Write(c.Out, differences))
	} else {
		err = errors.Join(err, views.PrintDifferences(c.Out, differences, arguments.InputName(e.found), e.Against))
	}
	c.Wrote(written)
	return err
}

// readGraphs reads both graphs and puts them on the same vertices.
func (e *evaluation) readGraphs(c views.Console, stdin io.Reader) (truth, found *graph.Graph, err error) {
	truthFile, foundFile, err := e.readFiles(c, stdin, e.Truth)
	if err != nil {
		return nil, nil, err
	}
	return dataio.Align(truthFile, foundFile)
}

// readFiles reads the graph and another one, and notes whether their direction is ignored.
func (e *evaluation) readFiles(c views.Console, stdin io.Reader, path string) (other, found *dataio.GraphFile, err error) {
	other, err = readGraphFile(path, e.Directed)
	if err != nil {
		return nil, nil, err
	}
	found, err = readGraphInput(stdin, e.found, e.Directed)
	if err != nil {
		return nil, nil, err
	}
	noteGraph(c, path, other)
	noteGraph(c, e.found, found)
	for _, pair := range [][2]*dataio.GraphFile{{other, found}, {found, other}} {
		if pair[0].Graph.Directed() && !pair[1].SaysDirection() {
			e.note = "only one of the graphs is directed, so direction is ignored; if the edges of the other are arrows, use --directed"
		}
	}
	return other, found, nil
}
