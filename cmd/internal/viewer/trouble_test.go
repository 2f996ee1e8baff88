package viewer

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/nervure/nervure/internal/browsertest"
)

// choose gives a file on disk to the page, as a person does.
func choose(p *browsertest.Page, input, path string) {
	if input == "#file" {
		browsertest.Eval[bool](p, `(document.querySelector(".questions")?.remove(), true)`) // those about the file before
	}
	p.Do(chromedp.SetUploadFiles(input, []string{path}))
	p.Wait(`document.querySelector(".questions") !== null`)
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Who mends a bad file and runs again is told to choose it again, since browsers
// let go of files that change; not that the server is gone.
func TestThePageTellsOfAFileThatChanged(t *testing.T) {
	b := browser(t)
	p := visit(t, Limits{}).open(b, browsertest.View{})
	path := filepath.Join(t.TempDir(), "data.csv")
	write(t, path, []byte("a,b,c\n1,2,3\n4,x,6\n"))
	choose(p, "#file", path)
	click(p, "learn")
	waitFor(p, "failed")
	write(t, path, learnable(t))
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	click(p, "learn")
	p.Wait(`document.getElementById("sentence").textContent.includes("choose it again")`)
	choose(p, "#file", path)
	click(p, "learn")
	waitFor(p, "done")
}

// The command line that is shown does the same in the directory of the files, as
// they are called there.
func TestTheCommandLineNamesTheFilesThatThereAre(t *testing.T) {
	b := browser(t)
	p := visit(t, Limits{}).open(b, browsertest.View{})
	dir := t.TempDir()
	signals, places := filepath.Join(dir, "data (1).csv"), filepath.Join(dir, "it's here.csv")
	write(t, signals, learnable(t))
	var table strings.Builder
	table.WriteString("name,x,y\n")
	for v := range 12 {
		fmt.Fprintf(&table, "v%d,%d,%d\n", v, v%4, v/4)
	}
	write(t, places, []byte(table.String()))
	choose(p, "#file", signals)
	choose(p, "#vertices", places)
	click(p, "learn")
	waitFor(p, "done")
	if got, want := text(p, "command"), `nervure learn 'data (1).csv' --out graph.json --vertices 'it'\''s here.csv' --summary summary.json --report report.html`; got != want {
		t.Errorf("the command line is %s, want %s", got, want)
	}
	// Two files of one name are still two.
	same := filepath.Join(t.TempDir(), "data (1).csv")
	write(t, same, []byte(table.String()))
	choose(p, "#vertices", same)
	click(p, "learn")
	p.Wait(`document.getElementById("command").textContent.includes("--vertices 'vertices-data (1).csv'")`)
}

func TestThePageSaysThatTheServerIsGone(t *testing.T) {
	b := browser(t)
	h := httptest.NewUnstartedServer(nil)
	s, err := NewServer(program(t), testConfig, Limits{}, h.Listener.Addr())
	if err != nil {
		t.Fatal(err)
	}
	h.Config.Handler = s.Handler()
	h.Start()
	p := (&visitor{t, s, h.URL, h.Client()}).open(b, browsertest.View{})
	drop(p, "signals.csv", noise(60, 600))
	browsertest.Eval[bool](p, countGraphs)
	click(p, "learn")
	p.Wait("drawn > 1")
	browsertest.Eval[bool](p, `(() => {
		const set = setTimeout;
		globalThis.setTimeout = (work, time) => set(work, time / 10); // a page in a hurry
		return true;
	})()`)
	h.CloseClientConnections()
	h.Listener.Close()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	p.Wait(`document.getElementById("status").textContent.includes("no connection") || document.body.dataset.state === "failed"`)
	waitFor(p, "failed")
	if got := text(p, "sentence"); !strings.Contains(got, "is nervure serve still running?") {
		t.Errorf("the page says %q", got)
	}
}

func TestThePreviewTellsWhatAFileIs(t *testing.T) {
	b := browser(t)
	p := visitWith(t, "no program", Limits{}).open(b, browsertest.View{})
	for _, c := range []struct{ name, content, says, hint string }{
		{"a table", "a,b\n1,2\n3,4\n5,6\n", "3 rows × 2 columns, with names in the first row", ""},
		{"numbers alone", "1,2\n3,4\n5,6", "3 rows × 2 columns", ""},
		{"days in the first column", "day,a,b\nmo,1,2\ntu,3,4\nwe,4,5\n", "3 rows × 3 columns, with names in the first row", ""},
		{"a row for each vertex, with its name", "a,1,2\nb,3,4\nc,5,6\n", "3 rows × 3 columns, with names in the first column", "Only the first column has names"},
		{"more columns than rows", "1,2,3,4,5\n6,7,8,9,10\n", "2 rows × 5 columns", "more columns than rows"},
		{"nothing", "", "0 bytes", ""},
		{"blank lines", "\n\n", "2 bytes", ""},
	} {
		drop(p, "signals.csv", []byte(c.content))
		said := browsertest.Eval[string](p, `document.querySelector("#chosen .soft").textContent`)
		hint := browsertest.Eval[string](p, `document.querySelector("#chosen .hint")?.textContent ?? ""`)
		if said != c.says || !strings.Contains(hint, c.hint) || (hint == "") != (c.hint == "") {
			t.Errorf("%s: it says %q, %q", c.name, said, hint)
		}
	}
}
