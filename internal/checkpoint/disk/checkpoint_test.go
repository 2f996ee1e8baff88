package disk

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
)

var someRun = checkpoint.Identity{Signals: "s", Options: "o", Seed: 1, Build: "b", Arithmetic: "a"}

// atOnce opens a checkpoint that saves at once.
func atOnce(t *testing.T, dir string, id checkpoint.Identity, resume bool) (*Checkpoint, error) {
	t.Helper()
	return Open(dir, id, Options{Resume: resume, Every: -1})
}

func pieceFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.piece"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestCheckpointKeepsPieces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "run")
	c, err := atOnce(t, dir, someRun, false)
	if err != nil || c.Resumed() {
		t.Fatal(err)
	}
	c.Save("/1.a", []byte("one"))
	c.Save("/1.a/1.b", []byte("two"))
	c.Save("/1.a#", nil)
	c.Drop("/1.a/")
	c.Save("/1.a", []byte("three"))
	if runtime.GOOS == "linux" {
		if _, err := atOnce(t, dir, someRun, true); err == nil || !strings.Contains(err.Error(), "another process is using this checkpoint") {
			t.Errorf("two use one checkpoint: %v", err)
		}
	}
	c.Close()
	again, err := atOnce(t, dir, someRun, true)
	if err != nil || !again.Resumed() {
		t.Fatalf("%v, resumed: %t", err, again.Resumed())
	}
	for key, want := range map[string]string{"/1.a": "three", "/1.a#": ""} {
		if got, ok := again.Load(key); !ok || string(got) != want {
			t.Errorf("%s: got %q, %t, want %q", key, got, ok, want)
		}
	}
	if _, ok := again.Load("/1.a/1.b"); ok {
		t.Error("a piece that was dropped is still there")
	}
	if n := len(pieceFiles(t, dir)); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	if err := again.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// Saving waits its time, and so does deleting what saved pieces replace.
func TestCheckpointSavesNowAndThen(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir, someRun, Options{Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if c.Due() {
		t.Error("it is due at once")
	}
	c.Save("/1.a", []byte("one"))
	if n := len(pieceFiles(t, dir)); n != 0 {
		t.Errorf("%d files were written before the time", n)
	}
	if got, ok := c.Load("/1.a"); !ok || string(got) != "one" {
		t.Errorf("got %q, %t", got, ok)
	}
	if err := c.Flush(); err != nil || len(pieceFiles(t, dir)) != 1 {
		t.Errorf("%v, %d files", err, len(pieceFiles(t, dir)))
	}
	c.Save("/1", []byte("all"))
	c.Drop("/1.")
	if n := len(pieceFiles(t, dir)); n != 1 {
		t.Errorf("%d files: a piece was deleted before what replaces it was written", n)
	}
	if err := c.Flush(); err != nil || len(pieceFiles(t, dir)) != 1 {
		t.Errorf("%v, %d files", err, len(pieceFiles(t, dir)))
	}
}

// Every byte of every file counts, and so does whose run it is: each fault is a
// sentence.
func TestBadCheckpointsAreRefused(t *testing.T) {
	foreign := someRun
	foreign.Options = "others"
	change := func(name string, how func([]byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			t.Helper()
			files, err := filepath.Glob(filepath.Join(dir, name))
			if err != nil || len(files) == 0 {
				t.Fatalf("%v: no file", err)
			}
			b, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(files[0], how(b), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte { b[at%len(b)] ^= 1; return b }
	}
	cases := []struct {
		name   string
		spoil  func(t *testing.T, dir string)
		id     checkpoint.Identity
		resume bool
		words  string
	}{
		{"without --resume", func(*testing.T, string) {}, someRun, false, "not finished: add --resume"},
		{"other options", func(*testing.T, string) {}, foreign, true, "the checkpoint of a run with other options"},
		{"a piece cut short", change("*.piece", func(b []byte) []byte { return b[:len(b)-1] }), someRun, true, "damaged"},
		{"no head", func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "run.json")); err != nil {
				t.Fatal(err)
			}
		}, someRun, true, "other files"},
		{"a head that is none", change("run.json", func([]byte) []byte { return []byte("{") }), someRun, true, "damaged"},
		{"a head of another version", change("run.json", func(b []byte) []byte {
			return []byte(strings.Replace(string(b), `"nervure_checkpoint": 1`, `"nervure_checkpoint": 2`, 1))
		}), someRun, true, "another build"},
		{"a file of somebody else", func(t *testing.T, dir string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(dir, "thesis.tex"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, someRun, true, "other files"},
		{"a piece under another name", func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Rename(pieceFiles(t, dir)[0], filepath.Join(dir, "0.piece")); err != nil {
				t.Fatal(err)
			}
		}, someRun, true, "damaged"},
	}
	for at := range 5 {
		flipped := cases[2]
		flipped.spoil = change("*.piece", flip(23*at))
		cases = append(cases, flipped)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			saved, err := atOnce(t, dir, someRun, false)
			if err != nil {
				t.Fatal(err)
			}
			saved.Save("/1.a", []byte("piece"))
			saved.Close()
			c.spoil(t, dir)
			_, err = atOnce(t, dir, c.id, c.resume)
			fault := input.Find(err)
			if fault == nil || !strings.Contains(fault.Msg, c.words) || fault.File != dir {
				t.Errorf("got %v, want words about %q", err, c.words)
			}
		})
	}
}

// A process that died while it wrote leaves nothing that matters.
func TestHalfWrittenFilesAreNotPieces(t *testing.T) {
	dir := t.TempDir()
	half := filepath.Join(dir, ".nervure-"+strings.Repeat("A", 36)+".tmp")
	if err := os.WriteFile(half, []byte("nervure pie"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := atOnce(t, dir, someRun, true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// A run whose checkpoint cannot be written goes on without.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	c, err := atOnce(t, dir, someRun, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	c.Save("/1.a", []byte("one"))
	if got, ok := c.Load("/1.a"); c.Err() == nil || c.Due() || !ok || string(got) != "one" {
		t.Errorf("%v, due: %t, got %q, %t", c.Err(), c.Due(), got, ok)
	}
}
