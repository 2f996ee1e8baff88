package cli

import (
	"io"

	"github.com/nervure/nervure/dataio"
)

// outputs lists the files to write, the graph first. They are checked before
// there is a result, and written once there is one.
func (r *learnRun) outputs(result *learned, c console) []output {
	var list []output
	add := func(flag, path string, check, write func(path string) error) {
		if path != "" {
			list = append(list, output{flag, path, check, write})
		}
	}
	if !r.toStdout() {
		add("--out", r.out, checkGraphName, func(path string) error {
			return writeGraph(path, dataio.GraphFile{Graph: result.graph, Vertices: r.about})
		})
	}
	add("--codes", r.codes, dataio.CheckMatrixName, func(path string) error {
		return dataio.Matrix{Name: "X", Values: result.sparse.Codes.Dense()}.Write(path)
	})
	add("--laplacian", r.laplacian, dataio.CheckMatrixName, func(path string) error {
		return dataio.Matrix{Name: "L", Values: result.graph.Laplacian(), Names: result.graph.Names()}.Write(path)
	})
	add("--summary", r.summary, nil, func(path string) error {
		if path == "-" {
			return r.writeSummary(c.out, result)
		}
		return dataio.WriteFile(path, func(w io.Writer) error { return r.writeSummary(w, result) })
	})
	add("--report", r.reportTo, checkReportName, func(path string) error { return r.writeReport(path, result) })
	return list
}
