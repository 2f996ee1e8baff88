package cli

import (
	"io"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
)

// outputs lists the files to write, the graph first. They are checked before
// there is a result, and written once there is one.
func (r *learnRun) outputs(a *nervure.Analysis, c console) []output {
	var list []output
	add := func(flag, path string, check, write func(path string) error) {
		if path != "" {
			list = append(list, output{flag, path, check, write})
		}
	}
	if !r.toStdout() {
		add("--out", r.out, checkGraphName, func(path string) error {
			return writeGraph(path, dataio.GraphFile{Graph: a.Graph, Vertices: r.about})
		})
	}
	codes := r.codes
	if a != nil && a.Sparse == nil { // the method was left to choose
		codes = ""
	}
	add("--codes", codes, dataio.CheckMatrixName, func(path string) error {
		return dataio.WriteCodes(path, a.Sparse.Codes)
	})
	add("--laplacian", r.laplacian, dataio.CheckMatrixName, func(path string) error {
		return dataio.WriteLaplacian(path, a.Graph)
	})
	add("--summary", r.summary, nil, func(path string) error {
		if path == "-" {
			return document.Write(c.out, a.Summary())
		}
		return dataio.WriteFile(path, func(w io.Writer) error { return document.Write(w, a.Summary()) })
	})
	add("--model", r.model, nil, func(path string) error {
		return dataio.WriteFile(path, func(w io.Writer) error { return document.Write(w, a.Model().Document()) })
	})
	add("--report", r.reportTo, checkReportName, func(path string) error { return r.writeReport(path, a) })
	return list
}
