package viewer

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/browsertest"
)

func openDoor(t *testing.T, v *visitor) (path string) {
	t.Helper()
	path, err := v.server.Door()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func wantNoDoor(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("%s is left behind: %v", path, err)
	}
}

// The file that leads to the page is for its owner alone, has no token in its name, and
// is gone as soon as somebody has come through.
func TestADoorIsForItsOwnerAndGoes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	v := visitWith(t, "no program", Limits{})
	path := openDoor(t, v)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), v.server.URL()) || strings.Contains(path, v.server.token) {
		t.Errorf("%s is %s, %v", path, text, err)
	}
	for _, c := range []struct {
		path string
		want fs.FileMode
	}{{path, 0o600}, {filepath.Dir(path), 0o700}} {
		info, err := os.Stat(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != c.want && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %v, want %v", c.path, got, c.want)
		}
	}
	if status, _ := v.ask("GET", "/?token=wrong", nil, func(r *http.Request) { r.Header.Del("Cookie") }); status != http.StatusForbidden {
		t.Errorf("a wrong token is answered %d", status)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("a stranger has closed the door: %v", err)
	}
	v.ask("GET", "/?token="+v.server.token, nil)
	wantNoDoor(t, path)
}

func TestADoorThatNobodyUsedGoesWithTheServer(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	v := visitWith(t, "no program", Limits{})
	path := openDoor(t, v)
	if err := v.server.Close(); err != nil {
		t.Fatal(err)
	}
	wantNoDoor(t, path)
	if _, err := v.server.Door(); err == nil {
		t.Error("a server that is closed has a door")
	}
}

func TestABrowserComesThroughTheDoor(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	path := openDoor(t, v)
	p := b.OpenFile(t, path, browsertest.View{})
	v.eventually("the page is there", func() bool { return slices.Contains(p.Requests(), v.url+"/config.json") }) // no page can be asked while it goes
	waitFor(p, "ready")
	wantNoDoor(t, path)
}
