package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
)

// A file is one of a sample's, but for the manifest.
type file struct {
	name  string
	write func(path string) error
}

// namesOf lists files, and the manifest last.
func namesOf(files []file) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	return append(names, ManifestFile)
}

// manifestFirst lists files as a manifest does.
func manifestFirst(files []file) []string {
	names := namesOf(files)
	last := len(names) - 1
	return append(names[last:], names[:last]...)
}

// writeAll writes files and then a manifest to a directory, which is made if necessary.
func writeAll(dir string, files []file, manifest any) error {
	if err := dataio.MakeDirectory(dir); err != nil {
		return err
	}
	if err := removeOthers(dir, namesOf(files)); err != nil {
		return err
	}
	for _, f := range files {
		if err := f.write(filepath.Join(dir, f.name)); err != nil {
			return err
		}
	}
	return dataio.WriteFile(filepath.Join(dir, ManifestFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(manifest)
	})
}

// removable are the files that not every sample has.
var removable = []string{CodesFile, VerticesFile, CleanFile, FaultsFile, TruthAfterFile}

// removeOthers removes files that an earlier sample left in the directory, which would
// be taken for those of the new one.
func removeOthers(dir string, keep []string) error {
	var old struct {
		Command string   `json:"command"`
		Files   []string `json:"files"`
	}
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil || json.Unmarshal(text, &old) != nil || old.Command != document.GenerateCommand {
		return nil //nolint:nilerr // then it is none of ours
	}
	for _, name := range removable {
		if !slices.Contains(old.Files, name) || slices.Contains(keep, name) {
			continue
		}
		path := filepath.Join(dir, name)
		err := os.Remove(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		reason := err
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			reason = e.Err // without the call and the path
		}
		return &input.Error{File: path, Msg: fmt.Sprintf("the %s of an earlier sample cannot be removed: %v", name, reason), Err: err}
	}
	return nil
}
