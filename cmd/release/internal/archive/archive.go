// Package archive writes archives whose bytes depend on their content and a time
// alone: entries are sorted, owners and modes are fixed.
package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// A File is an entry of an archive.
type File struct {
	Name  string      // with slashes; a directory ends with one
	Mode  fs.FileMode // permissions, and fs.ModeSticky
	Owner int         // user and group by number; not in zip files
	Data  []byte
}

func (f File) isDir() bool { return strings.HasSuffix(f.Name, "/") }

// arranged returns the files in the order of their names, and before them the
// directories they lie in. Names that are not plain or not unique are an error.
func arranged(files []File) ([]File, error) {
	seen := map[string]bool{}
	all := slices.Clone(files)
	for _, f := range files {
		if name := strings.TrimSuffix(f.Name, "/"); !fs.ValidPath(name) || name == "." {
			return nil, fmt.Errorf("archive: %q is no name of a file", f.Name)
		}
		if seen[f.Name] {
			return nil, fmt.Errorf("archive: there are two files %s", f.Name)
		}
		seen[f.Name] = true
	}
	for _, f := range files {
		for dir := path.Dir(strings.TrimSuffix(f.Name, "/")); dir != "."; dir = path.Dir(dir) {
			if name := dir + "/"; !seen[name] {
				seen[name] = true
				all = append(all, File{Name: name, Mode: 0o755})
			}
		}
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Tar writes a tar file.
func Tar(w io.Writer, files []File, when time.Time) error {
	files, err := arranged(files)
	if err != nil {
		return err
	}
	out := tar.NewWriter(w)
	for _, f := range files {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(f.Data)), Mode: tarMode(f.Mode),
			Uid: f.Owner, Gid: f.Owner, ModTime: when.UTC().Truncate(time.Second), Format: tar.FormatUSTAR,
		}
		if f.isDir() {
			h.Typeflag = tar.TypeDir
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(f.Data); err != nil {
			return err
		}
	}
	return out.Close()
}

func tarMode(m fs.FileMode) int64 {
	mode := int64(m.Perm())
	if m&fs.ModeSticky != 0 {
		mode |= 0o1000
	}
	return mode
}

// TarGz writes a compressed tar file.
func TarGz(w io.Writer, files []File, when time.Time) error {
	z := gzip.NewWriter(w) // the best compression takes twice as long, for a hundredth
	if err := Tar(z, files, when); err != nil {
		return err
	}
	return z.Close()
}

// Zip writes a zip file.
func Zip(w io.Writer, files []File, when time.Time) error {
	files, err := arranged(files)
	if err != nil {
		return err
	}
	out := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: when.UTC().Truncate(time.Second)}
		h.SetMode(f.Mode)
		if f.isDir() {
			h.Method = zip.Store
			h.SetMode(f.Mode | fs.ModeDir)
		}
		entry, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.Data); err != nil {
			return err
		}
	}
	return out.Close()
}
