package sparse

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 1, "seed of the random cases; every seed must pass")

func normal(r *rand.Rand, n, m int) *mat.Dense {
	d := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			d.Set(i, j, r.NormFloat64())
		}
	}
	return d
}

// planted returns atoms of very different lengths, codes with exactly t entries
// a column, and the signals they make.
func planted(name string, n, atoms, signals, t int) (d *mat.Dense, x *Code, y *mat.Dense) {
	r := rng.Stream(*seed, name)
	d = normal(r, n, atoms)
	for j := range atoms {
		scale := math.Exp(r.NormFloat64())
		for i := range n {
			d.Set(i, j, d.At(i, j)*scale)
		}
	}
	x = NewCode(atoms, signals, t)
	for m := range signals {
		for _, j := range r.Perm(atoms)[:t] {
			x.append(m, j, math.Copysign(0.5+r.Float64(), r.NormFloat64()))
		}
	}
	y = &mat.Dense{}
	y.Mul(d, x.Dense())
	return d, x, y
}

func encode(d, y *mat.Dense, o Options) *Code {
	p := must(NewProblem(d, y))
	c := must(NewCoder(p.Atoms, o))
	dst := NewCode(p.Atoms, p.Signals, o.Sparsity)
	c.Encode(p, dst)
	return dst
}

func support(c *Code, m int) []int32 {
	atom, _ := c.Column(m)
	s := slices.Clone(atom)
	slices.Sort(s)
	return s
}

func residual(d, y *mat.Dense, c *Code) *mat.Dense {
	var r mat.Dense
	r.Mul(d, c.Dense())
	r.Sub(y, &r)
	return &r
}

// literalOLS tries every atom and refits by QR.
func literalOLS(d *mat.Dense, y mat.Vector, sparsity int) []int32 {
	n, atoms := d.Dims()
	var chosen []int32
	for range sparsity {
		best, at := math.Inf(1), int32(-1)
		for j := range int32(atoms) {
			if slices.Contains(chosen, j) {
				continue
			}
			try := append(slices.Clone(chosen), j)
			sub := mat.NewDense(n, len(try), nil)
			for q, a := range try {
				sub.SetCol(q, mat.Col(nil, int(a), d))
			}
			var c mat.VecDense
			if c.SolveVec(sub, y) != nil {
				continue
			}
			var r mat.VecDense
			r.MulVec(sub, &c)
			r.SubVec(y, &r)
			if e := mat.Norm(&r, 2); e < best {
				best, at = e, j
			}
		}
		chosen = append(chosen, at)
	}
	return chosen
}

func TestOLSIsLiteralOLS(t *testing.T) {
	d, _, _ := planted("literal OLS", 10, 18, 1, 1)
	y := normal(rng.Stream(*seed, "OLS signals"), 10, 15)
	got := encode(d, y, Options{Method: OLS, Sparsity: 4})
	narrow := encode(d, y, Options{Method: Beam, Width: 1, Sparsity: 4})
	for m := range 15 {
		want := literalOLS(d, y.ColView(m), 4)
		if atom, _ := got.Column(m); !slices.Equal(atom, want) {
			t.Errorf("signal %d: OLS chose %v, want %v", m, atom, want)
		}
		if atom, _ := narrow.Column(m); !slices.Equal(atom, want) {
			t.Errorf("signal %d: a beam of width 1 chose %v, want %v", m, atom, want)
		}
	}
}

// A beam wide enough to hold every partial support is an exhaustive search.
func TestWideBeamIsExhaustive(t *testing.T) {
	const atoms = 12
	d, _, _ := planted("exhaustive", 6, atoms, 1, 1)
	y := normal(rng.Stream(*seed, "hard signals"), 6, 10)
	got := encode(d, y, Options{Method: Beam, Width: atoms * atoms, Sparsity: 3})
	r := residual(d, y, got)
	for m := range 10 {
		best := math.Inf(1)
		for a := range atoms {
			for b := range a {
				for c := range b {
					sub := mat.NewDense(6, 3, nil)
					for q, j := range []int{a, b, c} {
						sub.SetCol(q, mat.Col(nil, j, d))
					}
					var x, e mat.VecDense
					if x.SolveVec(sub, y.ColView(m)) != nil {
						continue
					}
					e.MulVec(sub, &x)
					e.SubVec(y.ColView(m), &e)
					best = min(best, mat.Norm(&e, 2))
				}
			}
		}
		if e := mat.Norm(r.ColView(m), 2); math.Abs(e-best) > 1e-9 {
			t.Errorf("signal %d: residual %g, the best of all supports has %g", m, e, best)
		}
	}
}

func TestResidualIsOrthogonalToSupport(t *testing.T) {
	d, _, _ := planted("orthogonal", 14, 30, 1, 1)
	y := normal(rng.Stream(*seed, "orthogonal signals"), 14, 20)
	for _, method := range []Method{OMP, OLS, Beam, L1} {
		c := encode(d, y, Options{Method: method, Sparsity: 4})
		r := residual(d, y, c)
		var inner mat.Dense
		inner.Mul(d.T(), r)
		for m := range 20 {
			atom, _ := c.Column(m)
			for _, j := range atom {
				if v := inner.At(int(j), m) / mat.Norm(d.ColView(int(j)), 2); math.Abs(v) > 1e-9 {
					t.Errorf("%s, signal %d: product %g with atom %d", method, m, v, j)
				}
			}
		}
	}
}

// The lasso solution is recognised by its optimality conditions alone:
// |⟨r, d_j⟩| ≤ penalty for unit atoms, with equality and the sign of x_j on the support.
func TestHomotopyMeetsLassoConditions(t *testing.T) {
	d, _, _ := planted("lasso", 20, 50, 1, 1)
	y := normal(rng.Stream(*seed, "lasso signals"), 20, 30)
	p := must(NewProblem(d, y))
	h := newHomotopy(50, Options{Sparsity: 8}).(*homotopy)
	for m := range 30 {
		h.follow(p, m)
		if len(h.atom) != 8 {
			t.Errorf("signal %d: %d atoms, want 8", m, len(h.atom))
		}
		r := mat.VecDenseCopyOf(y.ColView(m))
		for q, j := range h.atom {
			r.AddScaledVec(r, -h.coef[q]/p.Norm[j], d.ColView(int(j)))
		}
		for j := range 50 {
			c := mat.Dot(r, d.ColView(j)) / p.Norm[j]
			q := slices.Index(h.atom, int32(j))
			if q < 0 && math.Abs(c) > h.penalty*(1+1e-9) {
				t.Errorf("signal %d: atom %d outside the support has correlation %g above the penalty %g", m, j, c, h.penalty)
			}
			if q >= 0 && math.Abs(c-math.Copysign(h.penalty, h.coef[q])) > 1e-9 {
				t.Errorf("signal %d: atom %d has correlation %g, want ±%g", m, j, c, h.penalty)
			}
		}
	}
}

// For orthonormal atoms all coders give the same answer in closed form: the
// largest coordinates.
func TestOrthonormalAtomsHaveClosedForm(t *testing.T) {
	d := mat.NewDense(6, 6, nil)
	for i := range 6 {
		d.Set(i, i, 1)
	}
	y := mat.NewDense(6, 1, []float64{0.1, -3, 0.2, 2, 0, -1})
	for _, method := range Methods() {
		got := encode(d, y, Options{Method: method, Sparsity: 3}).Dense()
		want := mat.NewDense(6, 1, []float64{0, -3, 0, 2, 0, -1})
		if !mat.EqualApprox(got, want, 1e-14) {
			t.Errorf("%s: got %v", method, mat.Formatted(got.T()))
		}
	}
}

func TestScaleChangesNoSupport(t *testing.T) {
	d, _, y := planted("scale", 20, 50, 25, 3)
	for _, method := range Methods() {
		want := encode(d, y, Options{Method: method, Sparsity: 5})
		for _, scale := range []float64{1e-6, 1000, 1e6} {
			var scaled mat.Dense
			scaled.Scale(scale, y)
			got := encode(d, &scaled, Options{Method: method, Sparsity: 5})
			for m := range 25 {
				if !slices.Equal(support(got, m), support(want, m)) {
					t.Errorf("%s, scale %g, signal %d: support %v, want %v", method, scale, m, support(got, m), support(want, m))
				}
			}
		}
	}
}

func TestSignalsWithFewerAtomsGetNoMore(t *testing.T) {
	d, x, y := planted("fewer", 30, 40, 30, 2)
	for _, method := range []Method{OMP, OLS, Beam} {
		got := encode(d, y, Options{Method: method, Sparsity: 6})
		for m := range 30 {
			// A greedy mistake may cost atoms, but the atom that completes the
			// planted support must be the last.
			atom, _ := got.Column(m)
			if len(atom) > 2 && containsAll(atom[:len(atom)-1], support(x, m)) {
				t.Errorf("%s, signal %d: went on to %v after it had %v", method, m, atom, support(x, m))
			}
		}
	}
}

func containsAll(set, some []int32) bool {
	for _, j := range some {
		if !slices.Contains(set, j) {
			return false
		}
	}
	return true
}

func TestZeroAtomsAndZeroSignalsAreLeftAlone(t *testing.T) {
	d, _, y := planted("zeros", 10, 12, 4, 2)
	d.SetCol(3, make([]float64, 10))
	y.SetCol(1, make([]float64, 10))
	for _, method := range Methods() {
		got := encode(d, y, Options{Method: method, Sparsity: 10})
		if len(support(got, 1)) != 0 {
			t.Errorf("%s: a zero signal got atoms %v", method, support(got, 1))
		}
		for m := range 4 {
			if slices.Contains(support(got, m), 3) {
				t.Errorf("%s, signal %d: the zero atom was chosen", method, m)
			}
			_, coef := got.Column(m)
			for _, c := range coef {
				if math.IsNaN(c) || math.IsInf(c, 0) {
					t.Errorf("%s, signal %d: coefficient %g", method, m, c)
				}
			}
		}
	}
}

func TestRepeatedAtomsAreNotBothChosen(t *testing.T) {
	d, _, y := planted("twins", 8, 8, 6, 3)
	d.SetCol(5, mat.Col(nil, 2, d))
	for _, method := range []Method{OMP, OLS, Beam, L1} { // MP never orthogonalises
		got := encode(d, y, Options{Method: method, Sparsity: 8})
		for m := range 6 {
			s := support(got, m)
			if slices.Contains(s, 2) && slices.Contains(s, 5) {
				t.Errorf("%s, signal %d: both copies of an atom in %v", method, m, s)
			}
		}
	}
}

func TestThreadsDoNotChangeABit(t *testing.T) {
	d, _, y := planted("threads", 20, 50, 100, 4)
	for _, method := range Methods() {
		one := encode(d, y, Options{Method: method, Sparsity: 4})
		three := encode(d, y, Options{Method: method, Sparsity: 4, Threads: 3})
		if !mat.Equal(one.Dense(), three.Dense()) {
			t.Errorf("%s: three threads give another code than one", method)
		}
	}
}

func TestEncodeSomeLeavesTheOthers(t *testing.T) {
	d, _, y := planted("some", 20, 30, 10, 2)
	p := must(NewProblem(d, y))
	c := must(NewCoder(30, Options{Sparsity: 2}))
	all, some := NewCode(30, 10, 2), NewCode(30, 10, 2)
	c.Encode(p, all)
	few := EmptyProblem(30, 2)
	few.Gram, few.Norm = p.Gram, p.Norm
	for k, m := range []int{3, 7} {
		few.Energy[k] = p.Energy[m]
		copy(few.corr(k), p.corr(m))
	}
	c.EncodeSome(few, some, []int{3, 7})
	for m := range 10 {
		want := 0
		if m == 3 || m == 7 {
			want = len(support(all, m))
		}
		if got := len(support(some, m)); got != want {
			t.Errorf("signal %d has %d atoms, want %d", m, got, want)
		}
		if want > 0 && !slices.Equal(support(all, m), support(some, m)) {
			t.Errorf("signal %d has other atoms than among all", m)
		}
	}
}

func TestNoAllocationsPerSignal(t *testing.T) {
	d, _, y := planted("allocations", 20, 50, 100, 4)
	p := must(NewProblem(d, y))
	for _, method := range Methods() {
		c := must(NewCoder(50, Options{Method: method, Sparsity: 4}))
		dst := NewCode(50, 100, 4)
		// A closure and a list of signals for each call, nothing for each signal.
		if n := testing.AllocsPerRun(5, func() { c.Encode(p, dst) }); n > 2 {
			t.Errorf("%s: %g allocations for 100 signals", method, n)
		}
	}
}

func TestNewCoderRefuses(t *testing.T) {
	for name, o := range map[string]Options{
		"no sparsity":           {},
		"more atoms than exist": {Sparsity: 11},
		"an unknown method":     {Sparsity: 1, Method: "guess"},
	} {
		if _, err := NewCoder(10, o); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := NewProblem(mat.NewDense(3, 4, nil), mat.NewDense(2, 4, nil)); err == nil {
		t.Error("signals of another length were accepted")
	}
}

// Coding ends as soon as what is left may be noise, and not before.
func TestFloorEndsTheCoding(t *testing.T) {
	const sparsity, floor = 6, 0.5
	d, _, y := planted("floor", 25, 40, 30, sparsity)
	for _, method := range []Method{OMP, OLS} {
		whole := encode(d, y, Options{Method: method, Sparsity: sparsity})
		early := encode(d, y, Options{Method: method, Sparsity: sparsity, Floor: floor})
		shorter := 0
		for m := range 30 {
			atom, _ := early.Column(m)
			all, _ := whole.Column(m)
			if !slices.Equal(atom, all[:len(atom)]) {
				t.Errorf("%s, signal %d: %v are not the first of %v", method, m, atom, all)
			}
			if left := leftOver(d, y, atom, m); len(atom) < len(all) && left > floor {
				t.Errorf("%s, signal %d: ended with %g left over", method, m, left)
			}
			if left := leftOver(d, y, atom[:len(atom)-1], m); left <= floor {
				t.Errorf("%s, signal %d: went on with %g left over", method, m, left)
			}
			if len(atom) < len(all) {
				shorter++
			}
		}
		if shorter == 0 {
			t.Errorf("%s: no coding ended early", method)
		}
	}
}

// leftOver returns the energy of signal m outside the span of some atoms.
func leftOver(d, y *mat.Dense, atom []int32, m int) float64 {
	if len(atom) == 0 {
		return math.Pow(mat.Norm(y.ColView(m), 2), 2)
	}
	n, _ := d.Dims()
	sub := mat.NewDense(n, len(atom), nil)
	for q, j := range atom {
		sub.SetCol(q, mat.Col(nil, int(j), d))
	}
	var c, r mat.VecDense
	if err := c.SolveVec(sub, y.ColView(m)); err != nil {
		panic(err)
	}
	r.MulVec(sub, &c)
	r.SubVec(&r, y.ColView(m))
	return math.Pow(mat.Norm(&r, 2), 2)
}

// With a cost of atoms, OMP and OLS, whose supports grow one atom at a time, stop
// where log(residual) + cost·atoms is least.
func TestAtomCostChoosesAmongTheSupportsOnTheWay(t *testing.T) {
	const most, cost = 6, 0.4
	d, _, y := planted("atom cost", 12, 30, 40, 3)
	noise := normal(rng.Stream(*seed, "atom cost", 1), 12, 40)
	noise.Scale(0.2, noise)
	y.Add(y, noise)
	for _, method := range []Method{OMP, OLS} {
		got := encode(d, y, Options{Method: method, Sparsity: most, AtomCost: cost}).Dense()
		var prefix []*mat.Dense
		var rest []*mat.Dense
		for atoms := 1; atoms <= most; atoms++ {
			c := encode(d, y, Options{Method: method, Sparsity: atoms})
			prefix, rest = append(prefix, c.Dense()), append(rest, residual(d, y, c))
		}
		lengths := map[int]bool{}
		for m := range 40 {
			best, at := 2*math.Log(mat.Norm(y.ColView(m), 2)), -1
			for k := range prefix {
				if price := 2*math.Log(mat.Norm(rest[k].ColView(m), 2)) + cost*float64(k+1); price < best {
					best, at = price, k
				}
			}
			lengths[at] = true
			want := mat.NewDense(30, 1, nil)
			if at >= 0 {
				want.Copy(prefix[at].ColView(m))
			}
			if !mat.EqualApprox(got.ColView(m), want, 1e-9) {
				t.Errorf("%s, signal %d: not the support of %d atoms", method, m, at+1)
			}
		}
		if len(lengths) < 2 {
			t.Errorf("%s: all supports have the same number of atoms, so nothing was chosen", method)
		}
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
