package commands

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
)

// Learning by flags and by the document in its summary write the same bytes, and the
// document says no less the second time.
func TestARunRepeatsWhatFlagsAskedFor(t *testing.T) {
	for name, flags := range map[string]string{
		"nothing":          "",
		"preprocessing":    "--center no --scale=yes --detrend --season 12 --bad-sensors report",
		"logarithms":       "--log-offset 60 --method knn",
		"differences":      "--difference --common-mode keep",
		"kernels":          "--kernel heat:2 --kernel heat:1 --degree 9 --approx chebyshev --confidence no",
		"scales":           "--kernel auto --kernel heat:1.5 --rounds 4 --confidence no",
		"free polynomials": "--kernel free:2 --degree 4 --rounds 3 --confidence no",
		"the paper":        "--recipe maretic2017 --rounds 6 --step 0.05 --beta 0 --confidence no",
		"sparse":           "--method sparse --sparsity 2 --coder ols --rounds 3 --threshold 0.2 --confidence no",
		"what is known":    "--init truth.csv --prior truth.csv --prior-weight 9 --forbid known.csv --rounds 3 --confidence no",
		"parameters":       "--method gaussian-kernel --param width=0.5 --param k=4 --threshold auto --seed 18446744073709551615",
		"edges":            "--method correlation --edges 7 --block 5 --sample 0",
		"halves":           "--method ggl --confidence yes --block 3 --seed 4 --time-limit 10m",
		"codes":            "--codes codes.npy --rounds 3 --laplacian laplacian.csv --model model.json --report page.html --confidence no",
		"a transposed one": "--transpose --method knn",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			set := drawnSignals(t, 12, 60, 0.1, "heat:2", "highpass:1")
			if err := dataio.WriteSignals(filepath.Join(dir, "signals.csv"), set); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{"truth.csv": "source,target,weight\nv0,v1,1\nv1,v2,1\n", "known.csv": "source,target\nv0,v3\n"} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			args := append([]string{"learn", "signals.csv", "--out", "graph.csv", "--summary", "summary.json"}, strings.Fields(flags)...)
			for k, word := range args {
				if strings.Contains(word, ".csv") || strings.Contains(word, ".json") || strings.Contains(word, ".npy") || strings.Contains(word, ".html") {
					args[k] = filepath.Join(dir, word)
				}
			}
			if code, _, stderr := run(t.Context(), nil, args...); code != views.ExitDone {
				t.Fatal(stderr)
			}
			before := filesWithoutTimes(t, dir)
			if code, _, stderr := run(t.Context(), nil, "run", filepath.Join(dir, "summary.json")); code != views.ExitDone {
				t.Fatal(stderr)
			}
			after := filesWithoutTimes(t, dir)
			for file, text := range before {
				if after[file] != text {
					t.Errorf("%s differs", file)
				}
			}
			doc := asked(t, args[1:]...)
			typed := strings.Fields(strings.ReplaceAll(arguments.CommandLine(*doc), "'", ""))
			if again := asked(t, typed[2:]...); !reflect.DeepEqual(again, doc) {
				t.Errorf("%v became %v:\n%+v\n%+v", args, typed, doc, again)
			}
		})
	}
}

// filesWithoutTimes returns the files of a directory without their seconds.
func filesWithoutTimes(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if all[e.Name()] = secondsLine.ReplaceAllString(string(text), ""); e.Name() == "page.html" {
			all[e.Name()] = "" // which has seconds in sentences
		}
	}
	return all
}

// Every key of a run is called by a flag in messages about flags, and that flag exists.
func TestEveryKeyHasAFlag(t *testing.T) {
	learn, compare := &cobra.Command{}, &cobra.Command{}
	(&arguments.Learn{}).Define(learn)
	(&arguments.Compare{}).Define(compare)
	for _, o := range document.Options() {
		word := arguments.Terms{}.Word(o.Key)
		flag, isFlag := strings.CutPrefix(strings.TrimSuffix(word, " "+o.Key), "--")
		if isFlag && learn.Flags().Lookup(flag) == nil && compare.Flags().Lookup(flag) == nil {
			t.Errorf("%s is called %s, which does not exist", o.Key, word)
		}
		if got := (arguments.Terms{Job: "job.json"}).Word(o.Key); got != o.Key {
			t.Errorf("%s is called %s in a document", o.Key, got)
		}
	}
}

// What stands in backquotes is a key, and is replaced.
func TestSentencesAboutKeysHaveTheUsersWords(t *testing.T) {
	const text = "`method.sparsity` applies only to `method.name` sparse"
	if got, want := (arguments.Terms{}).Sentence(text), "--sparsity applies only to --method sparse"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (arguments.Terms{Job: "-"}).Sentence(text), "method.sparsity applies only to method.name sparse"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var b bytes.Buffer
	views.Complain(&b, arguments.Terms{Job: "-"}.Misuse("`seed`: no"))
	if got, want := b.String(), "nervure: standard input: seed: no\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
