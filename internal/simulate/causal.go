package simulate

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
)

// A CausalSpec says which causal graph process to draw ([mei2017]):
//
//	x_k = A x_{k−1} + Σ_{i=2..M} P_i(A) x_{k−i} + w_k
//
// with white noise w and polynomials P_i of degree i in the adjacency matrix A.
type CausalSpec struct {
	Vertices int     // at least 2
	Arrows   int     // into each vertex, below Vertices; zero means 4, or as many as fit
	Order    int     // M; zero means 1
	Radius   float64 // spectral radius of the process, below 1; zero means 0.9
	Signals  int     // in the order of time, at least 1
	Seed     uint64  // the streams are "causal graph" and "causal noise"
}

// A CausalTruth is a directed graph and a process on it.
type CausalTruth struct {
	Graph   *graph.Graph // an arrow from j to i of weight |A_ij|
	Lags    []*mat.Dense // A, P_2(A), …: what x_{k−1}, x_{k−2}, … are multiplied by
	Signals *mat.Dense   // vertices × signals
}

func (s CausalSpec) resolve() (CausalSpec, error) {
	if s.Arrows == 0 {
		s.Arrows = min(4, s.Vertices-1)
	}
	if s.Order == 0 {
		s.Order = 1
	}
	if s.Radius == 0 {
		s.Radius = 0.9
	}
	var faults []error
	for _, f := range []struct {
		field input.Field
		value float64
		ok    bool
		want  string
	}{
		{input.Vertices, float64(s.Vertices), s.Vertices >= 2, "at least 2"},
		{"arrows", float64(s.Arrows), s.Arrows >= 1 && s.Arrows < s.Vertices, "1 to one less than the vertices"},
		{"order", float64(s.Order), s.Order >= 1, "at least 1"},
		{"radius", s.Radius, s.Radius > 0 && s.Radius < 1, "a number above 0 and below 1"},
		{input.Signals, float64(s.Signals), s.Signals >= 1, "at least 1"},
	} {
		if !f.ok {
			faults = append(faults, input.Errorf("simulate.CausalSpec", f.field, "got %g, want %s", f.value, f.want))
		}
	}
	return s, errors.Join(faults...)
}

// Causal draws a causal graph process. Weights of A have either sign, and sizes
// within a factor of two.
func Causal(spec CausalSpec) (*CausalTruth, error) {
	spec, err := spec.resolve()
	if err != nil {
		return nil, err
	}
	r := rng.Stream(spec.Seed, "causal graph")
	n := spec.Vertices
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for _, j := range r.Perm(n - 1)[:spec.Arrows] {
			if j >= i {
				j++
			}
			weight := 0.5 + r.Float64()/2
			if r.IntN(2) == 0 {
				weight = -weight
			}
			a.Set(i, j, weight)
		}
	}
	coefficients := make([][]float64, spec.Order+1) // of P_i, from the power 0 on
	for i := 2; i <= spec.Order; i++ {
		for range i + 1 {
			coefficients[i] = append(coefficients[i], r.NormFloat64()/float64(int(1)<<i))
		}
	}
	t := &CausalTruth{}
	if t.Lags, err = scaledTo(spec.Radius, a, coefficients); err != nil {
		return nil, err
	}
	var arrows []graph.Edge
	for i := range n {
		for j, v := range t.Lags[0].RawRowView(i) {
			arrows = append(arrows, graph.Edge{I: j, J: i, Weight: math.Abs(v)})
			if i == j {
				arrows = arrows[:len(arrows)-1]
			}
		}
	}
	if t.Graph, err = graph.NewDirected(graph.DefaultNames(n), arrows); err != nil {
		return nil, err
	}
	t.Signals = run(t.Lags, spec.Signals, rng.Stream(spec.Seed, "causal noise"))
	return t, nil
}

// scaledTo returns A and its polynomials for that multiple of A whose process has the
// spectral radius, found by bisection. The polynomials are multiplied by the same
// number, so that the radius falls to zero with it. Every vertex has an arrow into
// it, so that there is a cycle: its weights of at least a half, twice as heavy, have
// a radius of at least 1.
func scaledTo(radius float64, a *mat.Dense, coefficients [][]float64) ([]*mat.Dense, error) {
	low, high := 0.0, 2.0
	lags := make([]*mat.Dense, len(coefficients)-1)
	for range 60 {
		middle := (low + high) / 2
		var scaled mat.Dense
		scaled.Scale(middle, a)
		lags[0] = &scaled
		for i := 2; i < len(coefficients); i++ {
			lags[i-1] = polynomial(&scaled, coefficients[i], middle)
		}
		got, err := companionRadius(lags)
		switch {
		case err != nil:
			return nil, err
		case got > radius:
			high = middle
		default:
			low = middle
		}
	}
	return lags, nil
}

// polynomial returns factor·Σ_j c_j A^j.
func polynomial(a *mat.Dense, c []float64, factor float64) *mat.Dense {
	n, _ := a.Dims()
	sum, power := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for i := range n {
		power.Set(i, i, 1)
	}
	for j, v := range c {
		if j > 0 {
			var next mat.Dense
			next.Mul(power, a)
			power = &next
		}
		var term mat.Dense
		term.Scale(factor*v, power)
		sum.Add(sum, &term)
	}
	return sum
}

// companionRadius returns the largest absolute eigenvalue of a process.
func companionRadius(lags []*mat.Dense) (float64, error) {
	n, _ := lags[0].Dims()
	size := n * len(lags)
	c := mat.NewDense(size, size, nil)
	for k, l := range lags {
		c.Slice(0, n, k*n, (k+1)*n).(*mat.Dense).Copy(l)
	}
	for i := n; i < size; i++ {
		c.Set(i, i-n, 1)
	}
	var eigen mat.Eigen
	if !eigen.Factorize(c, mat.EigenNone) {
		return 0, errors.New("simulate.Causal: the eigenvalues of the process were not found")
	}
	radius := 0.0
	for _, v := range eigen.Values(nil) {
		radius = max(radius, math.Hypot(real(v), imag(v)))
	}
	return radius, nil
}

// settling is how many signals pass before the first that is kept, so that it comes
// from the stationary process.
const settling = 500

func run(lags []*mat.Dense, count int, r *rand.Rand) *mat.Dense {
	n, _ := lags[0].Dims()
	past := make([]*mat.VecDense, len(lags)) // the last signal first
	for k := range past {
		past[k] = mat.NewVecDense(n, nil)
	}
	y := mat.NewDense(n, count, nil)
	for k := range settling + count {
		x := mat.NewVecDense(n, nil)
		for i := range n {
			x.SetVec(i, r.NormFloat64())
		}
		for i, l := range lags {
			var part mat.VecDense
			part.MulVec(l, past[i])
			x.AddVec(x, &part)
		}
		past = append([]*mat.VecDense{x}, past[:len(past)-1]...)
		if k >= settling {
			y.SetCol(k-settling, x.RawVector().Data)
		}
	}
	return y
}
