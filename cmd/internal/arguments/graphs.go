package arguments

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defineDirected defines the flag that makes arrows of the edges of an edge list.
func defineDirected(s *pflag.FlagSet, directed *bool) {
	s.BoolVar(directed, "directed", false, "edges of an edge list are arrows from source to target")
}

// Demo are the flags of demo.
type Demo struct{ Out string }

// Define adds the flags to a command.
func (f *Demo) Define(cmd *cobra.Command) {
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&f.Out, "out", "", "write the sample, the learned graph and a drawing of it to `DIR`")
	})
	mustComplete(cmd, "out", Directories)
}

// Convert are the flags of convert.
type Convert struct {
	Out      string
	Directed bool
	Layout   bool // write where vertices are drawn, and their communities
}

// Define adds the flags to a command.
func (f *Convert) Define(cmd *cobra.Command) {
	addFlags(cmd, "Input", func(s *pflag.FlagSet) { defineDirected(s, &f.Directed) })
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		s.StringVar(&f.Out, "out", "", "write the graph to `FILE`: "+WritableGraphs+"; - for an edge list on standard output")
		s.BoolVar(&f.Layout, "layout", false, "add to the attributes of each vertex where it is drawn, x and y, and the number of its community")
	})
}

// Evaluate are the flags of evaluate.
type Evaluate struct {
	Truth, Against         string
	FDR                    float64 // at which a difference is clear; 0 means the default
	Out                    string
	CodesTruth, CodesFound string
	Directed               bool // edge lists are of arrows
	JSON                   bool
}

// Define adds the flags to a command.
func (f *Evaluate) Define(cmd *cobra.Command) {
	addFlags(cmd, "Flags", func(s *pflag.FlagSet) {
		s.StringVar(&f.Truth, "truth", "", "ground-truth graph `FILE`: "+readableGraphs)
		s.StringVar(&f.Against, "against", "", "another learned graph `FILE`, instead of --truth: say which edges clearly differ")
		s.Var(boundRate(&f.FDR), "fdr", "with --against: false discovery rate at which edges and differences are clear (default 0.1)")
		s.StringVar(&f.Out, "out", "", "with --against: write all edges of both graphs to `FILE` (.json, .csv)")
		s.StringVar(&f.CodesTruth, "codes-truth", "", "ground-truth codes `FILE` ("+matrixFormats+")")
		s.StringVar(&f.CodesFound, "codes", "", "learned codes `FILE`")
		defineDirected(s, &f.Directed)
		s.BoolVar(&f.JSON, "json", false, "print JSON instead of a table")
	})
	mustComplete(cmd, "truth", GraphFiles)
	mustComplete(cmd, "against", GraphFiles)
	mustComplete(cmd, "codes-truth", SignalFiles)
	mustComplete(cmd, "codes", SignalFiles)
}

// Check finds the faults in the flags.
func (f *Evaluate) Check() error {
	switch {
	case f.Truth == "" && f.Against == "":
		return Misuse("--truth is missing: give the ground-truth graph, or another learned graph with --against")
	case f.Truth != "" && f.Against != "":
		return Misuse("--truth and --against cannot be used together")
	case f.Against == "" && (f.Out != "" || f.FDR != 0):
		return Misuse("--out and --fdr are for --against")
	case f.Against != "" && f.CodesTruth+f.CodesFound != "":
		return Misuse("--codes and --codes-truth are for --truth")
	case (f.CodesTruth == "") != (f.CodesFound == ""):
		return Misuse("--codes and --codes-truth must be used together")
	}
	return nil
}
