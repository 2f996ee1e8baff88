//go:build linux || darwin

package durable

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// sweepAgain sweeps as another process would.
func sweepAgain(k Temporaries, dir string) {
	Intercept(func(Op, string) error { return nil })()
	k.sweep(dir)
}

// Only what this program made on this machine, and what no process holds, is removed.
func TestSweepRemovesWhatIsOursAndStale(t *testing.T) {
	dir := t.TempDir()
	dead, err := outputs.create(dir)
	if err != nil {
		t.Fatal(err)
	}
	deadDir, release, err := outputs.Mkdir(dir)
	if err != nil {
		t.Fatal(err)
	}
	inside := filepath.Join(deadDir, "signals.csv")
	if err := os.WriteFile(inside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	alive, err := outputs.create(dir)
	if err != nil {
		t.Fatal(err)
	}
	aliveDir, releaseLast, err := outputs.Mkdir(dir)
	if err != nil {
		t.Fatal(err)
	}
	like := ".nervure-" + strings.Repeat("A", randomLength+tagLength) + ".tmp" // of another machine
	target := filepath.Join(t.TempDir(), "precious")
	for _, path := range []string{target, filepath.Join(dir, like), filepath.Join(dir, ".nervure-mine.tmp"), filepath.Join(dir, "graph.csv")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := outputs.name()
	if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
		t.Fatal(err)
	}
	before := names(t, dir)
	sweepAgain(outputs, dir)
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("what is in use, or not ours, is gone: of %v, %v are left", before, got)
	}
	release() // as its process does when it dies
	if err := dead.handle.Close(); err != nil {
		t.Fatal(err)
	}
	outputs.sweep(dir)
	if got := names(t, dir); !slices.Equal(got, before) {
		t.Errorf("one process swept twice: %v", got)
	}
	sweepAgain(outputs, dir)
	want := slices.DeleteFunc(before, func(name string) bool {
		return name == filepath.Base(dead.path) || name == filepath.Base(deadDir)
	})
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := os.Stat(aliveDir); err != nil {
		t.Error(err)
	}
	releaseLast()
	if err := alive.Close(); err != nil {
		t.Error(err)
	}
}

// Nobody loses a file to a sweep, at whatever moment it comes.
func TestSweepsNeverTakeWhatIsBeingMade(t *testing.T) {
	dir := t.TempDir()
	stop := make(chan struct{})
	var sweeping, making sync.WaitGroup
	sweeping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				sweepAgain(outputs, dir)
			}
		}
	})
	for range 4 {
		making.Go(func() {
			for range 50 {
				f, err := outputs.create(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if err := os.Rename(f.path, f.path+".done"); err != nil {
					t.Error(err)
				}
				_ = f.Close()
				_ = os.Remove(f.path + ".done")
			}
		})
	}
	making.Wait()
	close(stop)
	sweeping.Wait()
}

func TestClearRemovesWhatLooksLikeOurs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".nervure-" + strings.Repeat("A", randomLength+tagLength) + ".tmp", ".nervure-mine.tmp", "graph.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := RemoveUnfinished(dir); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{".nervure-mine.tmp", "graph.csv"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
