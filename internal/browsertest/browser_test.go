package browsertest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A harness that sees nothing would let every test pass.
func TestComplaintsAndRequestsAreSeen(t *testing.T) {
	browser := Start(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "a page.html")
	page := `<!doctype html><title>x</title><img src="` + server.URL + `/image.svg"><script>console.error("a complaint"); setTimeout(() => { throw new Error("an exception") })</script>`
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	p := browser.OpenFile(t, file, View{Dark: true})
	p.Wait("document.images[0].complete")
	if !Eval[bool](p, `matchMedia("(prefers-color-scheme: dark)").matches`) {
		t.Error("the page is not looked at in the dark")
	}
	if said := strings.Join(p.Errors(), "\n"); !strings.Contains(said, "a complaint") || !strings.Contains(said, "an exception") {
		t.Errorf("got complaints %q, want both", said)
	}
	if asked := strings.Join(p.Requests(), "\n"); !strings.Contains(asked, server.URL+"/image.svg") {
		t.Errorf("got requests %q, want the image", asked)
	}
}
