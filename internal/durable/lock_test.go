package durable

import (
	"path/filepath"
	"runtime"
	"testing"
)

func TestADirectoryIsHeldOnce(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("there are no locks here")
	}
	dir := t.TempDir()
	release, busy, err := LockDirectory(dir)
	if busy || err != nil {
		t.Fatalf("busy %t, %v", busy, err)
	}
	if _, busy, err := LockDirectory(dir); !busy || err != nil {
		t.Errorf("a second time: busy %t, %v", busy, err)
	}
	release()
	release, busy, err = LockDirectory(dir)
	if busy || err != nil {
		t.Fatalf("after its release: busy %t, %v", busy, err)
	}
	release()
	if _, _, err := LockDirectory(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there can be held")
	}
}
