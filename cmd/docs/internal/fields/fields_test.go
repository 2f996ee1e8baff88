package fields

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/graph"
)

const root = "../../../.."

// The covariance of many signals is that of the model: a power of L + κ²I, e^(−2L) or another
// spectrum, with noise of a share of the amplitude, up to a factor.
func TestDrawnSignalsHaveTheKernel(t *testing.T) {
	for _, kernel := range slices.Concat(Kernels, Spectra) {
		for _, noise := range []float64{0, 0.5} {
			s := Setting{Graph: "tree", Kernel: kernel, Size: 8, Times: 20000, Noise: noise}
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
		drawn, err := Setting{Graph: "tree", Kernel: name, Size: 8, Times: 20000, Noise: 0.01}.draw(7)
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

func TestGraphsAreOfTheirKinds(t *testing.T) {
	for name, edges := range map[string]func(n, count int) bool{
		"grid":        func(n, count int) bool { return n == 100 && count == 180 },
		"sensors":     func(n, count int) bool { return count >= 2*n && count <= 4*n },
		"tree":        func(n, count int) bool { return count == n-1 },
		"small-world": func(n, count int) bool { return count <= 2*n && count > 2*n-10 },
	} {
		g, err := Setting{Graph: name, Size: 100}.graph(3)
		if err != nil {
			t.Fatal(err)
		}
		if !edges(g.Vertices(), g.EdgeCount()) {
			t.Errorf("%s: %d vertices and %d edges", name, g.Vertices(), g.EdgeCount())
		}
		if _, parts := g.Components(); name != "sensors" && parts != 1 {
			t.Errorf("%s: %d components", name, parts)
		}
		for _, e := range g.Edges() {
			if e.Weight < 0.5 || e.Weight >= 1.5 {
				t.Errorf("%s: weight %g", name, e.Weight)
			}
		}
	}
}

func TestAKernelIsRightIfItIsNearestOrAsLikely(t *testing.T) {
	trials := []baseline.FieldTrial{{Kernel: "matern:1"}, {Kernel: "matern:2", Gain: 5, StdErr: 1}, {Kernel: "matern:4", Gain: 4.5, StdErr: 1}, {Kernel: "heat", Gain: 2, StdErr: 1}}
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

func TestScores(t *testing.T) {
	r := Record{Edges: 10, Known: 9, Default: Outcome{Edges: 6, Right: 4}}
	if p, recall, f1 := r.Default.Precision(), r.Recall(r.Default), r.F1(r.Default); math.Abs(p-4.0/6) > 1e-15 || recall != 0.4 || f1 != 0.5 || r.KnownF1() != 0.9 {
		t.Errorf("precision %g, recall %g, F1 %g, known %g", p, recall, f1, r.KnownF1())
	}
	if (Outcome{}).Precision() != 1 || r.F1(Outcome{}) != 0 {
		t.Error("a graph without edges")
	}
	if inside := (Record{}).F1(r.Default); math.Abs(inside-4.0/6) > 1e-15 {
		t.Errorf("%g of the edges are inside groups", inside)
	}
}

func TestPartsAreMeasured(t *testing.T) {
	all := Measurement{Seeds: []uint64{1, 2, 3, 4, 5}, Networks: "x"}
	for _, c := range []struct {
		only  []string
		count int
	}{
		{nil, 144*(5+5+3) + 56*5 + 7},
		{[]string{"N=100 M=10N grid"}, (12 + 14) * 5},
		{[]string{"matern:2+heat"}, 8 * 5},
		{[]string{"N=300 tree heat noise=0% M=3N"}, 3},
		{[]string{"seed=2 N=30 noise=1%", "network"}, 3*4*4 + 7},
		{[]string{"case14"}, 1},
	} {
		m := all
		m.Only = c.only
		if jobs, err := m.jobs(); err != nil || len(jobs) != c.count {
			t.Errorf("%q: %d jobs, want %d: %v", c.only, len(jobs), c.count, err)
		}
	}
	all.Only = []string{"N=31"}
	if _, err := all.jobs(); err == nil {
		t.Error("words that nothing has are no error")
	}
}

// A small field is learned from; what is there is left out the next time.
func TestMeasureLearnsFromFields(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.jsonl")
	var log strings.Builder
	m := Measurement{Seeds: []uint64{3}, Only: []string{"tree matern:2 N=30 M=10N noise=0%"}, Missing: true, Log: &log}
	for range 2 {
		if err := m.Measure(t.Context(), path); err != nil {
			t.Fatal(err)
		}
	}
	list, err := ReadRecords(path)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	r := list[0]
	if r.Vertices != 30 || r.Signals != 300 || r.Edges != 29 || r.Default.Edges == 0 || r.GGL.Method != "ggl" || r.KnownF1() < 0.9 || r.Default.Seconds <= 0 {
		t.Errorf("%+v", r)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.HasPrefix(log.String(), "tree matern:2 N=30 M=10N noise=0% seed=3: F1 ") {
		t.Errorf("%d lines: %s", lines, log.String())
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

func TestRecordsAreKeptInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.jsonl")
	small := Setting{"grid", "heat", 30, 3, 0}
	large := Setting{"grid", "matern:1", 100, 3, 0}
	for _, r := range []Record{{Set: "case14"}, {Setting: large, Seed: 1}, {Setting: small, Seed: 2}, {Setting: small, Seed: 1}, {Setting: small, Seed: 2, Edges: 5}} {
		if err := records.Keep(path, r, Record.check, order); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadRecords(path)
	want := []Record{{Setting: small, Seed: 1}, {Setting: small, Seed: 2, Edges: 5}, {Setting: large, Seed: 1}, {Set: "case14"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(`{"graph":"torus"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRecords(path); err == nil {
		t.Error("a setting that does not exist is read")
	}
}

// Sets are read with what is known of their graphs: true edges, or groups.
func TestSetsAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"netsim/sim01_01/signals.csv":     "a,b,c\n1,2,3\n4,5,6\n",
		"netsim/sim01_01/truth_edges.csv": "source,target,weight\na,b,1\nb,c,1\n",
		"stocks/signals.csv":              "a,b,c\n1,2,3\n4,5,6\n",
		"stocks/vertices.csv":             "name,sector\na,x\nb,y\nc,x\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := []graph.Edge{{I: 0, J: 1}, {I: 0, J: 2}, {I: 1, J: 2}}
	for word, want := range map[string]struct{ edges, right int }{"netsim": {2, 2}, "stocks": {0, 1}} {
		jobs, err := Measurement{Data: dir, Only: []string{word}}.jobs()
		if err != nil || len(jobs) != 1 {
			t.Fatalf("%s: %d jobs, %v", word, len(jobs), err)
		}
		s, known, err := jobs[0].read()
		if err != nil {
			t.Fatal(err)
		}
		if n, m := s.Y.Dims(); n != 3 || m != 2 || known.Edges() != want.edges || known.Right(all) != want.right {
			t.Errorf("%s: %d vertices, %d signals, %d true edges, %d of all right", word, n, m, known.Edges(), known.Right(all))
		}
	}
}
