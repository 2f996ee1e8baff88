package codeblock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// picture is a figure that a page of the manual shows.
var picture = regexp.MustCompile(`\]\((figures/[^)]+\.svg)\)`)

// figures compares the figures that a page shows with those of the same names that
// its blocks have made, or puts these in their place. A figure that no block has made
// is left alone.
func (s *session) figures(page string) error {
	var faults []error
	for _, m := range picture.FindAllStringSubmatch(page, -1) {
		made, err := os.ReadFile(filepath.Join(s.Dir, filepath.Base(m[1])))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = s.figure(filepath.Join("docs", m[1]), made)
		}
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// figure compares one figure, or writes it.
func (s *session) figure(path string, made []byte) error {
	committed, err := os.ReadFile(filepath.Join(s.root, path))
	switch {
	case err == nil && outline(committed) == outline(made):
		return nil
	case s.update:
		to := filepath.Join(s.root, path)
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, made, 0o644))
	case err != nil:
		return err
	}
	return fmt.Errorf("%s is not what the page makes", path)
}

// Numbers in decimals and, in names, hexadecimals.
var digits = regexp.MustCompile(`[-\da-f.]*\d[-\da-f.]*`)

// outline is a figure without its numbers, which another machine may round
// differently.
func outline(figure []byte) string { return string(digits.ReplaceAll(figure, []byte("#"))) }
