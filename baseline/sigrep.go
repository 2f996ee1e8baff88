package baseline

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// SigRep learns the graph on which signals are smooth after removing noise: it
// minimises
//
//	‖Y − X‖²_F + a·tr(XᵀLX) + b‖L‖²_F   over X and combinatorial Laplacians L with tr L = N,
//
// the algorithm GL-SigRep of [dong2016]: from X = Y on, it finds the best L for X,
// a quadratic programme, and the best X = (I + aL)⁻¹Y for L in turn, until a round
// gains less than 1e-4 of the objective. No round makes it worse. The degrees sum
// to N. The method's own cut drops the edges below 1e-4 of the mean positive
// weight. If ctx ends, the weights so far come with the cause.
//
// Departures from the paper: b is in units of the mean energy of a row, so that
// neither the scale nor the number of the signals matters, and the rows are
// counted after each signal's mean over the vertices is removed, which changes
// nothing else because L does not see it; the change of the objective that ends
// the run is relative; the programme is solved by a method of our own; edges are
// dropped by their share of the mean weight, not by their value.
type SigRep struct {
	// Smoothness is a; usual are 0.001 to 1.
	Smoothness float64 `param:"smoothness" about:"weight a of tr(XᵀLX); 0 means 0.03"`
	// Spread is b; usual are 0.01 to 100. More gives more edges and more even
	// weights; in the first round only b/a matters.
	Spread float64 `param:"spread" about:"weight b of ‖L‖², in units of the mean row energy; 0 means 0.02"`
	// Rounds bounds the rounds. Zero means 50.
	Rounds int
}

var sigRepEntry = register(method.Entry{
	Default: SigRep{}, Source: "dong2016",
	About: "smooth signals with noise: alternates between denoising and learning the Laplacian",
})

const (
	sigRepSmoothness = 0.03
	sigRepSpread     = 0.02
	sigRepRounds     = 50
	// sigRepTolerance ends SigRep: the share of the objective that a round gains.
	sigRepTolerance = 1e-4
)

// Name returns "sigrep".
func (SigRep) Name() string { return "sigrep" }

// Capabilities keeps the contract of [method.Capable].
func (SigRep) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m SigRep) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return sigRepEntry.Run(ctx, m, p, m.learn)
}

func (m SigRep) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := checkSmooth(m); err != nil {
		return nil, err
	}
	if m.Rounds < 0 {
		return nil, input.Errorf(m.Name(), input.Rounds, "got %d, want at least 0", m.Rounds)
	}
	m.Smoothness, m.Spread = cmp.Or(m.Smoothness, sigRepSmoothness), cmp.Or(m.Spread, sigRepSpread)
	m.Rounds = cmp.Or(m.Rounds, sigRepRounds)
	s := newSigRep(p.Y, m.Smoothness, m.Spread)
	run := smoothEnding{m.Rounds, method.MaxRounds}
	last := math.Inf(1)
	for round := range m.Rounds {
		if inner := s.learnGraph(ctx); inner.status != method.Converged {
			run = smoothEnding{round, inner.status}
			break
		}
		objective := s.denoise()
		if last-objective <= sigRepTolerance*objective {
			run = smoothEnding{round + 1, method.Converged}
			break
		}
		last = objective
	}
	n, _ := p.Y.Dims()
	return smoothResult(m, fromPairs(n, s.graph.w), run), nil
}

// A sigRep is a run of SigRep. Signals enter only by the Gram matrices of the
// rows of Y and X, in units of the mean energy of a row of Y.
type sigRep struct {
	a, b     float64
	given    *mat.SymDense // YYᵀ
	denoised *mat.SymDense // XXᵀ
	graph    *spreadProblem

	half *mat.Dense // (I + aL)⁻¹YYᵀ
}

func newSigRep(y *mat.Dense, a, b float64) *sigRep {
	n, _ := y.Dims()
	s := &sigRep{a: a, b: b, given: unitGram(y), denoised: mat.NewSymDense(n, nil), half: mat.NewDense(n, n, nil)}
	s.denoised.CopySym(s.given)
	s.graph = newSpreadProblem(n, make([]float64, n*(n-1)/2), b)
	return s
}

// unitGram returns the Gram matrix of the rows of y, each signal's mean removed,
// with trace N; zero if all rows are equal.
func unitGram(y *mat.Dense) *mat.SymDense {
	n, signals := y.Dims()
	c := unscaled(y)
	mean := make([]float64, signals)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), c.RawRowView(i))
	}
	for i := range n {
		floats.Sub(c.RawRowView(i), mean)
	}
	g := mat.NewSymDense(n, nil)
	g.SymOuterK(1, c)
	if trace := mat.Trace(g); trace > 0 {
		g.ScaleSym(float64(n)/trace, g)
	}
	return g
}

// gramDistances sets z to factor·‖x_i − x_j‖², given XXᵀ.
func gramDistances(z []float64, gram *mat.SymDense, factor float64) {
	eachPair(gram.SymmetricDim(), func(e, i, j int) {
		z[e] = factor * max(0, gram.At(i, i)+gram.At(j, j)-2*gram.At(i, j))
	})
}

// learnGraph finds the best L for X.
func (s *sigRep) learnGraph(ctx context.Context) smoothEnding {
	gramDistances(s.graph.cost, s.denoised, s.a)
	return s.graph.solve(ctx)
}

// denoise finds the best X for L and returns the objective.
func (s *sigRep) denoise() float64 {
	n := s.given.SymmetricDim()
	m := mat.NewSymDense(n, nil) // I + aL
	for i, d := range s.graph.d {
		m.SetSym(i, i, 1+s.a*d)
	}
	eachPair(n, func(e, i, j int) { m.SetSym(i, j, -s.a*s.graph.w[e]) })
	var chol mat.Cholesky
	chol.Factorize(m) // eigenvalues ≥ 1
	var full mat.Dense
	solveWith(&chol, s.half, s.given)
	solveWith(&chol, &full, s.half.T())
	for i := range n {
		for j := i; j < n; j++ {
			s.denoised.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	noise := mat.Trace(s.given) - 2*mat.Trace(s.half) + mat.Trace(s.denoised)
	gramDistances(s.graph.cost, s.denoised, s.a)
	w, d := s.graph.w, s.graph.d
	return noise + portable.Dot(s.graph.cost, w) + s.b*(2*portable.Dot(w, w)+portable.Dot(d, d))
}

// solveWith sets x = m⁻¹·b, where m has the Cholesky factor chol. Parameters are
// bounded such that m is never singular.
func solveWith(chol *mat.Cholesky, x *mat.Dense, b mat.Matrix) {
	if err := chol.SolveTo(x, b); err != nil {
		panic(err)
	}
}
