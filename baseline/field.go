package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
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
// simplest that is not clearly worse than the best. Weights, diagonal and noise then maximise
// the likelihood of all signals, among the pairs that the root of their covariance speaks
// for. The method's own cut keeps the edges whose weight is above zero by more than chance,
// with Benjamini and Hochberg's rule over all pairs. The weight of an edge is
// −Θ_ij/√(Θ_ii Θ_jj).
//
// For order one, Field is [GGL]. With fewer than three times as many signals as
// vertices, or more than 1000 vertices, no other order is tried.
type Field struct {
	Order float64 `param:"order" about:"order of the field: 1 if edges are partial correlations, 2 for voltages, pressures or images, 4 for smoother ones; 0 means chosen by held-out signals"`
	Heat  bool    `param:"heat" about:"1 for signals that have diffused over the graph, instead of an order"`
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
	return []method.Capability{method.CutUsesOrder, method.DirectOnly, method.UsesScales}
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
	// OnlyOrderOne says why no other order was tried; empty if others were.
	OnlyOrderOne string
}

// A FieldTrial is a kernel that was tried.
type FieldTrial struct {
	Kernel       string
	Gain, StdErr float64 // of the log-likelihood of a held-out signal over the first, in nats
}

// FieldFitOf returns what only [Field] has to say of a result; nil if it is another method's.
func FieldFitOf(r *method.Result) *FieldFit {
	fit, _ := r.Own.(*FieldFit)
	return fit
}

// Learn keeps the contract of [method.Method]; [FieldFitOf] has what only this method says.
func (f Field) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if f.Order != 0 && (f.Heat || field.Kernel{Order: f.Order}.Check() != nil) {
		return nil, input.Errorf(f.Name(), "order", "got %g, want 0.5 to 16, and none with heat", f.Order)
	}
	return fieldEntry.Run(ctx, f, p, f.learn)
}

func (f Field) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, m := p.Y.Dims()
	fit := &FieldFit{}
	threads := linalg.Threads(p.Threads)
	k := field.Kernel{Order: f.Order}
	switch {
	case f.Heat || f.Order != 0:
	case m < signalsPerVertex*n:
		k.Order, fit.OnlyOrderOne = 1, fmt.Sprintf("%d signals are fewer than %d for each of %d vertices", m, signalsPerVertex, n)
	case n > mostFieldVertices:
		k.Order, fit.OnlyOrderOne = 1, fmt.Sprintf("orders are compared up to %d vertices", mostFieldVertices)
	default:
		trials, err := field.Compare(ctx, inTrialOrder(rowsOf(p.Y), prepare.EffectiveObservations(p.Y)), field.Orders, threads)
		switch {
		case ctx.Err() != nil: // order one is the soonest there
			k.Order, fit.OnlyOrderOne = 1, "there was no time to compare orders"
		case err != nil:
			return nil, err
		default:
			for _, t := range trials {
				fit.Trials = append(fit.Trials, FieldTrial{t.Kernel.String(), t.Gain, t.StdErr})
			}
			k = field.Simplest(trials).Kernel
		}
	}
	fit.Kernel = k.String()
	chosen := Field{Order: k.Order, Heat: k == field.Heat}
	if k.Order == 1 {
		r, err := GGL{}.Learn(ctx, p)
		if r == nil {
			return nil, err
		}
		r.Method, r.Own = chosen, fit
		return r, nil // the status says whether it was interrupted
	}
	y := rowsOf(p.Y)
	learned, err := field.Learn(ctx, y, k, prepare.EffectiveObservations(p.Y), threads)
	if learned == nil {
		return nil, input.Errorf(f.Name(), input.Signals, "%v", err)
	}
	r := &method.Result{Method: chosen, Own: fit, Status: method.Converged, Rounds: 1}
	if err != nil {
		r.Status = method.Interrupted
	}
	fit.Noise = math.Sqrt(learned.Noise)
	r.Weights, r.Graph = graphOfField(n, learned.Candidates), graphOfField(n, &learned.Model)
	if r.Graph.EdgeCount() == 0 && r.Status != method.Interrupted {
		r.Warnings = append(r.Warnings, "no edge is significant: noise hides the high frequencies of the field, which tell neighbours apart")
	}
	return r, nil
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
	_, exponent := math.Frexp(mat.Max(y) - mat.Min(y)) // so that no square overflows
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
	"matern:1": "edges are partial correlations",
	"matern:2": "like voltages or pressures in equilibrium, or images",
	"matern:4": "smoother than pressures in equilibrium",
	"heat":     "as if diffused over the graph",
}

// Findings keeps the contract of [method.Reporter].
func (f *FieldFit) Findings(*method.Result) []string {
	if f.OnlyOrderOne != "" {
		return []string{"order 1: " + f.OnlyOrderOne + ", so no other was tried"}
	}
	if kind, known := fieldKinds[f.Kernel]; known {
		return []string{f.Kernel + ": " + kind}
	}
	return nil // an order that was asked for, and is among the parameters
}
