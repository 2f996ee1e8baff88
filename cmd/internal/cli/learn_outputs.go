package cli

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/model"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/learn"
)

// checkOutputs finds out before the work what is wrong with the outputs.
func (r *learnRun) checkOutputs(c console) error {
	outputs := r.outputs(nil, c)
	for _, o := range outputs {
		if dir := r.checkpoint.dir; dir != "" && filepath.Dir(durable.Place(o.path)) == durable.Place(dir) {
			return misuse("%s %s is in the folder of --checkpoint, which must have no other files", o.flag, o.path)
		}
	}
	inputs := slices.Concat(r.source.files(), r.known.pairs(), []string{r.vertices})
	if err := checkOutputs(outputs, inputs...); err != nil {
		return err
	}
	// A graph may be updated in place.
	besides := slices.DeleteFunc(slices.Clone(outputs), func(o output) bool { return o.flag == "--out" })
	return checkOutputs(besides, r.known.graphs()...)
}

// write writes the graph and then all else, and returns what was written. Whatever goes
// wrong with the rest, the graph is there.
func (r *learnRun) write(ctx context.Context, c console, a *nervure.Analysis) (written []string, err error) {
	if r.toStdout() {
		if err = printGraph(c.out, a.Graph); err == nil && !c.out.left {
			written = append(written, "-")
		}
	}
	files, fault := writeOutputs(ctx, r.outputs(a, c))
	return append(written, files...), errors.Join(err, fault)
}

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
	codes, sparse := r.codes, (*learn.Result)(nil)
	if a != nil {
		if sparse = learn.ResultOf(a.Result); sparse == nil { // the method was left to choose
			codes = ""
		}
	}
	add("--codes", codes, dataio.CheckMatrixName, func(path string) error {
		return dataio.WriteCodes(path, sparse.Codes)
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
		return dataio.WriteFile(path, func(w io.Writer) error { return document.Write(w, model.Of(a).Document()) })
	})
	add("--report", r.reportTo, checkReportName, func(path string) error { return r.writeReport(path, a) })
	return list
}
