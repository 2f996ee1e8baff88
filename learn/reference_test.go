package learn_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/needs"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// reference runs the NumPy trial code on the signals of each file given and
// prints, as JSON, the seconds it takes and the edges before its gap.
const reference = `
import json, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
from recipe import learn, coefs, gap, lap
kernels = [coefs('lo', 2, 15), coefs('hi', 1, 15)]
answers = []
for path in sys.argv[2:]:
    signals = np.ascontiguousarray(np.load(path))
    begin = time.perf_counter()
    weights, *_ = learn(signals, kernels, 4, np.random.default_rng(0), beams=(0, 4, 8))
    seconds = time.perf_counter() - begin
    pairs = np.triu_indices(len(weights), 1)
    kept = np.argsort(lap(weights)[pairs])[:gap(weights)[0]]
    answers.append({'seconds': seconds, 'edges': [[int(i) for i in pairs[0][kept]], [int(j) for j in pairs[1][kept]]]})
print(json.dumps(answers))
`

// prototype is where the NumPy trial code may be.
const prototype = "../../shared/prototype"

// A referenceAnswer is what the reference prints for a file: edges are two
// lists, of their first and of their second vertices.
type referenceAnswer struct {
	Seconds float64
	Edges   [2][]int
}

// askReference runs the reference on one thread. Without being told the kind of
// processor, OpenBLAS takes one that it does not know for an old one.
func askReference(b *testing.B, python string, files []string) []referenceAnswer {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), python, append([]string{"-c", reference, prototype}, files...)...)
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
	if cpu.X86.HasAVX512F {
		cmd.Env = append(cmd.Env, "OPENBLAS_CORETYPE=SkylakeX")
	}
	out := must(cmd.Output())
	var answers []referenceAnswer
	done(json.Unmarshal(out, &answers))
	return answers
}

func (a referenceAnswer) f1(truth *graph.Graph) float64 {
	var edges []graph.Edge
	for k, i := range a.Edges[0] {
		edges = append(edges, graph.Edge{I: i, J: a.Edges[1][k], Weight: 1})
	}
	g := must(graph.New(truth.Names(), edges))
	f1 := must(metrics.EdgeF1(g, truth))
	return f1
}

// BenchmarkAgainstReference times the default recipe and the NumPy reference on
// the same signals in the same run, each on one thread, and prints the ratio.
// NERVURE_PYTHON names a Python that has NumPy and SciPy.
func BenchmarkAgainstReference(b *testing.B) {
	if _, err := os.Stat(filepath.Join(prototype, "recipe.py")); err != nil {
		b.Skip("the NumPy reference is not here")
	}
	python := needs.Python()
	if err := exec.Command(python, "-c", "import numpy, scipy").Run(); err != nil {
		b.Skipf("%s has no NumPy and SciPy", python)
	}
	var loads []load
	for _, s := range paperTable1() {
		loads = append(loads, load{s, 1, 5})
	}
	for _, l := range append(loads, load{sized(synth.FamilyER, 500, 1000, 4), 1, 1}) {
		b.Run(l.name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			var ours measurement
			var truths []*synth.Truth
			var files []string
			for b.Loop() {
				ours, truths, files = measurement{}, nil, nil
				for truth := range l.truths() {
					ours.learn(b, truth, l.model, learn.Options{})
					file := filepath.Join(b.TempDir(), "signals.npy")
					done((dataio.Matrix{Values: truth.Signals}).Write(file))
					truths, files = append(truths, truth), append(files, file)
				}
			}
			var theirs, f1 float64
			for k, answer := range askReference(b, python, files) {
				theirs += answer.Seconds
				f1 += answer.f1(truths[k].Graph)
			}
			graphs := float64(l.graphs)
			ours.report(b)
			b.ReportMetric(theirs/graphs, "reference-s/graph")
			b.ReportMetric(f1/graphs, "reference-F1")
			b.ReportMetric(theirs/ours.seconds, "times-faster")
		})
	}
}
