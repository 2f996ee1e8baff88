package codeblock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/nervure/nervure/internal/repository"
)

// Pages are the pages of the repository at root that have blocks to run.
func Pages(root string) ([]string, error) {
	manual, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	pages := []string{Readme}
	for _, path := range manual {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if len(Blocks(string(text))) > 0 {
			pages = append(pages, "docs/"+filepath.Base(path))
		}
	}
	return pages, nil
}

// A Runner runs the blocks of pages of a repository.
type Runner struct {
	Root   string
	Update bool      // write what console checked blocks print again
	Log    io.Writer // a line for each page, and for each block that is left out
}

// Run runs the blocks of pages, given by their paths in the repository. It is an
// error if a block fails, or does not print what its page shows.
//
// The blocks of the README run in a fresh copy of the repository; what go install
// puts down is on the path. Those of the gallery run in such a copy, too, with the
// tool on the path, and the figures that they make are those that the page shows.
// Those of another page of the manual run in an empty directory with the tool on the
// path.
func (r Runner) Run(ctx context.Context, pages []string) error {
	bin, err := os.MkdirTemp("", "nervure-bin-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(bin) }()
	if _, err := repository.Build(ctx, r.Root, bin); err != nil {
		return err
	}
	var faults []error
	for _, path := range pages {
		if err := r.page(ctx, path, bin); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		}
	}
	return errors.Join(faults...)
}

func (r Runner) page(ctx context.Context, path, tool string) error {
	text, err := os.ReadFile(filepath.Join(r.Root, path))
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "nervure-page-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	shell, err := terminalFor(path, r.Root, dir, tool)
	if err != nil {
		return err
	}
	s := &session{Terminal: shell, root: r.Root, update: r.Update}
	page := string(text)
	now := s.run(ctx, page)
	fmt.Fprintf(r.Log, "%s: %d blocks run, %d left out\n", path, s.ran, len(s.leftOut))
	for _, reason := range s.leftOut {
		fmt.Fprintln(r.Log, "  left out:", reason)
	}
	if len(s.faults) == 0 && path == Gallery {
		s.faults = append(s.faults, s.figures(page))
	}
	if r.Update && now != page && errors.Join(s.faults...) == nil {
		return os.WriteFile(filepath.Join(r.Root, path), []byte(now), 0o644)
	}
	return errors.Join(s.faults...)
}
