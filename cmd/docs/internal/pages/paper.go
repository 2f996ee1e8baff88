package pages

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// paper has the table of recovery, and figure and tables of each experiment about the paper.
func paper(root string, p *page) ([]File, error) {
	if err := fillRecovery(root, p); err != nil {
		return nil, err
	}
	return fillExperiments(root, p, slices.DeleteFunc(experiment.Names(), func(name string) bool { return name == experiment.Calibration }))
}

// calibration has what confidence is worth, for the page and for reports.
func calibration(root string, p *page) ([]File, error) {
	files, err := fillExperiments(root, p, []string{experiment.Calibration})
	if err != nil {
		return nil, err
	}
	records, err := experiment.ReadRecords(filepath.Join(root, "docs/results", experiment.Calibration))
	if err != nil {
		return nil, err
	}
	return append(files, File{Path: "report/reliability.csv", Text: experiment.Reliability(records)}), nil
}

// fillExperiments shows experiments on a page and returns their figures.
func fillExperiments(root string, p *page, names []string) (figures []File, err error) {
	for _, name := range names {
		shown, err := experimentShown(root, name)
		if err != nil {
			p.fault(err)
		}
		p.fill(name, shown.text)
		if shown.figure != "" {
			figures = append(figures, File{Path: filepath.Join("docs/results", name, "figure.svg"), Text: shown.figure})
		}
	}
	return figures, nil
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
