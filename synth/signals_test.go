package synth

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
)

// paperKernels are those of [maretic2017], section 4.
func paperKernels(t *testing.T) []kernel.Kernel {
	t.Helper()
	low, err := kernel.Heat(2, 15, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	high, err := kernel.HighPass(1, 15, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	return []kernel.Kernel{low, high}
}

func ringOf(t *testing.T, n int) *graph.Graph {
	t.Helper()
	return must(t)(ring(n, 3)).Graph
}

func draw(t *testing.T, g *graph.Graph, spec SignalSpec) *Truth {
	t.Helper()
	truth, err := Signals(g, paperKernels(t), spec)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

func TestSignalsAreTheirCodesOnTheDictionary(t *testing.T) {
	truth, err := Generate(
		GraphSpec{Family: FamilyRBF, Vertices: 30, Seed: *seed}, paperKernels(t),
		SignalSpec{Count: 150, Sparsity: 4, Seed: *seed},
	)
	if err != nil {
		t.Fatal(err)
	}
	d, err := dictionary.Dense(truth.Graph.Laplacian(), truth.Kernels)
	if err != nil {
		t.Fatal(err)
	}
	var want mat.Dense
	want.Mul(d, truth.Codes.Dense())
	if !mat.EqualApprox(truth.Clean, &want, 1e-12) {
		t.Error("the clean signals are not D·X")
	}
	if !mat.Equal(truth.Signals, truth.Clean) {
		t.Error("without noise the signals are not the clean ones")
	}
	if len(truth.Coordinates) != truth.Graph.Vertices() {
		t.Errorf("%d coordinates for %d vertices", len(truth.Coordinates), truth.Graph.Vertices())
	}
}

// mathematics.md, section 9: four draws with replacement among J = 2N atoms give
// J(1 − (1 − 1/J)^4) different ones, and the share of four that this is accounts
// for the ratio of code precision to recall in [maretic2017], table 1.
func TestDrawsWithReplacementRepeatAtoms(t *testing.T) {
	const signals = 4000
	for n, share := range map[int]float64{20: 0.9631, 50: 0.9851, 100: 0.9925} {
		j := float64(2 * n)
		law := j * (1 - math.Pow(1-1/j, 4)) / 4
		if math.Abs(law-share) > 5e-5 {
			t.Errorf("N = %d: the law gives %.4f, the notes say %.4f", n, law, share)
		}
		codes := draw(t, ringOf(t, n), SignalSpec{Count: signals, Sparsity: 4, Seed: *seed}).Codes
		shares, energies := make([]float64, signals), make([]float64, signals)
		for m := range signals {
			atom, coef := codes.Column(m)
			shares[m] = float64(len(atom)) / 4
			for _, c := range coef {
				energies[m] += c * c
			}
		}
		checkMean(t, "share of different atoms", shares, law)
		checkMean(t, "‖x‖²", energies, 4) // repeated or not, four independent N(0, 1) add up
	}
}

func TestDistinctDrawsGiveExactlyTheSparsity(t *testing.T) {
	const signals = 4000
	codes := draw(t, ringOf(t, 20), SignalSpec{Count: signals, Sparsity: 4, Distinct: true, Seed: *seed}).Codes
	var coefs, squares []float64
	for m := range signals {
		atom, coef := codes.Column(m)
		seen := slices.Clone(atom)
		slices.Sort(seen)
		if len(slices.Compact(seen)) != 4 {
			t.Fatalf("signal %d has atoms %v", m, atom)
		}
		for _, c := range coef {
			coefs, squares = append(coefs, c), append(squares, c*c)
		}
	}
	checkMean(t, "coefficients", coefs, 0)
	checkMean(t, "squared coefficients", squares, 1)
}

func TestDistinctDrawsEverySetEquallyOften(t *testing.T) {
	const trials = 6000
	sets := map[[2]int32]int{}
	r := rng.Stream(*seed, "sets")
	for range trials {
		atom, _ := distinct(4, 2, r)
		slices.Sort(atom)
		sets[[2]int32{atom[0], atom[1]}]++
	}
	if len(sets) != 6 {
		t.Fatalf("%d sets of 2 among 4, want 6", len(sets))
	}
	for set, count := range sets {
		checkCount(t, "a set of two", count, trials, 1./6)
		if set[0] == set[1] {
			t.Errorf("set %v", set)
		}
	}
}

func TestNoiseHasTheDeviationAskedFor(t *testing.T) {
	const n, signals, level = 20, 2000, 0.2
	g := ringOf(t, n)
	truth := draw(t, g, SignalSpec{Count: signals, Sparsity: 4, Noise: level, Seed: *seed})
	d, err := dictionary.Dense(g.Laplacian(), truth.Kernels)
	if err != nil {
		t.Fatal(err)
	}
	frobenius := mat.Norm(d, 2)
	power := 4 * frobenius * frobenius / (2 * n) / n // RMS² of the clean signals
	cleanPower, noise := make([]float64, signals), make([]float64, 0, n*signals)
	for m := range signals {
		for i := range n {
			clean := truth.Clean.At(i, m)
			cleanPower[m] += clean * clean / n
			noise = append(noise, math.Pow(truth.Signals.At(i, m)-clean, 2))
		}
	}
	checkMean(t, "power of the clean signals", cleanPower, power)
	checkMean(t, "power of the noise", noise, level*level*power)
}

func TestNoiseChangesNeitherAtomsNorCoefficients(t *testing.T) {
	g := ringOf(t, 15)
	spec := SignalSpec{Count: 30, Sparsity: 3, Seed: *seed}
	quiet := draw(t, g, spec)
	spec.Noise = 0.1
	noisy := draw(t, g, spec)
	spec.Noise = 0.3
	noisier := draw(t, g, spec)
	if !mat.Equal(quiet.Clean, noisy.Clean) || !mat.Equal(quiet.Codes.Dense(), noisy.Codes.Dense()) {
		t.Error("noise changes the codes or the clean signals")
	}
	var one, three mat.Dense
	one.Sub(noisy.Signals, noisy.Clean)
	three.Sub(noisier.Signals, noisier.Clean)
	one.Scale(3, &one)
	if mat.Norm(&one, 2) == 0 || !mat.EqualApprox(&one, &three, 1e-12) {
		t.Error("three times the noise is not three times the same noise")
	}
}

func TestMoreSignalsExtendTheFirst(t *testing.T) {
	g := ringOf(t, 15)
	for _, distinct := range []bool{false, true} {
		spec := SignalSpec{Count: 70, Sparsity: 4, Distinct: distinct, Noise: 0.1, Seed: *seed}
		few := draw(t, g, spec)
		spec.Count = 150
		many := draw(t, g, spec)
		if !mat.Equal(few.Signals, many.Signals.Slice(0, 15, 0, 70)) ||
			!mat.Equal(few.Codes.Dense(), many.Codes.Dense().Slice(0, 30, 0, 70)) {
			t.Errorf("distinct %v: the first 70 of 150 signals are not the 70", distinct)
		}
	}
}

func TestSignalsRefuse(t *testing.T) {
	g, kernels := ringOf(t, 10), paperKernels(t)
	for _, spec := range []SignalSpec{
		{Sparsity: 2}, {Count: 5}, {Count: 5, Sparsity: 2, Noise: -1}, {Count: 5, Sparsity: 2, Noise: math.NaN()}, {Count: 5, Sparsity: 21, Distinct: true},
	} {
		if _, err := Signals(g, kernels, spec); input.Find(err) == nil {
			t.Errorf("%+v: got %v", spec, err)
		}
	}
	if _, err := Signals(g, nil, SignalSpec{Count: 5, Sparsity: 2}); err == nil {
		t.Error("no kernels were accepted")
	}
	if _, err := Generate(GraphSpec{Family: FamilyER}, kernels, SignalSpec{Count: 5, Sparsity: 2}); err == nil {
		t.Error("Generate accepted a graph without vertices")
	}
}
