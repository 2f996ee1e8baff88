package repository

import (
	"os"
	"path/filepath"
)

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
