package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/durable"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/inputs"
	grace "github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/model"
	"github.com/nervure/nervure/report"
	"github.com/nervure/nervure/signals"
)

// checkOutputs finds out before the work what is wrong with the outputs.
func (r *learnRun) checkOutputs(ctx context.Context, c views.Console) error {
	if r.doc.Groups != (document.RunGroups{}) {
		return nil // a folder, which looks at what is there itself
	}
	outputs := r.outputs(ctx, nil, c)
	for _, o := range outputs {
		if dir := r.Checkpoint.Dir; o.path != "" && dir != "" && filepath.Dir(durable.Place(o.path)) == durable.Place(dir) {
			return arguments.Misuse("%s %s is in the folder of --checkpoint, which must have no other files", o.flag, o.path)
		}
	}
	known := r.doc.Known
	if err := checkOutputs(outputs, append(r.source.inputs(), known.Allow, known.Forbid, r.doc.Read.Vertices)...); err != nil {
		return err
	}
	// A graph may be updated in place.
	besides := slices.DeleteFunc(slices.Clone(outputs), func(o output) bool { return o.path == r.doc.Write.Graph })
	return checkOutputs(besides, known.Init, known.Prior)
}

// write writes the graph and then all else, and returns what was written. Whatever goes
// wrong with the rest, the graph is there.
func (r *learnRun) write(ctx context.Context, c views.Console, a *nervure.Analysis) (written []string, err error) {
	if r.toStdout() {
		if err = printGraph(c.Out, a.Graph); err == nil && !c.Out.Left {
			written = append(written, "-")
		}
	}
	files, fault := writeOutputs(ctx, r.outputs(ctx, a, c))
	return append(written, files...), errors.Join(err, fault)
}

// outputs lists the files to write, the graph first. They are checked before
// there is a result, and written once there is one, with what takes time cut short if ctx ends.
func (r *learnRun) outputs(ctx context.Context, a *nervure.Analysis, c views.Console) []output {
	w, sparse := r.doc.Write, (*learn.Result)(nil)
	if r.toStdout() {
		w.Graph = ""
	}
	if a != nil {
		if sparse = learn.ResultOf(a.Result); sparse == nil { // the method was left to choose
			w.Codes = ""
		}
	}
	word := r.source.Word
	return []output{
		{word("write.graph"), w.Graph, checkGraphName, func(path string) error {
			return writeGraph(path, dataio.GraphFile{Graph: a.Graph, Vertices: r.about})
		}},
		{word("write.codes"), w.Codes, dataio.HoldsMatrices.Check, func(path string) error { return dataio.WriteCodes(path, sparse.Codes) }},
		{word("write.laplacian"), w.Laplacian, dataio.HoldsMatrices.Check, func(path string) error { return dataio.WriteLaplacian(path, a.Graph) }},
		{word("write.summary"), w.Summary, nil, func(path string) error {
			summary := a.Summary()
			summary.Run, summary.Command = r.doc, arguments.CommandLine(*r.doc)
			if path == "-" {
				return document.Write(c.Out, summary)
			}
			return dataio.WriteFile(path, func(w io.Writer) error { return document.Write(w, summary) })
		}},
		{word("write.model"), w.Model, nil, toFile(func(w io.Writer) error { return model.Of(a).Write(w) })},
		{word("write.report"), w.Report, checkReportName, toFile(func(w io.Writer) error {
			guard.Trip("report")
			o := report.Options{Command: arguments.CommandLine(*r.doc), Vertices: r.about}
			if r.source.path() != "-" {
				o.Title = "The graph behind " + filepath.Base(r.source.path())
			}
			until, leave := grace.Lasting(ctx)
			defer leave()
			return report.WriteUntil(until, w, a, o)
		})},
	}
}

// checkReportName refuses a name that no browser would open as a page.
func checkReportName(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
		return nil
	}
	return &input.Error{File: path, Msg: "a report is an HTML page: give it a name that ends in .html"}
}

// readVertices reads what is known about the vertices of the signals, before the
// work. A vertex that the table does not have is worth a note.
func (r *learnRun) readVertices(signals *signals.Set) (err error) {
	table := r.doc.Read.Vertices
	if table == "" && inputs.IsSample(r.source.path()) { // which knows its own
		r.about, _, err = readVertices(r.source.path(), signals.Names)
		return err
	}
	if table == "" {
		return nil
	}
	var missing int
	if r.about, missing, err = readVertices(table, signals.Names); err != nil {
		return err
	}
	if r.doc.Write.Report == "" && r.Mode() != arguments.ProgressJSON && !r.graphFormat().Can(dataio.KeepsAttributes) {
		signals.Notes = append(signals.Notes, r.source.Sentence("`read.vertices` has no effect here: write `write.graph` as "+arguments.Extensions(dataio.KeepsAttributes, "or")+", or add `write.report`"))
	}
	if missing > 0 {
		signals.Notes = append(signals.Notes, fmt.Sprintf("the table %s has no row for %d of %s", table, missing, views.Plural(len(signals.Names), "vertex")))
	}
	return nil
}

// toStdout reports whether the graph goes to standard output.
func (r *learnRun) toStdout() bool { return r.doc.Write.Graph == "" || r.doc.Write.Graph == "-" }

// graphFormat is what the graph will be written in.
func (r *learnRun) graphFormat() dataio.Format {
	if r.toStdout() || isDevice(r.doc.Write.Graph) || r.doc.Groups != (document.RunGroups{}) {
		return dataio.CSV
	}
	format, _ := dataio.FormatOf(r.doc.Write.Graph)
	return format
}

// checkNames finds out before the work that the graph's format cannot hold the
// name of a vertex, or what is known about it.
func (r *learnRun) checkNames(names []string) error {
	bare, err := graph.New(names, nil)
	if err != nil {
		return err
	}
	file, format := dataio.GraphFile{Graph: bare}, r.graphFormat()
	for _, from := range []string{r.source.path(), r.doc.Read.Vertices} {
		err := file.Encode(io.Discard, format)
		if fault := input.Find(err); fault != nil {
			return &input.Error{File: from, Msg: fmt.Sprintf("a graph file of format %s cannot be written: %s", format, fault.Msg)}
		}
		if err != nil {
			return err
		}
		file.Vertices = r.about
	}
	return nil
}
