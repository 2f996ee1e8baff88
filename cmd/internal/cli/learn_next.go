package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/dataio"
)

// next is what somebody who has just seen a graph may want to type: commands that
// work as they stand, to score it where the truth lies beside the signals, to
// draw it, and to learn it again with a page to explore.
func (r *learnRun) next() string {
	again, out := program()+strings.TrimPrefix(commandLine(*r.doc), "nervure"), r.doc.Write.Graph
	if r.toStdout() {
		if r.doc.Write.Report == "" {
			again += " --report graph.html"
		}
		return "next:\n  " + again + " --out graph.csv"
	}
	lines := []string{"next:"}
	add := func(format string, words ...any) { lines = append(lines, fmt.Sprintf("  "+format, words...)) }
	if truth := r.source.truth(); truth != "" {
		add("%s evaluate --truth %s %s", program(), quoted(truth), quoted(out))
	}
	ending := filepath.Ext(out)
	base := strings.TrimSuffix(out, ending)
	if r.graphFormat().Can(dataio.ReadsGraphs) {
		places := ""
		if r.doc.Read.Vertices != "" {
			places = " --vertices " + quoted(r.doc.Read.Vertices)
		}
		add("%s plot %s%s --out %s", program(), quoted(out), places, quoted(base+".svg"))
	}
	if r.doc.Write.Report == "" {
		add("%s --report %s", again, quoted(base+".html"))
	}
	if len(lines) == 1 {
		add("%s serve", program())
	}
	return strings.Join(lines, "\n")
}
