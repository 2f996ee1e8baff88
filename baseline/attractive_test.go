package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// theta returns the precision matrix of a model.
func (a *attractive) theta() *mat.SymDense {
	n := len(a.columns)
	theta := mat.NewSymDense(n, nil)
	for i, c := range a.columns {
		theta.SetSym(i, i, 1/c.variance)
	}
	for _, e := range a.partials() {
		theta.SetSym(e.i, e.j, -e.weight*math.Sqrt(theta.At(e.i, e.i)*theta.At(e.j, e.j)))
	}
	return theta
}

// A laplacianCase is a problem that other software has solved: see the README of the oracles.
type laplacianCase struct {
	Name           string
	Alpha          float64
	Signals        [][]float64
	Allowed        [][]float64 // 1 for pairs that may have an edge
	GGL, DDGL, CGL struct {
		Theta, Laplacian [][]float64
		Loops            []float64
		Objective        float64
	}
}

// moments returns K.
func (c laplacianCase) moments() linalg.Dense {
	n := len(c.Signals)
	k := secondMoments(standardised(denseOf(c.Signals)))
	for i := range n {
		for j := range n {
			if i != j {
				k.Data[i*n+j] -= c.Alpha
			}
		}
	}
	return k
}

// restrict leaves only the pairs of the case to a model, if it says which.
func (c laplacianCase) restrict(model laplacianModel) {
	if c.Allowed == nil {
		return
	}
	var pairs []weighedPair
	eachPair(len(c.Signals), func(_, i, j int) {
		if c.Allowed[i][j] != 0 {
			pairs = append(pairs, weighedPair{i, j, 1})
		}
	})
	model.restrict(pairs)
}

func TestAttractiveModelsAreThoseOfOtherSoftware(t *testing.T) {
	for _, c := range oracle[laplacianCase](t, "laplacian_precision") {
		n, k := len(c.Signals), c.moments()
		a := newAttractive(k)
		c.restrict(a)
		if _, status := a.solve(t.Context(), 1e-12, 20_000); status != method.Converged {
			t.Errorf("%s: %s", c.Name, status)
		}
		theta := a.theta()
		var chol mat.Cholesky
		if !chol.Factorize(theta) {
			t.Fatalf("%s: Θ is not positive definite", c.Name)
		}
		objective := -chol.LogDet()
		for i := range n {
			for j := range n {
				objective += k.Data[i*n+j] * theta.At(i, j)
			}
		}
		wantEntries(t, c.Name+": Θ", theta, c.GGL.Theta)
		if math.Abs(objective-c.GGL.Objective) > 1e-9 {
			t.Errorf("%s: objective %.12g, want %.12g", c.Name, objective, c.GGL.Objective)
		}
	}
}

// wantEntries checks that a matrix is the given one, relative to entries above 1.
func wantEntries(t *testing.T, what string, got mat.Matrix, want [][]float64) {
	t.Helper()
	for i, row := range want {
		for j, v := range row {
			if d := math.Abs(got.At(i, j) - v); !(d <= 1e-7*math.Max(1, math.Abs(v))) {
				t.Errorf("%s[%d,%d] is %.12g, want %.12g", what, i, j, got.At(i, j), v)
			}
		}
	}
}

// The conditions of the optimum: W is the inverse of Θ and at least K, Θ has no
// positive entry beside its diagonal, and where Θ has an entry W is K. On the way,
// W is feasible from the beginning.
func TestAttractiveModelIsOptimal(t *testing.T) {
	for trial, n := range []int{4, 9, 40} { // more than there are fresh rows
		draw := stream("attractive", trial)
		m := 4 + draw.IntN(30)
		y := mat.NewDense(n, m, nil)
		for s := range m {
			common := draw.NormFloat64()
			for i := range n {
				y.Set(i, s, draw.NormFloat64()+common*float64(i%3))
			}
		}
		k := attractiveMoments(standardised(y), 0)
		a := newAttractive(k)
		w := mat.NewSymDense(n, a.w.Data)
		var chol mat.Cholesky
		if !chol.Factorize(w) || !atLeast(w, k, 1e-12) {
			t.Fatal("the first W is not feasible")
		}
		before := chol.LogDet()
		a.solve(t.Context(), 1e-11, 10_000)
		if !chol.Factorize(w) || chol.LogDet() < before || !atLeast(w, k, 1e-8) {
			t.Error("the last W is not feasible, or worse than the first")
		}
		var inverse mat.SymDense
		if err := chol.InverseTo(&inverse); err != nil {
			t.Fatal(err)
		}
		theta := a.theta()
		for i := range n {
			for j := range i {
				if math.Abs(theta.At(i, j)-inverse.At(i, j)) > 1e-6 || theta.At(i, j) > 0 {
					t.Errorf("Θ[%d,%d] is %g, that of W %g", i, j, theta.At(i, j), inverse.At(i, j))
				}
				if slack := w.At(i, j) - k.Data[i*n+j]; theta.At(i, j) < 0 && slack > 1e-7 {
					t.Errorf("(%d,%d) has an edge, and W is above K by %g", i, j, slack)
				}
			}
		}
	}
}

func atLeast(w mat.Symmetric, k linalg.Dense, tolerance float64) bool {
	for i := range k.Rows {
		for j := range i {
			if w.At(i, j) < k.Data[i*k.Stride+j]-tolerance {
				return false
			}
		}
	}
	return true
}

// On a chain the partial correlations are known: −Θ_ij/√(Θ_ii Θ_jj) with
// Θ_ij = −r/(1 − r²) and Θ_ii = 1 + Σ r²/(1 − r²).
func TestAttractiveChainHasItsClosedForm(t *testing.T) {
	r := []float64{0.9, 0.5, 0.7}
	n := len(r) + 1
	k := linalg.NewDense(n, n)
	for i := range n {
		k.Data[i*n+i] = 1
		product := 1.0
		for j := i + 1; j < n; j++ {
			product *= r[j-1]
			k.Data[i*n+j], k.Data[j*n+i] = product, product
		}
	}
	a := newAttractive(k)
	a.solve(t.Context(), 1e-12, 1000)
	diagonal := make([]float64, n)
	for i := range diagonal {
		diagonal[i] = 1
		for _, e := range []int{i - 1, i} {
			if e >= 0 && e < len(r) {
				diagonal[i] += r[e] * r[e] / (1 - r[e]*r[e])
			}
		}
	}
	edges := a.partials()
	if len(edges) != len(r) {
		t.Fatalf("got edges %v, want a chain", edges)
	}
	for e, got := range edges {
		want := r[e] / (1 - r[e]*r[e]) / math.Sqrt(diagonal[e]*diagonal[e+1])
		if got.i != e || got.j != e+1 || math.Abs(got.weight-want) > 1e-9 {
			t.Errorf("got %v, want weight %g", got, want)
		}
	}
}

// Rows are read complete, and all of them are in the end, in whatever order they are written.
func TestFreshRowsAreReadComplete(t *testing.T) {
	const n = 53
	src := rand.New(rand.NewPCG(1, 2))
	w, want, fresh := linalg.NewDense(n, n), linalg.NewDense(n, n), freshRows{}
	u := 0
	for step := range 1000 {
		if u = (u + 1) % n; src.IntN(30) == 0 {
			u = src.IntN(n)
		}
		fresh.open(w, u)
		if !slices.Equal(linalg.Row(w, u), linalg.Row(want, u)) {
			t.Fatalf("step %d: row %d is not complete when it is to be written", step, u)
		}
		for v := range n {
			x := src.Float64()
			w.Data[u*n+v], want.Data[u*n+v], want.Data[v*n+u] = x, x, x
		}
		fresh.close(w, u)
		v := src.IntN(n)
		fresh.complete(w, v)
		if !slices.Equal(linalg.Row(w, v), linalg.Row(want, v)) {
			t.Fatalf("step %d: row %d is not complete when it is read", step, v)
		}
	}
	fresh.mirror(w)
	if !slices.Equal(w.Data, want.Data) {
		t.Error("columns differ from the rows opposite")
	}
}
