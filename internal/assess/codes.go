package assess

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// A SignalModel is what a method's own model says of signals.
type SignalModel interface {
	// LogDensity returns the log density of each column of y, in the units of y and without
	// the constant −N/2·log 2π, or a lower bound of it.
	LogDensity(y *mat.Dense) ([]float64, error)
	// Predict returns the values that the model expects at the hidden vertices of the
	// columns of y, given those at all others, a row for each hidden vertex. It does not
	// look at the hidden rows.
	Predict(y *mat.Dense, hidden []int) (*mat.Dense, error)
}

// CodeModel is the sparse model of signals on a graph: any number of
// atoms up to sparsity is as probable as any other, and so is any set of that many atoms;
// on the set S a signal is a Gaussian of covariance σ²I + τ²·D_S·D_Sᵀ, with D_S its
// atoms scaled to length 1. Its density is the term of one set in the sum over all, of
// the set that codes the signal: a lower bound, so that the model claims no more than it
// can show. σ² and τ² are those of the codes of the columns of train.
func CodeModel(train *mat.Dense, g *graph.Graph, kernels []kernel.Kernel, sparsity, threads int) (SignalModel, error) {
	return newCodeModel(train, g, kernels, sparsity, threads)
}

type codeModel struct {
	d                 *mat.Dense // atoms of length 1
	sparsity, threads int
	noise, strength   float64 // σ² and τ²
	train             *mat.Dense
}

func newCodeModel(train *mat.Dense, g *graph.Graph, kernels []kernel.Kernel, sparsity, threads int) (*codeModel, error) {
	if n, _ := train.Dims(); g.Vertices() != n {
		return nil, input.Errorf("assess.CodeModel", "vertices of the graph", "got %d, want %d", g.Vertices(), n)
	}
	d, err := dictionary.Dense(g.Laplacian(), kernels)
	if err != nil {
		return nil, fmt.Errorf("assess.CodeModel: %w", err)
	}
	_, atoms := d.Dims()
	for j := range atoms {
		if length := mat.Norm(d.ColView(j), 2); length > 0 {
			column := mat.Col(nil, j, d)
			floats.Scale(1/length, column)
			d.SetCol(j, column)
		}
	}
	m := &codeModel{d: d, sparsity: sparsity, threads: threads, train: train}
	return m, m.fit(train)
}

// code returns the problem of coding y and its codes.
func (m *codeModel) code(y *mat.Dense) (*sparse.Problem, *sparse.Code, error) {
	_, atoms := m.d.Dims()
	_, signals := y.Dims()
	problem, err := sparse.NewProblem(m.d, y)
	if err != nil {
		return nil, nil, err
	}
	coder, err := sparse.NewCoder(atoms, sparse.Options{Method: sparse.Beam, Sparsity: m.sparsity, Threads: m.threads})
	if err != nil {
		return nil, nil, err
	}
	code := sparse.NewCode(atoms, signals, m.sparsity)
	coder.Encode(problem, code)
	return problem, code, nil
}

// leastNoise is the share of the energy of signals that σ² is at least.
const leastNoise = 1e-12

// fit sets σ² and τ² to what codes of the training signals leave over and use.
func (m *codeModel) fit(train *mat.Dense) error {
	problem, code, err := m.code(train)
	if err != nil {
		return err
	}
	n, signals := train.Dims()
	left, energy, used, free, count := 0.0, 0.0, 0.0, 0, 0
	for k := range signals {
		atom, coef := code.Column(k)
		left += problem.Energy[k]
		energy += problem.Energy[k]
		for q, j := range atom {
			used += coef[q] * coef[q]
			left -= coef[q] * problem.Corr[k*problem.Atoms+int(j)] // ‖y‖² − xᵀDᵀy at the least squares
		}
		count += len(atom)
		free += n - len(atom)
	}
	least := max(leastNoise*energy/float64(n*signals), math.SmallestNonzeroFloat64)
	m.noise = max(left/float64(max(free, 1)), least)
	m.strength = max(used/float64(max(count, 1)), m.noise)
	return nil
}

// Predict implements [SignalModel]: the visible values of a signal are coded by what the atoms
// have at these vertices, and the codes say what is hidden. Coefficients are those that the
// model expects: a row √(σ²/τ²) for each atom, which the signal has 0 for, makes an atom of which
// little is visible count for little. Whether atoms that are mostly hidden take part at all,
// which only signals with little noise can tell, is decided by the training signals.
func (m *codeModel) Predict(y *mat.Dense, hidden []int) (*mat.Dense, error) {
	least, smallest := 0.0, math.Inf(1)
	for _, share := range []float64{0, mostlyVisible} {
		expected, err := m.predict(m.train, hidden, share)
		if err != nil {
			return nil, err
		}
		left := 0.0
		for a, i := range hidden {
			for k, v := range m.train.RawRowView(i) {
				d := v - expected.At(a, k)
				left += d * d
			}
		}
		if left < smallest {
			least, smallest = share, left
		}
	}
	return m.predict(y, hidden, least)
}

// mostlyVisible is the share of the energy of an atom that counts as most of it.
const mostlyVisible = 0.5

// predict is Predict by the atoms of which at least a share is visible.
func (m *codeModel) predict(y *mat.Dense, hidden []int, share float64) (*mat.Dense, error) {
	n, count := y.Dims()
	_, atoms := m.d.Dims()
	seen := slices.DeleteFunc(matrix.Span(0, n), func(i int) bool { return slices.Contains(hidden, i) })
	part, visible := *m, mat.NewDense(len(seen)+atoms, count, nil)
	part.d = mat.NewDense(len(seen)+atoms, atoms, nil)
	for a, i := range seen {
		visible.SetRow(a, y.RawRowView(i))
	}
	for j := range atoms {
		energy := 0.0
		for _, i := range seen {
			energy += m.d.At(i, j) * m.d.At(i, j)
		}
		if energy < share {
			continue
		}
		for a, i := range seen {
			part.d.Set(a, j, m.d.At(i, j))
		}
		part.d.Set(len(seen)+j, j, math.Sqrt(m.noise/m.strength))
	}
	_, code, err := part.code(visible)
	if err != nil {
		return nil, err
	}
	expected := mat.NewDense(len(hidden), count, nil)
	for a, i := range hidden {
		row, to := m.d.RawRowView(i), expected.RawRowView(a)
		for k := range to {
			atom, coef := code.Column(k)
			for q, j := range atom {
				to[k] += coef[q] * row[j]
			}
		}
	}
	return expected, nil
}

// LogDensity implements [SignalModel].
func (m *codeModel) LogDensity(y *mat.Dense) ([]float64, error) {
	problem, code, err := m.code(y)
	if err != nil {
		return nil, err
	}
	n, signals := y.Dims()
	density := make([]float64, signals)
	for k := range density {
		atom, _ := code.Column(k)
		t := len(atom)
		logDet, covered := 0.0, 0.0 // of I + τ²/σ²·G, and bᵀ(G + σ²/τ²·I)⁻¹b
		if t > 0 {
			gram, b := mat.NewSymDense(t, nil), mat.NewVecDense(t, nil)
			for p, i := range atom {
				b.SetVec(p, problem.Corr[k*problem.Atoms+int(i)])
				for q := p; q < t; q++ {
					gram.SetSym(p, q, problem.Gram[int(i)*problem.Atoms+int(atom[q])])
				}
				gram.SetSym(p, p, gram.At(p, p)+m.noise/m.strength)
			}
			var chol mat.Cholesky
			if !chol.Factorize(gram) {
				return nil, fmt.Errorf("assess: the atoms of signal %d are linearly dependent", k+1)
			}
			var x mat.VecDense
			if err := chol.SolveVecTo(&x, b); err != nil && !isCondition(err) {
				return nil, fmt.Errorf("assess: signal %d: %w", k+1, err)
			}
			logDet, covered = chol.LogDet()+float64(t)*math.Log(m.strength/m.noise), mat.Dot(b, &x)
		}
		density[k] = -(float64(n)*math.Log(m.noise)+logDet+(problem.Energy[k]-covered)/m.noise)/2 -
			math.Log(float64(m.sparsity+1)) - logChoices(problem.Atoms, t)
	}
	return density, nil
}

// logChoices returns the log of the number of sets of k among n.
func logChoices(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// inUnits is the log density of the model in the units of signals, where z is that in
// its own.
func (m *Gaussian) inUnits(z float64) float64 {
	for _, s := range m.scale {
		z -= math.Log(s)
	}
	return z
}
