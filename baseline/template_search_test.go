package baseline

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

// The answer is valid, and no valid matrix is sparser: what the constraints
// cost at the multipliers bounds Σ A_ij from below.
func TestTemplatesAreOptimal(t *testing.T) {
	for _, set := range []TemplateSet{LaplacianTemplates, AdjacencyTemplates} {
		for _, epsilon := range []float64{0, 0.1, 0.3} {
			t.Run(fmt.Sprintf("set %d, ε = %g", set, epsilon), func(t *testing.T) {
				truth := drawn(t, 12, 500, 11)
				c, err := moments(truth.Signals)
				if err != nil {
					t.Fatal(err)
				}
				run := newTemplates(c, set)
				if !run.learn(t.Context(), SpectralTemplates{Epsilon: epsilon, Rounds: 1, MaxIterations: 50000}) || !run.converged {
					t.Fatal("did not converge")
				}
				n := run.n
				a, v := mat.NewDense(n, n, run.a.Data), eigenvectors(t, truth.Signals)
				off, _ := split(v, a)
				if norm := mat.Norm(off, 2); norm > run.epsilon*1.001 {
					t.Errorf("‖off(VᵀAV)‖ = %g, want at most ε = %g", norm, run.epsilon)
				}
				u := mat.NewVecDense(n, run.perron)
				scale := mat.Inner(u, a, u)
				if set == AdjacencyTemplates {
					scale = mat.Sum(a.Slice(run.row, run.row+1, 0, n))
				}
				if math.Abs(scale-1) > 1e-4 {
					t.Errorf("scale %g, want 1", scale)
				}
				var cost float64
				for i := range n {
					for j := range n {
						if x := a.At(i, j); x < 0 || x > 1+1e-9 && set == LaplacianTemplates || i == j && x != 0 || x != a.At(j, i) {
							t.Fatalf("A has %g at (%d, %d)", x, i, j)
						}
						cost += a.At(i, j)
					}
				}
				if bound := dualBound(run, v, set); cost-bound > 2e-3*cost || cost-bound < -2e-3*cost {
					t.Errorf("Σ A_ij = %g, bounded from below by %g", cost, bound)
				}
			})
		}
	}
}

// eigenvectors takes them from another decomposition than the method's.
func eigenvectors(t *testing.T, y *mat.Dense) *mat.Dense {
	t.Helper()
	n, _ := y.Dims()
	c := mat.NewSymDense(n, nil)
	c.SymOuterK(1, y)
	var eig mat.EigenSym
	if !eig.Factorize(c, true) {
		t.Fatal("no eigendecomposition")
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	return &v
}

// split returns VᵀmV without its diagonal, and the diagonal.
func split(v, m *mat.Dense) (off *mat.Dense, diagonal []float64) {
	off = &mat.Dense{}
	off.Product(v.T(), m, v)
	n, _ := off.Dims()
	for k := range n {
		diagonal = append(diagonal, off.At(k, k))
		off.Set(k, k, 0)
	}
	return off, diagonal
}

// dualBound returns min over the set of ⟨1 + Q, A⟩ minus max over the templates of
// ⟨Q, U⟩, at the multipliers Q that the run ended with: by weak duality no valid
// matrix costs less.
func dualBound(run *templates, v *mat.Dense, set TemplateSet) float64 {
	n := run.n
	q := mat.NewDense(n, n, slices.Clone(run.dual.Data))
	q.Scale(run.rho, q)
	off, _ := split(v, q)
	bound := -run.epsilon * mat.Norm(off, 2)
	q.Product(v, off, v.T())
	if set == LaplacianTemplates {
		u := mat.NewVecDense(n, run.perron)
		along := mat.NewDense(n, n, slices.Clone(run.dual.Data))
		price := run.rho * mat.Inner(u, along, u)
		along.Outer(price, u, u)
		q.Add(q, along)
		bound -= price
	}
	least := math.Inf(1)
	for i := range n {
		for j := range n {
			reduced := 1 + q.At(i, j)
			switch {
			case i == j:
			case set == AdjacencyTemplates && i == run.row:
				least = min(least, 2*reduced)
			case set == AdjacencyTemplates && j == run.row:
			default:
				bound += min(reduced, 0) // entries are at most 1, here and in the answers tested
			}
		}
	}
	if set == AdjacencyTemplates {
		bound += least
	}
	return bound
}

// With fewer signals than vertices the eigenvectors of 0 are arbitrary; turning
// them must not matter.
func TestTemplatesIgnoreTheBasisOfAnEigenspace(t *testing.T) {
	truth := drawn(t, 12, 8, 14)
	c, err := moments(truth.Signals)
	if err != nil {
		t.Fatal(err)
	}
	run := newTemplates(c, LaplacianTemplates)
	run.learn(t.Context(), SpectralTemplates{Rounds: 1, MaxIterations: 300})
	turned := *c
	turned.vectors = linalg.NewDense(12, 12)
	copy(turned.vectors.Data, c.vectors.Data)
	for i := range 12 {
		row := linalg.Row(turned.vectors, i)
		row[9], row[11] = 0.6*row[9]+0.8*row[11], 0.8*row[9]-0.6*row[11]
	}
	other := newTemplates(&turned, LaplacianTemplates)
	other.learn(t.Context(), SpectralTemplates{Rounds: 1, MaxIterations: 300})
	if d := distance(run.a, other.a); d > 1e-8 || c.space[9] != c.space[11] {
		t.Errorf("turning the basis of an eigenspace moves the answer by %g", d)
	}
}
