package dictionary

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/rng"
)

// sparseInstance is an instance whose pairs are few and whose weights are zero
// at some of them.
func sparseInstance(t *testing.T, n, m int, name string) instance {
	t.Helper()
	in := newInstance(t, n, m, name)
	r := rng.Stream(*seed, name+" pairs")
	all := in.pairs
	in.pairs, in.w = Pairs{N: n}, nil
	for e := range all.I {
		if r.Float64() < 8/float64(n) {
			in.pairs.I, in.pairs.J = append(in.pairs.I, all.I[e]), append(in.pairs.J, all.J[e])
			in.w = append(in.w, max(0, r.Float64()-0.2))
		}
	}
	return in
}

func (in instance) local(threads int, tolerance float64, members int) *Local {
	e := newLocal(in.y, in.kernels, threads)
	e.SetPrecision(tolerance, members)
	e.SetPairs(in.pairs)
	done(e.Place(in.w))
	return e
}

func TestLocalAgreesWithSpectral(t *testing.T) {
	in := sparseInstance(t, 40, 30, "local")
	spectral := newSpectral(in.y, in.kernels, 1)
	spectral.SetPairs(in.pairs)
	done(spectral.At(in.w))
	local := in.local(1, 0, 40)
	weight := make([]float64, 30)
	for k := range weight {
		weight[k] = float64(k%5) / 3
	}
	for _, refit := range []bool{false, true} {
		a, b := in.x.Clone(), in.x.Clone()
		fa, fb := spectral.fit(a, refit), local.fit(b, refit)
		if math.Abs(fa-fb) > 1e-10*fa {
			t.Errorf("refit %v: fit %v, spectral %v", refit, fb, fa)
		}
		ga, gb := make([]float64, len(in.w)), make([]float64, len(in.w))
		spectral.Gradient(ga, a, weight)
		local.Gradient(gb, b, weight)
		if !floats.EqualApprox(ga, gb, 1e-9*floats.Norm(ga, math.Inf(1))) {
			t.Errorf("refit %v: gradients differ by %g", refit, floats.Distance(ga, gb, math.Inf(1)))
		}
	}
}

// With atoms cut off, the gradient is that of the fit with atoms cut off.
func TestLocalGradientIsThatOfItsOwnFit(t *testing.T) {
	in := sparseInstance(t, 60, 20, "local cut")
	e := in.local(1, 0.05, 20)
	for j := range 2 * in.pairs.N {
		if vertex, _ := e.Atom(j); len(vertex) == in.pairs.N {
			t.Fatal("nothing is cut off")
		}
	}
	grad := make([]float64, len(in.w))
	e.Fit(in.x)
	e.Gradient(grad, in.x, nil)
	const h = 1e-6
	w := slices.Clone(in.w)
	for k := 0; k < len(w); k += 21 {
		at := func(v float64) float64 {
			w[k] = v
			done(e.At(w))
			return e.Fit(in.x)
		}
		want := (at(in.w[k]+2*h) - at(in.w[k]+h)) / h // one side: weights are not negative
		w[k] = in.w[k]
		if math.Abs(grad[k]-want) > 1e-3*(1+math.Abs(want)) {
			t.Errorf("derivative %d is %v, differences say %v", k, grad[k], want)
		}
	}
}

func TestLocalDoesNotDependOnThreads(t *testing.T) {
	in := sparseInstance(t, 60, 40, "local threads")
	var first []float64
	for _, threads := range []int{1, 3, 16} {
		x := in.x.Clone()
		e := in.local(threads, 1e-3, 30)
		grad := make([]float64, len(in.w))
		e.Refit(x)
		e.Gradient(grad, x, nil)
		grad = append(grad, e.Residuals()...)
		for u, list := range e.CandidatePairs(x, slices.Repeat([]float64{1}, 40), 2, anyPair) {
			for _, v := range list {
				grad = append(grad, float64(u), float64(v))
			}
		}
		if first == nil {
			first = grad
		} else if !slices.Equal(first, grad) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}

func TestReachBoundsAtoms(t *testing.T) {
	in := sparseInstance(t, 30, 2, "reach")
	e := in.local(1, 0, 30)
	for u := range in.pairs.N {
		// Σ β_k A^k δ_u, by repeated products.
		power, bound := make([]float64, in.pairs.N), make([]float64, in.pairs.N)
		power[u] = 1
		for _, beta := range e.reach {
			floats.AddScaled(bound, beta, power)
			next := make([]float64, in.pairs.N)
			for k := range in.pairs.I {
				i, j := in.pairs.I[k], in.pairs.J[k]
				next[i] -= e.b[k] * power[j]
				next[j] -= e.b[k] * power[i]
			}
			power = next
		}
		for s := range in.kernels {
			size := floats.Norm(e.whole[s], 1) // the bound is for kernels of size 1
			vertex, value := e.Atom(s*in.pairs.N + u)
			for k, v := range vertex {
				if math.Abs(value[k]) > size*bound[v]*(1+1e-9)+1e-12 {
					t.Fatalf("atom %d of vertex %d is %g at vertex %d, above its bound %g", s, u, value[k], v, size*bound[v])
				}
			}
		}
	}
}

func TestEconomisedStaysWithinTolerance(t *testing.T) {
	whole := unitSeries(paddedSeries(kernels(t, "heat:2", "highpass:1")))
	for _, tolerance := range []float64{0, 1e-8, 1e-4, 1e-2} {
		terms := termsNeeded(whole, tolerance)
		for s := range whole {
			if rest := floats.Norm(whole[s][terms:], 1); rest > tolerance {
				t.Errorf("tolerance %g: series %d loses %g", tolerance, s, rest)
			}
		}
		if tolerance == 1e-2 && terms > 7 {
			t.Errorf("%d terms for a tolerance of 1e-2", terms)
		}
	}
}

// What cutting off leaves out is of the order of the tolerance.
func TestAtomsAreCutOffWhereTheyAreSmall(t *testing.T) {
	in := sparseInstance(t, 80, 2, "cut off")
	whole := in.local(1, 0, 80)
	const tolerance = 1e-3
	cut := in.local(1, tolerance, 80)
	smaller := 0
	for j := range len(in.kernels) * in.pairs.N {
		exact := make([]float64, in.pairs.N)
		vertex, value := whole.Atom(j)
		for k, v := range vertex {
			exact[v] = value[k]
		}
		vertex, value = cut.Atom(j)
		if len(vertex) < in.pairs.N {
			smaller++
		}
		for k, v := range vertex {
			exact[v] -= value[k]
		}
		if worst := floats.Norm(exact, math.Inf(1)); worst > 5*tolerance {
			t.Errorf("atom %d is off by %g", j, worst)
		}
	}
	if smaller == 0 {
		t.Error("no atom is cut off")
	}
}

// Whatever the kernels, neighbourhoods stay bounded.
func TestNeighbourhoodsAreBounded(t *testing.T) {
	in := sparseInstance(t, 120, 2, "bounded")
	for _, spec := range []string{"heat:5", "wavelet:1", "poly:-1,1", "poly:1"} {
		in.kernels = kernels(t, spec)
		e := in.local(1, 1e-3, 40)
		for u := range in.pairs.N {
			if vertex, _ := e.Atom(u); len(vertex) > 80 || !slices.Contains(vertex, int32(u)) {
				t.Errorf("%s: the neighbourhood of %d has %d members", spec, u, len(vertex))
			}
		}
	}
}

// The scale of a kernel changes its atoms and nothing else.
func TestScaleOfKernelsDoesNotMatter(t *testing.T) {
	in := sparseInstance(t, 80, 2, "kernel scale")
	in.kernels = kernels(t, "poly:1,-1,0.5", "poly:0,1,-0.25")
	want := in.local(1, 1e-2, 30)
	in.kernels = kernels(t, "poly:1e-6,-1e-6,0.5e-6", "poly:0,1e6,-0.25e6")
	got := in.local(1, 1e-2, 30)
	if !slices.Equal(got.at.member, want.at.member) || len(got.series[0]) != len(want.series[0]) {
		t.Error("neighbourhoods differ")
	}
}

// Signals made on a graph, coded with one edge missing, promise that edge.
func anyPair(_, _ int32) bool { return true }

func TestMissingEdgeIsACandidate(t *testing.T) {
	in := sparseInstance(t, 40, 200, "promise")
	for k := range in.w {
		in.w[k]++
	}
	whole := in.local(1, 0, 40)
	for m := range 200 { // Y = DX
		atom, coef := in.x.Column(m)
		for i := range 40 {
			in.y.Set(i, m, 0)
		}
		for q, j := range atom {
			vertex, value := whole.Atom(int(j))
			for k, v := range vertex {
				in.y.Set(int(v), m, in.y.At(int(v), m)+coef[q]*value[k])
			}
		}
	}
	missing := len(in.w) / 2
	i, j := in.pairs.I[missing], in.pairs.J[missing]
	in.pairs.I = slices.Delete(slices.Clone(in.pairs.I), missing, missing+1)
	in.pairs.J = slices.Delete(slices.Clone(in.pairs.J), missing, missing+1)
	in.w = slices.Delete(in.w, missing, missing+1)
	e := in.local(1, 0, 40)
	e.Fit(in.x)
	promising := e.CandidatePairs(in.x, slices.Repeat([]float64{1}, 200), 3, anyPair)
	if !slices.Contains(promising[i], j) && !slices.Contains(promising[j], i) {
		t.Errorf("%d–%d is missing; %d is offered %v and %d %v", i, j, i, promising[i], j, promising[j])
	}
}
