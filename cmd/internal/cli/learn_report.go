package cli

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/report"
)

// checkReportName refuses a name that no browser would open as a page.
func checkReportName(path string) error {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
		return nil
	}
	return &input.Error{File: path, Msg: "a report is an HTML page: give it a name that ends in .html"}
}

// writeReport writes the page about an analysis.
func (r *learnRun) writeReport(path string, a *nervure.Analysis) error {
	o := report.Options{Command: commandLine(*r.doc), Vertices: r.about}
	if r.source.path() != "-" {
		o.Title = "The graph behind " + filepath.Base(r.source.path())
	}
	return dataio.WriteFile(path, func(w io.Writer) error { return report.Write(w, a, o) })
}
