package measure

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
)

// The covariance of many signals is that of the model: a power of L + κ²I, e^(−2L) or another
// spectrum, with noise of a share of the amplitude, up to a factor.
func TestDrawnSignalsHaveTheKernel(t *testing.T) {
	for _, kernel := range slices.Concat(Kernels, Spectra) {
		for _, noise := range []float64{0, 0.5} {
			s := field{"tree", kernel, 8, 20000, noise}
			drawn, err := s.draw(7)
			if err != nil {
				t.Fatal(err)
			}
			want := covariance(t, drawn.Graph, kernel, noise)
			var got mat.Dense
			got.Mul(drawn.Signals, drawn.Signals.T())
			got.Scale(mat.Trace(want)/mat.Trace(&got), &got)
			got.Sub(&got, want)
			if off := mat.Norm(&got, 2) / mat.Norm(want, 2); off > 0.02 {
				t.Errorf("%s, noise %g: the covariance is off by %g", kernel, noise, off)
			}
		}
	}
}

// covariance is that of the model by the eigenvalues of the Laplacian.
func covariance(t *testing.T, g *graph.Graph, kernel string, noise float64) *mat.Dense {
	t.Helper()
	laws := map[string]func(float64) float64{
		"matern:1": func(l float64) float64 { return 1 / (l + 0.1) },
		"matern:2": func(l float64) float64 { return math.Pow(l+0.1, -2) },
		"matern:3": func(l float64) float64 { return math.Pow(l+0.1, -3) },
		"matern:4": func(l float64) float64 { return math.Pow(l+0.1, -4) },
		"heat":     func(l float64) float64 { return math.Exp(-2 * l) },
		"heat:3":   func(l float64) float64 { return math.Exp(-6 * l) },
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(g.CombinatorialLaplacian(), true) {
		t.Fatal("no eigenvalues")
	}
	variances := eigen.Values(nil)
	largest := slices.Max(variances)
	laws["lowpass:4"] = func(l float64) float64 { return math.Pow(math.Pow(1-l/largest, 4)+0.01, 2) }
	parts, mean := strings.FieldsFunc(kernel, func(r rune) bool { return r == '+' || r == '=' }), 0.0
	energies := make([]float64, len(parts))
	for k, part := range parts {
		for _, l := range variances {
			energies[k] += laws[part](l)
		}
		if strings.Contains(kernel, "=") {
			energies[k] = laws[part](variances[len(variances)/2])
		}
	}
	for k, l := range variances {
		variances[k] = 0
		for p, part := range parts {
			variances[k] += laws[part](l) / energies[p]
		}
		mean += variances[k] / float64(len(variances))
	}
	for k := range variances {
		variances[k] += noise * noise * mean
	}
	var v, sum mat.Dense
	eigen.VectorsTo(&v)
	sum.Mul(&v, mat.NewDiagDense(len(variances), variances))
	sum.Mul(&sum, v.T())
	return &sum
}

// By the true spectrum, signals become such of order one: their covariance is that of L + κ²I.
func TestTrueSpectrumRootsItsSignals(t *testing.T) {
	for _, name := range Spectra {
		drawn, err := field{"tree", name, 8, 20000, 0.01}.draw(7)
		if err != nil {
			t.Fatal(err)
		}
		s, err := spectrumOf(name, drawn.Graph)
		if err != nil {
			t.Fatal(err)
		}
		y, err := s.rooted(drawn.Signals, 0.01)
		if err != nil {
			t.Fatal(err)
		}
		_, m := y.Dims()
		var got, want mat.Dense
		got.Mul(y, y.T())
		got.Scale(1/float64(m), &got)
		ridged := mat.DenseCopyOf(drawn.Graph.CombinatorialLaplacian())
		for i := range 8 {
			ridged.Set(i, i, ridged.At(i, i)+ridge)
		}
		if err := want.Inverse(ridged); err != nil {
			t.Fatal(err)
		}
		got.Sub(&got, &want)
		if off := mat.Norm(&got, 2) / mat.Norm(&want, 2); off > 0.05 {
			t.Errorf("%s: the covariance is off by %g", name, off)
		}
	}
}

func TestAKernelIsRightIfItIsNearestOrAsLikely(t *testing.T) {
	trials := []baseline.FieldTrial{
		{Kernel: "matern:1"},
		{Kernel: "matern:2", Gain: 5, StdErr: 1},
		{Kernel: "matern:4", Gain: 4.5, StdErr: 1},
		{Kernel: "heat", Gain: 2, StdErr: 1},
	}
	for _, c := range []struct {
		name, chosen, kernel string
		want                 bool
	}{
		{"the true one", "matern:2", "matern:2", true},
		{"the nearest, by its ratio", "matern:3", "matern:4", true},
		{"not the nearest, and not tried", "matern:3", "matern:2", false},
		{"heat for an order, and worse", "heat", "matern:2", false},
		{"within a standard error", "matern:4", "matern:2", true},
		{"better", "matern:4", "heat", true},
		{"worse", "matern:1", "heat", false},
	} {
		if got := rightKernel(&baseline.FieldFit{Kernel: c.chosen, Trials: trials}, c.kernel); got != c.want {
			t.Errorf("%s: right is %t", c.name, got)
		}
	}
	if rightKernel(nil, "matern:1") {
		t.Error("a method without a kernel is right")
	}
}

// What is scored is what the script draws.
func TestNetworksAreThoseOfTheScript(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, "python/benchmarks/networks.py"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range Networks {
		names = append(names, `"`+s.Name+`"`)
	}
	if want := "SCORED = (" + strings.Join(names, ", ") + ")\n"; !strings.Contains(string(script), want) {
		t.Errorf("the script does not have %s", want)
	}
}
