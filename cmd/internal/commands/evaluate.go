package commands

import (
	"context"
	"io"

	"github.com/spf13/cobra"

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
		Short: "Score a learned graph against the ground truth",
		Long: `Score a learned graph against the ground truth: precision, recall and F1 of the
edges, weight error after matching scales, and normalised mutual information.
Vertices are matched by name; a vertex that a file does not mention has no edges
there. GRAPH may be - for an edge list on standard input.

If both graphs are directed, arrows are scored, and edges either way; otherwise
direction is ignored. An edge list has arrows if a pair is in it both ways, or
with --directed.`,
		Example: `  nervure evaluate --truth truth.csv graph.csv
  nervure evaluate --truth truth.csv graph.graphml --json
  nervure evaluate --truth truth.csv graph.csv \
    --codes-truth codes.npy --codes learned-codes.npy`,
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

// readGraphs reads both graphs and puts them on the same vertices.
func (e *evaluation) readGraphs(c views.Console, stdin io.Reader) (truth, found *graph.Graph, err error) {
	truthFile, err := readGraphFile(e.Truth, e.Directed)
	if err != nil {
		return nil, nil, err
	}
	foundFile, err := readGraphInput(stdin, e.found, e.Directed)
	if err != nil {
		return nil, nil, err
	}
	noteGraph(c, e.Truth, truthFile)
	noteGraph(c, e.found, foundFile)
	for _, pair := range [][2]*dataio.GraphFile{{truthFile, foundFile}, {foundFile, truthFile}} {
		if pair[0].Graph.Directed() && !pair[1].SaysDirection() {
			e.note = "only one of the graphs is directed, so direction is ignored; if the edges of the other are arrows, use --directed"
		}
	}
	return dataio.Align(truthFile, foundFile)
}
