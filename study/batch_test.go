package study

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// recordings writes files of signals on one graph and returns their names; one of them
// is no file of signals.
func recordings(t *testing.T, count, vertices int) []string {
	t.Helper()
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "bad.csv")}
	if err := os.WriteFile(files[0], []byte("a,b\n1,x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for k := range count {
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 5}, kernel.Paper(),
			synth.SignalSpec{Count: 60, Sparsity: 2, Noise: 0.1, Seed: uint64(k + 1)})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, string(rune('p'+k))+".csv")
		if err := dataio.WriteSignals(path, &nervure.Signals{Y: truth.Signals, Names: truth.Graph.Names()}); err != nil {
			t.Fatal(err)
		}
		files = append(files, path)
	}
	return files
}

// bySparse learns by the sparse method, without what takes long.
var bySparse = document.Run{Method: document.RunMethod{Name: "sparse"}, Check: document.RunCheck{Structure: "no", Confidence: "no"}}

// Seconds in JSON, and in the index as a table.
var (
	seconds      = regexp.MustCompile(`"seconds": ?[0-9.e+-]+`)
	indexSeconds = regexp.MustCompile(`(?m)^((?:[^,\n]*,){8})[0-9.e+-]+`)
	madeHash     = regexp.MustCompile(`"[^"]+\.json":"[0-9a-f]{64}"|"check":"[0-9a-f]{32}"`) // of what has seconds in it
)

// withoutTimes returns what must be the same in all runs.
func withoutTimes(text []byte) string {
	return madeHash.ReplaceAllString(indexSeconds.ReplaceAllString(seconds.ReplaceAllString(string(text), ""), "$1"), "")
}

// contents returns the files of a folder without their seconds.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = withoutTimes(text)
	}
	return all
}

func mustLearn(t *testing.T, s Batch) *document.Index {
	t.Helper()
	index, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return index
}

func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s differs:\n%.300s\nwant\n%.300s", name, got[name], text)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is one too many", name)
		}
	}
}

func TestAStudyIsTheSameHoweverItIsRun(t *testing.T) {
	files := recordings(t, 3, 6)
	study := Batch{Files: files, Dir: t.TempDir(), Learn: bySparse, Report: true, SharedPrior: 3}
	index := mustLearn(t, study)
	if index.Learned != 3 || index.Failed != 1 || !strings.HasPrefix(index.Rows[0].Error, files[0]) {
		t.Fatalf("got %+v", index)
	}
	want := contents(t, study.Dir)
	if len(want) != 3*3+2*2+7 { // of each, of all signals, twice, as the prior of each (no page), and about all
		t.Errorf("%d files", len(want))
	}
	if text := want["q.json"]; !strings.Contains(text, `"prior_weight": 3`) {
		t.Errorf("there is no prior in %s", text)
	}

	interrupted := study
	interrupted.Dir, interrupted.Threads = t.TempDir(), 3
	for stopAt := range 2 {
		ctx, stop := context.WithCancel(t.Context())
		interrupted.Progress = func(p Progress) {
			if p.Fresh > 0 && p.Done+p.Failed > stopAt {
				stop()
			}
		}
		if _, err := interrupted.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stop()
	}
	interrupted.Progress = nil
	mustLearn(t, interrupted)
	same(t, contents(t, interrupted.Dir), want)
}

func TestOnlyWhatChangedIsLearnedAgain(t *testing.T) {
	files := recordings(t, 3, 10)
	learn := bySparse
	learn.Method.Name = "correlation"
	study := Batch{Files: files, Dir: t.TempDir(), Learn: learn}
	fresh, altered := 0, 0
	study.Progress = func(p Progress) { fresh, altered = p.Fresh, p.Altered }
	for _, c := range []struct {
		name   string
		change func()
		want   int
	}{
		{"at first", func() {}, 4},
		{"nothing", func() {}, 0},
		{"a file", func() { copyFile(t, files[1], files[2]) }, 1},
		{"what an output says", func() { copyFile(t, filepath.Join(study.Dir, "p.csv"), filepath.Join(study.Dir, "r.csv")) }, 1},
		{"a number in the journal", func() { alter(t, filepath.Join(study.Dir, journalFile), `"vertices":1`, `"vertices":2`) }, 1},
		{"a type in the journal", func() { alter(t, filepath.Join(study.Dir, journalFile), `"vertices":10`, `"vertices":"x"`) }, 1},
		{"the settings", func() { study.Learn.Seed = 7 }, 4},
		{"the program", func() { study.Build = "another" }, 4},
	} {
		c.change()
		fresh = 0
		mustLearn(t, study)
		if fresh != c.want {
			t.Errorf("%s changed: %d learned again, want %d", c.name, fresh, c.want)
		}
		if inJournal := strings.HasSuffix(c.name, "in the journal"); altered > 1 || (altered == 1) != inJournal {
			t.Errorf("%s changed: %d lines of the journal are said to be altered", c.name, altered)
		}
	}
	copyFile(t, files[0], files[3])
	mustLearn(t, study)
	if _, err := os.Stat(filepath.Join(study.Dir, "r.csv")); err == nil {
		t.Error("the graph of a file that cannot be read any more is still there")
	}
}

// alter replaces the last of a text in a file: the first line of a journal is of all files.
func alter(t *testing.T, path, before, after string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), before) {
		t.Fatalf("%v: %s is not in %s", err, before, text)
	}
	at := strings.LastIndex(string(text), before)
	if err := os.WriteFile(path, []byte(string(text[:at])+after+string(text[at+len(before):])), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSharedPriorsNeedTheSameVertices(t *testing.T) {
	files := recordings(t, 2, 6)
	other := write(t, filepath.Join(t.TempDir(), "other.csv"), checks.Chain(1, 4, 30), []string{"a", "b", "c", "d"})
	_, err := Batch{Files: append(files, other), Dir: t.TempDir(), Learn: bySparse, SharedPrior: 1}.Run(t.Context())
	if input.Find(err) == nil {
		t.Errorf("error %v", err)
	}
}
