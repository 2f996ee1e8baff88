package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
)

// combineFlags are the flags of combine as they were typed.
type combineFlags struct {
	set     *pflag.FlagSet
	reading signalFlags
	signals string
	labels  string
	column  string
	gamma   string
	seed    uint64
	threads count
	out     string
	predict string
	quiet   bool
	given   *number // gamma, unless it is chosen
}

func newCombine(c console) *cobra.Command {
	f := &combineFlags{given: positive()}
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
				return misuse("want at least two graph files, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: graphFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := c.reading(cmd)
			if err := f.check(); err != nil {
				return err
			}
			run := &combineRun{combineFlags: f, graphs: args, source: f.reading.file(f.signals)}
			return run.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *combineFlags) define(cmd *cobra.Command) {
	f.threads = count{least: 0, most: maxThreads}
	addFlags(cmd, "Labels", func(s *pflag.FlagSet) {
		s.StringVar(&f.labels, "labels", "", "table `FILE` of the vertices with a column of labels, empty where they are not known: "+vertexFormats)
		s.StringVar(&f.column, "column", "", "`NAME` of the column of labels, numbers or classes (default: the first)")
	})
	addFlags(cmd, "Signals", func(s *pflag.FlagSet) {
		s.StringVar(&f.signals, "signals", "", "signals `FILE`, known at all vertices: "+extensions(dataio.ReadsSignals, "or"))
		f.reading.define(s)
	})
	addFlags(cmd, "Weights", func(s *pflag.FlagSet) {
		s.StringVar(&f.gamma, "gamma", "auto", "noise `X` of the labels, or auto to choose it by hiding labels")
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S` of which labels are hidden; 0 is the same as 1")
		s.Var(&f.threads, "threads", "number of cores, 0 for all; does not affect the result (default 0)")
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.out, "out", "", "write the weighted sum of the graphs to `FILE`: "+writableGraphs)
		s.StringVar(&f.predict, "predict", "", "with --labels: write the predicted labels of all vertices to `FILE.csv`")
		s.BoolVar(&f.quiet, "quiet", false, "print only results and errors")
	})
	f.set = cmd.Flags()
	mustComplete(cmd, "labels", vertexFiles)
	mustComplete(cmd, "signals", signalFiles)
	mustComplete(cmd, "gamma", cobra.FixedCompletions([]cobra.Completion{"auto"}, cobra.ShellCompDirectiveNoFileComp))
}

// check finds the faults in the flags.
func (f *combineFlags) check() error {
	for _, flag := range []string{"out", "predict", "labels", "signals"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return misuse("--%s needs a file name", flag)
		}
	}
	switch {
	case f.labels == "" && f.signals == "":
		return misuse("--labels or --signals is missing: give what the graphs are to explain")
	case f.labels != "" && f.signals != "":
		return misuse("--labels and --signals cannot be used together")
	case f.labels == "" && f.column != "":
		return misuse("--column applies only to --labels")
	case f.labels == "" && f.predict != "":
		return misuse("--predict applies only to --labels: signals are known at all vertices")
	}
	if f.gamma != "auto" {
		if err := f.given.Set(f.gamma); err != nil {
			return misuse("--gamma %q: %s, or auto", f.gamma, err)
		}
	}
	return nil
}
