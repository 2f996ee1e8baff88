package cli

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/words"
)

// The formats of files, as a help names them.
var (
	readableGraphs = extensions(dataio.ReadsGraphs, "or")
	writableGraphs = extensions(dataio.WritesGraphs, "or")
	matrixFormats  = extensions(dataio.HoldsMatrices, "or")
	vertexFormats  = extensions(dataio.ReadsVertexTables, "or")
)

// extensions lists the formats with a capability, with a word before the last.
func extensions(c dataio.Capability, word string) string {
	var list []string
	for _, f := range dataio.Formats(c) {
		list = append(list, "."+string(f))
	}
	return words.List(list, word)
}

// signalFormats lists the formats of signals, with remarks.
func signalFormats() string {
	var list []string
	for _, f := range dataio.Formats(dataio.ReadsSignals) {
		name := "." + string(f)
		if remark := f.Describe().Remark; remark != "" {
			name += " (" + remark + ")"
		}
		list = append(list, name)
	}
	return either(list)
}

// What shells complete where a file or a directory is wanted.
var (
	signalFiles = completeFiles(dataio.ReadsSignals)
	graphFiles  = completeFiles(dataio.ReadsGraphs)
	vertexFiles = completeFiles(dataio.ReadsVertexTables)
	directories = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
)

// completeFiles completes the names of files in the formats with a capability,
// compressed or not.
func completeFiles(c dataio.Capability) cobra.CompletionFunc {
	var endings []cobra.Completion
	for _, f := range append(slices.Clip(dataio.Formats(c)), "gz") {
		endings = append(endings, string(f))
	}
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

// completeWords suggests a few words for a flag.
func completeWords(cmd *cobra.Command, flag string, words ...cobra.Completion) {
	mustComplete(cmd, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeChoices lets shells complete the words that flags take.
func completeChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if w, ok := f.Value.(*boundWord); ok {
			completeWords(cmd, f.Name, w.allowed...)
		}
	})
}

// mustComplete registers a completion; that fails only if the flag is not there.
func mustComplete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// graphThenSignals completes a graph, then signals.
func graphThenSignals(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return graphFiles(cmd, args, toComplete)
	}
	return signalFiles(cmd, args, toComplete)
}
