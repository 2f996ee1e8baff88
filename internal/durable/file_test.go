package durable

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/nervure/nervure/input"
)

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func entries(t *testing.T, dir string) int {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// writeTemp makes a file in a folder of its own.
func writeTemp(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func TestFailedWriteLeavesTheOldFileAndNothingElse(t *testing.T) {
	path := writeTemp(t, "out.csv", "old")
	full := errors.New("half-way")
	fails := func(w io.Writer) error {
		// More than the buffer, so that some of it is on disk.
		if _, err := w.Write(make([]byte, 3*bufferSize)); err != nil {
			return err
		}
		if got := content(t, path); got != "old" {
			t.Errorf("while writing, the file is %d bytes of something else", len(got))
		}
		return full
	}
	if err := WriteFile(path, fails); !errors.Is(err, full) {
		t.Errorf("got error %v, want the writer's own", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = WriteFile(path, func(io.Writer) error { panic("half-way") })
	}()
	if got := content(t, path); got != "old" {
		t.Errorf("the old file is now %q", got)
	}
	if n := entries(t, filepath.Dir(path)); n != 1 {
		t.Errorf("%d files in the directory, want the old one alone", n)
	}
}

func TestPermissionsAreThoseOfAnOrdinaryFileOrOfTheReplacedOne(t *testing.T) {
	dir := t.TempDir()
	plainFile, ours := filepath.Join(dir, "plain"), filepath.Join(dir, "ours")
	f, err := os.Create(plainFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), WriteFile(ours, says("new"))); err != nil {
		t.Fatal(err)
	}
	mode := func(path string) fs.FileMode {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode()
	}
	if mode(ours) != mode(plainFile) {
		t.Errorf("a new file has mode %v, an ordinary one %v", mode(ours), mode(plainFile))
	}
	if err := errors.Join(os.Chmod(ours, 0o640), WriteFile(ours, says("newer"))); err != nil {
		t.Fatal(err)
	}
	if mode(ours) != 0o640 {
		t.Errorf("the replaced file's mode 0640 became %v", mode(ours))
	}
}

func TestWritingGoesThroughSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	target, link, dangling := filepath.Join(dir, "target"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	err := errors.Join(
		os.WriteFile(target, []byte("old"), 0o600),
		os.Symlink("target", link),
		os.Symlink("to-be-made", dangling),
		WriteFile(link, says("new")),
		WriteFile(dangling, says("made")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, dangling} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link", path)
		}
	}
	if content(t, target) != "new" || content(t, filepath.Join(dir, "to-be-made")) != "made" {
		t.Error("a link's target was not written")
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if _, ok := errors.AsType[*input.Error](WriteFile(loop, says(""))); !ok {
		t.Error("a link to itself is not an input.Error")
	}
}

func TestDevicesAreWrittenDirectly(t *testing.T) {
	if err := WriteFile(os.DevNull, says("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatal("the null device has been replaced")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	err = WriteFile("/dev/stdout", says("seen"))
	os.Stdout = stdout
	got := make([]byte, 10)
	n, _ := r.Read(got)
	if string(got[:n]) != "seen" || errors.Join(err, r.Close(), w.Close()) != nil {
		t.Errorf("standard output got %q, %v", got[:n], err)
	}
}

func TestPathsThatCannotBeWrittenAreInputErrors(t *testing.T) {
	paths := []string{t.TempDir(), "nowhere/out.csv"}
	if os.Getuid() != 0 { // who may write everything
		old := writeTemp(t, "out.csv", "old")
		if err := os.Chmod(old, 0o400); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, old)
	}
	for _, path := range paths {
		if e := input.Find(WriteFile(path, says("new"))); e == nil || e.File != path {
			t.Errorf("%s: got %v", path, e)
		}
	}
}
