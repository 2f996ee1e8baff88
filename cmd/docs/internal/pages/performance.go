package pages

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/nervure/nervure/cmd/docs/internal/benchmark"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// performance makes docs/performance.md. What was not measured is empty.
func performance(_ context.Context, root string) ([]File, error) {
	p, err := openPage(root, "docs/performance.md")
	if err != nil {
		return nil, err
	}
	results := benchmark.File("performance")
	text, err := os.ReadFile(filepath.Join(root, results))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	measured, err := benchmark.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", results, err)
	}
	p.fill("processor", processor(string(text)))
	for section, table := range performanceTables(measured) {
		p.fillTable(section, table)
	}
	file, err := p.file()
	if err != nil {
		return nil, err
	}
	files := []File{file}
	svg, err := sizesFigure(measured)
	if svg != "" {
		files = append(files, File{Path: "docs/figures/sizes.svg", Text: svg})
	}
	return files, err
}

var (
	processorLine = regexp.MustCompile(`(?m)^cpu: (.*)$`)
	kernelsLine   = regexp.MustCompile(`(?m)^BenchmarkPeak/by=(\S+)-\d+\s`)
)

// processor says where results were measured.
func processor(text string) string {
	name, kernels := processorLine.FindStringSubmatch(text), kernelsLine.FindStringSubmatch(text)
	if name == nil || kernels == nil {
		return ""
	}
	return fmt.Sprintf("\nMeasured on: %s, with the %s kernels.\n\n", name[1], kernels[1])
}

// performanceTables are the tables of the page, by their sections.
func performanceTables(r benchmark.Results) map[string]experiment.Table {
	return map[string]experiment.Table{
		"reference": reference.of(r),
		"threads":   threads.of(r),
		"vertices":  byVertices.table(r),
		"signals":   bySignals.table(r),
		"atoms":     byAtoms.table(r),
		"sizes":     sizesTable(r),
		"large":     large.of(r),
		"memory":    memory.of(r),
		"many":      many.of(r),
		"both ways": bothWays.of(r),
		"peers":     peersTable(r),
		"choosing":  choosing.of(r),
		"products":  productsTable(r),
		"eigen":     eigenTable(r),
	}
}
