package cli

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/metrics"
)

// An evaluation is an evaluate command.
type evaluation struct {
	truth, found           string // paths; found may be "-"
	codesTruth, codesFound string
	directed               bool // edge lists are of arrows
	note                   string
	json                   bool
}

func newEvaluate(c console) *cobra.Command {
	e := &evaluation{}
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
		Args:              oneArgument("the graph to score"),
		ValidArgsFunction: graphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := c.reading(cmd)
			e.found = args[0]
			return e.do(cmd.Context(), c)
		},
	}
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&e.truth, "truth", "", "ground-truth graph `FILE`: "+readableGraphs)
		s.StringVar(&e.codesTruth, "codes-truth", "", "ground-truth codes `FILE` ("+matrixFormats+")")
		s.StringVar(&e.codesFound, "codes", "", "learned codes `FILE`")
		addDirected(s, &e.directed)
		s.BoolVar(&e.json, "json", false, "print JSON instead of a table")
	})
	mustComplete(cmd, "truth", graphFiles)
	mustComplete(cmd, "codes-truth", signalFiles)
	mustComplete(cmd, "codes", signalFiles)
	return cmd
}

func (e *evaluation) do(ctx context.Context, c console) error {
	switch {
	case e.truth == "":
		return misuse("--truth is missing: give the ground-truth graph")
	case (e.codesTruth == "") != (e.codesFound == ""):
		return misuse("--codes and --codes-truth must be used together")
	}
	evaluation, err := await(ctx, func() (*document.Evaluation, error) { return e.score(c) })
	if err != nil {
		return err
	}
	if e.note != "" {
		fmt.Fprintln(c.err, wrapped(e.note))
	}
	if e.json {
		return document.Write(c.out, evaluation)
	}
	return scores{evaluation}.writeTable(c.out)
}

func (e *evaluation) score(c console) (*document.Evaluation, error) {
	truth, found, err := e.readGraphs(c)
	if err != nil {
		return nil, err
	}
	s, err := document.Evaluate(found, truth)
	if err != nil || e.codesTruth == "" {
		return s, err
	}
	trueCodes, err := dataio.ReadMatrix(e.codesTruth)
	if err != nil {
		return nil, err
	}
	foundCodes, err := dataio.ReadMatrix(e.codesFound)
	if err != nil {
		return nil, err
	}
	support, err := metrics.DenseSupport(foundCodes, trueCodes)
	if fault := input.Find(err); fault != nil {
		return nil, &input.Error{File: e.codesFound, Msg: fault.Fault()}
	}
	if err != nil {
		return nil, err
	}
	s.Codes = document.NewScore(support)
	return s, nil
}

// readGraphs reads both graphs and puts them on the same vertices.
func (e *evaluation) readGraphs(c console) (truth, found *graph.Graph, err error) {
	truthFile, err := readGraphFile(e.truth)
	if err == nil && e.directed {
		truthFile, err = truthFile.AsDirected()
	}
	if err != nil {
		return nil, nil, err
	}
	foundFile, err := readGraphAs(c.in, e.found, e.directed)
	if err != nil {
		return nil, nil, err
	}
	noteGraph(c, e.truth, truthFile)
	noteGraph(c, e.found, foundFile)
	for _, pair := range [][2]*dataio.GraphFile{{truthFile, foundFile}, {foundFile, truthFile}} {
		if pair[0].Graph.Directed() && !pair[1].SaysDirection() {
			e.note = "note: only one of the graphs is directed, so direction is ignored; if the edges of the other are arrows, use --directed"
		}
	}
	return dataio.Align(truthFile, foundFile)
}

// scores is an evaluation as it is printed.
type scores struct{ *document.Evaluation }

func (s scores) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(what string, r *document.Score) {
		if r != nil {
			fmt.Fprintf(t, "%-14s\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t\n", what, r.True, r.Found, r.Correct, r.Precision, r.Recall, r.F1)
		}
	}
	fmt.Fprint(t, "\ttrue\tfound\tcorrect\tprecision\trecall\tF1\t\n")
	edges := "edges"
	if s.Directed {
		edges = "arrows"
	}
	row(edges, s.Edges())
	row("heaviest "+edges, s.AtTrueCount)
	row("either way", s.Undirected)
	row("code entries", s.Codes)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nweight error (scales matched)  %.4g\nmutual information (NMI)       %.4f\n", s.WeightError, s.NMI)
	return err
}
