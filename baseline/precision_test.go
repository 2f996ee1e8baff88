package baseline

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// solved returns Θ for the signals.
func solved(t *testing.T, y *mat.Dense, rho, tolerance float64) *mat.SymDense {
	t.Helper()
	p := newPrecision(secondMoments(standardised(y)))
	if end := p.solve(t.Context(), rho, tolerance, 5000); end.status != method.Converged {
		t.Fatalf("rho = %g: %s with gap %g after %d sweeps", rho, end.status, end.gap, end.sweeps)
	}
	n := p.s.Rows
	eachPair(n, func(_, i, j int) {
		if p.theta.Data[i*n+j] != p.theta.Data[j*n+i] {
			t.Fatalf("rho = %g: precision (%d, %d) and (%d, %d) differ", rho, i, j, j, i)
		}
	})
	return mat.NewSymDense(n, p.theta.Data)
}

// kktViolation returns by how much Θ misses its optimality conditions: with
// W = Θ⁻¹, W_ii = S_ii, W_ij − S_ij = ρ sign Θ_ij, and |W_ij − S_ij| ≤ ρ where Θ_ij = 0.
func kktViolation(t *testing.T, s, theta mat.Symmetric, rho float64) float64 {
	t.Helper()
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		t.Fatal("the precision matrix is not positive definite")
	}
	var w mat.SymDense
	if err := chol.InverseTo(&w); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i := range s.SymmetricDim() {
		worst = max(worst, math.Abs(w.At(i, i)-s.At(i, i)))
		for j := range i {
			d := w.At(i, j) - s.At(i, j)
			if v := theta.At(i, j); v == 0 {
				worst = max(worst, math.Abs(d)-rho)
			} else {
				worst = max(worst, math.Abs(d-math.Copysign(rho, v)))
			}
		}
	}
	return worst
}

func TestGraphicalLassoMeetsItsOptimalityConditions(t *testing.T) {
	for trial, c := range []struct {
		n, signals int
		rho        float64
	}{{8, 100, 0.05}, {20, 400, 0.1}, {20, 400, 0.01}, {20, 10, 0.3}, {30, 12, 0.05}, {12, 2, 0.2}, {40, 60, 0.25}} {
		y, _ := gaussianSignals(stream("glasso kkt", trial), c.n, c.signals, 3, true)
		for _, tolerance := range []float64{1e-6, 1e-10, 1e-13} {
			// A step along one entry of Θ has curvature tr(WEWE) ≤ 4, because W_ii ≈ S_ii = 1, and slope
			// 2v where the condition is missed by v: it gains about v²/2, which the gap bounds.
			bound := 2 * math.Sqrt(float64(c.n)*tolerance)
			if v := kktViolation(t, pearson(y), solved(t, y, c.rho, tolerance), c.rho); v > bound {
				t.Errorf("n=%d/m=%d/rho=%g: conditions missed by %.2g at tolerance %g, want at most %.2g", c.n, c.signals, c.rho, v, tolerance, bound)
			}
		}
	}
}

func TestSplittingIntoComponentsChangesNothing(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso components"), 24, 80, 2, true)
	s := secondMoments(standardised(y))
	all := make([]int, 24)
	for i := range all {
		all[i] = i
	}
	// The largest penalties of the path have many components.
	path, several := penalties(s), 0
	for _, rho := range []float64{path[3], path[8], path[12], path[20]} {
		if len(blocksOf(s, rho)) > 1 {
			several++
		}
		split, whole := newPrecision(s), newPrecision(s)
		split.solve(t.Context(), rho, 1e-13, 5000)
		whole.solveBlocks(t.Context(), rho, 1e-13, 5000, [][]int{all})
		if d := floats.Distance(split.theta.Data, whole.theta.Data, math.Inf(1)); d > 1e-5 {
			t.Errorf("rho = %.3g: split and whole differ by %.2g", rho, d)
		}
		if a, b := split.edges(), whole.edges(); a != b {
			t.Errorf("rho = %.3g: %d edges split, %d whole", rho, a, b)
		}
	}
	if several == 0 {
		t.Error("no penalty gave more than one component")
	}
}

// The duality gap bounds what Θ misses of the minimum, and falls as the square of how far W is from it: it does
// not count by how much W misses the bounds that it has to reach, which is of first order.
func TestGapBoundsWhatIsMissed(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso bound"), 20, 60, 4, true)
	const rho = 0.1
	s := secondMoments(standardised(y))
	best := newPrecision(s)
	best.solve(t.Context(), rho, 1e-14, 5000)
	scratch := linalg.NewDense(20, 20)
	least := objective(s, best.theta, rho, scratch)
	p := newPrecision(s).block(blocksOf(s, 0)[0], rho)
	c := newColumnSolver(p.s, p.w, p.theta, rho)
	for sweep := range 20 {
		for j := range 20 {
			c.update(j)
		}
		gap := c.gap()
		if missed := objective(c.s, c.theta, rho, scratch) - least; missed > gap+1e-12 {
			t.Errorf("sweep %d: the gap is %g, but %g is missed", sweep, gap, missed)
		}
	}
	const off = 1e-4
	for e, s := range c.s.Data {
		c.w.Data[e] = s + (1-off)*(c.w.Data[e]-s)
	}
	if gap := c.gap(); gap > 20*20*off*off*rho*rho {
		t.Errorf("the gap is %g where entries of W miss their bounds by %g", gap, off*rho)
	}
}

func TestStartDoesNotMatter(t *testing.T) {
	y, _ := gaussianSignals(stream("glasso start"), 15, 60, 3, true)
	cold := solved(t, y, 0.1, 1e-13)
	warm := newPrecision(secondMoments(standardised(y)))
	for _, rho := range []float64{0.02, 0.4, 0.1} { // up and down
		warm.solve(t.Context(), rho, 1e-13, 5000)
	}
	if d := largestEntry(cold, mat.NewSymDense(15, warm.theta.Data)); d > 1e-5 {
		t.Errorf("warm and cold start differ by %.2g", d)
	}
}

func TestBlocksAreComponents(t *testing.T) {
	a := linalg.NewDense(5, 5)
	for _, e := range [][2]int{{0, 3}, {3, 4}} {
		a.Data[e[0]*5+e[1]], a.Data[e[1]*5+e[0]] = -1, -1
	}
	if got := fmt.Sprint(blocksOf(a, 0.5), blocksOf(a, 1)); got != "[[0 3 4] [1] [2]] [[0] [1] [2] [3] [4]]" {
		t.Errorf("got %s", got)
	}
}
