package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/figure"
)

// The kinds of figure.
const (
	plotGraph       = "graph"
	plotWeights     = "weights"
	plotHeatmap     = "heatmap"
	plotAtoms       = "atoms"
	plotKernels     = "kernels"
	plotConvergence = "convergence"
)

// Which kinds can be drawn of which input, the usual one first.
var (
	graphKinds   = []string{plotGraph, plotWeights, plotHeatmap, plotAtoms}
	summaryKinds = []string{plotConvergence, plotWeights, plotKernels}
)

// A plotting is a plot command.
type plotting struct {
	in, out  string
	kind     *choice
	vertices string
	color    string
	kernels  kernelFlags
	summary  string
	at       []string
	width    number
	directed bool
	title    string

	flags *pflag.FlagSet
}

// colorComponent colours vertices by what they hang together with.
const colorComponent = "component"

func newPlot(c console) *cobra.Command {
	p := &plotting{}
	cmd := &cobra.Command{
		Use:   "plot GRAPH|SUMMARY --out FILE [flags]",
		Short: "Draw a graph or its learning curves as a figure",
		Long: `Draw a figure as .svg, .png (300 dpi) or .pdf. Kinds of figures from a graph:
  graph        vertices and edges; line width shows the weight, faint lines
               have low confidence (the default); arrows if it is directed
  weights      the weights, sorted
  heatmap      the weights as a matrix, neighbours next to each other
  atoms        the atoms of the kernels at a vertex, as colours on the graph
Kinds of figures from a summary written by learn --summary:
  convergence  residual and number of edges, step by step (the default)
  weights      the weights before the cut, sorted, and where they were cut
  kernels      the kernels over the spectrum
Vertices are placed at the coordinates given by --vertices or by the graph file
(lat and lon, or x and y), otherwise by an automatic layout.
Long names are shortened. In .png and .pdf, names may be Latin, Greek or
Cyrillic, and other letters become boxes; .svg supports all letters.
GRAPH may be - for an edge list on standard input.`,
		Example: `  nervure plot graph.graphml --out graph.pdf
  nervure plot graph.csv --vertices stations.csv --color region --out map.svg
  nervure plot summary.json --kind weights --out weights.png
  nervure plot graph.csv --kind atoms --vertex Brest --out atoms.pdf`,
		Args:              oneArgument("the graph or summary to draw"),
		ValidArgsFunction: graphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := c.reading(cmd)
			p.in, p.flags = args[0], cmd.Flags()
			return p.do(cmd.Context(), c)
		},
	}
	p.define(cmd)
	return cmd
}

func (p *plotting) define(cmd *cobra.Command) {
	p.kind = newChoice("", plotGraph, plotWeights, plotHeatmap, plotAtoms, plotKernels, plotConvergence)
	p.width = number{value: 180, want: "a number from 20 to 500", ok: func(v float64) bool { return v >= 20 && v <= 500 }}
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&p.out, "out", "", "write the figure to `FILE`: .svg, .png or .pdf")
		s.Var(p.kind, "kind", "what to draw: "+either(p.kind.allowed))
		addDirected(s, &p.directed)
		s.Var(&p.width, "width", "width of the figure in mm")
		s.StringVar(&p.title, "title", "", "title `TEXT` above the figure")
	})
	addFlags(cmd, "Vertices", func(s *pflag.FlagSet) {
		s.StringVar(&p.vertices, "vertices", "", "table of vertex attributes `FILE` ("+vertexFormats+"), matched by name")
		s.StringVar(&p.color, "color", "", "colour vertices by a `COLUMN` of that table or by component")
	})
	addFlags(cmd, "Atoms", func(s *pflag.FlagSet) {
		p.kernels.define(s)
		s.StringVar(&p.summary, "summary", "", "use the kernels of the summary `FILE` written by learn")
		s.StringArrayVar(&p.at, "vertex", nil, "draw the atoms of vertex `NAME` (repeatable; default: the three vertices with most edges)")
	})
	mustComplete(cmd, "out", cobra.FixedCompletions([]cobra.Completion{"svg", "png", "pdf"}, cobra.ShellCompDirectiveFilterFileExt))
	mustComplete(cmd, "vertices", vertexFiles)
	p.kernels.complete(cmd)
}

func (p *plotting) do(ctx context.Context, c console) error {
	if p.out == "" {
		return misuse("--out is missing: give the figure to write, a .svg, .png or .pdf file")
	}
	var drawing figure.Drawing
	out := output{"--out", p.out, checkFigureName, func(path string) error {
		format, _ := figure.FormatOf(path)
		return dataio.WriteFile(path, func(w io.Writer) error {
			return figure.Write(w, format, figure.Page{Width: p.width.value, Heading: p.title}, drawing)
		})
	}}
	if err := checkOutputs([]output{out}, p.in, p.vertices, p.summary); err != nil {
		return err
	}
	words, err := await(ctx, func() (words string, err error) {
		drawing, words, err = p.draw(c)
		if err == nil {
			_, err = writeOutputs(ctx, []output{out})
		}
		return words, err
	})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.err, wrapped(fmt.Sprintf("wrote %s: %s", p.out, words)))
	return nil
}

// checkFigureName refuses a name whose extension is no format for figures.
func checkFigureName(path string) error {
	if _, ok := figure.FormatOf(path); !ok {
		return misuse("--out %s: want a name that ends in .svg, .png or .pdf", path)
	}
	return nil
}

// draw reads the input and returns the figure, and what it shows in words.
func (p *plotting) draw(c console) (figure.Drawing, string, error) {
	var summary *plotSummary
	if isFile(p.in) { // a pipe can be read once only, and "-" is an edge list
		var err error
		if summary, err = readSummary(p.in); err != nil {
			return nil, "", err
		}
	}
	kinds, what := graphKinds, "a graph"
	if summary != nil {
		kinds, what = summaryKinds, "a learn summary"
	}
	kind := p.kind.value
	if !p.kind.given {
		kind = kinds[0]
	}
	if err := p.checkKind(kind, kinds, what); err != nil {
		return nil, "", err
	}
	if summary != nil {
		return summary.draw(kind)
	}
	return p.drawGraph(kind, c)
}

// checkKind refuses a kind that the input has no data for, and flags that the kind
// has no use for.
func (p *plotting) checkKind(kind string, kinds []string, what string) error {
	if !slices.Contains(kinds, kind) {
		other := "a graph file"
		if slices.Contains(summaryKinds, kind) {
			other = "a file written by learn --summary"
		}
		return misuse("--kind %s: %s is %s, which can be drawn as %s; %s needs %s", kind, p.in, what, either(kinds), kind, other)
	}
	for _, f := range []struct {
		name string
		uses []string
	}{
		{"vertices", []string{plotGraph, plotAtoms}},
		{"color", []string{plotGraph}},
		{"kernel", []string{plotAtoms}},
		{"degree", []string{plotAtoms}},
		{"approx", []string{plotAtoms}},
		{"summary", []string{plotAtoms}},
		{"vertex", []string{plotAtoms}},
	} {
		if p.flags.Changed(f.name) && !slices.Contains(f.uses, kind) {
			return misuse("--%s applies to --kind %s, not to --kind %s", f.name, either(f.uses), kind)
		}
	}
	return nil
}
