package synth

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// A SignalSpec says which signals to draw on a graph.
type SignalSpec struct {
	Count    int // M, how many signals
	Sparsity int // T₀, how many atoms are drawn for each

	// Distinct draws the atoms of a signal without replacement. False draws
	// them with replacement, as the published scores of [maretic2017] imply:
	// some signals then have fewer than Sparsity atoms, an atom drawn twice
	// having the sum of two coefficients.
	Distinct bool

	// Noise is the standard deviation of the noise as a fraction of the
	// root-mean-square amplitude of the clean signals, the one their law gives:
	// √(T₀‖D‖²_F/(J·N)) for J atoms. Zero means none.
	Noise float64

	// Seed fixes the draws. Signal m comes from the streams ("atoms", m) and
	// ("noise", m), so that the level of noise changes neither atoms nor
	// coefficients, and more signals leave the first ones as they are.
	Seed uint64
}

func (s SignalSpec) check() error {
	var faults []error
	if s.Count < 1 {
		faults = append(faults, input.Errorf("synth.SignalSpec", "count", "got %d, want at least 1", s.Count))
	}
	if s.Sparsity < 1 {
		faults = append(faults, input.Errorf("synth.SignalSpec", input.Sparsity, "got %d, want at least 1", s.Sparsity))
	}
	if !(s.Noise >= 0) || math.IsInf(s.Noise, 0) {
		faults = append(faults, input.Errorf("synth.SignalSpec", "noise", "got %v, want a number ≥ 0", s.Noise))
	}
	return errors.Join(faults...)
}

// Truth is a set of signals and all that generated them. Its slices and matrices
// belong to the caller.
type Truth struct {
	Sample
	Kernels []kernel.Kernel
	Codes   *sparse.Code // X
	Clean   *mat.Dense   // D·X, N×M: the signals before noise
	Signals *mat.Dense   // Y, N×M: Clean plus noise
}

// Generate draws a graph and signals on it: [Graph], then [Signals].
func Generate(g GraphSpec, kernels []kernel.Kernel, s SignalSpec) (*Truth, error) {
	drawn, err := Graph(g)
	if err != nil {
		return nil, err
	}
	t, err := Signals(drawn.Graph, kernels, s)
	if err != nil {
		return nil, err
	}
	t.Sample = drawn
	return t, nil
}

// Signals draws signals that are sparse on g ([maretic2017], section 4): each is
// D·x plus noise, where D has the atoms p_s(L) of all kernels and x has T₀
// entries at atoms drawn uniformly, with coefficients from N(0, 1).
// The coordinates and blocks of the truth are nil.
func Signals(g *graph.Graph, kernels []kernel.Kernel, spec SignalSpec) (*Truth, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	d, err := dictionary.NewOperator(g, kernels)
	if err != nil {
		return nil, fmt.Errorf("synth.Signals: %w", err)
	}
	n, atoms := g.Vertices(), d.Atoms()
	if spec.Distinct && spec.Sparsity > atoms {
		return nil, input.Errorf("synth.Signals", input.Sparsity,
			"got %d, want at most %d, the number of atoms, unless drawn with replacement", spec.Sparsity, atoms)
	}
	codes := drawCodes(atoms, spec)
	clean, err := synthesise(d, n, codes)
	if err != nil {
		return nil, fmt.Errorf("synth.Signals: %w", err)
	}
	signals := mat.DenseCopyOf(clean)
	if spec.Noise > 0 {
		total, err := energy(d, n)
		if err != nil {
			return nil, fmt.Errorf("synth.Signals: %w", err)
		}
		rms := math.Sqrt(float64(spec.Sparsity) * total / float64(atoms) / float64(n))
		addNoise(signals, spec.Noise*rms, spec.Seed)
	}
	return &Truth{Sample: Sample{Graph: g}, Kernels: slices.Clone(kernels), Codes: codes, Clean: clean, Signals: signals}, nil
}

func drawCodes(atoms int, spec SignalSpec) *sparse.Code {
	codes := sparse.NewCode(atoms, spec.Count, min(spec.Sparsity, atoms))
	draw := withReplacement
	if spec.Distinct {
		draw = distinct
	}
	for m := range spec.Count {
		atom, coef := draw(atoms, spec.Sparsity, rng.Stream(spec.Seed, "atoms", m))
		codes.SetColumn(m, atom, coef)
	}
	return codes
}

// withReplacement draws k times an atom and its coefficient; an atom drawn
// again adds to the coefficient it has.
func withReplacement(atoms, k int, r *rand.Rand) (atom []int32, coef []float64) {
	for range k {
		j, c := r.Int32N(int32(atoms)), r.NormFloat64()
		if at := slices.Index(atom, j); at >= 0 {
			coef[at] += c
			continue
		}
		atom, coef = append(atom, j), append(coef, c)
	}
	return atom, coef
}

// distinct draws k different atoms, every set of k being equally likely, by
// Floyd's algorithm ([bentley1987]), and their coefficients.
func distinct(atoms, k int, r *rand.Rand) (atom []int32, coef []float64) {
	for last := atoms - k; last < atoms; last++ {
		j := r.Int32N(int32(last) + 1)
		if slices.Contains(atom, j) {
			j = int32(last)
		}
		atom, coef = append(atom, j), append(coef, r.NormFloat64())
	}
	return atom, coef
}

// batch is the number of columns handed to the dictionary at a time. All batches
// are filled up to it, so that rounding in a column never depends on how many
// columns there are.
const batch = 64

// synthesise returns D·X.
func synthesise(d *dictionary.Operator, n int, codes *sparse.Code) (*mat.Dense, error) {
	atoms, signals := codes.Dims()
	y := mat.NewDense(n, signals, nil)
	x := mat.NewDense(atoms, batch, nil)
	for first := 0; first < signals; first += batch {
		count := min(batch, signals-first)
		x.Zero()
		for m := range count {
			atom, coef := codes.Column(first + m)
			for k, j := range atom {
				x.Set(int(j), m, coef[k])
			}
		}
		part, err := d.Mul(x)
		if err != nil {
			return nil, err
		}
		y.Slice(0, n, first, first+count).(*mat.Dense).Copy(part)
	}
	return y, nil
}

// energy returns ‖D‖²_F.
func energy(d *dictionary.Operator, n int) (float64, error) {
	var sum float64
	units := mat.NewDense(n, batch, nil)
	for first := 0; first < n; first += batch {
		units.Zero()
		for m := range min(batch, n-first) {
			units.Set(first+m, m, 1)
		}
		rows, err := d.MulTrans(units)
		if err != nil {
			return 0, err
		}
		for _, v := range rows.RawMatrix().Data {
			sum += v * v
		}
	}
	return sum, nil
}

// addNoise adds independent N(0, deviation²) to every entry of y.
func addNoise(y *mat.Dense, deviation float64, seed uint64) {
	n, signals := y.Dims()
	for m := range signals {
		r := rng.Stream(seed, "noise", m)
		for i := range n {
			y.Set(i, m, y.At(i, m)+deviation*r.NormFloat64())
		}
	}
}
