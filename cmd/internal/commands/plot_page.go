package commands

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/report"
)

// isPage reports whether a name is that of a page, not of a figure.
func isPage(path string) bool { return strings.EqualFold(filepath.Ext(path), ".html") }

// writePage writes a page with a graph, to look at it and to handle it.
func (p *plotting) writePage(ctx context.Context, c views.Console, stdin io.Reader) error {
	if err := p.CheckPage(); err != nil {
		return err
	}
	var page func(io.Writer) error
	out := output{"--out", p.Out, nil, toFile(func(w io.Writer) error { return page(w) })}
	if err := checkOutputs([]output{out}, p.in, p.Vertices); err != nil {
		return err
	}
	words, err := await(ctx, func() (string, error) {
		file, err := readGraphInput(stdin, p.in, p.Directed)
		if err != nil {
			return "", err
		}
		noteGraph(c, p.in, file)
		table, err := p.readVertices(file)
		if err != nil {
			return "", err
		}
		title := p.Title
		if title == "" {
			title = arguments.InputName(p.in)
		}
		page = func(w io.Writer) error {
			return report.WriteGraph(w, file.Graph, report.Options{Title: title, Vertices: table})
		}
		_, err = writeOutputs(ctx, []output{out})
		return views.Plural(file.Graph.Vertices(), "vertex") + " and " + views.Plural(file.Graph.EdgeCount(), file.Graph.Word()), err
	})
	if err != nil {
		return err
	}
	c.Say("wrote " + p.Out + ": " + words)
	return nil
}
