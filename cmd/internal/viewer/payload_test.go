package viewer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/browsertest"
)

// payloads are names that run a script in a page that is careless in some place: in text,
// attributes, scripts, styles, SVG or XML. Each would set globalThis.through.
var payloads = []string{
	`<script>through=1</script>`,
	`</script><script>through=1</script>`,
	`</style><script>through=1</script>`,
	`--><script>through=1</script>`,
	`]]><script>through=1</script>`,
	`<img src=x onerror=through=1>`,
	`"><img src=x onerror=through=1>`,
	`</text><script>through=1</script>`,
	`<iframe srcdoc="<script>parent.through=1</script>">`,
	`<a href="javascript:through=1">x</a>`,
	`" onmouseover="through=1`,
	`' onmouseover='through=1`,
	`\u003cscript>through=1\u003c/script>`,
	`&lt;script&gt;through=1&lt;/script&gt;`,
	`";through=1;//`,
	"${through=1}`;through=1",
	`<math><mtext><table><mglyph><style><img src=x onerror=through=1>`,
	`<!--<script>through=1//-->`,
}

// named is signals with these names of vertices, and a table about them with the same
// names in its head and its cells.
func named(t *testing.T, names []string) (table, vertices []byte) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(generated(t, "--vertices", fmt.Sprint(len(names)), "--signals", "120"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows[0] = names
	about := [][]string{{"name", names[0], names[7]}}
	for k, name := range names {
		about = append(about, []string{name, names[len(names)-1-k], names[(k+5)%len(names)]})
	}
	return inCSV(t, rows), inCSV(t, about)
}

func inCSV(t *testing.T, rows [][]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// outcome is all that a job and the command line make of signals, by name of file.
func (v *visitor) outcome(names []string) map[string][]byte {
	t := v.t.(*testing.T)
	t.Helper()
	table, vertices := named(t, names)
	job := v.newJob()
	for name, content := range map[string][]byte{"signals.csv": table, "vertices.csv": vertices} {
		if status, fields := v.upload(job, name, content); status != http.StatusCreated {
			t.Fatal(status, fields)
		}
	}
	const run = `{"version": 1, "read": {"files": ["signals.csv"], "vertices": "vertices.csv"}, "method": {"name": "ggl"}, "check": {"confidence": "no"},
		"write": {"graph": "graph.json", "summary": "summary.json", "report": "report.html"}}`
	if status, fields := v.run(job, run); status != http.StatusAccepted {
		t.Fatal(status, fields)
	}
	if end := v.end(job); end["code"] != 0.0 {
		t.Fatal(end)
	}
	files := map[string][]byte{}
	for _, name := range []string{"graph.json", "summary.json", "report.html", "graph.gexf", "graph.graphml"} {
		files[name] = v.download(job, name)
		head := v.request("HEAD", job+"/files/"+name, nil).Header
		if !strings.HasPrefix(head.Get("Content-Disposition"), "attachment") || head.Get("X-Content-Type-Options") != "nosniff" || strings.Contains(head.Get("Content-Type"), "html") != (name == "report.html") {
			t.Errorf("%s comes as %v", name, head)
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "graph.json"), files["graph.json"])
	for _, kind := range []string{"graph", "heatmap", "atoms"} {
		cmd := exec.Command(program(t), "plot", "graph.json", "--kind", kind, "--title", names[1], "--out", kind+".svg")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		b, err := os.ReadFile(filepath.Join(dir, kind+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		files[kind+".svg"] = b
	}
	return files
}

// Scripts in the names of vertices, and in the table about them, appear as text in all that
// is written.
func TestNamesAreNeverMarkup(t *testing.T) {
	v := visit(t, Limits{})
	faults := map[string]bool{}
	fault := func(payload, format string, args ...any) {
		faults[payload] = true
		t.Errorf(format, args...)
	}
	for name, text := range v.outcome(payloads) {
		extension := filepath.Ext(name)
		if extension == ".json" && !json.Valid(text) || extension != ".json" && extension != ".html" && xml.Unmarshal(text, new(struct{})) != nil {
			fault("", "%s is not well formed", name)
		}
		for _, p := range payloads {
			if markup := strings.Contains(p, "<") || strings.HasPrefix(p, `" on`); markup && extension != ".json" && bytes.Contains(text, []byte(p)) {
				fault(p, "%s has %s as it is", name, p)
			}
		}
	}
	for _, p := range payloads { // in names of files, addresses, hosts and cells that are no numbers
		for what, status := range v.tell(p) {
			if status != "" {
				fault(p, "%s as %s: %s", p, what, status)
			}
		}
	}
	t.Attr("tried", fmt.Sprint(len(payloads)))
	t.Attr("faults", fmt.Sprint(len(faults)))
}

// tell has a payload answered in every way in which the server repeats what it was told,
// and returns what is wrong with each answer.
func (v *visitor) tell(payload string) map[string]string {
	v.t.Helper()
	faults := map[string]string{}
	job := v.newJob()
	look := func(what string, wantStatus int, answer *http.Response) {
		defer answer.Body.Close()
		b, err := io.ReadAll(answer.Body)
		switch {
		case err != nil || answer.StatusCode != wantStatus:
			faults[what] = fmt.Sprintf("answered %d, %v: %.200s", answer.StatusCode, err, b)
		case answer.Header.Get("Content-Type") != "application/json; charset=utf-8" || answer.Header.Get("X-Content-Type-Options") != "nosniff":
			faults[what] = fmt.Sprintf("answered as %v", answer.Header)
		case bytes.Contains(b, []byte("<")) || !json.Valid(b):
			faults[what] = fmt.Sprintf("answered %.200s", b)
		}
	}
	escaped := url.PathEscape(payload)
	look("the name of an upload", http.StatusBadRequest, v.request("PUT", job+"/files/"+escaped, strings.NewReader("1")))
	look("the name of a result", http.StatusBadRequest, v.request("PUT", job+"/results/"+escaped, strings.NewReader("1")))
	look("a job", http.StatusNotFound, v.request("GET", "/api/jobs/"+escaped+"/events", nil))
	asked, err := json.Marshal(document.Run{Version: document.RunVersion, Read: document.RunRead{Files: []string{payload}}})
	if err != nil {
		v.t.Fatal(err)
	}
	look("a value of a key", http.StatusBadRequest, v.request("POST", job+"/run", bytes.NewReader(asked)))
	if status, fields := v.upload(job, "signals.csv", inCSV(v.t.(*testing.T), [][]string{{"a", "b", "c"}, {"1", "2", payload}, {"1", "3", "4"}})); status != http.StatusCreated {
		v.t.Fatal(status, fields)
	}
	if status, fields := v.run(job, quick); status != http.StatusAccepted {
		v.t.Fatal(status, fields)
	}
	v.end(job)
	events := v.request("GET", job+"/events", nil)
	defer events.Body.Close()
	if b, err := io.ReadAll(events.Body); err != nil || events.Header.Get("Content-Type") != "text/event-stream" || bytes.Contains(b, []byte("<")) {
		faults["a cell"] = fmt.Sprintf("told %.300s, %v", b, err)
	}
	if status, _ := v.ask("DELETE", job, nil); status != http.StatusNoContent {
		v.t.Errorf("deleting is answered %d", status)
	}
	return faults
}

// In a real browser none of the scripts runs: neither on the page
// nor in the report it shows.
func TestNoScriptRunsInTheBrowser(t *testing.T) {
	b := browser(t)
	v := visit(t, Limits{})
	p := v.open(b, browsertest.View{})
	table, _ := named(t, payloads)
	through := func(what string) {
		t.Helper()
		if browsertest.Eval[bool](p, `"through" in globalThis || Array.from({ length: frames.length }, (_, k) => frames[k]).some((f) => { try { return "through" in f } catch { return false } })`) {
			t.Errorf("%s: a script has run", what)
		}
	}
	drop(p, "signals.csv", table)
	through("a file")
	click(p, "learn")
	waitFor(p, "done")
	through("a graph")
	if got := browsertest.Eval[int](p, `[...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => a.name.startsWith("on"))).length`); got != 0 {
		t.Errorf("%d elements have a script", got)
	}
	for k, payload := range payloads {
		drop(p, "signals.csv", inCSV(t, [][]string{{"a", "b", "c"}, {"1", "2", payload}, {"1", "3", "4"}}))
		if k%8 != 0 { // the preview shows them all, a run takes a while
			continue
		}
		click(p, "learn")
		waitFor(p, "failed")
	}
	through("a sentence")
	noComplaints(t, p, v.url)
}
