package dictionary

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

var seed = flag.Uint64("seed", 1, "seed of the random cases; every seed must pass")

// An instance is a random point of the fit: weights over all pairs, signals, a code.
type instance struct {
	pairs   Pairs
	w       []float64
	kernels []kernel.Kernel
	y       *mat.Dense
	x       *sparse.Code
}

func kernels(t testing.TB, specs ...string) []kernel.Kernel {
	t.Helper()
	var ks []kernel.Kernel
	for _, s := range specs {
		k := must(kernel.Parse(s, 15, kernel.Taylor))
		ks = append(ks, k)
	}
	return ks
}

func newInstance(t testing.TB, n, m int, name string) instance {
	t.Helper()
	r := rng.Stream(*seed, name)
	in := instance{pairs: AllPairs(n), kernels: kernels(t, "heat:2", "highpass:1", "poly:0.5,0,-0.25")}
	for range in.pairs.Len() {
		in.w = append(in.w, 0.05+r.Float64())
	}
	in.y = normal(r, n, m)
	atoms := n * len(in.kernels)
	in.x = sparse.NewCode(atoms, m, 3)
	for s := range m {
		p := r.Perm(atoms)[:3]
		in.x.SetColumn(s, []int32{int32(p[0]), int32(p[1]), int32(p[2])},
			[]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	return in
}

func normal(r *rand.Rand, n, m int) *mat.Dense {
	d := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			d.Set(i, j, r.NormFloat64())
		}
	}
	return d
}

func (in instance) graph() *graph.Graph {
	g := must(graph.New(graph.DefaultNames(in.pairs.N), in.pairs.Edges(in.w)))
	return g
}

// value computes f from powers of the Laplacian and nothing else of this package.
func (in instance) value() float64 {
	var r mat.Dense
	r.Mul(literal(in.graph().Laplacian(), in.kernels), in.x.Dense())
	r.Sub(&r, in.y)
	return math.Pow(mat.Norm(&r, 2), 2)
}

// literal returns [Σ_k α_sk L^k]_s.
func literal(l mat.Symmetric, ks []kernel.Kernel) *mat.Dense {
	n := l.SymmetricDim()
	d := mat.NewDense(n, n*len(ks), nil)
	for s, k := range ks {
		block := d.Slice(0, n, s*n, (s+1)*n).(*mat.Dense)
		for p, alpha := range k.Coef() {
			var term mat.Dense
			term.Scale(alpha, power(l, p))
			block.Add(block, &term)
		}
	}
	return d
}

func power(l mat.Symmetric, p int) *mat.Dense {
	n := l.SymmetricDim()
	out := mat.NewDense(n, n, nil)
	for i := range n {
		out.Set(i, i, 1)
	}
	for range p {
		var next mat.Dense
		next.Mul(out, l)
		out = &next
	}
	return out
}

// tripleSum is the gradient as a literal sum over kernels, powers and splits:
// G = sym(2 Σ_s Σ_k α_sk Σ_{r<k} L^r R X_sᵀ L^{k−1−r}), then the chain rule to
// w_ij by the definition of L, entry by entry.
func (in instance) tripleSum() []float64 {
	g := in.graph()
	l, n := g.Laplacian(), in.pairs.N
	x := in.x.Dense()
	var r mat.Dense
	r.Mul(literal(l, in.kernels), x)
	r.Sub(&r, in.y)
	sum := mat.NewDense(n, n, nil)
	for s, k := range in.kernels {
		_, m := in.y.Dims()
		xs := x.Slice(s*n, (s+1)*n, 0, m)
		for p, alpha := range k.Coef() {
			for q := range p {
				var term mat.Dense
				term.Product(power(l, q), &r, xs.T(), power(l, p-1-q))
				term.Scale(2*alpha, &term)
				sum.Add(sum, &term)
			}
		}
	}
	d := g.Degrees()
	grad := make([]float64, in.pairs.Len())
	for e := range grad {
		i, j := int(in.pairs.I[e]), int(in.pairs.J[e])
		// dL/dw_ij: L_ab = δ_ab − W_ab (d_a d_b)^(−1/2), d_i and d_j grow with w_ij.
		for a := range n {
			for b := range n {
				if a == b {
					continue
				}
				wab := g.Weights().At(a, b)
				root := math.Sqrt(d[a] * d[b])
				var dl float64
				if (a == i && b == j) || (a == j && b == i) {
					dl -= 1 / root
				}
				for _, end := range []int{i, j} {
					if a == end {
						dl += wab / root / (2 * d[a])
					}
					if b == end {
						dl += wab / root / (2 * d[b])
					}
				}
				grad[e] += sum.At(a, b) * dl
			}
		}
	}
	return grad
}

func (in instance) spectral() (float64, []float64) {
	e := newSpectral(in.y, in.kernels, 1)
	done(e.At(in.w))
	f := e.Fit(in.x)
	grad := make([]float64, in.pairs.Len())
	e.Gradient(grad, in.x, nil)
	return f, grad
}

func relative(got, want []float64) float64 {
	return floats.Distance(got, want, 2) / floats.Norm(want, 2)
}

func TestGradientMatchesFiniteDifference(t *testing.T) {
	in := newInstance(t, 5, 6, "finite difference")
	f := func(w []float64) float64 {
		moved := in
		moved.w = w
		return moved.value()
	}
	value, grad := in.spectral()
	if want := in.value(); math.Abs(value-want) > 1e-10*want {
		t.Errorf("f = %.15g, want %.15g", value, want)
	}
	if e := checks.GradientError(f, in.w, grad, 1e-5); e > 1e-6 {
		t.Errorf("relative error %.2g against central differences", e)
	}
	if e := relative(grad, in.tripleSum()); e > 1e-9 {
		t.Errorf("off the literal triple sum by %.2g", e)
	}
}

// The complete graph with equal weights has one eigenvalue N−1 times over: the
// divided differences are all derivatives. And a vertex may have no edge.
func TestGradientOfSpecialGraphs(t *testing.T) {
	tied := newInstance(t, 8, 5, "ties")
	for e := range tied.w {
		tied.w[e] = 1
	}
	_, grad := tied.spectral()
	if e := relative(grad, tied.tripleSum()); e > 1e-9 {
		t.Errorf("relative error %.2g where eigenvalues are equal", e)
	}
	alone := newInstance(t, 6, 4, "isolated")
	for e := range alone.w {
		if alone.pairs.I[e] == 2 || alone.pairs.J[e] == 2 {
			alone.w[e] = 0
		}
	}
	if _, grad = alone.spectral(); floats.HasNaN(grad) || floats.Norm(grad, math.Inf(1)) > 1e6 {
		t.Errorf("the gradient of an isolated vertex is %v", grad)
	}
}

func TestGradientOnSomePairsIsThatPartOfTheWhole(t *testing.T) {
	in := newInstance(t, 12, 6, "subset")
	some := in
	some.pairs, some.w = Pairs{N: in.pairs.N}, nil
	var want []float64
	keep := rng.Stream(*seed, "kept pairs")
	var kept []int
	for e := range in.w {
		if keep.Float64() < 0.2 {
			kept = append(kept, e)
		} else {
			in.w[e] = 0
		}
	}
	_, whole := in.spectral()
	for _, e := range kept {
		some.pairs.I, some.pairs.J = append(some.pairs.I, in.pairs.I[e]), append(some.pairs.J, in.pairs.J[e])
		some.w, want = append(some.w, in.w[e]), append(want, whole[e])
	}
	e := newSpectral(some.y, some.kernels, 1)
	e.SetPairs(some.pairs)
	done(e.At(some.w))
	e.Fit(some.x)
	got := make([]float64, len(want))
	e.Gradient(got, some.x, nil)
	if e := relative(got, want); e > 1e-10 {
		t.Errorf("off by %.2g", e)
	}
}

// With the coefficients eliminated, f(w) = min_X ‖D(w)X − Y‖² on the supports,
// and the gradient after Refit must be its total derivative.
func TestRefitGradientIsThatOfVariableProjection(t *testing.T) {
	for name, lost := range map[string]int{"complete signals": 0, "signals with missing entries": 2} {
		t.Run(name, func(t *testing.T) { checkVariableProjection(t, lost) })
	}
}

func checkVariableProjection(t *testing.T, lost int) {
	in := newInstance(t, 7, 8, "variable projection")
	in.lose(lost)
	e := newSpectral(in.y, in.kernels, 1)
	f := func(w []float64) float64 {
		done(e.At(w))
		return e.Refit(in.x)
	}
	f(in.w)
	grad := make([]float64, in.pairs.Len())
	e.Gradient(grad, in.x, nil)
	if err := checks.GradientError(f, in.w, grad, 1e-5); err > 1e-6 {
		t.Errorf("relative error %.2g against central differences", err)
	}
}

// The information is JᵀJ of what Refit leaves, relative to each signal's norm,
// by the logarithms of the weights: recomputed by central differences of the
// residual itself, from powers of the Laplacian and a QR solve.
func TestInformationMatchesFiniteDifference(t *testing.T) {
	for name, lost := range map[string]int{"complete signals": 0, "signals with missing entries": 1} {
		t.Run(name, func(t *testing.T) { checkInformation(t, lost) })
	}
}

// scaledBy returns the kernels with the scale of one multiplied.
func scaledBy(t *testing.T, kernels []kernel.Kernel, s int, factor float64) []kernel.Kernel {
	t.Helper()
	moved := slices.Clone(kernels)
	var err error
	if moved[s], err = kernels[s].WithScale(kernels[s].Scale() * factor); err != nil {
		t.Fatal(err)
	}
	return moved
}

func checkInformation(t *testing.T, lost int) {
	in := newInstance(t, 6, 5, "information")
	for e := range in.w {
		if e%4 == 1 {
			in.w[e] = 0 // log w is then no variable at all
		}
	}
	pairs, w := EdgesOf(in.graph())
	exact := literal(in.graph().Laplacian(), in.kernels)
	in.y.Mul(exact, in.x.Dense()) // the fit must be exact
	in.lose(lost)
	residual := func(w []float64, kernels []kernel.Kernel) []float64 {
		g := must(graph.New(graph.DefaultNames(6), pairs.Edges(w)))
		d := literal(g.Laplacian(), kernels)
		var all []float64
		for m := range 4 { // the last signal is not asked about
			atom, _ := in.x.Column(m)
			sub, y := seen(d, in.y, atom, m)
			var c, r mat.VecDense
			done(c.SolveVec(sub, y))
			r.MulVec(sub, &c)
			r.SubVec(&r, y)
			r.ScaleVec(1/mat.Norm(y, 2), &r)
			all = append(all, r.RawVector().Data...)
		}
		return all
	}
	const h = 1e-5
	jacobian := mat.NewDense(4*(6-lost), len(w)+2, nil)
	column := func(k int, up, down []float64) {
		floats.Sub(up, down)
		floats.Scale(1/(2*h), up)
		jacobian.SetCol(k, up)
	}
	for e, v := range w {
		w[e] = v * math.Exp(h)
		up := residual(w, in.kernels)
		w[e] = v * math.Exp(-h)
		column(e, up, residual(w, in.kernels))
		w[e] = v
	}
	for s := range 2 { // the scales of heat and highpass; poly has none
		column(len(w)+s, residual(w, scaledBy(t, in.kernels, s, math.Exp(h))), residual(w, scaledBy(t, in.kernels, s, math.Exp(-h))))
	}
	var want mat.Dense
	want.Mul(jacobian.T(), jacobian)

	e := newSpectral(in.y, in.kernels, 1)
	e.SetPairs(pairs)
	done(e.At(w))
	e.Refit(in.x)
	size := len(w) + 2
	directions := make([][][]float64, len(in.kernels))
	for s, k := range in.kernels[:2] {
		var d []float64
		for _, l := range e.Eigenvalues() {
			d = append(d, k.Scale()*k.ScaleDerivative(l))
		}
		directions[s] = [][]float64{d}
	}
	info := make([]float64, size*size)
	e.AddInformation(info, in.x, []int{0, 1}, directions)
	e.AddInformation(info, in.x, []int{2, 3}, directions)
	got := mat.NewSymDense(size, info)
	only := make([]float64, len(w)*len(w))
	e.AddInformation(only, in.x, []int{0, 1, 2, 3}, nil)
	if weights := mat.NewSymDense(len(w), only); !mat.EqualApprox(weights, got.SliceSym(0, len(w)), 1e-12) {
		t.Error("the information about the weights depends on what else is asked for")
	}
	if !mat.EqualApprox(got, &want, 1e-7*mat.Norm(&want, 2)) {
		t.Errorf("got\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(&want))
	}
}

func TestDenseMatchesPowers(t *testing.T) {
	in := newInstance(t, 11, 1, "dense")
	l := in.graph().Laplacian()
	d := must(Dense(l, in.kernels))
	if !mat.EqualApprox(d, literal(l, in.kernels), 1e-11) {
		t.Error("the spectral dictionary differs from Σ α_k L^k")
	}
}

func TestOperatorMatchesDense(t *testing.T) {
	in := newInstance(t, 10, 1, "operator")
	r := rng.Stream(*seed, "operand")
	for e := range in.w {
		if r.Float64() < 0.6 {
			in.w[e] = 0 // sparse, perhaps with isolated vertices
		}
	}
	g := in.graph()
	d := must(Dense(g.Laplacian(), in.kernels))
	op := must(NewOperator(g, in.kernels))
	if _, err := NewOperator(g, nil); err == nil {
		t.Error("an operator without kernels was accepted")
	}
	x, y := normal(r, op.Atoms(), 4), normal(r, 10, 5)
	var want mat.Dense
	want.Mul(d, x)
	got, err := op.Mul(x)
	if err != nil || !mat.EqualApprox(got, &want, 1e-11) {
		t.Errorf("D·x differs (%v)", err)
	}
	want.Reset()
	want.Mul(d.T(), y)
	got, err = op.MulTrans(y)
	if err != nil || !mat.EqualApprox(got, &want, 1e-11) {
		t.Errorf("Dᵀ·r differs (%v)", err)
	}
	if _, err := op.Mul(y); err == nil {
		t.Error("a wrong shape was accepted")
	}
	if _, err := op.MulTrans(x); err == nil {
		t.Error("a wrong shape was accepted")
	}
}

// must returns a value that nothing can be wrong with.
func must[T any](value T, err error) T {
	done(err)
	return value
}

// done goes on unless something is wrong that cannot be.
func done(err error) {
	if err != nil {
		panic(err)
	}
}
