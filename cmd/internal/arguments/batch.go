package arguments

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/document"
)

// Batch are the flags of batch as they were typed.
type Batch struct {
	Learn       Learn
	List        string
	Out         string
	Report      bool
	Each        bool
	SharedPrior bool
	Groups      string
	groups      document.Run
	display
	Cluster Cluster
}

// Define adds the flags to a command.
func (f *Batch) Define(cmd *cobra.Command) {
	addFlags(cmd, "Files", func(s *pflag.FlagSet) {
		s.StringVar(&f.List, "list", "", "read more names of files from `FILE`, one per line, or - for standard input")
		s.StringVar(&f.Out, "out", "", "write to `DIR`")
		s.BoolVar(&f.Report, "report", false, "write a page for each graph, and index.html for all")
		s.BoolVar(&f.Each, "each", false, "choose method, kernels and preprocessing for each file by itself, not once from all")
		s.BoolVar(&f.SharedPrior, "shared-prior", false, "first learn one graph from all signals and pull each graph towards it")
		f.defineDisplay(s, "print only errors", "file")
	})
	addFlags(cmd, "Groups", func(s *pflag.FlagSet) {
		s.StringVar(&f.Groups, "groups", "", "table `FILE` with a row for each file: a column names the files, others say which group each is in; - is standard input")
	})
	defineOptions(cmd, "learn", "Groups", &f.groups, nil)
	f.Learn.defineLearning(cmd, func(o document.Option) bool {
		heading := o.Heading("group")
		return learns(o) && heading != "Output" && heading != "Windows" && heading != "Groups"
	})
	f.Cluster.defineCoordinator(cmd)
	mustComplete(cmd, "out", Directories)
}

// Grouping says which groups are compared.
func (f *Batch) Grouping() document.RunGroups { return f.groups.Groups }

// Reproduce are the flags of reproduce.
type Reproduce struct {
	display
	Instances int
	Threads   int
	Out       string
	Cluster   Cluster
}

// Define adds the flags to a command.
func (f *Reproduce) Define(cmd *cobra.Command) {
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.Var(&boundCount{to: &f.Instances, least: 1}, "instances", "use at most N graphs per result, for a quick look (default: all)")
		s.StringVar(&f.Out, "out", "reproduction", "write to subdirectories of `DIR`")
		defineThreads(s, &f.Threads, "the results")
		f.defineDisplay(s, "", "result")
	})
	f.Cluster.defineCoordinator(cmd)
	mustComplete(cmd, "out", Directories)
}
