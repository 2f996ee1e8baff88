package commands

import (
	"cmp"
	"context"
	"io"
	"path/filepath"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/report"
)

// writePage writes a page with a graph to explore.
func (p *plotting) writePage(ctx context.Context, c views.Console, stdin io.Reader) error {
	if err := p.checkPage(); err != nil {
		return err
	}
	var file *dataio.GraphFile
	out := output{"--out", p.Out, nil, toFile(func(w io.Writer) error {
		title := cmp.Or(p.Title, arguments.InputName(filepath.Base(p.in)))
		return report.WriteGraph(w, file.Graph, report.Options{Title: title, Vertices: file.Vertices})
	})}
	if err := checkOutputs([]output{out}, p.in, p.Vertices); err != nil {
		return err
	}
	words, err := await(ctx, func() (words string, err error) {
		if file, err = readGraphInput(stdin, p.in, p.Directed); err != nil {
			return "", err
		}
		noteGraph(c, p.in, file)
		if file.Vertices, err = p.readVertices(file); err != nil {
			return "", err
		}
		_, err = writeOutputs(ctx, []output{out})
		return sizeWords(file.Graph), err
	})
	if err == nil {
		c.Say("wrote " + p.Out + ": " + words)
	}
	return err
}

// checkPage refuses what a page has no use for.
func (p *plotting) checkPage() error {
	if isFile(p.in) {
		if summary, err := readSummary(p.in); err != nil {
			return err
		} else if summary != nil {
			return arguments.Misuse("--out %s: %s is a summary, and pages are of graphs: name a .svg, .png or .pdf file", p.Out, p.in)
		}
	}
	_, err := p.KindOf(p.in, false)
	return err
}
