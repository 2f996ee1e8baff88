// Package pages generates what the README and the manual show of committed results:
// tables, figures, and what commands printed. Whoever changes results or tables runs
// it again; a test holds the committed pages to it.
package pages

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// A page is a Markdown file with generated sections: what stands between the
// comments "NAME: generated" and "NAME: end".
type page struct {
	path   string
	text   string
	filled map[string]bool
	faults []error
}

func openPage(root, path string) (*page, error) {
	text, err := os.ReadFile(filepath.Join(root, path))
	return &page{path: path, text: string(text), filled: map[string]bool{}}, err
}

// fill puts text between the markers of a section.
func (p *page) fill(section, text string) {
	begin, end := fmt.Sprintf("<!-- %s: generated -->\n", section), fmt.Sprintf("<!-- %s: end -->\n", section)
	before, rest, opened := strings.Cut(p.text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		p.fault(fmt.Errorf("there is no place for %s", section))
		return
	}
	p.filled[section] = true
	p.text = before + begin + text + end + after
}

// fillTables puts tables into the sections of their names.
func (p *page) fillTables(tables map[string]experiment.Table) {
	for section, table := range tables {
		p.fillTable(section, table)
	}
}

// fillTable puts a table there, or nothing if it has no rows.
func (p *page) fillTable(section string, table experiment.Table) {
	text := ""
	if len(table.Rows) > 0 {
		text = "\n" + table.Markdown() + "\n"
	}
	p.fill(section, text)
}

func (p *page) fault(err error) {
	p.faults = append(p.faults, fmt.Errorf("%s: %w", p.path, err))
}

var marker = regexp.MustCompile(`(?m)^<!-- (.*): generated -->$`)

// file returns the page. It is an error if there were faults, or if there is a
// section that nothing fills.
func (p *page) file() (File, error) {
	for _, m := range marker.FindAllStringSubmatch(p.text, -1) {
		if !p.filled[m[1]] {
			p.fault(fmt.Errorf("nothing generates %s", m[1]))
		}
	}
	return File{Path: p.path, Text: p.text}, errors.Join(p.faults...)
}

// A File is a generated file as it should be: a page with its generated sections,
// or a figure.
type File struct {
	Path string // in the repository
	Text string

	// Computed says that the numbers come from computations rather than from
	// committed results. Machines round differently, so they are not compared.
	Computed bool
}

// A maker fills the generated sections of a page, and returns the figures that these show.
// What was not measured is empty.
type maker struct {
	path string
	fill func(root string, p *page) ([]File, error)
}

var makers = []maker{
	{"docs/go.md", library},
	{"docs/method.md", methodTables},
	{"docs/paper.md", paper},
	{"docs/real-data.md", realData},
	{"docs/recordings.md", tablesOf("messy", tablesOfRecordings)},
	{"docs/windows.md", tablesOf("messy", func(all []row) map[string]experiment.Table {
		return map[string]experiment.Table{"changing": changingTable(all)}
	})},
	{"docs/groups.md", tablesOf("groups", tablesOfGroups)},
	{"docs/fields.md", fieldTables},
	{"docs/reliability.md", reliability},
	{"docs/performance.md", performance},
	{"docs/cases.md", forecasts},
	{"docs/summary.md", summaryTable},
}

// tablesOf fills a page with tables of the records of one measurement.
func tablesOf(name string, tables func([]row) map[string]experiment.Table) func(string, *page) ([]File, error) {
	return func(root string, p *page) ([]File, error) {
		records, err := measure.Read(root, name)
		p.fillTables(tables(records))
		return nil, err
	}
}

// methodTables has what plans and confidence are worth.
func methodTables(root string, p *page) ([]File, error) {
	records, err := measure.Read(root, "plan")
	if err != nil {
		return nil, err
	}
	p.fillTable("plan", planTable(records))
	return calibration(root, p)
}

// Generate returns every generated file of the repository at root.
func Generate(ctx context.Context, root string) ([]File, error) {
	all, err := methodFigures(ctx)
	faults := []error{err}
	figures, err := fieldFigures()
	all, faults = append(all, figures...), append(faults, err)
	for _, m := range makers {
		files, err := m.make(root)
		all, faults = append(all, files...), append(faults, err)
	}
	return all, errors.Join(faults...)
}

// make returns a page and its figures.
func (m maker) make(root string) ([]File, error) {
	p, err := openPage(root, m.path)
	if err != nil {
		return nil, err
	}
	figures, err := m.fill(root, p)
	if err != nil {
		return nil, err
	}
	file, err := p.file()
	return append(figures, file), err
}

// Write writes the file.
func (f File) Write(root string) error {
	path := filepath.Join(root, f.Path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(f.Text), 0o644)
}
