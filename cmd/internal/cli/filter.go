package cli

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/kernel"
)

// denoiseAuto is what --denoise takes for a tau that is chosen.
const denoiseAuto = "auto"

// filterFlags are the flags of filter as they were typed.
type filterFlags struct {
	useFlags
	set      *pflag.FlagSet
	kernel   string
	denoise  string
	spectrum string
}

func newFilter(c console) *cobra.Command {
	f := &filterFlags{}
	cmd := &cobra.Command{
		Use:   "filter GRAPH SIGNALS [flags]",
		Short: "Remove noise from signals, or filter them, on a graph",
		Long: `Filter signals by graph frequency, with a graph that was learned or is known.
Low frequencies hardly change along the edges; noise has all frequencies alike.

By default, noise is removed: the signals x that minimise ‖x − y‖² + tau·xᵀLx
are smooth along the edges and near the given signals y. A larger tau means
smoother signals. By default it is chosen by generalised cross-validation, which
needs no clean signals. With --kernel, the signals are filtered by a kernel
instead, as in the dictionaries of learn.

Vertices are matched by name, in any order. A vertex that the graph does not
mention has no edges. Missing values must be filled first, with fill. The output
has the same vertices; rows are observations. One of GRAPH and SIGNALS may be -
for standard input; a graph is an edge list there.`,
		Example: `  nervure filter graph.csv signals.csv --out denoised.csv
  nervure filter graph.csv signals.csv --denoise 0.5 --out denoised.npy
  nervure filter graph.csv signals.csv --kernel heat:2 --spectrum spectrum.csv \
    --out smooth.csv`,
		Args:              graphAndSignals,
		ValidArgsFunction: graphThenSignals,
		RunE: func(cmd *cobra.Command, args []string) error {
			c := c.reading(cmd)
			run, err := f.resolve(args)
			if err != nil {
				return err
			}
			return run.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *filterFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Signals", f.signals.define)
	addFlags(cmd, "Filter", func(s *pflag.FlagSet) {
		s.StringVar(&f.denoise, "denoise", denoiseAuto, "remove noise with this `TAU`, or auto to choose it")
		s.StringVar(&f.kernel, "kernel", "", "filter by a kernel instead, given by its `SPEC`: "+kernelSpecs())
		f.defineLaplacian(s, "combinatorial, or normalised with --kernel")
		f.defineCenter(s, "yes with --denoise and several signals")
		f.defineThreads(s)
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		f.defineOut(s)
		s.StringVar(&f.spectrum, "spectrum", "", "write the energy of the signals by graph frequency, before and after, to `FILE.csv` (up to "+strconv.Itoa(gsp.MaxExact)+" vertices)")
	})
	f.set = cmd.Flags()
	(&kernelFlags{}).complete(cmd)
	mustComplete(cmd, "denoise", cobra.FixedCompletions([]cobra.Completion{denoiseAuto}, cobra.ShellCompDirectiveNoFileComp))
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *filterFlags) resolve(args []string) (*filterRun, error) {
	r := &filterRun{filterFlags: f, graph: args[0], source: f.signals.file(args[1])}
	for _, flag := range []string{"out", "spectrum", "kernel"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return nil, misuse("--%s needs a value", flag)
		}
	}
	switch {
	case f.kernel != "" && f.set.Changed("denoise"):
		return nil, misuse("--kernel and --denoise cannot be used together")
	case f.kernel != "":
		// Its function is used, not the polynomial that stands for it on [0, 2].
		specs := kernelFlags{degree: count{value: 15}, approx: newChoice(kernel.Chebyshev)}
		parsed, err := specs.parse([]string{f.kernel})
		if err != nil {
			return nil, err
		}
		r.kernel = &parsed[0]
	case f.denoise != denoiseAuto:
		tau := positive()
		if err := tau.Set(f.denoise); err != nil {
			return nil, misuse("--denoise %q: %s, or auto", f.denoise, err)
		}
		r.tau = tau.value
	}
	return r, nil
}
