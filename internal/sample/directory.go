package sample

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/durable"
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

// writeAll writes files and a manifest to a directory, which is made if necessary: all of
// them or none.
func writeAll(dir string, files []file, manifest any) error {
	return durable.WriteFolder(dir, ManifestFile, others(dir, namesOf(files)), func(dir string) error {
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
	})
}

// removable are the files that not every sample has.
var removable = []string{CodesFile, VerticesFile, CleanFile, FaultsFile, TruthAfterFile}

// others lists files that an earlier sample left in the directory, which would be taken
// for those of the new one.
func others(dir string, keep []string) []string {
	var old struct {
		Command string   `json:"command"`
		Files   []string `json:"files"`
	}
	text, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil || json.Unmarshal(text, &old) != nil || old.Command != generateCommand {
		return nil // then it is none of ours
	}
	return slices.DeleteFunc(slices.Clone(removable), func(name string) bool {
		return !slices.Contains(old.Files, name) || slices.Contains(keep, name)
	})
}
