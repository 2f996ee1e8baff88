package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio"
)

// formatsInPage is a row for each file format.
func formatsInPage() string {
	var formats []dataio.Format
	for _, c := range []dataio.Capability{dataio.ReadsSignals, dataio.WritesGraphs, dataio.ReadsGraphs, dataio.HoldsMatrices} {
		for _, f := range dataio.Formats(c) {
			if !slices.Contains(formats, f) {
				formats = append(formats, f)
			}
		}
	}
	var b strings.Builder
	b.WriteString("| end of the name | file | signals | graph | a graph keeps | matrices (`--codes`, `--laplacian`) |\n|---|---|---|---|---|---|\n")
	for _, f := range formats {
		signals := whereTrue(" and ", f, capabilityWord{dataio.ReadsSignals, "read"})
		matrices := whereTrue(" and ", f, capabilityWord{dataio.HoldsMatrices, "read and written"})
		graph := whereTrue(" and ", f, capabilityWord{dataio.ReadsGraphs, "read"}, capabilityWord{dataio.WritesGraphs, "written"})
		kept := "–"
		if graph != "–" {
			kept = whereTrue(", ", f,
				capabilityWord{dataio.KeepsNames, "names"}, capabilityWord{dataio.KeepsIsolated, "isolated vertices"},
				capabilityWord{dataio.KeepsConfidence, "confidence"}, capabilityWord{dataio.KeepsDirection, "direction"},
				capabilityWord{dataio.KeepsAttributes, "attributes"})
		}
		about := f.Describe()
		if about.GraphAs != "" {
			graph += ": " + about.GraphAs
		}
		fmt.Fprintf(&b, "| `.%s` | %s | %s | %s | %s | %s |\n", f, about.Name, signals, graph, kept, matrices)
	}
	return b.String()
}

type capabilityWord struct {
	capability dataio.Capability
	word       string
}

// whereTrue joins the words for the capabilities that a format has, or returns a
// dash if it has none.
func whereTrue(between string, f dataio.Format, words ...capabilityWord) string {
	var list []string
	for _, w := range words {
		if f.Can(w.capability) {
			list = append(list, w.word)
		}
	}
	if list == nil {
		return "–"
	}
	return strings.Join(list, between)
}
