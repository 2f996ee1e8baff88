package pages

import (
	"testing"
)

const root = "../../../.."

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
		if !f.IsIn(root) {
			t.Errorf("%s is not what was measured; run go run ./cmd/docs pages", f.Path)
		}
	}
}

func TestFilesAreComparedAsFarAsMachinesAgree(t *testing.T) {
	dir := t.TempDir()
	f := File{Path: "a/b.svg", Text: `<line x1="1.25"/>`}
	if f.IsIn(dir) {
		t.Error("a file that is not there is as it should be")
	}
	if err := f.Write(dir); err != nil || !f.IsIn(dir) {
		t.Errorf("a file just written is not as it should be: %v", err)
	}
	f.Text = `<line x1="1.26"/>`
	if f.IsIn(dir) {
		t.Error("another number from results is not seen")
	}
	if f.Computed = true; !f.IsIn(dir) {
		t.Error("another number from a computation is a difference")
	}
	if f.Text = `<line x2="1.25"/><line/>`; f.IsIn(dir) {
		t.Error("another drawing is not seen")
	}
}
