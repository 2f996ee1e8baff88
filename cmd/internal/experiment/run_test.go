package experiment

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 1, "of the random moments and places")

// toy is an experiment of two stages whose second depends on all of the first.
func toy() *Experiment {
	draw := func(s uint64, name string, index int) float64 { return rng.Stream(s, name, index).NormFloat64() }
	var tune, measure []Cell
	for k := range 3 {
		tune = append(tune, Cell{
			Labels: []Label{Amount("point", k)},
			Measure: func(_ context.Context, s uint64, _ []Record) (Values, error) {
				return Values{"score": draw(s, "tune", k)}, nil
			},
		})
	}
	for k := range 4 {
		measure = append(measure, Cell{
			Labels: []Label{Amount("size", k), Text("kind", "a\nb \"c\" é")},
			Measure: func(_ context.Context, s uint64, before []Record) (Values, error) {
				sum := 0.0 // its last bit depends on the order
				for _, r := range before {
					sum += r.Number("score")
				}
				return Values{"sum": sum, "value": draw(s, "measure", k), "word": fmt.Sprint(s % 3)}, nil
			},
		})
	}
	return &Experiment{
		Name: "toy", Instances: 5, Options: map[string]any{"b": 2, "a": "x"},
		Stages: []Stage{{Tuning, Seeds{firstTuningSeed, 2}, tune}, {Measuring, Seeds{firstMeasuringSeed, 5}, measure}},
	}
}

// lines returns the records of a directory as sorted JSON without their seconds:
// what must be the same in all runs.
func lines(t *testing.T, dir string) []string {
	t.Helper()
	records, err := ReadRecords(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, r := range records {
		r.Seconds = 0
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(line))
	}
	slices.Sort(list)
	return list
}

func mustRun(t *testing.T, e *Experiment, o RunOptions) []Record {
	t.Helper()
	records, err := Run(t.Context(), e, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != e.Size() {
		t.Fatalf("%d records, want %d", len(records), e.Size())
	}
	return records
}

func TestRunGoesOnAfterTruncationAnywhere(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toy(), RunOptions{Dir: dir})
	want, path := lines(t, dir), filepath.Join(dir, resultsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(*seed, "truncate")
	cuts := []int{0, 1, len(text) - 1, len(text)}
	for range 12 {
		cuts = append(cuts, r.IntN(len(text)))
	}
	for _, cut := range cuts {
		if err := os.WriteFile(path, text[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		mustRun(t, toy(), RunOptions{Dir: dir, Threads: 1 + r.IntN(3)})
		if got := lines(t, dir); !slices.Equal(got, want) {
			t.Fatalf("cut at byte %d of %d: other records", cut, len(text))
		}
	}
}

// A line that is no longer what was written is told by who reads the results, and
// measured again by who goes on from them.
func TestAlteredLinesAreMeasuredAgain(t *testing.T) {
	for name, alter := range map[string]func(line string) string{
		"no JSON":       func(string) string { return "{\n" },
		"another digit": func(line string) string { return strings.Replace(line, `.`, `.1`, 1) },
	} {
		dir := t.TempDir()
		mustRun(t, toy(), RunOptions{Dir: dir})
		want, path := lines(t, dir), filepath.Join(dir, resultsFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.SplitAfter(string(text), "\n")
		before := all[2] // of the first stage, whose seeds begin with 7
		if all[2] = alter(before); all[2] == before {
			t.Fatalf("%s: nothing is altered in %s", name, before)
		}
		if err := os.WriteFile(path, []byte(strings.Join(all, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = ReadRecords(dir)
		if e, ok := errors.AsType[*input.Error](err); !ok || e.Line != 3 || e.File != path {
			t.Errorf("%s: error %v, want one at line 3", name, err)
		}
		altered := 0
		mustRun(t, toy(), RunOptions{Dir: dir, Report: func(p Progress) { altered = p.Altered }})
		if got := lines(t, dir); !slices.Equal(got, want) {
			t.Errorf("%s: other records", name)
		}
		if altered != 1 {
			t.Errorf("%s: %d lines are said to be altered", name, altered)
		}
	}
}

func TestParallelEqualsSerial(t *testing.T) {
	serial, parallel := t.TempDir(), t.TempDir()
	a := mustRun(t, toy(), RunOptions{Dir: serial, Threads: 1})
	b := mustRun(t, toy(), RunOptions{Dir: parallel, Threads: 8})
	if !slices.Equal(lines(t, serial), lines(t, parallel)) {
		t.Error("the files differ")
	}
	for k := range a {
		if a[k].key() != b[k].key() {
			t.Fatalf("record %d: %v and %v", k, a[k].key(), b[k].key())
		}
	}
	for _, dir := range []string{serial, parallel} {
		a, errA := os.ReadFile(filepath.Join(serial, manifestFile))
		b, errB := os.ReadFile(filepath.Join(dir, manifestFile))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Error("the manifests differ")
		}
		if strings.Contains(string(a), serial) {
			t.Error("the manifest has a path in it")
		}
	}
}

func TestFinishedRecordsAreNotMeasuredAgain(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toy(), RunOptions{Dir: dir})
	e := toy()
	for s := range e.Stages {
		for c := range e.Stages[s].Cells {
			e.Stages[s].Cells[c].Measure = func(context.Context, uint64, []Record) (Values, error) {
				return nil, errors.New("measured again")
			}
		}
	}
	mustRun(t, e, RunOptions{Dir: dir, Build: Build{Version: "another"}}) // which has nothing to add
}

func TestCancellationLeavesAFileToGoOnFrom(t *testing.T) {
	whole, dir := t.TempDir(), t.TempDir()
	mustRun(t, toy(), RunOptions{Dir: whole})
	want := lines(t, whole)
	for stopAt := 1; ; stopAt += 5 {
		ctx, stop := context.WithCancel(t.Context())
		e := toy()
		records, err := Run(ctx, e, RunOptions{Dir: dir, Threads: 3, Report: func(p Progress) {
			if p.Fresh == stopAt {
				stop()
			}
		}})
		stop()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || len(records) == 0 || len(records) != len(lines(t, dir)) {
			t.Fatalf("error %v with %d records, %d in the file", err, len(records), len(lines(t, dir)))
		}
		if stopAt > 100 {
			t.Fatal("the run never ends")
		}
	}
	if got := lines(t, dir); !slices.Equal(got, want) {
		t.Error("other records")
	}
}

func TestAFailedMeasureNamesItsCellAndKeepsTheRest(t *testing.T) {
	for name, measure := range map[string]func() (Values, error){
		"an error":      func() (Values, error) { return nil, errors.New("no luck") },
		"a panic":       func() (Values, error) { panic("no luck") },
		"NaN":           func() (Values, error) { return Values{"no luck": math.NaN()}, nil },
		"an infinity":   func() (Values, error) { return Values{"no luck": math.Inf(1)}, nil },
		"a slice":       func() (Values, error) { return Values{"no luck": []float64{1}}, nil },
		"a label again": func() (Values, error) { return Values{"size": 1.0}, nil },
		"its own stage": func() (Values, error) { return Values{"stage": "no luck"}, nil },
		"a checksum":    func() (Values, error) { return Values{"check": "no luck"}, nil },
	} {
		dir, e := t.TempDir(), toy()
		var calls atomic.Int32
		good := e.Stages[1].Cells[2].Measure
		e.Stages[1].Cells[2].Measure = func(ctx context.Context, s uint64, before []Record) (Values, error) {
			if calls.Add(1) == 2 {
				return measure()
			}
			return good(ctx, s, before)
		}
		_, err := Run(t.Context(), e, RunOptions{Dir: dir, Threads: 2})
		if err == nil || !strings.Contains(err.Error(), "toy, size=2") || !strings.Contains(err.Error(), "seed 10000") {
			t.Errorf("%s: error %v", name, err)
		}
		mustRun(t, toy(), RunOptions{Dir: dir})
	}
}

func TestAnotherRunInTheDirectoryIsRefused(t *testing.T) {
	for name, change := range map[string]func(*Experiment, *RunOptions){
		"another experiment": func(e *Experiment, _ *RunOptions) { e.Name = "other" },
		"other options":      func(e *Experiment, _ *RunOptions) { e.Options["a"] = "y" },
		"other seeds":        func(e *Experiment, _ *RunOptions) { e.Stages[1].Seeds.First++ },
		"fewer instances":    func(e *Experiment, _ *RunOptions) { e.Instances, e.Stages[1].Seeds.Count = 2, 2 },
		"other cells":        func(e *Experiment, _ *RunOptions) { e.Stages[1].Cells[0].Labels[0] = Amount("size", 77) },
		"another build":      func(_ *Experiment, o *RunOptions) { o.Build.Version = "other" },
		"another program":    func(_ *Experiment, o *RunOptions) { o.Build.Program = "other" },
	} {
		dir := t.TempDir()
		mustRun(t, toy(), RunOptions{Dir: dir})
		path := filepath.Join(dir, resultsFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text[:len(text)-1], 0o644); err != nil { // not finished
			t.Fatal(err)
		}
		e, o := toy(), RunOptions{Dir: dir}
		change(e, &o)
		_, err = Run(t.Context(), e, o)
		if m, ok := errors.AsType[*MismatchError](err); !ok || m.Dir != dir || m.What == "" {
			t.Errorf("%s: error %v, want a MismatchError", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || len(now) < len(text)-200 {
			t.Errorf("%s: the results were touched", name)
		}
	}
}

// A run that was stopped before its first result binds nobody: the build that goes
// on is on record, and can go on again.
func TestABuildWithoutResultsIsReplaced(t *testing.T) {
	dir := t.TempDir()
	first, second := RunOptions{Dir: dir, Build: Build{Version: "first"}}, RunOptions{Dir: dir, Build: Build{Version: "second"}}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(ctx, toy(), first); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	ctx, stop = context.WithCancel(t.Context())
	defer stop()
	second.Report = func(p Progress) {
		if p.Fresh == 2 {
			stop()
		}
	}
	if _, err := Run(ctx, toy(), second); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if build, err := toy().look(dir); err != nil || build != second.Build {
		t.Errorf("the manifest has build %q (%v), want %q", build, err, second.Build)
	}
	if _, err := Run(t.Context(), toy(), first); err == nil {
		t.Error("the first build went on with results of the second")
	}
	second.Report = nil
	mustRun(t, toy(), second)
}

// Manifests from before builds had the sum of their program are read as ever.
func TestManifestsWithoutAProgramAreRead(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toy(), RunOptions{Dir: dir, Build: Build{Version: "old"}})
	path := filepath.Join(dir, manifestFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	without := strings.Replace(string(text), "    \"program\": \"\",\n", "", 1)
	if without == string(text) {
		t.Fatal("there is no program to leave out")
	}
	if err := os.WriteFile(path, []byte(without), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Check(toy(), dir); err != nil {
		t.Error(err)
	}
	mustRun(t, toy(), RunOptions{Dir: dir, Build: Build{Version: "new", Program: "ab"}})
}

func TestResultsWithoutAManifestAreRefused(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, toy(), RunOptions{Dir: dir})
	if err := os.Remove(filepath.Join(dir, manifestFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), toy(), RunOptions{Dir: dir}); err == nil {
		t.Error("they were taken for ours")
	}
}

// Of an experiment without a manifest, what is chosen is measured, and again if that is asked for; the rest stays.
func TestSomeCellsAreMeasuredAlone(t *testing.T) {
	dir := t.TempDir()
	o := RunOptions{
		Dir:  dir,
		Some: func(stage string, _ Cell, seed uint64) bool { return stage == Tuning && seed == firstTuningSeed },
	}
	for run, want := range []int{3, 0, 3} {
		fresh := 0
		o.Again, o.Report = run == 2, func(p Progress) { fresh = p.Fresh }
		records, err := Run(t.Context(), toy(), o)
		if err != nil || len(records) != 3 || fresh != want {
			t.Errorf("run %d: %d records, %d of them new, want %d: %v", run, len(records), fresh, want, err)
		}
	}
	if list, err := ReadRecords(dir); err != nil || len(list) != 3 {
		t.Errorf("%d records are kept, want the last of each cell: %v", len(list), err)
	}
	if none, err := ReadRecords(t.TempDir()); err != nil || none != nil {
		t.Errorf("without a run: %v, %v", none, err)
	}
}

func TestBuildsAreToldApart(t *testing.T) {
	whole := Build{
		Version:  "1",
		Revision: "abc",
		Modified: true,
		Program:  strings.Repeat("0123456789abcdef", 4),
		Go:       "go1",
		Platform: "linux/amd64",
	}
	seen := map[string]bool{whole.String(): true}
	for _, change := range []func(*Build){
		func(b *Build) { b.Version = "2" },
		func(b *Build) { b.Revision = "" },
		func(b *Build) { b.Modified = false },
		func(b *Build) { b.Program = "f" + b.Program[1:] },
		func(b *Build) { b.Program = "" },
		func(b *Build) { b.Go = "go2" },
		func(b *Build) { b.Platform = "linux/arm64" },
	} {
		b := whole
		change(&b)
		if seen[b.String()] {
			t.Errorf("%q stands for two builds", b)
		}
		seen[b.String()] = true
	}
}
