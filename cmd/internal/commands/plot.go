package commands

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/words"
)

// A plotting is a plot command.
type plotting struct {
	*arguments.Plot
	in string
}

// colorComponent colours vertices by what they hang together with.
const colorComponent = "component"

func newPlot(c views.Console, stdin io.Reader) *cobra.Command {
	p := &plotting{Plot: &arguments.Plot{}}
	cmd := &cobra.Command{
		Use:   "plot GRAPH|SUMMARY --out FILE [flags]",
		Short: "Draw a graph or its learning curves as a figure",
		Long: `Draw a figure as .svg, .png (300 dpi) or .pdf, or a graph as a page to explore
(.html), with its table of edges. Kinds of figures from a graph:
  graph        vertices and edges; line width shows the weight, faint lines
               have low confidence (the default); arrows if it is directed
  weights      the weights, sorted
  heatmap      the weights as a matrix, neighbours next to each other
  atoms        the atoms of the kernels at a vertex, as colours on the graph
Kinds of figures from a summary written by learn --summary:
  convergence  residual and number of edges, step by step (the default)
  weights      the weights before the cut, sorted, and where they were cut
  kernels      the kernels over the spectrum
  spectrum     the energy of the signals at each graph frequency against the
               kernel of the field and its noise (method field)
Vertices are placed at the coordinates given by --vertices or by the graph file
(lat and lon, or x and y), otherwise by an automatic layout.
Long names are shortened. In .png and .pdf, names may be Latin, Greek or
Cyrillic, and other letters become boxes; .svg supports all letters.
GRAPH may be - for an edge list on standard input.`,
		Example: `  nervure plot graph.graphml --out graph.pdf
  nervure plot graph.csv --vertices stations.csv --color region --out map.svg
  nervure plot graph.json --out graph.html
  nervure plot summary.json --kind weights --out weights.png
  nervure plot field.json --kind spectrum --out spectrum.pdf
  nervure plot graph.csv --kind atoms --vertex Brest --out atoms.pdf`,
		Args:              arguments.OneArgument("the graph or summary to draw"),
		ValidArgsFunction: arguments.GraphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.in = args[0]
			return p.do(cmd.Context(), c, stdin)
		},
	}
	p.Define(cmd)
	return cmd
}

func (p *plotting) do(ctx context.Context, c views.Console, stdin io.Reader) error {
	if p.Out == "" {
		return arguments.Misuse("--out is missing: give the figure to write, a .svg, .png, .pdf or .html file")
	}
	if p.IsPage() {
		return p.writePage(ctx, c, stdin)
	}
	var drawing figure.Drawing
	out := output{"--out", p.Out, checkFigureName, toFile(func(w io.Writer) error {
		format, _ := figure.FormatOf(p.Out)
		return figure.Write(w, format, figure.Page{Width: p.Width, Heading: p.Title}, drawing)
	})}
	if err := checkOutputs([]output{out}, p.in, p.Vertices, p.Summary); err != nil {
		return err
	}
	words, err := await(ctx, func() (words string, err error) {
		drawing, words, err = p.draw(c, stdin)
		if err == nil {
			_, err = writeOutputs(ctx, []output{out})
		}
		return words, err
	})
	if err != nil {
		return err
	}
	c.Say(fmt.Sprintf("wrote %s: %s", p.Out, words))
	return nil
}

// checkFigureName refuses a name whose extension is no format for figures.
func checkFigureName(path string) error {
	if _, ok := figure.FormatOf(path); !ok {
		return arguments.Misuse("--out %s: want a name that ends in .svg, .png, .pdf or .html", path)
	}
	return nil
}

// draw reads the input and returns the figure, and what it shows in words.
func (p *plotting) draw(c views.Console, stdin io.Reader) (figure.Drawing, string, error) {
	var summary *plotSummary
	if isFile(p.in) { // a pipe can be read once only, and "-" is an edge list
		var err error
		if summary, err = readSummary(p.in); err != nil {
			return nil, "", err
		}
	}
	kind, err := p.KindOf(p.in, summary != nil)
	if err != nil {
		return nil, "", err
	}
	if summary != nil {
		return summary.draw(kind)
	}
	return p.drawGraph(kind, c, stdin)
}

// drawGraph draws a figure of a graph.
func (p *plotting) drawGraph(kind string, c views.Console, stdin io.Reader) (figure.Drawing, string, error) {
	file, err := readGraphInput(stdin, p.in, p.Directed)
	if err != nil {
		return nil, "", err
	}
	noteGraph(c, p.in, file)
	g := file.Graph
	words := sizeWords(g)
	switch title := p.in + ": " + words; kind {
	case arguments.PlotWeights:
		weights := make([]float64, 0, g.EdgeCount())
		for _, e := range g.Edges() {
			weights = append(weights, e.Weight)
		}
		slices.SortFunc(weights, func(a, b float64) int { return cmp.Compare(math.Abs(b), math.Abs(a)) })
		if len(weights) == 0 {
			return nil, "", arguments.Misuse("%s: the graph has no edges, so there are no weights to draw", p.in)
		}
		return plot.Weights(title, weights, 0), words, nil
	case arguments.PlotHeatmap:
		return plot.Heatmap(title, g), words, nil
	}
	table, err := p.readVertices(file)
	if err != nil {
		return nil, "", err
	}
	if table != nil {
		words += missingWords(table)
	}
	n := plot.Graph(p.in+": "+words, g, table)
	if kind == arguments.PlotAtoms {
		if g.Negative() > 0 {
			return nil, "", arguments.Misuse("%s: the graph has edges of negative weight, and atoms need weights from 0 up", p.in)
		}
		fields, err := p.atoms(g, n)
		return fields, words, err
	}
	n.Coloring, err = p.coloring(g, table)
	return n, words, err
}

// sizeWords says how large a graph is.
func sizeWords(g *graph.Graph) string {
	words := views.Plural(g.Vertices(), "vertex") + " and " + views.Plural(g.EdgeCount(), g.Word())
	if negative := g.Negative(); negative > 0 {
		words += fmt.Sprintf(", %d of them negative", negative)
	}
	return words
}

// readVertices returns what is known about vertices, from the table that was given
// or else from the graph's own file; nil if nothing is.
func (p *plotting) readVertices(file *dataio.GraphFile) (*dataio.VertexTable, error) {
	if p.Vertices == "" {
		return file.Vertices, nil
	}
	table, _, err := readVertices(p.Vertices, file.Graph.Names())
	return table, err
}

// missingWords says how many vertices have no coordinates where others have some.
func missingWords(table *dataio.VertexTable) string {
	x, _, _, ok := table.Places()
	lost := 0
	for _, v := range x {
		if math.IsNaN(v) {
			lost++
		}
	}
	if !ok || lost == 0 {
		return ""
	}
	return "; " + views.Plural(lost, "vertex") + " without coordinates drawn below"
}

// coloring gives vertices the colours that --color asks for, nil if it does not.
func (p *plotting) coloring(g *graph.Graph, table *dataio.VertexTable) (*figure.Coloring, error) {
	switch {
	case p.Color == "":
		return nil, nil
	case table == nil && p.Color != colorComponent:
		return nil, arguments.Misuse("--color %s needs --vertices with a table that has such a column; without a table, use --color %s", p.Color, colorComponent)
	case table != nil:
		var columns []string
		for _, c := range table.Columns {
			if strings.EqualFold(c.Name, p.Color) {
				return plot.Coloring(c), nil
			}
			columns = append(columns, c.Name)
		}
		if p.Color != colorComponent {
			return nil, arguments.Misuse("--color %s: %s has no such column; it has %s", p.Color, cmp.Or(p.Vertices, p.in), words.List(columns, "and"))
		}
	}
	return plot.Coloring(plot.ComponentColumn(g)), nil
}
