// Package repository is a checkout of this repository as tests and the program
// behind the manual see it: its files, and the tool built from them.
package repository

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Files lists the files of the checkout at root, with slashes and in lexical
// order, without Git's own and without what builds leave behind.
func Files(root string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == ".venv" || name == "bin" || name == "dist"):
			return fs.SkipDir
		case d.Type().IsRegular() && name != ".git": // .git is a file in a linked work tree
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// Build puts the tool of the checkout at root into a directory, as nervure or
// nervure.exe, and returns its path. It is built there, unless the environment variable
// NERVURE_BUILT names one: make builds it once for all tests.
func Build(ctx context.Context, root, dir string) (string, error) {
	name := "nervure"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	tool, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	if built := os.Getenv("NERVURE_BUILT"); built != "" {
		return tool, copyFile(built, tool)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", tool, "./cmd/nervure")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the tool: %w\n%s", err, out)
	}
	return tool, nil
}

// Copy copies the files of the checkout at root to a directory.
func Copy(root, to string) error {
	files, err := Files(root)
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := copyFile(filepath.Join(root, name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

// WithTool builds the tool of the checkout at root in a directory that is there as long as
// do runs.
func WithTool(ctx context.Context, root string, do func(dir string) error) error {
	dir, err := os.MkdirTemp("", "nervure-bin-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := Build(ctx, root, dir); err != nil {
		return err
	}
	return do(dir)
}
