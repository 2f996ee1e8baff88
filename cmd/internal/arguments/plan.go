package arguments

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/plan"
)

// Plan are the flags of plan.
type Plan struct {
	run document.Run
	display
	Threads int
	Graph   string
	kernel  string
	Sizes   []int
	Repeats int
	Recall  float64
	JSON    bool
	Out     string
	Plot    string
}

// Define adds the flags to a command.
func (f *Plan) Define(cmd *cobra.Command) {
	r := &f.run
	addFlags(cmd, "Plan", func(s *pflag.FlagSet) {
		s.Var(boundFile(&f.Graph), "graph", "assume the graph in `FILE` instead of learning it from a pilot: "+readableGraphs)
		s.Var(boundString(&f.kernel), "kernel", "with --graph, simulate a field with the kernel `SPEC`: "+kernelSpecs()+" (default: a Gaussian field whose partial correlations are the edges)")
		s.Var(boundSizes(&f.Sizes), "signals", "numbers of signals to try, with commas between them (default: from a quarter of the pilot to four times as many, or more if too few edges are sure; with --graph, from one for each vertex)")
		withDefault(s, &boundCount{to: &f.Repeats, least: 1, most: 1000}, "repeats", "4", "try each number of signals N times")
		share := &boundNumber{&f.Recall, "a number above 0 and below 1", func(v float64) bool { return v > 0 && v < 1 }}
		withDefault(s, share, "recall", "0.8", "share of the edges to find")
	})
	defineOptions(cmd, "plan", "Signals", r, nil)
	defineOptions(cmd, "plan", "Preprocessing", r, nil)
	defineOptions(cmd, "plan", "Learning", r, map[string]func(*pflag.FlagSet){
		"seed": func(s *pflag.FlagSet) { defineThreads(s, &f.Threads, "the result") },
		"": func(s *pflag.FlagSet) {
			defineSet(s, r, func(o document.Option) bool { return learns(o) && o.Heading("plan") != "" })
		},
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.BoolVar(&f.JSON, "json", false, "print JSON instead of a table")
		s.StringVar(&f.Out, "out", "", "also write the plan to `FILE`: .json for everything, .csv for one line per number of signals")
		s.StringVar(&f.Plot, "plot", "", "draw the plan to `FILE`: .svg, .png or .pdf")
		f.defineDisplay(s, "print only errors", "graph")
	})
	mustComplete(cmd, "graph", GraphFiles)
	mustComplete(cmd, "plot", cobra.FixedCompletions([]cobra.Completion{"svg", "png", "pdf"}, cobra.ShellCompDirectiveFilterFileExt))
	completeKernels(cmd)
	completeSet(cmd)
}

// boundSizes takes numbers of signals.
func boundSizes(to *[]int) boundFunc {
	get := func() string {
		var list []string
		for _, size := range *to {
			list = append(list, strconv.Itoa(size))
		}
		return strings.Join(list, ",")
	}
	return boundFunc{"LIST", get, func(text string) error {
		*to = nil
		for part := range strings.SplitSeq(text, ",") {
			size, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil || size < plan.LeastSignals {
				return fmt.Errorf("want numbers of at least %d with commas between them, such as 100,200,400", plan.LeastSignals)
			}
			*to = append(*to, size)
		}
		return nil
	}}
}

// Document returns how graphs are learned, by what was asked for.
func (f *Plan) Document(args []string) (document.Run, error) {
	r := f.run
	r.Version = document.RunVersion
	switch {
	case len(args) == 0 && f.Graph == "":
		return r, Misuse("the signals file (or - for standard input) is missing; --graph FILE plans without")
	case len(args) > 0 && f.Graph != "":
		return r, Misuse("--graph and signals cannot be used together: the plan is by one of them")
	case len(args) > 1:
		return r, Misuse("too many arguments: want only the signals file, also got %q", args[1])
	case f.Graph == "" && f.kernel != "":
		return r, Misuse("--kernel applies only to --graph: with a pilot, the model is learned")
	case f.Graph != "":
		args = []string{f.Graph} // of which the document is not kept
	}
	r.Read.Files = args
	return r, nil
}

// Kernel returns the kernel of a field on a graph that is assumed; nil without one.
func (f *Plan) Kernel() (*kernel.Kernel, error) {
	if f.kernel == "" {
		return nil, nil //nolint:nilnil // a field needs none
	}
	k, err := kernel.Parse(f.kernel, 1, kernel.Chebyshev) // the polynomial is not used
	if err != nil {
		return nil, Misuse("--%v", err) // which begins with the word kernel
	}
	return &k, nil
}
