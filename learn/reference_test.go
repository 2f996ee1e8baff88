package learn_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/learn"
)

// reference runs the NumPy trial code on the signals of each file given and
// prints the seconds it takes, as JSON.
const reference = `
import json, sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np
from recipe import learn, coefs
kernels = [coefs('lo', 2, 15), coefs('hi', 1, 15)]
seconds = []
for path in sys.argv[2:]:
    signals = np.ascontiguousarray(np.load(path))
    begin = time.perf_counter()
    learn(signals, kernels, 4, np.random.default_rng(0), beams=(0, 4, 8))
    seconds.append(time.perf_counter() - begin)
print(json.dumps(seconds))
`

// BenchmarkAgainstReference times the default recipe and the NumPy reference on
// the same signals in the same run, each on one thread, and prints the ratio.
// NERVURE_PYTHON names a Python that has NumPy and SciPy.
func BenchmarkAgainstReference(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const prototype = "../../shared/prototype"
	if _, err := os.Stat(filepath.Join(prototype, "recipe.py")); err != nil {
		b.Skip("the NumPy reference is not here")
	}
	python := os.Getenv("NERVURE_PYTHON")
	if python == "" {
		python = "python3"
	}
	if err := exec.Command(python, "-c", "import numpy, scipy").Run(); err != nil {
		b.Skipf("%s has no NumPy and SciPy", python)
	}
	const graphs = 3
	for _, s := range paperTable1() {
		b.Run(s.name, func(b *testing.B) {
			args := []string{"-c", reference, prototype}
			model := s.model
			var ours time.Duration
			for b.Loop() {
				args, ours = args[:3], 0
				for k := range graphs {
					truth := s.draw(b, *seed+uint64(k))
					path := filepath.Join(b.TempDir(), "signals.npy")
					if err := dataio.WriteMatrix(path, truth.Signals); err != nil {
						b.Fatal(err)
					}
					args = append(args, path)
					begin := time.Now()
					if _, err := learn.Fit(b.Context(), truth.Signals, model, learn.Options{}); err != nil {
						b.Fatal(err)
					}
					ours += time.Since(begin)
				}
			}
			cmd := exec.Command(python, args...)
			cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OPENBLAS_CORETYPE=SkylakeX")
			out, err := cmd.Output()
			if err != nil {
				b.Fatal(err)
			}
			var seconds []float64
			if err := json.Unmarshal(out, &seconds); err != nil {
				b.Fatal(err)
			}
			var theirs float64
			for _, t := range seconds {
				theirs += t
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours.Seconds()/graphs, "s/graph")
			b.ReportMetric(theirs/graphs, "reference-s/graph")
			b.ReportMetric(theirs/ours.Seconds(), "times-faster")
		})
	}
}
