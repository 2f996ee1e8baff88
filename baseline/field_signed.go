package baseline

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// Edges of either sign. The positive model is right for most fields, and needs far fewer signals
// than one of free signs. So it is learned first, and asked which pairs it makes too likely to
// move together. Only where some pair is beyond chance, negative partial correlations
// are admitted at a price, which they must be worth to have an edge at all. All edges
// found are then refitted and pruned without one, and those missed are added. That graph is
// taken if it makes held-out signals clearly likelier than the positive one.

// A signChoice is which signs edges may have.
type signChoice int

const (
	openSigns    signChoice = iota // to be chosen by held-out signals
	eitherSign                     // they may
	positiveOnly                   // they may not
)

const (
	// surelyNegative is the probability that any pair of a positive field seems to be negative.
	surelyNegative = 0.01
	// clearlyLikelier is how many standard errors make a difference of held-out signals clear.
	clearlyLikelier = 2
	// falseShare is the share of false edges among those that are sure.
	falseShare = 0.1
	// hardlyChance is how many standard errors a partial correlation must have for an edge to stay.
	// Free signs let chance have more of them than positive ones do.
	hardlyChance = 2
	// signBlocks is from about how many blocks of consecutive signals that error comes.
	signBlocks = 20
)

// A SignTrial is by how much edges of either sign make held-out signals likelier than positive ones.
type SignTrial struct {
	Gain, StdErr float64 // nats per signal
}

// chosenSigns is the parameter of the method of a result, which is 1 if edges may be negative, or
// else as given.
func (r *fieldRun) chosenSigns(given int) int {
	if r.negative {
		return int(eitherSign)
	}
	return given
}

// signedFirst returns the graph of order one with negative edges, if held-out signals are likelier
// by it than by any kernel of positive edges; else nil. A positive field of any kernel has no
// negative correlations, so that its kernel cannot be told where there are some.
func (r *fieldRun) signedFirst(ctx context.Context) (*method.Result, error) {
	result, err := r.cutEdges(ctx, r.problem, GGL{}, r.signs)
	if err != nil || !r.negative {
		return nil, err
	}
	if r.signs == openSigns {
		if err := r.choose(ctx); err != nil {
			return nil, err
		}
		if gain, _ := r.gain(r.kernel); gain > r.Signs.Gain {
			r.negative = false
			return nil, nil
		}
	}
	r.kernel = field.Kernel{Order: 1}
	return result, nil
}

// cutEdges learns and cuts a graph of order one, with negative edges where they are asked for, or
// open and signals ask for them.
func (r *fieldRun) cutEdges(ctx context.Context, p method.Problem, cutter GGL, signs signChoice) (*method.Result, error) {
	if signs == eitherSign {
		r.negative = true
		return learnSigned(ctx, p, cutter)
	}
	positive, err := cutter.Learn(ctx, p)
	_, signals := p.Y.Dims()
	if err != nil || signs == positiveOnly || signals < leastForFolds {
		return positive, err
	}
	used, _ := positive.Method.(GGL)
	if p.Y, err = used.restOf(ctx, p.Y); err != nil || !(used.KeepCommonMode || movesApart(r.problem.Y)) ||
		!isNegative(p.Y, positive.Graph) {
		return positive, err // what all vertices share may be removed so that others move apart
	}
	used.KeepCommonMode = true // what of it was to be removed is
	other, err := learnSigned(ctx, p, used)
	if err != nil || other.Status == method.Interrupted || !areSigned(edgesOf(other)) {
		return positive, err
	}
	trial, err := compareSigns(ctx, p, used, sureEdges(edgesOf(other), prepare.EffectiveObservations(p.Y)))
	if err != nil {
		positive.Status = method.Interrupted
		return positive, nil //nolint:nilerr // the status says so
	}
	if r.Signs = &trial; trial.Gain <= clearlyLikelier*trial.StdErr {
		return positive, nil
	}
	r.negative = true
	return other, nil
}

// signFinding says how many edges are negative, if any.
func (fit *FieldFit) signFinding(r *method.Result) []string {
	if r.Graph == nil || r.Graph.Negative() == 0 {
		return nil
	}
	words := fmt.Sprintf("%d of %d edges are negative: their vertices move against each other", r.Graph.Negative(), r.Graph.EdgeCount())
	if fit.Signs != nil {
		words += fmt.Sprintf("; edges of either sign make held-out signals likelier than positive ones (by %.3g ± "+
			"%.2g nats per signal)", fit.Signs.Gain, fit.Signs.StdErr)
	}
	return []string{words}
}

// someNegative is the share of the edges that must be negative for signs to matter: a few may be
// what a kernel that is not quite right leaves of a positive field.
const someNegative = 0.05

// areSigned reports whether enough edges are negative.
func areSigned(g *graph.Graph) bool {
	return g.Negative() > 0 && float64(g.Negative()) >= someNegative*float64(g.EdgeCount())
}

// edgesOf returns the edges of a result, cut if it is known how.
func edgesOf(r *method.Result) *graph.Graph {
	if r.Graph != nil {
		return r.Graph
	}
	return r.Weights
}

// restOf returns the signals as the graph was learned from them.
func (m GGL) restOf(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	f := m.fit()
	f.Folds = 0 // whether the common mode is removed has been decided
	return f.withoutCommonMode(ctx, y, 1)
}

// softly is the fit of a model whose partial correlations may be negative, to that many observations.
// Their price is that of a correlation which chance gives to as many pairs as there are
// vertices: what is found by chance is pruned, and what is not found is lost.
func (m GGL) softly(vertices int, observations float64) laplacianFit {
	f := m.fit()
	f.soft = true
	f.doubtful = hardlyChance / math.Sqrt(observations)
	share := min(2/float64(max(vertices-1, 1)), 0.5)
	price := distuv.UnitNormal.Quantile(1-share) / math.Sqrt(observations)
	f.model = func(k linalg.Dense) laplacianModel { return newSoft(k, price) }
	return f
}

// learnSigned learns a graph with edges of either sign.
func learnSigned(ctx context.Context, p method.Problem, m GGL) (*method.Result, error) {
	n, _ := p.Y.Dims()
	f := m.softly(n, prepare.EffectiveObservations(p.Y))
	return f.learn(ctx, p)
}

// withMissed returns edges with those that a penalised fit has missed because others stood in for
// them: edges are added, as long as the extended BIC falls, to the likeliest model of those found.
func withMissed(ctx context.Context, found foundEdges, kept []graph.Edge) []graph.Edge {
	s := newStepwise(found.k, kept, found.observations, defaultGamma)
	for s.growOnce(ctx) {
	}
	if s.edges == len(kept) {
		return kept
	}
	var all []graph.Edge
	eachPair(s.n, func(_, i, j int) {
		if s.model.Joined(i, j) {
			all = append(all, graph.Edge{I: i, J: j, Weight: s.partial(i, j)})
		}
	})
	return heaviest(all, len(all))
}

// movesApart reports whether some pair of vertices has a correlation that is negative beyond chance.
func movesApart(y *mat.Dense) bool {
	n, _ := y.Dims()
	k := attractiveMoments(standardised(y), 0)
	return fallsShort(k, linalg.NewDense(n, n), prepare.EffectiveObservations(y))
}

// isNegative reports whether some pair of vertices has a partial correlation that is negative beyond
// chance, given the edges of a graph.
func isNegative(y *mat.Dense, g *graph.Graph) bool {
	k := attractiveMoments(standardised(y), 0)
	return fallsShort(k, completionOf(k, g.Pairs()).W, prepare.EffectiveObservations(y))
}

// fallsShort reports whether some correlation is below what is expected of it beyond chance.
func fallsShort(k, expected linalg.Dense, observations float64) bool {
	n, found := k.Rows, false
	beyond := distuv.UnitNormal.Quantile(1 - surelyNegative/float64(max(n*(n-1)/2, 1)))
	eachPair(n, func(_, i, j int) {
		w := expected.Data[i*n+j]
		found = found || (w-k.Data[i*n+j])*math.Sqrt(observations) > beyond*math.Sqrt(1+w*w)
	})
	return found
}

// completionOf returns the likeliest covariance whose inverse has only some pairs.
func completionOf(k linalg.Dense, pairs [][2]int) *linalg.Completion {
	model := linalg.NewCompletion(k)
	for _, p := range pairs {
		model.Join(p[0], p[1])
	}
	model.Solve(refitTolerance, refitSweeps)
	return model
}

// sureEdges returns how many edges of a graph have a partial correlation that is beyond chance by
// Benjamini and Hochberg's rule over all pairs. More of them predict held-out signals worse
// where there are few signals to learn from, whatever their signs.
func sureEdges(g *graph.Graph, observations float64) int {
	n, sure := g.Vertices(), 0
	var chances []float64
	for _, e := range g.Edges() {
		chances = append(chances, 2*distuv.UnitNormal.Survival(math.Abs(e.Weight)*math.Sqrt(observations)))
	}
	for _, q := range matrix.QValues(chances, n*(n-1)/2) {
		if q <= falseShare {
			sure++
		}
	}
	return max(sure, 1)
}

// compareSigns compares graphs of that many edges, positive ones and those of either sign, which are
// learned from all but a fold of the signals, by how likely that fold is.
func compareSigns(ctx context.Context, p method.Problem, m GGL, count int) (SignTrial, error) {
	u := standardised(p.Y)
	fits := []laplacianFit{m.fit(), m.softly(u.Rows, prepare.EffectiveObservations(p.Y))}
	folds := max(m.Folds, 2)
	density := make([][]float64, 2*folds)
	linalg.ForEach(max(p.Threads, 1), 2*folds, func(_, part int) {
		f := fits[part%2]
		f.Folds = folds
		density[part] = f.density(ctx, u, part/2, count)
	})
	if ctx.Err() != nil {
		return SignTrial{}, context.Cause(ctx)
	}
	var gains []float64
	for fold := range folds {
		for k, v := range density[2*fold+1] {
			gains = append(gains, v-density[2*fold][k])
		}
	}
	mean, stdErr := blockedMean(matrix.Bounded(gains))
	return SignTrial{mean, stdErr}, nil
}

// blockedMean returns the mean of values and its standard error, from blocks of consecutive ones.
func blockedMean(values []float64) (mean, stdErr float64) {
	count := min(signBlocks, len(values))
	means := make([]float64, count)
	for b := range means {
		means[b] = portable.Mean(values[b*len(values)/count : (b+1)*len(values)/count])
	}
	mean, variance := portable.MeanVariance(means)
	return mean, math.Sqrt(variance / float64(count))
}

// density returns how likely each signal of a fold is by the graph of that many edges which is
// learned from the others: its log density but for a constant, in units of these.
func (f laplacianFit) density(ctx context.Context, u linalg.Dense, fold, count int) []float64 {
	train, test := splitColumns(u, fold*u.Cols/f.Folds, (fold+1)*u.Cols/f.Folds)
	restandardise(train, test)
	k := attractiveMoments(train, f.Penalty)
	model := f.model(k)
	model.solve(ctx, pruneTolerance, pruneSweeps)
	found := model.partials()
	edges, _ := pruneTo(ctx, model, heaviest(found, len(found)), count)
	pairs := make([][2]int, len(edges))
	for e, p := range edges {
		pairs[e] = [2]int{p.I, p.J}
	}
	return logDensities(completionOf(k, pairs).W, test)
}

// logDensities returns −½ log det W − ½ xᵀW⁻¹x of each column.
func logDensities(w, x linalg.Dense) []float64 {
	density := make([]float64, x.Cols)
	var chol mat.Cholesky
	if !chol.Factorize(mat.NewSymDense(w.Rows, w.Data)) {
		return density // as if nothing were known
	}
	var solved mat.Dense
	if err := chol.SolveTo(&solved, mat.NewDense(x.Rows, x.Cols, x.Data)); err != nil {
		return density
	}
	for k := range density {
		density[k] = -chol.LogDet() / 2
	}
	for i := range x.Rows {
		a, b := linalg.Row(x, i), solved.RawRowView(i)
		for k := range density {
			density[k] -= float64(a[k]*b[k]) / 2
		}
	}
	return density
}
