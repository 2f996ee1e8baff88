package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/words"
)

func newConvert(c views.Console) *cobra.Command {
	f := &arguments.Convert{}
	cmd := &cobra.Command{
		Use:   "convert GRAPH --out FILE",
		Short: "Write a graph in another format",
		Long: `Read a graph and write it in the format given by the extension of --out. Names,
weights, confidence, partial correlations, direction and vertex attributes are
kept if both formats support them; a note says what is lost.`,
		Example: `  nervure convert graph.csv --out graph.graphml
  nervure convert graph.json --out graph.gexf
  nervure convert graph.csv --layout --out graph.graphml`,
		Args: arguments.OneArgument("the graph file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.Out == "" {
				return arguments.Misuse("--out is missing: give the file to write, such as graph.graphml")
			}
			return convert(cmd.Context(), c, args[0], f)
		},
	}
	f.Define(cmd)
	return cmd
}

// convert reads a graph and writes it by the extension of out.
func convert(ctx context.Context, c views.Console, in string, f *arguments.Convert) error {
	out := f.Out
	if out != "-" {
		if err := checkOutputs([]output{{"--out", out, checkGraphName, nil}}, in); err != nil {
			return err
		}
	}
	file, err := readGraphFile(in, f.Directed)
	if err != nil {
		return err
	}
	noteGraph(c, in, file)
	if f.Layout {
		file.Vertices = plot.Placed(file.Graph, file.Vertices)
	}
	format := dataio.CSV
	if out == "-" {
		err = printGraph(c.Out, file.Graph)
	} else {
		if !isDevice(out) {
			format, _ = dataio.FormatOf(out)
		}
		err = views.IgnoreReaderLeft(whenRead(ctx, out, func() error { return writeGraph(out, *file) }))
	}
	if lost := file.Lost(format); err == nil && lost != nil {
		c.Note("a .%s graph cannot store %s", format, words.List(lost, "and"))
	}
	return err
}
