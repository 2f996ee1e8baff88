package baseline

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

// A TemplateSet is the kind of matrix that [SpectralTemplates] looks for.
type TemplateSet int

const (
	// LaplacianTemplates are normalised Laplacians, written as I − A: A_ii = 0,
	// 0 ≤ A_ij ≤ 1, and uᵀAu = 1 for the eigenvector u of one sign, which has
	// Laplacian eigenvalue 0.
	LaplacianTemplates TemplateSet = iota
	// AdjacencyTemplates are adjacency matrices: A_ii = 0, A_ij ≥ 0, and the
	// weights at the vertex of the largest energy add up to 1, which fixes the scale.
	AdjacencyTemplates
)

// SpectralTemplates learns the sparsest graph that has the eigenvectors V of the
// second moments C = YYᵀ/M of the signals ([segarra2017]):
//
//	minimise Σ_ij A_ij  over A in Set with ‖off(VᵀAV)‖_F ≤ ε
//
// where off keeps the entries between different eigenspaces of C. The weights
// are the entries of A: W itself for signals filtered by adjacency matrices,
// D^(−1/2) W D^(−1/2), which has the same edges, for signals filtered by
// normalised Laplacians, such as those of [maretic2017]; both sets hold the
// latter. The mean of the signals is taken to be zero and not removed.
//
// The smallest ε for which there is such an A is found first. If it is zero to
// within rounding, the templates are exact and a zero Epsilon means ε = 0; otherwise
// it means twice the smallest. An Epsilon below the smallest is raised to twice the
// smallest as well, with a warning. The method of the result has the ε used. The
// factor and the number of rounds were chosen on four random graphs of each of two
// kinds, with 20 vertices and 500 and 5000 signals.
//
// With more than one round, each but the first minimises Σ A_ij/(A'_ij + δ)
// instead, with A' the answer before and δ a tenth of the mean of its N largest
// entries, as in the reweighting of [segarra2017].
//
// The problems are solved by the alternating direction method of multipliers:
// entrywise steps against projections in the basis V, at O(N³) an iteration.
// With ε = 0 the answer is then solved for on its support, to rounding error.
// Status is method.Converged if all problems met the stop rule, residuals of
// 1e-6 relative to the iterates.
//
// The method's own cut is at the largest gap ([graph.Graph.CutAtGap]), that of
// the weights as they are for normalised Laplacians. If ctx ends, the iterate
// reached comes with the cause.
//
// Departures from the source: equal eigenvalues of C make one eigenspace, in
// which A may do as it likes, so that the answer does not depend on how a basis of it
// was chosen; signals fewer than vertices leave one for the eigenvalue 0, the
// incomplete templates of the source. The scale of an adjacency matrix is fixed
// at the vertex of the largest energy rather than the first, so that the order of
// vertices does not matter.
type SpectralTemplates struct {
	Epsilon float64     `param:"epsilon" about:"tolerance on the eigenvectors of the graph; 0 means chosen from the signals"`
	Set     TemplateSet `param:"set" about:"0 for normalised Laplacians, 1 for adjacency matrices"`
	Rounds  int         `param:"rounds" about:"number of reweighted problems to solve, at most 50; 0 means 3"`

	MaxIterations int // of each problem; zero means 5000
}

var spectralTemplatesEntry = register(method.Entry{
	Default: SpectralTemplates{}, Source: "segarra2017",
	About: "the sparsest graph that has the eigenvectors of the covariance",
})

// Name returns "spectral-templates".
func (SpectralTemplates) Name() string { return "spectral-templates" }

// Capabilities keeps the contract of [method.Capable].
func (SpectralTemplates) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m SpectralTemplates) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return spectralTemplatesEntry.Run(ctx, m, p, m.learn)
}

// resolve fills in defaults.
func (m SpectralTemplates) resolve() (SpectralTemplates, error) {
	var faults []error
	fault := func(field input.Field, format string, args ...any) {
		faults = append(faults, input.Errorf(m.Name(), field, format, args...))
	}
	if m.MaxIterations < 0 {
		fault("iterations", "got %d, want at least 0", m.MaxIterations)
	}
	if m.Rounds > mostTemplateRounds {
		fault(input.Rounds, "got %d, want at most %d", m.Rounds, mostTemplateRounds)
	}
	if m.Set != LaplacianTemplates && m.Set != AdjacencyTemplates {
		fault("set", "want 0 (normalised Laplacians) or 1 (adjacency matrices)")
	}
	m.Rounds, m.MaxIterations = cmp.Or(m.Rounds, templateRounds), cmp.Or(m.MaxIterations, 5000)
	return m, errors.Join(faults...)
}

func (m SpectralTemplates) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m, err := m.resolve()
	if err != nil {
		return nil, err
	}
	c, err := moments(p.Y)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name(), err)
	}
	t := newTemplates(c, m.Set)
	status := method.Interrupted
	if t.learn(ctx, m) {
		status = method.MaxRounds
		if t.converged {
			status = method.Converged
		}
	}
	m.Epsilon = t.epsilon

	n := t.n
	w := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) { w[e] = t.a.Data[i*n+j] })
	g := fromPairs(n, w)
	own := c.cutAtGap
	if m.Set == AdjacencyTemplates {
		own = graph.Cut{}.Apply
	}
	return &method.Result{Method: m, Weights: g, Graph: own(g), Rounds: t.iterations, Status: status, Warnings: t.warnings}, nil
}
