package pages

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

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
