package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/method"
)

type moduleCase struct {
	Name                          string
	Lambda                        float64
	Signals, Start, Latent, Theta [][]float64
	Modules                       []int
}

// Other software has the same fixed point from the same start: see the README of the
// oracles. It divides S by one less than the number of signals.
func TestModuleModelsAreThoseOfOtherSoftware(t *testing.T) {
	for _, c := range oracle[moduleCase](t, "module_glasso") {
		m := newModuleModel(t.Context(), denseOf(c.Signals).RawMatrix(), denseOf(c.Start).RawMatrix(), c.Lambda, float64(len(c.Signals[0])-1))
		if _, status := m.solve(t.Context(), 5000); status != method.Converged {
			t.Errorf("%s: %s", c.Name, status)
		}
		if !slices.Equal(m.of, c.Modules) {
			t.Errorf("%s: got modules %v, want %v", c.Name, m.of, c.Modules)
		}
		k := len(c.Theta)
		theta := mat.NewDense(k, k, m.model.theta.Data)
		if d := largestEntry(theta, denseOf(c.Theta)); d > 1e-6 {
			t.Errorf("%s: Θ differs by %g", c.Name, d)
		}
		if d := largestEntry(mat.NewDense(k, m.latent.Cols, m.latent.Data), denseOf(c.Latent)); d > 1e-6 {
			t.Errorf("%s: latent signals differ by %g", c.Name, d)
		}
		for a := range k {
			for b := range k {
				if (math.Abs(theta.At(a, b)) > 1e-9) != (math.Abs(c.Theta[a][b]) > 1e-9) {
					t.Errorf("%s: Θ[%d,%d] is %g, want %g", c.Name, a, b, theta.At(a, b), c.Theta[a][b])
				}
			}
		}
	}
}

// No step raises G.
func TestModuleModelNeverRises(t *testing.T) {
	x, of := planted(0, 4, 5, 40)
	m := newModuleModel(t.Context(), x, newClustering(x, of).means, 0.5, float64(x.Cols))
	g := m.objective()
	for range 20 {
		for name, step := range map[string]func(){"assign": func() { m.assign() }, "estimate": m.estimate, "relate": func() { m.relate(t.Context()) }} {
			step()
			to := m.objective()
			if to > g+1e-7*math.Abs(g) {
				t.Errorf("%s raised G from %.12g to %.12g", name, g, to)
			}
			g = to
		}
	}
}

// Of means that a chain relates, λ leaves the chain.
func TestChosenLambdaLeavesTheEdges(t *testing.T) {
	y := gridSignals(t, 1, 6, 2000)
	means := y.RawMatrix()
	lambda := chooseLambda(t.Context(), means)
	s := secondMoments(means)
	for a := range s.Rows {
		s.Data[a*s.Rows+a] += lambda
	}
	p := newPrecision(s)
	p.solve(t.Context(), lambda, 1e-10, 1000)
	for a := range 5 {
		if p.theta.Data[a*6+a+1] >= 0 {
			t.Errorf("λ = %g removes edge %d–%d of the chain", lambda, a, a+1)
		}
	}
	if p.edges() > 9 {
		t.Errorf("λ = %g leaves %d edges", lambda, p.edges())
	}
}
