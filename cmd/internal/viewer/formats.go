package viewer

import (
	"slices"

	"github.com/nervure/nervure/dataio"
)

// formats are the file formats that the page names, by their extensions.
type formats struct {
	Signals   []dataio.Format `json:"signals"`   // that signals are read from
	Variables []dataio.Format `json:"variables"` // those of them that hold several arrays
	Vertices  []dataio.Format `json:"vertices"`  // that a table about vertices is read from
	Graphs    []dataio.Format `json:"graphs"`    // that a graph can be downloaded as
}

func newFormats() formats {
	isVariant := func(f dataio.Format) bool { return f.Describe().VariantOf != "" }
	return formats{
		Signals:   dataio.Formats(dataio.ReadsSignals),
		Variables: dataio.Formats(dataio.HoldsVariables),
		Vertices:  dataio.Formats(dataio.ReadsVertexTables),
		Graphs:    slices.DeleteFunc(dataio.Formats(dataio.WritesGraphs), isVariant),
	}
}
