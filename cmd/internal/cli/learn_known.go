package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// knownFlags are the files of what is known before the signals are seen.
type knownFlags struct {
	allow, forbid, init, prior string
	weight                     *number
}

// knownFiles are the flags of knownFlags that name files.
var knownFiles = []string{"allow", "forbid", "init", "prior"}

func (f *knownFlags) define(s *pflag.FlagSet) {
	f.weight = positive()
	s.StringVar(&f.allow, "allow", "", "allow only the edges in `FILE`, any graph file; weights are ignored")
	s.StringVar(&f.forbid, "forbid", "", "forbid the edges in `FILE`, even if they are allowed")
	s.StringVar(&f.init, "init", "", "start from the graph in `FILE`")
	s.StringVar(&f.prior, "prior", "", "pull the weights towards those of the graph in `FILE`")
	s.Var(f.weight, "prior-weight", "count the prior as `X` signals (default 5)")
}

func (f *knownFlags) complete(cmd *cobra.Command) {
	for _, flag := range knownFiles {
		mustComplete(cmd, flag, graphFiles)
	}
}

// check finds the fault in the flags before anything is read.
func (f *knownFlags) check(set *pflag.FlagSet, method string) error {
	for _, flag := range knownFiles {
		if path := set.Lookup(flag).Value.String(); set.Changed(flag) && (path == "" || path == "-") {
			return misuse("--%s needs a file name", flag)
		}
	}
	switch {
	case f.weight.given && f.prior == "":
		return misuse("--prior-weight needs --prior FILE")
	case f.prior != "" && method == paperMethod:
		return misuse("--prior applies only to --method %s; --init works with --method %s, too", sparseMethod, paperMethod)
	}
	return nil
}

// paths returns the files that are given: those of pairs, and those of graphs.
func (f *knownFlags) paths() []string  { return append(f.pairs(), f.graphs()...) }
func (f *knownFlags) pairs() []string  { return given(f.allow, f.forbid) }
func (f *knownFlags) graphs() []string { return given(f.init, f.prior) }

func given(paths ...string) []string {
	return slices.DeleteFunc(paths, func(path string) bool { return path == "" })
}

// A graphReader reads the graph of a file on the named vertices.
type graphReader func(path string, names []string) (*graph.Graph, error)

// read returns what the files say about the named vertices.
func (f *knownFlags) read(names []string, read graphReader) (method.Known, error) {
	var err error
	graphIn := func(path string) *graph.Graph {
		if path == "" || err != nil {
			return nil
		}
		var g *graph.Graph
		g, err = read(path, names)
		return g
	}
	pairsIn := func(path string) [][2]int {
		if g := graphIn(path); g != nil {
			return g.Undirected().Pairs()
		}
		return nil
	}
	k := method.Known{Allow: pairsIn(f.allow), Forbid: pairsIn(f.forbid), Init: graphIn(f.init), Prior: graphIn(f.prior), PriorWeight: f.weight.value}
	return k, err
}
