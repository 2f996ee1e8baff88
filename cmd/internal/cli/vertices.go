package cli

import (
	"fmt"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/signals"
)

// readVertices reads what is known about the vertices of the signals, before the
// work. A vertex that the table does not have is worth a note.
func (r *learnRun) readVertices(signals *signals.Set) (err error) {
	table := r.doc.Read.Vertices
	if table == "" {
		return nil
	}
	var missing int
	if r.about, missing, err = readVertices(table, signals.Names); err != nil {
		return err
	}
	if r.doc.Write.Report == "" && r.mode() != progressJSON && !r.graphFormat().Can(dataio.KeepsAttributes) {
		signals.Notes = append(signals.Notes, r.source.sentence("`read.vertices` has no effect here: write `write.graph` as "+extensions(dataio.KeepsAttributes, "or")+", or add `write.report`"))
	}
	if missing > 0 {
		signals.Notes = append(signals.Notes, fmt.Sprintf("the table %s has no row for %d of %s", table, missing, plural(len(signals.Names), "vertex")))
	}
	return nil
}
