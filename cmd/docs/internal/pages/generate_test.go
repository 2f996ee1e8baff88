package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

const root = "../../../.."

var anyNumber = regexp.MustCompile(`[-\d.]+`)

// isIn reports whether the committed file is as it should be.
func (f File) isIn(root string) bool {
	have, err := os.ReadFile(filepath.Join(root, f.Path))
	if err != nil {
		return false
	}
	if f.Computed {
		return anyNumber.ReplaceAllString(string(have), "#") == anyNumber.ReplaceAllString(f.Text, "#")
	}
	return string(have) == f.Text
}

// The committed pages are what the program makes of the committed results.
func TestPagesAreWhatWasMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("learns for seconds")
	}
	files, err := Generate(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.isIn(root) {
			t.Errorf("%s is not what was measured; run go run ./cmd/docs pages", f.Path)
		}
	}
}

func TestFilesAreComparedAsFarAsMachinesAgree(t *testing.T) {
	dir := t.TempDir()
	f := File{Path: "a/b.svg", Text: `<line x1="1.25"/>`}
	if f.isIn(dir) {
		t.Error("a file that is not there is as it should be")
	}
	if err := f.Write(dir); err != nil || !f.isIn(dir) {
		t.Errorf("a file just written is not as it should be: %v", err)
	}
	f.Text = `<line x1="1.26"/>`
	if f.isIn(dir) {
		t.Error("another number from results is not seen")
	}
	if f.Computed = true; !f.isIn(dir) {
		t.Error("another number from a computation is a difference")
	}
	if f.Text = `<line x2="1.25"/><line/>`; f.isIn(dir) {
		t.Error("another drawing is not seen")
	}
}
