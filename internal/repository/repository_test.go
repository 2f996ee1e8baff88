package repository

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// checkout makes a directory with empty files of the given names.
func checkout(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFilesAreThoseOfTheRepository(t *testing.T) {
	root := checkout(t, ".ci/run", ".git/HEAD", ".venv/bin/python", "bin/nervure", "cmd/bin/main.go", "dist/SHA256SUMS", "go.mod", "viewer/node_modules/x.js")
	got, err := Files(root)
	if want := []string{".ci/run", "cmd/bin/main.go", "go.mod"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if linked, err := Files(checkout(t, ".git", "go.mod")); err != nil || !slices.Equal(linked, []string{"go.mod"}) {
		t.Errorf("in a linked work tree: got %q, %v", linked, err)
	}
}

func TestCopyKeepsTextAndMode(t *testing.T) {
	root, to := checkout(t, ".git/HEAD", ".ci/run"), t.TempDir()
	if err := Copy(root, to); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(to, ".ci/run")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != ".ci/run" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(to, ".git")); err == nil {
		t.Error("Git's own files are copied")
	}
}

// A tool that was built before is not built again.
func TestBuildTakesTheToolThatIsThere(t *testing.T) {
	t.Setenv("NERVURE_BUILT", filepath.Join(checkout(t, "tool"), "tool"))
	path, err := Build(t.Context(), "no checkout", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "tool" {
		t.Errorf("%q, %v", text, err)
	}
}
