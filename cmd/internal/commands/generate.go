package commands

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
)

func newGenerate(c views.Console) *cobra.Command {
	f := &arguments.Generate{}
	cmd := &cobra.Command{
		Use:   "generate [--kind KIND] --out DIR [flags]",
		Short: "Generate a random graph and signals on it",
		Long: `Generate a random graph and signals on it, and write them to a directory:
  signals.csv      the signals, one per row
  truth.csv        the graph
  codes.npy        sparse: the atoms of each signal, with their coefficients
  clean.csv        messy: what the sensors would show without all that is messy
  faults.csv       messy: what is wrong with which sensor, and when
  truth-after.csv  changing: the graph after the change
  vertices.csv     coordinates or modules of the vertices, if they have any
  manifest.json    all settings
There are five kinds of signals:
  sparse    sums of few patterns on a graph of any family
  field     a Gaussian field on such a graph: with its Laplacian L, over the
            mean degree, the precision matrix is (L + 0.1)^ALPHA, or for heat
            the signals are e^(−L) times white noise
  messy     hourly values of 40 sensors near each other, with daily cycles,
            trends, gaps, rounding and broken sensors
  fmri      scans of 116 brain regions in modules, which depend on one another
            in time
  changing  hourly values of 40 sensors, between which a fifth of the edges
            changes at one moment
Messy, fmri and changing signals have times in the first column. Vertices
without an edge are removed. The same seed gives the same files. Files of an
earlier sample in the directory are replaced.`,
		Example: `  nervure generate --graph er --vertices 20 --out sample
  nervure generate --graph rbf --vertices 50 --signals 500 --noise 0.05 \
    --seed 7 --out noisy
  nervure generate --kind field --order 2 --graph grid --vertices 64 --out field
  nervure generate --kind messy --out sensors`,
		Args: arguments.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			draw, err := f.Sampler()
			if err != nil {
				return err
			}
			if f.Out == "" {
				return arguments.Misuse("--out is missing: give the directory to write to")
			}
			return generate(cmd.Context(), c, f.Out, draw)
		},
	}
	f.Define(cmd)
	return cmd
}

func generate(ctx context.Context, c views.Console, out string, draw arguments.Sampler) error {
	drawn, err := await(ctx, draw)
	if err != nil {
		return err
	}
	if err := drawn.Write(out); err != nil {
		return err
	}
	count, truth := drawn.Size()
	views.TellSample(c, out, count, truth)
	return nil
}
