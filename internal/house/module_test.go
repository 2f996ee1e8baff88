package house

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	modmodule "golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"

	"github.com/nervure/nervure/internal/needs"
)

// The largest module that Go fetches has 500 MB. This one is source.
const largestModule = 10 << 20

// tracked is a file of the repository.
type tracked string

func (f tracked) Path() string                 { return string(f) }
func (f tracked) Lstat() (os.FileInfo, error)  { return os.Lstat(string(f)) }
func (f tracked) Open() (io.ReadCloser, error) { return os.Open(string(f)) }

// go install fetches the module as a zip file of the commit. There it finds all it
// needs: files have names that every system takes, and go.mod points nowhere else.
func TestModuleCanBePublished(t *testing.T) {
	list, err := exec.CommandContext(t.Context(), "git", "ls-files", "-z").Output()
	if err != nil {
		needs.LeaveOut(t, "this is no Git repository")
	}
	var files []modzip.File
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		files = append(files, tracked(name))
	}
	var packed bytes.Buffer
	if err := modzip.Create(&packed, modmodule.Version{Path: module, Version: "v0.0.1"}, files); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > largestModule {
		t.Errorf("the module has %d bytes, which everybody who uses it has to fetch", packed.Len())
	}
	r, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, f := range r.File {
		have[strings.TrimPrefix(f.Name, module+"@v0.0.1/")] = true
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{$d := .ImportPath}}{{range .EmbedFiles}}{{$d}}/{{.}}\n{{end}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	embedded := strings.Fields(string(out))
	if len(embedded) < 5 {
		t.Errorf("only %q are embedded", embedded)
	}
	for _, name := range embedded {
		if name = strings.TrimPrefix(name, module+"/"); !have[path.Clean(name)] {
			t.Errorf("%s is embedded, but not in the module", name)
		}
	}
}

func TestGoModPointsNowhereElse(t *testing.T) {
	f, err := modfile.Parse("go.mod", []byte(read(t, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Replace) > 0 || len(f.Exclude) > 0 || f.Module.Mod.Path != module {
		t.Errorf("go install refuses a module with replace or exclude directives: %s has %d and %d", f.Module.Mod.Path, len(f.Replace), len(f.Exclude))
	}
}
