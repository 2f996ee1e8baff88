package commands

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/signals"
)

// shorter are examples that take minutes or hours, and what is run instead.
var shorter = map[string]string{
	"nervure reproduce table1 --instances 5": "nervure reproduce atoms --instances 1",
	"nervure serve --export site":            `nervure serve --export site --wasm empty.wasm --wasm-exec empty.js`,
	"nervure reproduce all --out evidence":   "nervure reproduce kernels --out evidence",

	"nervure plan signals.csv":                                      "nervure plan signals.csv --method knn --repeats 1",
	"nervure plan signals.csv --recall 0.9 --plot plan.svg":         "nervure plan signals.csv --method knn --repeats 1 --recall 0.9 --plot plan.svg",
	"nervure plan signals.csv --signals 100,200,400 --out plan.csv": "nervure plan signals.csv --method knn --repeats 1 --signals 100,200,400 --out plan.csv",

	"nervure serve --port 9000 --jobs 2 --max-upload 1GB": "nervure serve --port 0 --jobs 2 --max-upload 1GB", // which may be taken

	"nervure worker --cluster nats://127.0.0.1:4222": distributed + `(exec nervure worker --cluster nats://$address)` + attended,
	"nervure worker --cluster tls://head.example.org:4222 --token-file token.txt \\\n--tls-ca ca.pem --threads 8 --idle 1m": `
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out ca.pem -days 1 -subj /CN=head -addext subjectAltName=IP:127.0.0.1 2> /dev/null
echo secret > token.txt; ` + strings.Replace(distributed, ") &", " --token-file token.txt --tls-cert ca.pem --tls-key key.pem) &", 1) +
		`(exec nervure worker --cluster tls://$address --token-file token.txt --tls-ca ca.pem --threads 8 --idle 1h)` + attended,
}

// distributed begins a batch that waits for workers. A worker that is attended ends after
// the batch, and does not leave before it has begun: on a busy machine that may take long.
const (
	distributed = `address=127.0.0.1:$((20000 + RANDOM % 10000)); (exec nervure batch recordings --out distributed-$RANDOM --cluster listen:$address) & batch=$!
`
	attended = ` & worker=$!; wait $batch; kill -INT $worker; wait $worker || true`
)

// prelude makes bash take the lines meant for other shells, shows man pages to nobody, and
// ends what is still running when a command has failed.
const prelude = `fpath=(. .)
trap 'kill $(jobs -p) &> /dev/null || true' EXIT
source() { if [[ $# == 0 ]]; then cat > /dev/null; else builtin source "$@"; fi; }
man() { cat > /dev/null; }
`

// Every example of every help text runs as written, in a directory that has the
// files it names.
func TestExamplesOfTheHelpRun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash here")
	}
	bin, dir := filepath.Dir(buildTool(t)), t.TempDir()
	makeExampleFiles(t, dir)
	serving, err := os.ReadFile(filepath.Join("..", "..", "docs", "internal", "codeblock", "serving.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range manual(t) {
		for _, example := range examplesOf(cmd.Example) {
			t.Run(example, func(t *testing.T) {
				script := example
				if s, long := shorter[example]; long {
					script = s
				}
				run := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", prelude+string(serving)+script)
				run.Dir = dir
				run.Env = append(os.Environ(), "HOME="+dir, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
				if out, err := run.CombinedOutput(); err != nil {
					t.Errorf("%s\n%s%v", script, out, err)
				}
			})
		}
	}
}

// A command without an argument that could be wrong needs no example.
func TestCommandsHaveExamples(t *testing.T) {
	for _, cmd := range manual(t) {
		if name := cmd.Name(); cmd.Example == "" && name != "version" && name != "help" {
			t.Errorf("%s has no example", name)
		}
	}
}

// examplesOf are the commands of a help text, those of several lines whole.
func examplesOf(text string) []string {
	var list []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if k := len(list) - 1; k >= 0 && strings.HasSuffix(list[k], `\`) {
			list[k] += "\n" + line
		} else if line != "" {
			list = append(list, line)
		}
	}
	return list
}

// hourly returns signals that begin with a month.
func hourly(set *signals.Set, month time.Month) *signals.Set {
	timed := *set
	_, m := set.Y.Dims()
	for k := range m {
		timed.Times = append(timed.Times, time.Date(2024, month, 1, k, 0, 0, 0, time.UTC))
	}
	return &timed
}

// makeExampleFiles makes all that examples name: signals on twelve vertices, in
// several formats, and a graph learned from them.
func makeExampleFiles(t *testing.T, dir string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	do := func(args ...string) {
		t.Helper()
		if code, _, stderr := run(t.Context(), nil, args...); code != views.ExitDone {
			t.Fatalf("%q: exit code %d, %s", args, code, stderr)
		}
	}
	do("generate", "--graph", "ring", "--vertices", "12", "--signals", "50", "--out", dir)
	for _, name := range []string{"signals.csv", "truth.csv"} { // one vertex is called as in the examples
		text, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), regexp.MustCompile(`\bv0\b`).ReplaceAll(text, []byte("Brest")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	do("learn", at("signals.csv"), "--rounds", "4", "--confidence", "no", "--out", at("graph.csv"), "--codes", at("learned-codes.npy"), "--summary", at("summary.json"))
	do("learn", at("signals.csv"), "--kernel", "matern:1", "--edges", "12", "--out", at("field-graph.csv"), "--summary", at("field.json"), "--model", at("field-model.json"), "--confidence", "no")
	do("learn", at("signals.csv"), "--method", "field", "--out", at("before.csv"))
	do("learn", at("signals.csv"), "--method", "ggl", "--out", at("after.csv"))
	do("convert", at("graph.csv"), "--out", at("graph.graphml"))
	do("convert", at("graph.csv"), "--out", at("graph.json"))
	set, err := dataio.ReadSignals(at("signals.csv"), dataio.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	flows := mat.DenseCopyOf(set.Y)
	flows.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, flows)
	text, err := os.ReadFile(at("signals.csv"))
	if err != nil {
		t.Fatal(err)
	}
	gappy := mat.DenseCopyOf(set.Y)
	gappy.Apply(func(i, k int, v float64) float64 {
		if (7*k+3*i)%10 == 0 {
			return math.NaN()
		}
		return v
	}, gappy)
	people := "person,diagnosis\n"
	err = os.Mkdir(at("subjects"), 0o700)
	for k := range 8 { // each with other signals left out
		_, m := set.Y.Dims()
		columns := slices.DeleteFunc(matrix.Span(0, m), func(j int) bool { return j%8 == k })
		err = errors.Join(err, dataio.WriteSignals(at(fmt.Sprintf("subjects/s%d.csv", k)), &signals.Set{Names: set.Names, Y: matrix.Columns(set.Y, columns)}))
		people += fmt.Sprintf("s%d,%s\n", k, []string{"ill", "well"}[k%2])
	}
	stations := "name,lat,lon,region\n"
	for k, name := range set.Names {
		stations += fmt.Sprintf("%s,%d,%d,%s\n", name, 48+k%4, -k/4, []string{"coast", "inland"}[k%2])
	}
	if err := errors.Join(
		err,
		os.WriteFile(at("people.csv"), []byte(people), 0o600),
		os.WriteFile(at("stations.csv"), []byte(stations), 0o600),
		os.WriteFile(at("empty.wasm"), []byte("\x00asm\x01\x00\x00\x00"), 0o600),
		os.WriteFile(at("empty.js"), nil, 0o600),
		dataio.Matrix{Values: set.Y}.Write(at("signals.npy")),
		dataio.Matrix{Name: "Y", Values: set.Y}.Write(at("recording.mat")),
		dataio.WriteSignals(at("gaps.csv"), &signals.Set{Names: set.Names, Y: gappy}),
		dataio.WriteSignals(at("flows.csv"), &signals.Set{Names: set.Names, Y: flows}),
		dataio.WriteSignals(at("january.csv"), hourly(set, time.January)),
		dataio.WriteSignals(at("february.csv"), hourly(set, time.February)),
		os.WriteFile(at("new.csv"), text, 0o600),
		os.WriteFile(at("signals.csv.gz"), gzipped(t, text), 0o600),
		os.Symlink("truth.csv", at("old.csv")),
		os.Mkdir(at("recordings"), 0o700),
		os.WriteFile(at("recordings/one.csv"), text, 0o600),
		os.WriteFile(at("recordings/two.csv"), text, 0o600),
		os.WriteFile(at("files.txt"), []byte("recordings/one.csv\nrecordings/two.csv\n"), 0o600),
		os.WriteFile(at("impossible.csv"), []byte("source,target,weight\n"+set.Names[0]+","+set.Names[5]+",1\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
