package baseline_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/examples"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

var update = flag.Bool("update", false, "record the answers of all methods again")

const (
	digestFile = "testdata/digests.txt"
	// digestArithmetic is what the answers were recorded with.
	digestArithmetic = "amd64"
)

// Answers stay what they were, to the last bit. A method that has no line in the
// file is not held to anything here.
func TestAnswersAreThoseRecorded(t *testing.T) {
	slow(t)
	if got := runtime.GOARCH; got != digestArithmetic {
		t.Skipf("the answers were recorded with arithmetic %q; here it is %q, which rounds differently", digestArithmetic, got)
	}
	problems := digestProblems(t)
	if *update {
		recordDigests(t, problems)
	}
	file, err := os.Open(digestFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := 0
	for scan := bufio.NewScanner(file); scan.Scan(); lines++ {
		name, want, _ := strings.Cut(scan.Text(), ": ")
		problem, asked, _ := strings.Cut(name, " ")
		t.Run(name, func(t *testing.T) {
			if testing.Short() && problem != "leaf" {
				t.Skip("slow under the race detector")
			}
			if got := digest(t, problems[problem], asked); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if lines == 0 {
		t.Error("no answers are recorded")
	}
}

// digestAsked lists methods with parameters, and a cut for some.
var digestAsked = []string{
	"cgl", "cgl edges=9",
	"correlation", "correlation degree=3", "correlation edges=9",
	"ddgl", "ddgl alpha=0.1",
	"diffusion", "diffusion choice=1", "diffusion edges=9",
	"gaussian-kernel", "gaussian-kernel width=0.5 k=3", "gaussian-kernel edges=9",
	"field", "field order=2", "field heat=1",
	"ggl", "ggl alpha=0.1", "ggl edges=9",
	"ggm", "ggm gamma=0.1",
	"glasso", "glasso rho=0.1", "glasso folds=4 absolute=1", "glasso edges=9",
	"kernel-inversion", "kernel-inversion edges=9",
	"knn", "knn k=2",
	"modules", "modules model=1", "modules modules=4 lambda=0.3", "modules edges=9",
	"sigrep", "sigrep smoothness=0.1 spread=0.1",
	"smooth-l2", "smooth-l2 degree=3", "smooth-l2 spread=1.5",
	"smooth-log", "smooth-log degree=3", "smooth-log theta=2", "smooth-log edges=9",
	"spectral-templates", "spectral-templates set=1 rounds=1", "spectral-templates epsilon=0.5",
	"tree", "trees", "trees trees=3",
}

func recordDigests(t *testing.T, problems map[string]method.Problem) {
	t.Helper()
	var text strings.Builder
	for _, problem := range []string{"leaf", "molene", "synthetic", "constant", "missing"} {
		for _, asked := range digestAsked {
			if problem == "molene" && strings.Contains(asked, " ") {
				continue // large, and the others ask the same
			}
			fmt.Fprintf(&text, "%s %s: %s\n", problem, asked, digest(t, problems[problem], asked))
		}
	}
	if err := os.WriteFile(digestFile, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// digest runs a method as asked and says all it answers.
func digest(t *testing.T, p method.Problem, asked string) string {
	t.Helper()
	words := strings.Fields(asked)
	at := slices.IndexFunc(baseline.Methods(), func(e method.Entry) bool { return e.Name() == words[0] })
	if at < 0 {
		t.Fatalf("there is no method %s", words[0])
	}
	entry := baseline.Methods()[at]
	params := map[string]string{}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		if key != "edges" {
			params[key] = value
			continue
		}
		edges, err := strconv.Atoi(value)
		if err != nil {
			t.Fatal(err)
		}
		p.Cut = graph.Cut{Rule: graph.CutEdges, Edges: edges}
	}
	m, err := entry.WithParams(params)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for _, v := range method.Values(r.Method) {
		values = append(values, fmt.Sprintf("%s=%s", v.Name, strconv.FormatFloat(v.Value, 'g', -1, 64)))
	}
	return fmt.Sprintf("weights %s, graph %s, with %v, %d rounds, %s, %d warnings", bits(r.Weights), bits(r.Graph), values, r.Rounds, r.Status, len(r.Warnings))
}

// bits digests the names, edges and weights of a graph.
func bits(g *graph.Graph) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", g.Names())
	for _, e := range g.Edges() {
		fmt.Fprintf(hash, "%d %d %016x\n", e.I, e.J, binary.BigEndian.AppendUint64(nil, math.Float64bits(e.Weight)))
	}
	return fmt.Sprintf("%d:%.6x", g.EdgeCount(), hash.Sum(nil))
}

// digestProblems draws nothing from the seed that tests may be given.
func digestProblems(t *testing.T) map[string]method.Problem {
	t.Helper()
	kernels := conformKernels(t)
	problems := map[string]method.Problem{}
	for _, name := range examples.Names() {
		y, names := exampleSignals(t, name)
		problems[name] = method.Problem{Y: y, Names: names, Kernels: kernels}
	}
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: 18, EdgeFactor: 2, Seed: 12}, kernels,
		synth.SignalSpec{Count: 150, Sparsity: 3, Noise: 0.02, Seed: 12})
	if err != nil {
		t.Fatal(err)
	}
	problems["synthetic"] = method.Problem{Y: truth.Signals, Kernels: kernels}
	n, m := truth.Signals.Dims()
	constant := mat.DenseCopyOf(truth.Signals)
	missing := mat.DenseCopyOf(truth.Signals)
	for s := range m {
		constant.Set(0, s, 0)
		constant.Set(n/2, s, 7.5)
		missing.Set(s*5%n, s, math.NaN())
	}
	problems["constant"] = method.Problem{Y: constant, Kernels: kernels}
	problems["missing"] = method.Problem{Y: missing, Kernels: kernels}
	return problems
}

// exampleSignals reads an example as it is, its vertices in rows.
func exampleSignals(t *testing.T, name string) (*mat.Dense, []string) {
	t.Helper()
	file, err := examples.Open(name, examples.Signals)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(len(rows[0]), len(rows)-1, nil)
	for s, row := range rows[1:] {
		for i, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			y.Set(i, s, v)
		}
	}
	return y, rows[0]
}
