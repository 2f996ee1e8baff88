// Package pages generates what the README and the manual show of committed results:
// tables, figures, and what commands printed. Whoever changes results or tables runs
// it again; a test holds the committed pages to it.
package pages

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// A File is a generated file as it should be: a page with its generated sections,
// or a figure.
type File struct {
	Path string // in the repository
	Text string

	// Computed says that the numbers come from computations rather than from
	// committed results. Machines round differently, so they are not compared.
	Computed bool
}

// Generate returns every generated file of the repository at root.
func Generate(ctx context.Context, root string) ([]File, error) {
	var all []File
	var faults []error
	for _, generate := range []func(context.Context, string) ([]File, error){readme, methodFigures, calibration, paper, realData, recordingTables, windowTables, reliabilityTables, performance} {
		files, err := generate(ctx, root)
		all, faults = append(all, files...), append(faults, err)
	}
	return all, errors.Join(faults...)
}

// Write writes the file.
func (f File) Write(root string) error {
	path := filepath.Join(root, f.Path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(f.Text), 0o644)
}
