package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/nervure/nervure/input"
)

// fills writes files to a folder, each with its text.
func fills(files map[string]string) func(string) error {
	return func(dir string) error {
		for name, text := range files {
			if err := WriteFile(filepath.Join(dir, name), says(text)); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestAFolderIsReplacedAsAWhole(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are others there")
	}
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "target")
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "kept"), []byte("kept"), 0o600),
		os.WriteFile(filepath.Join(dir, "gone"), []byte("gone"), 0o600),
		os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o600),
		os.Chmod(filepath.Join(dir, "a"), 0o640),
		os.WriteFile(elsewhere, []byte("old"), 0o600),
		os.Symlink(elsewhere, filepath.Join(dir, "link")),
		WriteFolder(dir, "a", []string{"gone", "never there"}, fills(map[string]string{"a": "1", "b": "2", "link": "3"})),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "1", "b": "2", "link": "3", "kept": "kept"} {
		if got := content(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
	if entries(t, dir) != 4 || content(t, elsewhere) != "3" {
		t.Errorf("%d files are there, and %q where a link leads", entries(t, dir), content(t, elsewhere))
	}
	if info, err := os.Stat(filepath.Join(dir, "a")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the replaced file's mode 0640 became %v, %v", info, err)
	}
}

// What is in the way, or cannot be written, is named as the user knows it, and nothing
// has changed.
func TestAFolderThatCannotBeWrittenStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o600),
		os.MkdirAll(filepath.Join(dir, "b", "full"), 0o700),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		WriteFolder(dir, "", nil, fills(map[string]string{"a": "new", "b": "new"})),
		WriteFolder(dir, "", []string{"b"}, fills(map[string]string{"a": "new"})),
	} {
		if e := input.Find(err); e == nil || e.File != filepath.Join(dir, "b") {
			t.Errorf("got %v", err)
		}
	}
	full := func(op Op, path string) error {
		if op == OpWrite && strings.Contains(path, dir) {
			return syscall.ENOSPC
		}
		return nil
	}
	restore := Intercept(full)
	err = WriteFolder(dir, "", nil, fills(map[string]string{"a": "new"}))
	plain := WriteFile(filepath.Join(dir, "a"), says("new"))
	deep := filepath.Join(dir, "c", "d")
	never := WriteFolder(deep, "", nil, fills(map[string]string{"a": "new"}))
	restore()
	want := filepath.Join(dir, "a") + ": cannot be written: no space left on device"
	for _, err := range []error{err, plain} {
		if err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := os.Stat(filepath.Dir(deep)); never == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v; the directory made for it: %v", never, err)
	}
	if content(t, filepath.Join(dir, "a")) != "old" || entries(t, dir) != 2 {
		t.Errorf("a has %q, and %d files are there", content(t, filepath.Join(dir, "a")), entries(t, dir))
	}
}

func TestOnePlaceIsOneFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.Symlink("none", at("one")), os.Symlink("one", at("two")), os.Symlink(dir, at("again"))); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{at("one"), at("two"), filepath.Join(at("again"), "none"), filepath.Join(at("again"), "two"), filepath.Join(dir, "x", "..", "none")} {
		if got, want := Place(path), Place(at("none")); got != want {
			t.Errorf("%s is at %s, want %s", path, got, want)
		}
	}
	if Place(at("other")) == Place(at("none")) {
		t.Error("two files have one place")
	}
}
