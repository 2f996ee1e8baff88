package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// Field learns the graph of a Gaussian field, and how the field lives on it: signals are
// y = ĝ(Θ)·z + noise with white z, where Θ is the Laplacian of the graph plus a diagonal. The
// kernel is that of a field of order α, whose precision matrix is Θ^α: 1 for a field whose
// edges are its partial correlations, 2 for voltages, pressures or temperatures in
// equilibrium and for images, 4 for smoother ones ([lindgren2011], [borovitskiy2021]); or that
// of diffusion, e^(−Θ). If the precision is not the Laplacian itself, pairs of vertices that
// are two steps apart have partial correlations, too, and methods that read edges off the
// precision matrix find edges that skip a vertex.
//
// The kernel is chosen by how likely held-out signals are, in blocks of consecutive ones: the
// simplest that is not clearly worse than the best. Weights, diagonal, noise and, where
// excitations differ in size, the scales of the vertices then maximise the likelihood of all
// signals, among the pairs that the root of their covariance speaks for.
//
// That root turns the signals into such of order one, of which [GGL] learns and cuts the graph.
// Where noise blurs the root and the model describes the signals, edges are those of the
// likelihood whose weight is above zero by more than chance, with Benjamini and Hochberg's
// rule over all pairs. Where noise hides all high frequencies, the graph is that of order one;
// where no kernel describes the signals, orders above two are not taken. The weight of an edge
// is −Θ_ij/√(Θ_ii Θ_jj).
//
// For order one, Field is [GGL]. With fewer than three times as many signals as
// vertices, or more than 1000 vertices, no other order is tried.
type Field struct {
	Order float64 `param:"order,omitzero" about:"order of the field: 1 if edges are partial correlations, 2 for voltages, pressures or images, 4 for smoother ones; 0 means chosen by held-out signals"`
	Heat  bool    `param:"heat,omitzero" about:"1 for signals that have diffused over the graph, instead of an order"`
	Scale float64 `param:"scale,omitzero" about:"kappa of the kernel over the frequencies of the learned graph, or tau of heat, as in --kernel matern:ALPHA,KAPPA and heat:TAU; 0 means fitted"`
}

var fieldEntry = register(method.Entry{
	Default: Field{}, Source: "lindgren2011",
	About:     "Gaussian field of any order, or one that has diffused: graph, kernel and noise by likelihood",
	OnlyNamed: true,
})

// Name returns "field".
func (Field) Name() string { return "field" }

// Capabilities keeps the contract of [method.Capable].
func (Field) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder, method.DirectOnly}
}

// CommonMode keeps the contract of [method.CommonModeUser]: the lowest frequency of the graph
// is part of the field.
func (Field) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }

const (
	// signalsPerVertex is how many signals for each vertex it takes to tell orders apart: the
	// small eigenvalues of their covariance carry the graph.
	signalsPerVertex = 3
	// mostFieldVertices is the number of vertices above which only order one is tried.
	mostFieldVertices = 1000
)

// A FieldFit is what only [Field] has to say.
type FieldFit struct {
	Kernel string       // such as matern:2
	Noise  float64      // standard deviation of the noise, over that of the signals
	Trials []FieldTrial // how likely held-out signals are by each kernel; nil if it was given
	// OnlyOrderOne says why no other order was tried, or could be taken; empty if others were.
	OnlyOrderOne string
	Misfit       bool // no kernel describes the signals well, and order two stands for all above
	Hidden       bool // noise hides what tells neighbours apart, and edges are those of order one

	kernel       field.Kernel
	models       map[field.Kernel]*field.Model // as far as trials learned them from some of the signals
	few          string                        // what makes the kernel that was asked for doubtful
	units        []float64                     // logarithms of what the signals of vertices were multiplied by first
	observations float64                       // how many independent signals there are as good as
	root         linalg.Dense                  // and what made them such of order one; empty if nothing did
}

// A FieldTrial is a kernel that was tried.
type FieldTrial struct {
	Kernel string
	Gain   float64 // of the log-likelihood of a held-out signal over the first, in nats
	StdErr float64 // of that gain, or of that over the order beside which it was tried
}

// FieldFitOf returns what only [Field] has to say of a result; nil if it is another method's.
func FieldFitOf(r *method.Result) *FieldFit {
	fit, _ := r.Own.(*FieldFit)
	return fit
}

// Learn keeps the contract of [method.Method]; [FieldFitOf] has what only this method says.
func (f Field) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return fieldEntry.Run(ctx, f, p, f.learn)
}

func (f Field) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	fit := &FieldFit{kernel: field.Kernel{Order: f.Order}, models: map[field.Kernel]*field.Model{}}
	y, err := fit.rows(p)
	if err != nil {
		return nil, input.Errorf(f.Name(), input.Signals, "%v", err)
	}
	fit.observations = prepare.EffectiveObservations(p.Y)
	switch n, m := p.Y.Dims(); {
	case !f.Heat && f.Order == 0:
		if err := f.choose(ctx, p, y, fit); err != nil {
			return nil, err
		}
	case f.Order != 1 && m < signalsPerVertex*n:
		fit.few = fmt.Sprintf("%d signals are fewer than %d for each of %d vertices, too few for the kernel that was asked for", m, signalsPerVertex, n)
	}
	learn := f.fitted
	if fit.kernel.Order == 1 {
		learn = func(ctx context.Context, p method.Problem, _ linalg.Dense, _ *FieldFit) (*method.Result, error) {
			return GGL{}.Learn(ctx, p)
		}
	}
	r, err := learn(ctx, p, y, fit)
	if r == nil {
		return nil, err
	}
	fit.Kernel = fit.kernel.String()
	r.Method, r.Own = Field{Order: fit.kernel.Order, Heat: fit.kernel == field.Heat, Scale: f.Scale}, fit
	return r, nil // the status says whether it was interrupted
}

// choose finds the kernel by held-out signals.
func (f Field) choose(ctx context.Context, p method.Problem, y linalg.Dense, fit *FieldFit) error {
	n, m := p.Y.Dims()
	fit.kernel.Order = 1
	switch {
	case m < signalsPerVertex*n:
		fit.OnlyOrderOne = fmt.Sprintf("%d signals are fewer than %d for each of %d vertices", m, signalsPerVertex, n)
		return nil
	case sumsToZero(p.Y):
		fit.OnlyOrderOne = "all signals sum to zero over the vertices, which leaves their covariance without a root"
		return nil
	case n > mostFieldVertices:
		fit.OnlyOrderOne = fmt.Sprintf("orders are compared up to %d vertices", mostFieldVertices)
		return nil
	}
	y = inTrialOrder(y, fit.observations)
	simplest, err := fit.compare(ctx, y, field.Orders, field.Clear, p.Threads)
	if err == nil {
		fit.kernel = simplest.Kernel
	}
	one, middle, two := field.Kernel{Order: 1}, field.Kernel{Order: 1.5}, field.Kernel{Order: 2}
	if gain := fit.gain(two); err == nil && gain > 0 && gain < float64(n)/clearGain {
		switch simplest.Kernel {
		case one:
			simplest, err = fit.compare(ctx, y, []field.Kernel{one, middle}, field.Clear, p.Threads)
		case two:
			simplest, err = fit.compare(ctx, y, []field.Kernel{middle, two}, field.BeyondDoubt, p.Threads)
		}
	}
	switch {
	case err == nil && math.IsNaN(simplest.Gain):
		fit.kernel.Order, fit.OnlyOrderOne = 1, "the covariance of the signals has no root"
	case err == nil:
		fit.kernel = simplest.Kernel
	case ctx.Err() == nil:
		return err
	case fit.Trials == nil: // order one is the soonest there
		fit.OnlyOrderOne = "there was no time to compare orders"
	}
	return nil
}

// sumsToZero reports whether the mean of the vertices was taken away from each signal.
func sumsToZero(y *mat.Dense) bool {
	n, m := y.Dims()
	sums := make([]float64, m)
	largest := max(mat.Max(y), -mat.Min(y))
	for i := range n {
		for k, v := range y.RawRowView(i) {
			sums[k] += v / largest
		}
	}
	mean := portable.Mean(sums) // which vertices have of their own
	for _, s := range sums {
		if math.Abs(s-mean) > 1e-9*float64(n) {
			return false
		}
	}
	return true
}

// compare adds the trials of some kernels, and returns that of the first, the simplest, that is
// not worse than the best by more than some standard errors.
func (fit *FieldFit) compare(ctx context.Context, y linalg.Dense, kernels []field.Kernel, z float64, threads int) (field.Trial, error) {
	trials, err := field.Compare(ctx, y, kernels, linalg.Threads(threads))
	if err != nil {
		return field.Trial{}, err
	}
	base := 0.0
	for _, t := range trials { // gains are over the first of these, which may be one of before
		if before := fit.gain(t.Kernel); before != 0 {
			base = before - t.Gain
		}
	}
	for _, t := range trials {
		fit.models[t.Kernel] = t.Model
		if !slices.ContainsFunc(fit.Trials, func(before FieldTrial) bool { return before.Kernel == t.Kernel.String() }) {
			fit.Trials = append(fit.Trials, FieldTrial{t.Kernel.String(), base + t.Gain, t.StdErr})
		}
	}
	return field.Simplest(trials, z), nil
}

const (
	// leastReach is the reach below which noise hides what tells neighbours apart, and
	// leastNoisyReach that of a power if noise is at least noisy as large as the signals.
	leastReach, leastNoisyReach, noisy = 0.8, 1.5, 0.05
	// noiseFree is the noise below which there is none to speak of, over the signals.
	noiseFree = 0.005
	// freeReach is the reach above which noise does not matter, and freeHeatReach that of
	// diffusion, whose frequencies are logarithms.
	freeReach, freeHeatReach = 5, 2
)

// gain returns the gain of a kernel that was tried, or zero.
func (fit *FieldFit) gain(k field.Kernel) float64 {
	for _, t := range fit.Trials {
		if t.Kernel == k.String() {
			return t.Gain
		}
	}
	return 0
}

// clearGain is how many vertices it takes for a nat by which order two must be better than one to
// be clearly no order between.
const clearGain = 10

// fewFolds is how many parts of the signals are held out to cut the graph of more than
// manyVertices: there is much evidence in each.
const manyVertices, fewFolds = 200, 3

// mostBetween is the number of vertices up to which orders between are tried.
const mostBetween = 200

// between are orders that are tried beside one that is in doubt.
var between = map[float64][]field.Kernel{2: {{Order: 2}, {Order: 1.5}, {Order: 3}}, 4: {{Order: 4}, {Order: 3}}}

// fitted learns the graph of a field of another order than one.
func (f Field) fitted(ctx context.Context, p method.Problem, y linalg.Dense, fit *FieldFit) (*method.Result, error) {
	threads := linalg.Threads(p.Threads)
	learned, err := field.Fit(ctx, y, fit.kernel, fit.models[fit.kernel], fit.observations, threads)
	if err == nil && fit.Trials != nil {
		learned = fit.reconsider(ctx, y, learned, p.Threads)
	}
	switch {
	case learned == nil && ctx.Err() != nil:
		fit.kernel.Order, fit.OnlyOrderOne = 1, "there was no time to learn another"
		return GGL{}.Learn(ctx, p)
	case learned == nil:
		return nil, input.Errorf(f.Name(), input.Signals, "%v", err)
	}
	k := fit.kernel
	fit.Noise = math.Sqrt(learned.Noise)
	least, free := leastReach, float64(freeReach)
	switch {
	case k == field.Heat:
		free = freeHeatReach
	case fit.Noise >= noisy:
		least = leastNoisyReach
	}
	switch {
	case learned.Reach < least:
		fit.Hidden = true
		return GGL{}.Learn(ctx, p)
	case (k == field.Heat || k.Order > 2) && fit.Noise >= noiseFree && learned.Reach < free && learned.Misfit <= field.GoodFit:
		r := &method.Result{Status: method.Converged, Rounds: 1}
		n, _ := p.Y.Dims()
		r.Weights = graphOfField(n, &learned.Model)
		if p.Cut == (graph.Cut{}) {
			r.Graph = graphOfField(n, learned.Significant(ctx))
		}
		if ctx.Err() != nil {
			r.Status = method.Interrupted
		}
		return r, nil
	}
	if fit.root, err = learned.Root(); err != nil {
		return nil, input.Errorf(f.Name(), input.Signals, "%v", err)
	}
	given := p.Y
	p.Y = columnsOf(inTrialOrder(fit.rooted(p.Y), fit.observations)) // so that what is kept depends little on the order
	cutter := GGL{}
	if y.Cols > manyVertices {
		cutter.Folds = fewFolds
	}
	r, err := cutter.Learn(ctx, p)
	if err == nil && r.Graph.EdgeCount() == 0 && fit.Trials != nil { // what seemed a kernel was none
		fit.kernel.Order, fit.OnlyOrderOne, fit.root = 1, "no edge of a higher order predicts anything", linalg.Dense{}
		p.Y = given
		return GGL{}.Learn(ctx, p)
	}
	return r, err
}

// reconsider tries orders between those that were compared where the chosen one does not describe
// the signals, or is four and finds noise: at high frequencies signals of order three have more
// than order four gives them, and that looks like noise. It returns the field of the kernel that
// is left.
func (fit *FieldFit) reconsider(ctx context.Context, y linalg.Dense, learned *field.Fitted, threads int) *field.Fitted {
	noise := fit.kernel.Order == 4 && math.Sqrt(learned.Noise) >= noiseFree
	if !noise && learned.Misfit <= field.GoodFit {
		return learned
	}
	fits := map[field.Kernel]*field.Fitted{fit.kernel: learned}
	take := func(k field.Kernel) {
		if fits[k] == nil {
			other, err := field.Fit(ctx, y, k, fit.models[k], fit.observations, linalg.Threads(threads))
			if err != nil {
				return
			}
			fits[k] = other
		}
		fit.kernel = k
	}
	if others := between[fit.kernel.Order]; others != nil && y.Cols <= mostBetween {
		if best, err := fit.compare(ctx, inTrialOrder(y, fit.observations), others, field.Clear, threads); err == nil {
			take(best.Kernel)
		}
	}
	if k := fit.kernel; fits[k].Misfit > field.GoodFit && (k == field.Heat || k.Order > 2) { // it only follows what no kernel describes
		fit.Misfit = true
		take(field.Kernel{Order: 2})
	}
	return fits[fit.kernel]
}

// OrderOne keeps the contract of [method.Rooted].
func (fit *FieldFit) OrderOne(y *mat.Dense) *mat.Dense {
	if fit.root.Rows == 0 {
		return y
	}
	return columnsOf(fit.rooted(y))
}

// rooted returns signals of order one as rows.
func (fit *FieldFit) rooted(y *mat.Dense) linalg.Dense {
	rows := rowsOf(y)
	fit.inUnits(rows)
	rooted := linalg.NewDense(rows.Rows, rows.Cols)
	linalg.Mul(rooted, rows, fit.root)
	return rooted
}

// columnsOf turns rows into columns.
func columnsOf(rows linalg.Dense) *mat.Dense {
	return mat.DenseCopyOf(mat.NewDense(rows.Rows, rows.Cols, rows.Data).T())
}

// rows returns the signals as rows, in the units that suit a field.
func (fit *FieldFit) rows(p method.Problem) (rows linalg.Dense, err error) {
	rows = rowsOf(p.Y)
	if fit.kernel.Order != 1 && rows.Rows >= signalsPerVertex*rows.Cols && rows.Cols <= mostFieldVertices {
		fit.units, err = field.Units(rows, field.Orders, linalg.Threads(p.Threads))
	}
	fit.inUnits(rows)
	return rows, err
}

// inUnits puts rows into the units of the field.
func (fit *FieldFit) inUnits(rows linalg.Dense) {
	for i, u := range fit.units {
		by := portable.Exp(u)
		for k := range rows.Rows {
			rows.Data[k*rows.Cols+i] *= by
		}
	}
}

// independentShare is the share of signals, as independent ones count, from which on their
// order is taken to say nothing.
const independentShare = 0.8

// inTrialOrder returns the rows of y in an order of their own if they are about independent,
// so that a choice by blocks of them does not depend on how they were given.
func inTrialOrder(y linalg.Dense, observations float64) linalg.Dense {
	if observations < independentShare*float64(y.Rows) {
		return y
	}
	energy := make([]float64, y.Rows) // which does not depend on the order of vertices either
	for k := range energy {
		energy[k] = linalg.Dot(linalg.Row(y, k), linalg.Row(y, k))
	}
	order := matrix.Sorted(y.Rows, func(a, b int) int { return cmp.Compare(energy[a], energy[b]) })
	// Those alike are dealt out to different blocks.
	dealt, to := linalg.NewDense(y.Rows, y.Cols), 0
	for first := range field.Blocks {
		for k := first; k < y.Rows; k += field.Blocks {
			copy(linalg.Row(dealt, to), linalg.Row(y, order[k]))
			to++
		}
	}
	return dealt
}

// rowsOf returns signals as rows with zero means, in a unit that makes their mean square
// one.
func rowsOf(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	rows := linalg.NewDense(m, n)
	_, exponent := math.Frexp(min(mat.Max(y)-mat.Min(y), math.MaxFloat64)) // so that no square overflows; the range may
	square := 0.0
	for i := range n {
		x := y.RawRowView(i)
		mean := 0.0
		for _, v := range x {
			mean += math.Ldexp(v, -exponent) / float64(m)
		}
		for k, v := range x {
			d := math.Ldexp(v, -exponent) - mean
			rows.Data[k*n+i] = d
			square += float64(d*d) / float64(n*m)
		}
	}
	unit := 1 / math.Sqrt(square)
	for k := range rows.Data {
		rows.Data[k] *= unit
	}
	return rows
}

// graphOfField returns the edges of a field.
func graphOfField(n int, m *field.Model) *graph.Graph {
	var edges []graph.Edge
	for k, w := range m.Partial() {
		if w > 0 {
			edges = append(edges, graph.Edge{I: m.Pairs[k].I, J: m.Pairs[k].J, Weight: w})
		}
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		panic(err) // pairs of vertices with positive weights
	}
	return g
}

// fieldKinds are what fields of each kernel are like.
var fieldKinds = map[string]string{
	"matern:1":   "order 1: edges are partial correlations",
	"matern:1.5": "order 1.5: between partial correlations and voltages in equilibrium",
	"matern:2":   "order 2: like voltages or pressures in equilibrium, or images",
	"matern:3":   "order 3: smoother than pressures in equilibrium",
	"matern:4":   "order 4: smoother than pressures in equilibrium",
	"heat":       "heat: as if diffused over the graph",
}

// Findings keeps the contract of [method.Reporter].
func (fit *FieldFit) Findings(*method.Result) []string {
	if fit.OnlyOrderOne != "" {
		return []string{"order 1: " + fit.OnlyOrderOne}
	}
	if kind, known := fieldKinds[fit.Kernel]; known {
		findings := []string{kind}
		if fit.few != "" {
			findings = append(findings, fit.few)
		}
		if fit.Misfit {
			findings[0] += "; no kernel describes the signals fully, so higher orders were not taken"
		}
		if fit.Hidden {
			findings = append(findings, "noise hides the high frequencies of the field, which tell neighbours apart: edges are those of order 1")
		}
		return findings
	}
	return nil // an order that was asked for, and is among the parameters
}
