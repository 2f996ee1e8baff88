package dataio

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/input"
)

// wantFault checks that err is an input.Error at a place whose whole sentence is
// want, but for a leading directory.
func wantFault(t *testing.T, err error, line, column int, want string) {
	t.Helper()
	e, ok := errors.AsType[*input.Error](err)
	if !ok {
		t.Fatalf("got error %v, want an input.Error saying %q", err, want)
	}
	if got := strings.TrimPrefix(err.Error(), filepath.Dir(e.File)+"/"); got != want || e.Line != line || e.Column != column {
		t.Errorf("got  %s (line %d, column %d)\nwant %s (line %d, column %d)", got, e.Line, e.Column, want, line, column)
	}
}

func writeTemp(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFilesThatCannotBeOpenedAreNamedInPlainWords(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data.csv")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(string) error{
		func(path string) error { _, err := ReadSignals(path, ReadOptions{}); return err },
		func(path string) error { _, err := ReadGraph(path, nil); return err },
		func(path string) error { _, err := ReadMatrix(path); return err },
	} {
		wantFault(t, read(dir), 0, 0, "data.csv: this is a directory: give a file in it")
		err := read("nowhere.csv")
		wantFault(t, err, 0, 0, "nowhere.csv: there is no such file")
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error("a missing file is not fs.ErrNotExist")
		}
	}
	if os.Getuid() == 0 {
		return // who may read everything
	}
	secret := writeTemp(t, "secret.csv", "1,2\n")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	_, err := ReadSignals(secret, ReadOptions{})
	wantFault(t, err, 0, 0, "secret.csv: cannot be read: permission denied")
}

// Nobody wonders about the extension of a file that is not there.
func TestMissingFilesAreMissingWhateverTheirNames(t *testing.T) {
	_, err := ReadSignals("none", ReadOptions{})
	wantFault(t, err, 0, 0, "none: there is no such file")
	_, err = ReadGraph("none.png", nil)
	wantFault(t, err, 0, 0, "none.png: there is no such file")
}

func TestGzipIsKnownByItsBytes(t *testing.T) {
	for name, content := range map[string]string{
		"compressed under a plain name": gzipped(t, "a,b\n1,2\n"),
		"plain under a .gz name":        "a,b\n1,2\n",
	} {
		for _, file := range []string{"s.csv", "s.csv.gz"} {
			s, err := ReadSignals(writeTemp(t, file, content), ReadOptions{})
			if err != nil || s.Y.At(1, 0) != 2 {
				t.Errorf("%s, %s: %v, %v", name, file, s, err)
			}
		}
	}
}
