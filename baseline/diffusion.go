package baseline

import (
	"context"
	"fmt"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// A DiffusionChoice says which of all diffusion matrices [Diffusion] takes.
type DiffusionChoice int

const (
	// SimplestDiffusion has the least trace: a graph without loops has trace 0.
	SimplestDiffusion DiffusionChoice = iota
	// SparsestDiffusion has the least sum of entries. Where all degrees are equal, all
	// matrices have the same.
	SparsestDiffusion
)

// Diffusion learns a matrix that the signals may have been diffused by: they are Tᵏx with
// white x and unknown k, T symmetric with no negative entry and largest eigenvalue 1
// ([pasdeloup2016]). Then the second moments C = YYᵀ/M have the eigenvectors of T, and
// the matrices T that have those of C are a polytope:
//
//	T = Σ_k λ_k v_k v_kᵀ,  T_ij ≥ 0,  |λ_k| ≤ 1,  λ = 1 for the eigenvector of one sign.
//
// It always has the identity, and little more if C has no eigenvector of one sign or
// its eigenvectors are those of too few signals. Choice says which of its points to
// take. A trace above half the number of vertices means that there is no structure of
// this kind: a warning says so, and the method's own cut keeps no edge.
//
// The weights are the entries of T between vertices, as of D^(−1/2) W D^(−1/2). The
// method's own cut is at the largest gap, as that of [SpectralTemplates], which asks for
// the eigenvectors only within a tolerance and is better wherever they are not exact.
// The mean of the signals is taken to be zero and not removed.
//
// The linear program is solved with the constraints that turn out to matter, until a dual
// bound is within 10⁻⁹ of the trace or sum for each vertex; of several solutions the one
// of the least norm is taken. Rounds counts constraints. If ctx ends, the matrix reached
// comes with the cause, without its negative entries.
//
// Departures from the source: equal eigenvalues of C make one eigenspace, on which T has
// one eigenvalue, so that the answer does not depend on how a basis of it was chosen.
type Diffusion struct {
	Choice DiffusionChoice `param:"choice" about:"0 for the simplest matrix, of least trace, 1 for the sparsest, of the least sum of entries"`
}

var diffusionEntry = register(method.Entry{
	Default: Diffusion{}, Source: "pasdeloup2016",
	About: "the simplest diffusion matrix that has the eigenvectors of the covariance, for signals diffused " +
		"from white noise; needs very many signals",
	MostVertices: mostDiffusionVertices,
})

// Name returns "diffusion".
func (Diffusion) Name() string { return "diffusion" }

// Capabilities keeps the contract of [method.Capable].
func (Diffusion) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m Diffusion) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return diffusionEntry.Run(ctx, m, p, m.learn)
}

func (m Diffusion) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if m.Choice != SimplestDiffusion && m.Choice != SparsestDiffusion {
		return nil, input.Errorf(m.Name(), "choice", "want 0 (simplest) or 1 (sparsest)")
	}
	c, err := moments(p.Y)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	set := polytopeOf(c)
	x, done := set.minimise(ctx, set.cost(m.Choice))
	t := set.matrix(x)
	n := set.n
	r := &method.Result{Weights: diffusionGraph(t), Rounds: set.steps, Status: method.Stalled}
	switch {
	case done:
		r.Status = method.Converged
	case ctx.Err() != nil:
		r.Status = method.Interrupted
	}
	trace := 0.0
	for i := range n {
		trace += t.Data[i*n+i]
	}
	if trace > float64(n)/2 && done {
		r.Graph = graphOf(n, nil)
		r.Warnings = append(r.Warnings, fmt.Sprintf("there is no structure of this kind: the diffusion matrix that "+
			"agrees with the signals leaves %.0f%% of each vertex in its place", 100*trace/float64(n)))
		return r, nil
	}
	r.Graph = c.cutAtGap(r.Weights)
	return r, nil
}

// cost returns what a choice minimises.
func (p *polytope) cost(choice DiffusionChoice) []float64 {
	what := linalg.NewDense(p.n, p.n) // the trace of its product with T
	for i := range p.n {
		for j := range p.n {
			if i == j || choice == SparsestDiffusion {
				what.Data[i*p.n+j] = 1
			}
		}
	}
	return p.coordinates(what)
}

// diffusionGraph returns the graph of the entries between vertices. What is not above
// the slack of the constraints is zero.
func diffusionGraph(t linalg.Dense) *graph.Graph {
	n := t.Rows
	w := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) {
		if v := t.Data[i*n+j]; v > leastDiffusion {
			w[e] = v
		}
	})
	return fromPairs(n, w)
}

// leastDiffusion is the least entry that is not a rounding error.
const leastDiffusion = 1e-9
