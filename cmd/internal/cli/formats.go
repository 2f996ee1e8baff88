package cli

import (
	"slices"

	"github.com/spf13/cobra"

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
