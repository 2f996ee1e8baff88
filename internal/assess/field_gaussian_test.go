package assess

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
)

// A gridField is a grid, an isolated vertex and signals of a kernel on it, with noise, in
// standard units.
func gridField(t *testing.T, name string, size, noise float64, signals int) (*graph.Graph, *mat.Dense) {
	t.Helper()
	const side = 6
	var edges []graph.Edge
	for v := range side * side {
		if v%side > 0 {
			edges = append(edges, graph.Edge{I: v - 1, J: v, Weight: 1})
		}
		if v >= side {
			edges = append(edges, graph.Edge{I: v - side, J: v, Weight: 1})
		}
	}
	g := drawn(side*side+1, edges)
	k, err := kernel.Parse(name, 60, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	l, err := gsp.New(g, gsp.Normalized)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(*rankSeed, "field of a kernel")
	w := mat.NewDense(side*side+1, signals, nil)
	w.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, w)
	f, err := l.Filter(t.Context(), w, func(e float64) float64 { return size * k.Value(e) })
	if err != nil {
		t.Fatal(err)
	}
	f.Y.Apply(func(i, _ int, v float64) float64 {
		if i == side*side {
			return r.NormFloat64()
		}
		return v + noise*r.NormFloat64()
	}, f.Y)
	return g, f.Y
}

// open returns a kernel whose scale is not that of the signals.
func openKernel(t *testing.T, name string) kernel.Kernel {
	t.Helper()
	k, err := kernel.Parse(name, 15, kernel.Chebyshev)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestFitFieldFindsScaleSizeAndNoise(t *testing.T) {
	for _, c := range []struct {
		of, begun   string
		scale       float64
		size, noise float64
	}{
		{"matern:2,0.4", "matern:2", 0.4, 3, 0.3},
		{"matern:1,0.7", "matern:1", 0.7, 1, 0},
		{"heat:1.5", "heat:1", 1.5, 2, 0.2},
	} {
		g, y := gridField(t, c.of, c.size, c.noise, 20_000)
		m, err := FitField(y, g, openKernel(t, c.begun), false, 1)
		if err != nil {
			t.Fatal(err)
		}
		// On a grid all vertices have about the same variance, whose mean is the unit.
		unit := 0.0
		for i := range 36 {
			unit += m.Scale[i] * m.Scale[i] / 36
		}
		unit = math.Sqrt(unit)
		if math.Abs(m.Kernel.Scale()-c.scale) > 0.15*c.scale || math.Abs(m.Size*unit-c.size) > 0.2*c.size || math.Abs(m.Noise*unit-c.noise) > 0.15*c.noise+0.15*unit {
			t.Errorf("%s with size %g and noise %g: got %s, %g and %g", c.of, c.size, c.noise, m.Kernel.Name, m.Size*unit, m.Noise*unit)
		}
		if m.Kernel.Order() != openKernel(t, c.of).Order() || m.Kernel.Family() != openKernel(t, c.of).Family() || m.Kernel.Warning() != "" {
			t.Errorf("%s became %s: %s", c.of, m.Kernel.Name, m.Kernel.Warning())
		}
	}
}

// No kernel nearby, no other size and no other noise make the signals likelier.
func TestFitFieldIsALikelihoodsMaximum(t *testing.T) {
	g, y := gridField(t, "matern:2,0.4", 3, 0.3, 300)
	m, err := FitField(y, g, openKernel(t, "matern:2"), false, 1)
	if err != nil {
		t.Fatal(err)
	}
	frequencies, energy, err := m.Spectrum(y, g, 1)
	if err != nil || len(frequencies) != 36 {
		t.Fatal(len(frequencies), err)
	}
	deviance := func(m FieldGaussian) (sum float64) {
		for a, l := range frequencies {
			h := m.Variance(l)
			sum += math.Log(h) + energy[a]/h
		}
		return sum
	}
	best := deviance(*m)
	for _, by := range []float64{0.99, 1.01} {
		size, noise, scale := *m, *m, *m
		size.Size *= by
		noise.Noise *= by
		if scale.Kernel, err = m.Kernel.WithScale(m.Kernel.Scale() * by); err != nil {
			t.Fatal(err)
		}
		for _, other := range []FieldGaussian{size, noise, scale} {
			if deviance(other) < best {
				t.Errorf("%s with size %g and noise %g is likelier than %s with %g and %g", other.Kernel.Name, other.Size, other.Noise, m.Kernel.Name, m.Size, m.Noise)
			}
		}
	}
}

func TestFitFieldKeepsAScaleThatIsGiven(t *testing.T) {
	g, y := gridField(t, "matern:2,0.4", 3, 0, 300)
	m, err := FitField(y, g, openKernel(t, "matern:2,0.7"), true, 1)
	if err != nil || m.Kernel.Name != "matern:2,0.7" || !(m.Size > 0) {
		t.Errorf("got %+v, %v", m, err)
	}
}

func TestFitFieldRefuses(t *testing.T) {
	g, y := gridField(t, "matern:2,0.4", 3, 0, 10)
	k := openKernel(t, "matern:2")
	for name, fit := range map[string]func() (*FieldGaussian, error){
		"no edges":       func() (*FieldGaussian, error) { return FitField(y, drawn(37, nil), k, false, 1) },
		"other vertices": func() (*FieldGaussian, error) { return FitField(y, drawn(5, nil), k, false, 1) },
		"constants":      func() (*FieldGaussian, error) { return FitField(mat.NewDense(37, 4, nil), g, k, false, 1) },
		"a polynomial":   func() (*FieldGaussian, error) { return FitField(y, g, openKernel(t, "poly:1,-0.4"), false, 1) },
	} {
		if m, err := fit(); err == nil {
			t.Errorf("%s: got %+v", name, m)
		}
	}
}

// What is read off signals is what a Gaussian with a dense covariance says, with gaps and
// without.
func TestFieldReadingIsThatOfADenseGaussian(t *testing.T) {
	g, y := gridField(t, "matern:2,0.4", 3, 0.3, 200)
	m, err := FitField(y, g, openKernel(t, "matern:2"), false, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(g); err != nil {
		t.Error(err)
	}
	l, err := gsp.New(g, gsp.Normalized)
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Spectrum()
	if err != nil {
		t.Fatal(err)
	}
	one := mat.NewDense(37, 37, nil)
	for i := range 37 {
		one.Set(i, i, 1)
	}
	cov, err := s.Filter(one, m.Variance)
	if err != nil {
		t.Fatal(err)
	}
	cov.Set(36, 36, 1) // it has no edges
	test := mat.DenseCopyOf(y.Slice(0, 37, 0, 6))
	for _, gap := range [][2]int{{3, 1}, {17, 1}, {36, 2}, {0, 2}, {5, 4}} {
		test.Set(gap[0], gap[1], math.NaN())
	}
	r, err := m.Read(t.Context(), test, g, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 6 {
		var known []int
		var z, mean []float64
		for i := range 37 {
			if v := test.At(i, k); !math.IsNaN(v) {
				known, z, mean = append(known, i), append(z, (v-m.Mean[i])/m.Scale[i]), append(mean, 0)
			}
		}
		with, alone := mat.NewSymDense(len(known), nil), mat.NewSymDense(len(known), nil)
		for a, i := range known {
			alone.SetSym(a, a, 1)
			for b := a; b < len(known); b++ {
				with.SetSym(a, b, cov.At(i, known[b]))
			}
		}
		if want := logNormal(t, z, mean, with) - logNormal(t, z, mean, alone); math.Abs(r.Gain[k]-want) > 1e-8 {
			t.Errorf("signal %d: a gain of %g, want %g", k, r.Gain[k], want)
		}
		var chol mat.Cholesky
		if !chol.Factorize(with) {
			t.Fatal("singular")
		}
		var w mat.VecDense
		if err := chol.SolveVecTo(&w, mat.NewVecDense(len(z), z)); err != nil {
			t.Fatal(err)
		}
		if want := mat.Dot(&w, mat.NewVecDense(len(z), z)); math.Abs(r.ChiSquare[k]-want) > 1e-8 || r.Known[k] != len(known) {
			t.Errorf("signal %d: χ² of %g over %d, want %g over %d", k, r.ChiSquare[k], r.Known[k], want, len(known))
		}
		if len(known) < 37 {
			continue
		}
		var precision mat.SymDense
		if err := chol.InverseTo(&precision); err != nil {
			t.Fatal(err)
		}
		for i := range 37 {
			// What is left of z_i after −Σ_j Θ_ij z_j/Θ_ii, over its standard deviation Θ_ii^(−1/2).
			if want := w.AtVec(i) / math.Sqrt(precision.At(i, i)); math.Abs(r.Residual.At(i, k)-want) > 1e-8 {
				t.Errorf("signal %d, vertex %d: a residual of %g, want %g", k, i, r.Residual.At(i, k), want)
			}
		}
	}
	if !math.IsNaN(r.Residual.At(3, 1)) || math.IsNaN(r.Field.At(3, 1)) || r.Field.At(36, 0) != test.At(36, 0) {
		t.Error("gaps have no residual and are filled, and vertices without edges stay")
	}
	mean := 0.0
	whole, err := m.Read(t.Context(), y, g, 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range whole.ChiSquare {
		mean += c / float64(whole.Known[k]) / 200
	}
	if math.Abs(mean-1) > 0.02 {
		t.Errorf("χ² is %g for each value of the signals that the model was fitted to", mean)
	}
}

// As a model of signals the field has the density of a Gaussian in their units, and predicts
// by conditional means.
func TestFieldModelIsAGaussianInTheUnitsOfSignals(t *testing.T) {
	g, y := gridField(t, "matern:2,0.4", 3, 0.3, 200)
	y.Apply(func(i, _ int, v float64) float64 { return 5 + float64(i+1)*v }, y)
	own, err := FieldModel(y, g, openKernel(t, "matern:2"), false, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := own.(*fieldModel)
	cov := m.inUnits(t)
	test := mat.DenseCopyOf(y.Slice(0, 37, 0, 5))
	density, err := own.LogDensity(test)
	if err != nil {
		t.Fatal(err)
	}
	hidden := []int{2, 3, 20, 36}
	predicted, err := own.Predict(test, hidden)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 5 {
		if want := logNormal(t, mat.Col(nil, k, test), m.Mean, cov) + 37*math.Log(2*math.Pi)/2; math.Abs(density[k]-want) > 1e-7 {
			t.Errorf("signal %d: a log density of %g, want %g", k, density[k], want)
		}
		want := conditionalMean(t, cov, m.Mean, mat.Col(nil, k, test), hidden)
		for a, v := range want {
			if math.Abs(predicted.At(a, k)-v) > 1e-6 {
				t.Errorf("signal %d, vertex %d: %g is expected, want %g", k, hidden[a], predicted.At(a, k), v)
			}
		}
	}
}

// inUnits returns the covariance of the model in the units of signals.
func (m *fieldModel) inUnits(t *testing.T) *mat.SymDense {
	t.Helper()
	l, err := gsp.New(m.graph, gsp.Normalized)
	if err != nil {
		t.Fatal(err)
	}
	n := m.graph.Vertices()
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	f, err := l.Filter(t.Context(), one, m.Variance)
	if err != nil {
		t.Fatal(err)
	}
	f.Y.Set(n-1, n-1, 1) // the vertex without edges
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, f.Y.At(i, j)*m.Scale[i]*m.Scale[j])
		}
	}
	return cov
}

// conditionalMean returns μ_h + Σ_hv Σ_vv⁻¹ (x_v − μ_v).
func conditionalMean(t *testing.T, cov *mat.SymDense, mean, x []float64, hidden []int) []float64 {
	t.Helper()
	var seen []int
	for i := range x {
		if !slices.Contains(hidden, i) {
			seen = append(seen, i)
		}
	}
	a, b := mat.NewDense(len(seen), len(seen), nil), mat.NewVecDense(len(seen), nil)
	for p, i := range seen {
		b.SetVec(p, x[i]-mean[i])
		for q, j := range seen {
			a.Set(p, q, cov.At(i, j))
		}
	}
	var w mat.VecDense
	if err := w.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	out := make([]float64, len(hidden))
	for p, i := range hidden {
		out[p] = mean[i]
		for q, j := range seen {
			out[p] += cov.At(i, j) * w.AtVec(q)
		}
	}
	return out
}
