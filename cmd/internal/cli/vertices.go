package cli

import (
	"fmt"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/signals"
)

// readVertices reads what is known about the vertices of the signals, before the
// work. A vertex that the table does not have is worth a note.
func (r *learnRun) readVertices(signals *signals.Set) (err error) {
	if r.vertices == "" {
		return nil
	}
	var missing int
	if r.about, missing, err = readVertices(r.vertices, signals.Names); err != nil {
		return err
	}
	if r.reportTo == "" && r.progress != progressJSON && !r.graphFormat().Can(dataio.KeepsAttributes) {
		signals.Notes = append(signals.Notes, "--vertices has no effect here: write --out as "+extensions(dataio.KeepsAttributes, "or")+", or add --report")
	}
	if missing > 0 {
		signals.Notes = append(signals.Notes, fmt.Sprintf("the table %s has no row for %d of %s", r.vertices, missing, plural(len(signals.Names), "vertex")))
	}
	return nil
}
