package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// paper makes docs/paper.md: figure and tables of each experiment about the paper.
func paper(_ context.Context, root string) ([]File, error) {
	p, err := openPage(root, "docs/paper.md")
	if err != nil {
		return nil, err
	}
	var files []File
	var faults []error
	for _, name := range experiment.Names() {
		if name == experiment.Calibration {
			continue // docs/method.md has it
		}
		shown, err := experimentShown(root, name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		p.fill(name, shown.text)
		if shown.figure != "" {
			files = append(files, File{Path: filepath.Join("docs/results", name, "figure.svg"), Text: shown.figure})
		}
	}
	file, err := p.file()
	return append(files, file), errors.Join(append(faults, err)...)
}

// evidence is what the page shows of an experiment, and its figure.
type evidence struct{ text, figure string }

// experimentShown reads the results of an experiment. There is nothing to show of
// one that was not run; one that was not finished is an error.
func experimentShown(root, name string) (evidence, error) {
	dir := filepath.Join(root, "docs/results", name)
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return evidence{}, nil
	}
	records, err := experiment.ReadRecords(dir)
	if err != nil {
		return evidence{}, err
	}
	e, err := experiment.Declare(name, 0)
	if err != nil {
		return evidence{}, err
	}
	if len(records) != e.Size() {
		return evidence{}, fmt.Errorf("%s: %d results, want %d: the run was not finished", dir, len(records), e.Size())
	}
	return show(e, records)
}

// show has the figure of an experiment, then its tables.
func show(e *experiment.Experiment, records []experiment.Record) (evidence, error) {
	var text, svg strings.Builder
	if e.Figure != nil {
		if err := e.Figure(&svg, records); err != nil {
			return evidence{}, err
		}
		fmt.Fprintf(&text, "\n![%s](results/%s/figure.svg)\n", e.Title, e.Name)
	}
	for _, table := range e.Tables(records) {
		text.WriteString("\n" + table.Markdown() + "\n")
	}
	return evidence{text.String(), svg.String()}, nil
}

// calibration puts what confidence is worth into docs/method.md.
func calibration(_ context.Context, root string) ([]File, error) {
	p, err := openPage(root, "docs/method.md")
	if err != nil {
		return nil, err
	}
	var files []File
	shown, err := experimentShown(root, experiment.Calibration)
	p.fill(experiment.Calibration, shown.text)
	if shown.figure != "" {
		files = append(files, File{Path: filepath.Join("docs/results", experiment.Calibration, "figure.svg"), Text: shown.figure})
	}
	file, fault := p.file()
	return append(files, file), errors.Join(err, fault)
}
