// Package repository is a checkout of this repository as tests and the program
// behind the manual see it: its files, and the tool built from them.
package repository

import (
	"io/fs"
	"os"
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
