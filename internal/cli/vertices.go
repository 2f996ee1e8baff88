package cli

import (
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/examples"
)

// readVertices reads what a table, or an example, knows about the named vertices,
// and counts those it does not know.
func readVertices(path string, names []string) (of *dataio.VertexTable, missing int, err error) {
	table, err := readTable(path)
	if err != nil {
		return nil, 0, err
	}
	return table.For(names)
}

func readTable(path string) (*dataio.VertexTable, error) {
	if !isSample(path) {
		return dataio.ReadVertices(path)
	}
	f, err := openSample(path, examples.Vertices)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return dataio.DecodeVertices(f, path, dataio.CSV)
}

// readVertices reads what is known about the vertices of the signals, before the
// work. A vertex that the table does not have is worth a note.
func (r *learnRun) readVertices(signals *dataio.Signals) (err error) {
	if r.vertices == "" {
		return nil
	}
	var missing int
	if r.about, missing, err = readVertices(r.vertices, signals.Names); err != nil {
		return err
	}
	if r.reportTo == "" && r.progress != progressJSON && !holdsVertices(r.graphFormat()) {
		signals.Notes = append(signals.Notes, "--vertices is of no use here: write --out as .json, .graphml, .gexf or .dot, or add --report")
	}
	if missing > 0 {
		signals.Notes = append(signals.Notes, fmt.Sprintf("%s knows nothing about %d of %s", r.vertices, missing, plural(len(signals.Names), "vertex")))
	}
	return nil
}

// holdsVertices says whether graphs in a format have a place for what is known
// about vertices.
func holdsVertices(f dataio.Format) bool {
	return slices.Contains([]dataio.Format{dataio.NodeLink, dataio.GraphML, dataio.GEXF, dataio.DOT}, f)
}

// knownPlaces are those that a table, which may be nil, has for at least some of
// its vertices.
func knownPlaces(table *dataio.VertexTable) (x, y []float64, ok bool) {
	if table == nil {
		return nil, nil, false
	}
	if x, y, _, ok = table.Places(); ok {
		tame(x, y)
		inARowBelow(x, y)
	}
	return x, y, ok
}

// inARowBelow puts vertices that have no place, NaN, below those that have one.
func inARowBelow(x, y []float64) {
	left, right, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	var lost []int
	for i := range x {
		if math.IsNaN(x[i]) {
			lost = append(lost, i)
			continue
		}
		left, right, low, high = min(left, x[i]), max(right, x[i]), min(low, y[i]), max(high, y[i])
	}
	for k, i := range lost {
		x[i] = left + (right-left)*(float64(k)+0.5)/float64(len(lost))
		y[i] = low - max(high-low, right-left)/10
	}
}

// tame scales places whose squares would not be numbers.
func tame(x, y []float64) {
	most := 0.0
	for i := range x {
		if !math.IsNaN(x[i]) {
			most = max(most, math.Abs(x[i]), math.Abs(y[i]))
		}
	}
	if most < 1e100 {
		return
	}
	for i := range x {
		x[i], y[i] = x[i]/most, y[i]/most
	}
}
