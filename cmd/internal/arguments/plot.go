package arguments

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
)

// The kinds of figure.
const (
	PlotGraph       = "graph"
	PlotWeights     = "weights"
	PlotHeatmap     = "heatmap"
	PlotAtoms       = "atoms"
	PlotKernels     = "kernels"
	PlotSpectrum    = "spectrum"
	plotConvergence = "convergence"
)

// Which kinds can be drawn of which input, the usual one first.
var (
	graphKinds   = []string{PlotGraph, PlotWeights, PlotHeatmap, PlotAtoms}
	SummaryKinds = []string{plotConvergence, PlotWeights, PlotKernels, PlotSpectrum}
)

// Plot are the flags of plot.
type Plot struct {
	Out      string
	Vertices string
	Color    string
	Kernels  document.RunKernels
	Summary  string
	At       []string
	Width    float64
	Directed bool
	Title    string

	kind string // "" for the usual one of the input
	set  *pflag.FlagSet
}

// Define adds the flags to a command.
func (f *Plot) Define(cmd *cobra.Command) {
	f.set, f.Width = cmd.Flags(), 180
	kind := boundTo(&f.kind, PlotGraph, PlotWeights, PlotHeatmap, PlotAtoms, PlotKernels, PlotSpectrum, plotConvergence)
	width := &boundNumber{&f.Width, "a number from 20 to 500", func(v float64) bool { return v >= 20 && v <= 500 }}
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&f.Out, "out", "", "write the figure to `FILE`: .svg, .png or .pdf, or, for a graph, .html")
		s.Var(kind, "kind", "what to draw: "+either(kind.allowed))
		defineDirected(s, &f.Directed)
		s.Var(width, "width", "width of the figure in mm")
		s.StringVar(&f.Title, "title", "", "title `TEXT` above the figure")
	})
	addFlags(cmd, "Vertices", func(s *pflag.FlagSet) {
		s.StringVar(&f.Vertices, "vertices", "", "table of vertex attributes `FILE` ("+vertexFormats+"), matched by name")
		s.StringVar(&f.Color, "color", "", "colour vertices by a `COLUMN` of that table or by component")
	})
	addFlags(cmd, "Atoms", func(s *pflag.FlagSet) {
		defineKernels(s, &f.Kernels)
		s.StringVar(&f.Summary, "summary", "", "use the kernels of the summary `FILE` written by learn")
		s.StringArrayVar(&f.At, "vertex", nil, "draw the atoms of vertex `NAME` (repeatable; default: the three vertices with most edges)")
	})
	mustComplete(cmd, "out", cobra.FixedCompletions([]cobra.Completion{"svg", "png", "pdf", "html"}, cobra.ShellCompDirectiveFilterFileExt))
	mustComplete(cmd, "vertices", vertexFiles)
	completeKernels(cmd)
}

// IsPage reports whether a page is to be written, not a figure.
func (f *Plot) IsPage() bool { return strings.EqualFold(filepath.Ext(f.Out), ".html") }

// KindOf returns what to draw of a graph, or of a summary. It refuses a kind that the input
// has no data for, and flags that the kind has no use for.
func (f *Plot) KindOf(in string, isSummary bool) (string, error) {
	kinds, what := graphKinds, "a graph"
	if isSummary {
		kinds, what = SummaryKinds, "a learn summary"
	}
	kind := f.kind
	if kind == "" {
		kind = kinds[0]
	}
	if !slices.Contains(kinds, kind) {
		other := "a graph file"
		if slices.Contains(SummaryKinds, kind) {
			other = "a file written by learn --summary"
		}
		return "", Misuse("--kind %s: %s is %s, which can be drawn as %s; %s needs %s", kind, in, what, either(kinds), kind, other)
	}
	for _, flag := range []struct {
		name string
		uses []string
	}{
		{"vertices", []string{PlotGraph, PlotAtoms}},
		{"color", []string{PlotGraph}},
		{"kernel", []string{PlotAtoms}},
		{"degree", []string{PlotAtoms}},
		{"approx", []string{PlotAtoms}},
		{"summary", []string{PlotAtoms}},
		{"vertex", []string{PlotAtoms}},
	} {
		if f.set.Changed(flag.name) && !slices.Contains(flag.uses, kind) {
			return "", Misuse("--%s applies to --kind %s, not to --kind %s", flag.name, either(flag.uses), kind)
		}
	}
	if f.IsPage() && kind != PlotGraph {
		return "", Misuse("--kind %s is drawn as .svg, .png or .pdf, not as a page", kind)
	}
	for _, flag := range []string{"color", "width"} {
		if f.IsPage() && f.set.Changed(flag) {
			return "", Misuse("--%s applies to .svg, .png and .pdf figures, not to a page", flag)
		}
	}
	if f.Summary != "" && f.set.Changed("kernel") {
		return "", Misuse("--kernel and --summary cannot be used together: both specify the kernels")
	}
	return kind, nil
}
