package baseline

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// stream draws from the seed that the tests outside the package define as a flag.
func stream(name string, index ...int) *rand.Rand {
	seed, err := strconv.ParseUint(flag.Lookup("seed").Value.String(), 10, 64)
	if err != nil {
		panic(err)
	}
	return rng.Stream(seed, name, index...)
}

// learned runs a method that must not fail.
func learned(t testing.TB, m method.Method, y *mat.Dense) *method.Result {
	t.Helper()
	r, err := m.Learn(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refuses checks that a method blames a field of its input.
func refuses(t *testing.T, m method.Method, p method.Problem, field input.Field) {
	t.Helper()
	r, err := m.Learn(t.Context(), p)
	if fault := input.Find(err); r != nil || fault == nil || fault.Op != m.Name() || fault.Field != field {
		t.Errorf("%+v: got %v, want a fault of %s", m, err, field)
	}
}

// lowPass returns the kernels e^(−2λ) and e^(−λ).
func lowPass(t *testing.T) []kernel.Kernel {
	t.Helper()
	var kernels []kernel.Kernel
	for _, tau := range []float64{2, 1} {
		k, err := kernel.Heat(tau, 20, kernel.Chebyshev)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// drawn returns signals of the low-pass kernels on a random graph.
func drawn(t *testing.T, vertices, signals int, seed uint64) *synth.Truth {
	t.Helper()
	truth, err := synth.Generate(
		synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Probability: 0.3, Seed: seed},
		lowPass(t), synth.SignalSpec{Count: signals, Sparsity: 4, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// randomSignals returns white noise.
func randomSignals(r *rand.Rand, n, m int) *mat.Dense {
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	return y
}

// pairWeights returns the weights of g over the pairs.
func pairWeights(g *graph.Graph) []float64 {
	n := g.Vertices()
	w := make([]float64, n*(n-1)/2)
	for _, e := range g.Edges() {
		w[pairIndex(n, e.I, e.J)] = e.Weight
	}
	return w
}

func samePairs(a, b *graph.Graph) bool {
	return slices.EqualFunc(a.Edges(), b.Edges(), func(e, f graph.Edge) bool { return e.I == f.I && e.J == f.J })
}

// largestEntry returns the largest difference between two matrices.
func largestEntry(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// A stopWatch is a context that ends when it has been asked that many times.
type stopWatch struct {
	context.Context

	left *int
}

var errStopWatch = errors.New("time is up")

func (s stopWatch) Err() error {
	if *s.left--; *s.left < 0 {
		return errStopWatch
	}
	return nil
}

// denseOf returns a matrix of rows.
func denseOf(rows [][]float64) *mat.Dense {
	a := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		a.SetRow(i, row)
	}
	return a
}

// oracle reads the cases that other software has solved, from a file of testdata.
func oracle[Case any](t *testing.T, name string) []Case {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []Case }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("%s has no cases", name)
	}
	return file.Cases
}
