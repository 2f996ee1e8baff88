package cli

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/durable"
)

// batchFiles returns the files of signals that arguments and a list name: files,
// directories and patterns. A file that is named but not there is left for the index to tell.
func batchFiles(c console, args []string, list string) ([]string, error) {
	names := slices.Clone(args)
	if list != "" {
		listed, err := readList(c, list)
		if err != nil {
			return nil, err
		}
		names = append(names, listed...)
	}
	var files []string
	for _, name := range names {
		found, err := filesOf(name)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			if file = filepath.Clean(file); !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	if len(files) == 0 {
		return nil, misuse("files of signals are missing: name files, directories, patterns or a --list")
	}
	return files, nil
}

// readList reads names of files, one per line.
func readList(c console, path string) ([]string, error) {
	in := c.in
	if path != "-" {
		file, err := durable.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		in = file
	}
	var names []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if name := strings.TrimSpace(lines.Text()); name != "" {
			names = append(names, name)
		}
	}
	return names, lines.Err()
}

// filesOf returns the files that a name stands for, in order.
func filesOf(name string) ([]string, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return filesIn(name)
	case err == nil || !strings.ContainsAny(name, "*?["):
		return []string{name}, nil
	}
	found, err := filepath.Glob(name)
	switch {
	case err != nil:
		return nil, misuse("%s is not a valid pattern", name)
	case len(found) == 0:
		return nil, misuse("no file matches %s", name)
	}
	return found, nil
}

// filesIn returns the files of signals in a directory.
func filesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), ".") && isFile(path) && dataio.WritesSignals.Check(path) == nil {
			files = append(files, path)
		}
	}
	if len(files) == 0 {
		return nil, misuse("%s has no files of signals (%s)", dir, signalFormats())
	}
	return files, nil
}
