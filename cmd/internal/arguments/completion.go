package arguments

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/words"
)

// The formats of files, as a help names them.
var (
	readableGraphs = Extensions(dataio.ReadsGraphs, "or")
	WritableGraphs = Extensions(dataio.WritesGraphs, "or")
	matrixFormats  = Extensions(dataio.HoldsMatrices, "or")
	vertexFormats  = Extensions(dataio.ReadsVertexTables, "or")
)

// Extensions lists the formats with a capability, with a word before the last.
func Extensions(c dataio.Capability, word string) string {
	var list []string
	for _, f := range dataio.Formats(c) {
		list = append(list, "."+string(f))
	}
	return words.List(list, word)
}

// SignalFormats lists the formats of signals, with remarks.
func SignalFormats() string {
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
	SignalFiles = completeFiles(dataio.ReadsSignals)
	GraphFiles  = completeFiles(dataio.ReadsGraphs)
	vertexFiles = completeFiles(dataio.ReadsVertexTables)
	Directories = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
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

// CompleteChoices lets shells complete the words that flags take.
func CompleteChoices(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if list := choices(f.Value); list != nil {
			completeWords(cmd, f.Name, list...)
		}
	})
}

// choices are the words that a flag takes, if it takes only these.
func choices(value pflag.Value) []string {
	switch v := value.(type) {
	case *boundWord:
		return v.allowed
	case runFlag:
		return v.Words()
	}
	return nil
}

// mustComplete registers a completion; that fails only if the flag is not there.
func mustComplete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// GraphThenSignals completes a graph, then signals.
func GraphThenSignals(cmd *cobra.Command, args []string, toComplete string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return GraphFiles(cmd, args, toComplete)
	}
	return SignalFiles(cmd, args, toComplete)
}
