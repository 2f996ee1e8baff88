// Package signals holds measurements on the vertices of a graph, and the
// questions that every method asks of them: which entries are missing, and which
// vertices can be learned from.
package signals

import (
	"time"

	"gonum.org/v1/gonum/mat"
)

// A Set is measurements on the vertices of a graph. Signals are columns, as in
// [maretic2017]; files have them in rows, as data frames do.
type Set struct {
	Y     *mat.Dense // N×M: vertices in rows, each signal a column; NaN where a value is missing
	Names []string   // of the vertices, distinct; nil means v0, v1, …

	Times []time.Time // of the observations, one for each column, ascending; nil if not known

	Dropped int      // observations that a reader dropped because all values were missing
	Notes   []string // assumptions of a reader that are worth a look

	Whole *Whole // what Y is a sample of; nil if Y is all there is
}
