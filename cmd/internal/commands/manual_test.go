package commands

import (
	"bytes"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// The help of learn explains every grade that a verdict can have.
func TestHelpExplainsEveryGrade(t *testing.T) {
	text := strings.ToLower(newLearn(views.Console{}, nil).Long)
	for _, grade := range []nervure.Grade{nervure.Exact, nervure.Supported, nervure.Weak, nervure.NoStructure, nervure.NotChecked} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), string(grade)+":") {
			t.Errorf("learn --help does not explain the grade %q", grade)
		}
	}
}

// The help names the size from which on the learner chooses nothing.
func TestHelpKnowsWhereLargeGraphsBegin(t *testing.T) {
	chooses := func(vertices int) bool {
		return learn.Sparse{}.CommonMode(mat.NewDense(vertices, 1, nil), nil) == method.OwnCommonMode
	}
	if from := learn.DefaultLargeFrom; !chooses(from-1) || chooses(from) {
		t.Errorf("the learner does not stop choosing at %d vertices", from)
	}
	if !strings.Contains(aboutModel(), fmt.Sprint(learn.DefaultLargeFrom)) {
		t.Errorf("the help does not say %d", learn.DefaultLargeFrom)
	}
}

// manual returns the commands that the manual is about, the root first.
func manual(t *testing.T) []*cobra.Command {
	t.Helper()
	root := newRoot(views.NewConsole(io.Discard, io.Discard), nil)
	pages := []*cobra.Command{root}
	for _, name := range commandNames(t) {
		cmd, _, err := root.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, cmd)
	}
	return pages
}

// commandNames are the commands that the help lists.
func commandNames(t *testing.T) []string {
	t.Helper()
	_, text, _ := run(t.Context(), nil, "help")
	_, list, _ := strings.Cut(text, "Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var names []string
	for line := range strings.Lines(list) {
		names = append(names, strings.Fields(line)[0])
	}
	if len(names) < 5 {
		t.Fatalf("the help lists %q", names)
	}
	return names
}

// The man pages have every flag and every word of the help, and the formatters
// find no fault in them.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := run(t.Context(), nil, "man", dir); code != views.ExitDone {
		t.Fatal(stderr)
	}
	pages := manPages(manual(t)[0])
	if want := len(commandNames(t)); len(pages) != want { // the root, and all but help
		t.Errorf("%d pages, want %d", len(pages), want)
	}
	for _, cmd := range pages {
		var page bytes.Buffer
		if err := views.WriteMan(&page, cmd, pages); err != nil {
			t.Fatal(err)
		}
		for _, f := range views.Visible(cmd.LocalFlags()) {
			if !strings.Contains(page.String(), `\-\-`+views.Roff(f.Name)) {
				t.Errorf("%s: no --%s", views.ManName(cmd), f.Name)
			}
		}
		lint(t, filepath.Join(dir, views.ManName(cmd)+".1"))
	}
}

// lint has a formatter read a page, where there is one.
func lint(t *testing.T, page string) {
	t.Helper()
	for _, reader := range [][]string{{"mandoc", "-T", "lint", "-W", "error"}, {"groff", "-man", "-ww", "-K", "utf8", "-T", "utf8"}} {
		if _, err := exec.LookPath(reader[0]); err != nil {
			t.Logf("%s is not here and did not read %s", reader[0], filepath.Base(page))
			continue
		}
		var faults bytes.Buffer
		cmd := exec.CommandContext(t.Context(), reader[0], append(reader[1:], page)...)
		cmd.Stderr = &faults
		out, err := cmd.Output()
		if reader[0] == "mandoc" {
			faults.Write(out) // mandoc's findings are its output
		}
		if err != nil || faults.Len() > 0 {
			t.Errorf("%s: %s%v", reader[0], faults.String(), err)
		}
	}
}

// No word of a help text is lost when it is taken apart.
func TestHelpPartsKeepEveryWord(t *testing.T) {
	for _, cmd := range manual(t) {
		var words []string
		for _, p := range views.HelpParts(views.About(cmd)) {
			words = append(words, strings.Fields(p.Text)...)
			for _, item := range p.Items {
				words = append(words, strings.Fields(item.Term+" "+item.Text)...)
			}
		}
		want := strings.Fields(views.About(cmd))
		if got := strings.Join(words, " "); strings.ReplaceAll(got, ":", "") != strings.ReplaceAll(strings.Join(want, " "), ":", "") {
			t.Errorf("%s: %q became %q", cmd.Name(), want, got)
		}
	}
}
