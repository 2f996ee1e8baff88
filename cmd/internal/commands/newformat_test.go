package commands

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/internal/words"
)

// A format is added by one file. The file testdata/newformat/txt.go is laid over
// the package dataio, and the program that is built knows the format everywhere.
func TestANewFormatIsOneFile(t *testing.T) {
	needs.Long(t, "the program is built again")
	dir := t.TempDir()
	program := withOverlay(t, dir, map[string]string{"../../../dataio/lst.go": "testdata/newformat/txt.go"})
	nervure := func(args ...string) (stdout, stderr string) {
		c := exec.CommandContext(t.Context(), program, args...)
		c.Dir = dir
		var out, said strings.Builder
		c.Stdout, c.Stderr = &out, &said
		if err := c.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		return out.String(), said.String()
	}
	said := func(text, what string, want ...string) {
		t.Helper()
		for _, part := range want {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), part) {
				t.Errorf("%s: %q is not in\n%s", what, part, text)
			}
		}
	}

	help, _ := nervure("help", "learn")
	said(help, "the help", "SIGNALS is a "+afterTSV(arguments.SignalFormats(), ".lst (as numpy.savetxt)"),
		"extension: "+afterTSV(words.List(signalNames(""), "or"), "lst"), "FILE: "+afterTSV(arguments.WritableGraphs, ".lst"))
	for _, args := range [][]string{{"learn", ""}, {"learn", "--format", ""}, {"evaluate", ""}} {
		completions, _ := nervure(append([]string{"__complete"}, args...)...)
		if !slices.Contains(strings.Split(completions, "\n"), "lst") {
			t.Errorf("%q is completed by %q", args, completions)
		}
	}
	_, refusal := nervure("learn", "signals.foo")
	said(refusal, "a file that is not there", "signals.foo: there is no such file")
	write(t, filepath.Join(dir, "signals.foo"), "")
	_, refusal = nervure("learn", "signals.foo")
	said(refusal, "an unknown format", "use one of "+afterTSV(strings.Join(signalNames("."), ", "), ".lst"))

	write(t, filepath.Join(dir, "graph.csv"), "source,target,weight,confidence\na,b,0.5,1\nb,c,2,1\n")
	_, note := nervure("convert", "graph.csv", "--out", "graph.lst")
	said(note, "what is lost", "note: a .lst graph cannot store confidence")
	back, _ := nervure("convert", "graph.lst", "--out", "-")
	said(back, "there and back", "source,target,weight a,b,0.5 b,c,2")
	write(t, filepath.Join(dir, "signals.lst"), "1 2 3\n2 1 3\n4 1 1\n3 3 1\n1 1 2\n")
	learned, _ := nervure("learn", "signals.lst", "--method", "correlation", "--edges", "1", "--quiet")
	said(learned, "a graph of such signals", "source,target,weight v")

	page := pageOf(t, program)
	for key, formats := range map[string][]string{"signals": page.Signals, "graphs": page.Graphs} {
		if !slices.Contains(formats, "lst") {
			t.Errorf("the page has %q for %s", formats, key)
		}
	}
}

// afterTSV puts the new format into a list of those that there are.
func afterTSV(list, format string) string {
	for _, last := range []string{"dat, ", "tsv, "} { // of the tables of text
		if strings.Contains(list, last) {
			return strings.Replace(list, last, last+format+", ", 1)
		}
	}
	return list
}

// signalNames lists the formats of signals that there are.
func signalNames(prefix string) (names []string) {
	for _, f := range dataio.Formats(dataio.ReadsSignals) {
		names = append(names, prefix+string(f))
	}
	return names
}

// withOverlay builds the program with some files replaced or added.
func withOverlay(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for at, from := range files {
		target, err := filepath.Abs(at)
		source, fault := filepath.Abs(from)
		if err := errors.Join(err, fault); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[target] = source
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(text))
	program := filepath.Join(dir, "nervure"+exeSuffix())
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "../../nervure").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

type pageFormats struct{ Signals, Graphs []string }

// pageOf is what the page of a program knows about formats.
func pageOf(t *testing.T, program string) (page pageFormats) {
	t.Helper()
	serve := exec.CommandContext(t.Context(), program, "serve", "--port", "0")
	stderr, err := serve.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = serve.Process.Kill()
		_ = serve.Wait()
	}()
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	url, _ := strings.CutPrefix(strings.TrimSpace(line), "open ")
	for _, address := range []string{url, url[:strings.LastIndex(url, "/")] + "/config.json"} { // the first lets us in
		answer, err := client.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(address, ".json") {
			if err := json.Unmarshal(text, &page); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
		}
	}
	return page
}
