package filelock

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
	release, busy, err := Directory(dir)
	if busy || err != nil {
		t.Fatalf("busy %t, %v", busy, err)
	}
	if _, busy, err := Directory(dir); !busy || err != nil {
		t.Errorf("a second time: busy %t, %v", busy, err)
	}
	release()
	release, busy, err = Directory(dir)
	if busy || err != nil {
		t.Fatalf("after its release: busy %t, %v", busy, err)
	}
	release()
	if _, _, err := Directory(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there can be held")
	}
}
