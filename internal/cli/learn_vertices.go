package cli

import (
	"fmt"

	"github.com/nervure/nervure/dataio"
)

// readVertices reads what is known about the vertices of the signals, before the
// work. A vertex that the table does not have is worth a note.
func (r *learnRun) readVertices(signals *dataio.Signals) error {
	if r.vertices == "" {
		return nil
	}
	table, err := dataio.ReadVertices(r.vertices)
	if err != nil {
		return err
	}
	var missing int
	if r.about, missing, err = table.For(signals.Names); err != nil {
		return err
	}
	if missing > 0 {
		signals.Notes = append(signals.Notes, fmt.Sprintf("%s knows nothing about %d of %s", r.vertices, missing, plural(len(signals.Names), "vertex")))
	}
	return nil
}
