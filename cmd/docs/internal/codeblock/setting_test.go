package codeblock

import (
	"os"
	"path/filepath"
	"testing"
)

const root = "../../../.."

func TestReadmeRunsInACopyWithoutItsTests(t *testing.T) {
	shell, err := terminalFor(Readme, root, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.Bash(t.Context(), "make test   # all of it\nmake help\ncat go.mod\n")
	if mod, e := os.ReadFile(filepath.Join(root, "go.mod")); err != nil || e != nil || len(out) <= len(mod) {
		t.Errorf("%s%v", out, err)
	}
}

func TestManualRunsInAnEmptyDirectoryWithTheTool(t *testing.T) {
	tool := program(t, "echo the tool\n")
	if err := os.Rename(tool, filepath.Join(filepath.Dir(tool), "nervure")); err != nil {
		t.Fatal(err)
	}
	shell, err := terminalFor("docs/howto.md", root, t.TempDir(), filepath.Dir(tool))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := shell.Bash(t.Context(), "ls\ngo install example.com/nervure@latest\nnervure demo\n[[ $HOME == $PWD && -e $NERVURE_SOURCE/go.mod ]]\n"); err != nil || out != "the tool\n" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := shell.Bash(t.Context(), "go build\n"); err == nil {
		t.Errorf("a page of the manual builds something: %q", out)
	}
}

func TestGalleryRunsInACopyWithTheToolAndPython(t *testing.T) {
	t.Setenv("NERVURE_PYTHON", program(t, "echo \"python $1 for $NERVURE_BINARY\"\n"))
	dir := t.TempDir()
	shell, err := terminalFor(Gallery, root, dir, "/tool")
	if err != nil {
		t.Fatal(err)
	}
	out, err := shell.Bash(t.Context(), "cat examples/leaf/truth.csv > /dev/null\npython python/examples/gnn.py\n")
	if want := "python python/examples/gnn.py for " + filepath.Join("/tool", "nervure") + "\n"; err != nil || out != want {
		t.Errorf("%q, %v, want %q", out, err, want)
	}
}
