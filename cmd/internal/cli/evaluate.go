package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/sparse"
)

// An evaluation is an evaluate command.
type evaluation struct {
	truth, found           string // paths; found may be "-"
	codesTruth, codesFound string
	json                   bool
}

func newEvaluate(c console) *cobra.Command {
	e := &evaluation{}
	cmd := &cobra.Command{
		Use:   "evaluate --truth TRUTH GRAPH [flags]",
		Short: "Score a learned graph against the true one",
		Long: `Score a learned graph against the true one: precision, recall and F1 of its
edges, the error of its weights once the scales are matched, and the normalised
mutual information. Vertices are matched by name; one that a file does not
mention has no edges there. GRAPH may be - for an edge list on standard input.`,
		Example: `  nervure evaluate --truth truth.csv graph.csv
  nervure evaluate --truth truth.csv graph.graphml --json
  nervure evaluate --truth truth.csv graph.csv \
    --codes-truth codes.npy --codes learned-codes.npy`,
		Args:              oneArgument("the graph to score"),
		ValidArgsFunction: graphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			e.found = args[0]
			return e.do(cmd.Context(), c)
		},
	}
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&e.truth, "truth", "", "the true graph, `FILE`: "+readableGraphs)
		s.StringVar(&e.codesTruth, "codes-truth", "", "the true codes, `FILE` ("+matrixFormats+")")
		s.StringVar(&e.codesFound, "codes", "", "the learned codes, `FILE`")
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
		return misuse("--truth is missing: the file of the true graph")
	case (e.codesTruth == "") != (e.codesFound == ""):
		return misuse("--codes and --codes-truth go together")
	}
	evaluation, err := await(ctx, func() (*document.Evaluation, error) { return e.score(c.in) })
	if err != nil {
		return err
	}
	if e.json {
		return document.Write(c.out, evaluation)
	}
	return scores{evaluation}.writeTable(c.out)
}

func (e *evaluation) score(stdin io.Reader) (*document.Evaluation, error) {
	truth, found, err := e.readGraphs(stdin)
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
	rows, cols := foundCodes.Dims()
	wantRows, wantCols := trueCodes.Dims()
	if rows != wantRows || cols != wantCols {
		return nil, &input.Error{File: e.codesFound, Msg: fmt.Sprintf(
			"the codes are %d×%d, the true ones %d×%d: are they of the same signals, vertices and kernels?", rows, cols, wantRows, wantCols)}
	}
	support, err := metrics.Support(sparse.FromDense(foundCodes), sparse.FromDense(trueCodes))
	if err != nil {
		return nil, err
	}
	s.Codes = document.NewScore(support)
	return s, nil
}

// readGraphs reads both graphs and puts them on the same vertices.
func (e *evaluation) readGraphs(stdin io.Reader) (truth, found *graph.Graph, err error) {
	if truth, err = readGraph(e.truth, nil); err != nil {
		return nil, nil, err
	}
	name := e.found
	if name == "-" {
		name = "standard input"
		found, err = dataio.DecodeGraph(stdin, name, dataio.CSV, nil)
	} else {
		found, err = e.readFound(truth)
	}
	if err != nil {
		return nil, nil, err
	}
	union := truth.Names()
	known := make(map[string]int, len(union))
	for i, v := range union {
		known[v] = i
	}
	shared := 0
	for _, v := range found.Names() {
		if _, ok := known[v]; ok {
			shared++
			continue
		}
		known[v] = len(union)
		union = append(union, v)
	}
	if shared == 0 && truth.Vertices() > 0 && found.Vertices() > 0 {
		return nil, nil, &input.Error{File: name, Msg: fmt.Sprintf(
			"it has no vertex in common with %s (%q and %q, for example): are they graphs of the same signals?",
			e.truth, found.Names()[0], truth.Names()[0])}
	}
	if truth, err = onto(truth, union, known); err != nil {
		return nil, nil, err
	}
	found, err = onto(found, union, known)
	return truth, found, err
}

// readFound reads the graph to score. An array has no names of its own and takes
// those of the truth, if the truth tells their order.
func (e *evaluation) readFound(truth *graph.Graph) (*graph.Graph, error) {
	found, err := readGraph(e.found, nil)
	format, _ := dataio.FormatOf(e.found)
	numbered := format == dataio.NPY || format == dataio.MatrixMarket || format == dataio.MAT // perhaps, for the latter two
	if err != nil || !numbered || !slices.Equal(found.Names(), graph.DefaultNames(found.Vertices())) {
		return found, err
	}
	names := truth.Names()
	if f, _ := dataio.FormatOf(e.truth); f != dataio.CSV && f != dataio.TSV {
		if slices.Equal(names, graph.DefaultNames(len(names))) {
			return found, nil
		}
		return readGraph(e.found, names)
	}
	// An edge list may leave out vertices, but not name any that is not there.
	own := map[string]bool{}
	for _, name := range found.Names() {
		own[name] = true
	}
	if slices.ContainsFunc(names, func(name string) bool { return !own[name] }) {
		return nil, &input.Error{File: e.found, Msg: "an array has no names, and an edge list does not tell their order: write the graph as .csv"}
	}
	return found, nil
}

// onto returns g with more vertices; index numbers all of them.
func onto(g *graph.Graph, names []string, index map[string]int) (*graph.Graph, error) {
	own, edges := g.Names(), g.Edges()
	for k, e := range edges {
		edges[k].I, edges[k].J = index[own[e.I]], index[own[e.J]]
	}
	return graph.New(names, edges)
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
	row("edges", s.Edges())
	row("heaviest edges", s.AtTrueCount)
	row("code entries", s.Codes)
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nweight error, scales matched  %.4g\nmutual information (NMI)      %.4f\n", s.WeightError, s.NMI)
	return err
}
