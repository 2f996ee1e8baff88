package learn

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/large"
	"github.com/nervure/nervure/method"
)

// ResultOf returns what the sparse method reports beyond a graph: codes, kernels, the way it
// was found. It is nil for results of methods without codes.
func ResultOf(r *method.Result) *Result {
	if r == nil {
		return nil
	}
	own, _ := r.Own.(*Result)
	return own
}

// Explanation keeps the contract of [method.Explainer].
func (r *Result) Explanation() method.Explanation {
	e := method.Explanation{
		Residual: r.Residual, Unexplained: r.Unexplained, Certified: r.Certified, Restricted: r.AllowedPairs > 0,
		Kernels: r.Model.Kernels, AskedKernels: r.asked.Model.Kernels, Sparsity: r.Model.Sparsity,
		CommonModeRemoved: r.Options.RemoveCommonMode, CodedOn: r.CodedOn,
	}
	if r.Large {
		e.Truncated = r.Options.LargeFrom
	}
	return e
}

// again returns the options to learn once more as the result was learned.
func (r *Result) again(threads int) Options {
	o := r.Options
	o.Starts = 1                                // the others rarely change the strongest edges, and take most of the time
	o.Kernels = KernelsGiven                    // as they were chosen from all signals
	o.Cut = graph.Cut{Rule: graph.CutThreshold} // of weights alone: finding where to cut takes long
	o.Threads = max(threads, 1)
	return o
}

// HoldOut keeps the contract of [method.Explainer].
func (r *Result) HoldOut(
	ctx context.Context, train, test *mat.Dense, shuffles iter.Seq[*mat.Dense], threads int,
) (found method.HeldOutCodes, err error) {
	o := r.again(threads)
	learned, err := r.refit(ctx, train, r.Model, o)
	if err != nil {
		return found, err
	}
	train, _ = r.RemoveCommonMode(train)
	rest, _ := r.RemoveCommonMode(test)
	h, err := codeHeldOut(learned.Weights, learned.Model, train, rest, o.Threads)
	if err != nil {
		return found, err
	}
	found = method.HeldOutCodes{Residual: h.RelativeResidual(), Error: h.Error, MeanError: h.MeanError}
	for shuffled := range shuffles {
		rest, _ := r.RemoveCommonMode(shuffled)
		h, err := residualsHeldOut(learned.Weights, learned.Model, train, rest, o.Threads)
		if err != nil {
			return found, err
		}
		found.Shuffled = append(found.Shuffled, h.RelativeResidual()...)
	}
	return found, nil
}

// LearnHalf keeps the contract of [method.Explainer].
func (r *Result) LearnHalf(ctx context.Context, y *mat.Dense, threads int) (*graph.Graph, error) {
	o, m := r.again(threads), r.Model
	o.Init, o.Prior, o.PriorWeight = nil, nil, 0 // the same in all halves, it would look stable
	if r.FittingKernels != nil {
		m.Kernels = r.FittingKernels // edges that make up for wrong kernels would look stable
	}
	half, err := r.refit(ctx, y, m, o)
	if err != nil {
		return nil, err
	}
	return half.Weights, nil
}

// Residuals keeps the contract of [method.Explainer].
func (r *Result) Residuals(train, y *mat.Dense, threads int) (left, energy []float64, err error) {
	train, _ = r.RemoveCommonMode(train)
	y, _ = r.RemoveCommonMode(y)
	if len(r.Aside) > 0 {
		y = mat.DenseCopyOf(y)
	}
	for _, a := range r.Aside { // it has no edges, and is not to take up atoms
		clear(y.RawRowView(a.Vertex))
	}
	h, err := residualsHeldOut(r.CodedOn, r.Model, train, y, threads)
	return h.Residual, h.Energy, err
}

// Findings keeps the contract of [method.Reporter]: the kernels and the number of atoms, if
// they were chosen, and the noise.
func (r *Result) Findings(*method.Result) []string {
	var list []string
	if sentence := r.chosenModel(); sentence != "" {
		list = append(list, sentence)
	}
	if r.Noise > 0 && !r.Large && r.paper == nil {
		list = append(list, fmt.Sprintf("noise: about %s of the signals' amplitude, if the residual is all noise", words.Percent(r.Noise)))
	}
	return list
}

// chosenModel says which kernels and how many atoms were chosen, and why; nothing
// if they are the initial ones.
func (r *Result) chosenModel() string {
	kernels, atoms := kernel.Names(r.Model.Kernels), r.Model.Sparsity
	moved := r.Options.Kernels != KernelsGiven && !slices.Equal(kernels, kernel.Names(r.asked.InitialKernels()))
	deepened := r.asked.Model.Sparsity == 0 && atoms != min(PaperModel().Sparsity, r.Graph.Vertices()/2)
	if !moved && !deepened {
		return ""
	}
	sentence := "kernels: " + shortNames(kernels)
	if better := slices.IndexFunc(r.KernelScores, func(s KernelScore) bool {
		return slices.Equal(s.Kernels, kernels) && s.CommonModeRemoved == r.Options.RemoveCommonMode
	}); better > 0 {
		sentence += fmt.Sprintf(" (held-out prediction %.2f; %s: %.2f)",
			r.KernelScores[better].Prediction, shortNames(r.KernelScores[0].Kernels), r.KernelScores[0].Prediction)
	}
	if r.Options.RemoveCommonMode && !r.asked.Options.RemoveCommonMode {
		sentence += "; common mode removed"
	}
	return fmt.Sprintf("%s; %s per signal", sentence, words.Plural(atoms, "atom"))
}

// shortNames lists kernels for people.
func shortNames(names []string) string {
	var short []string
	for _, name := range names {
		short = append(short, kernel.ShortName(name))
	}
	return words.List(short, "and")
}

// heldOutFit is how a graph does on signals that it was not learned from, signal by
// signal.
type heldOutFit struct {
	Energy    []float64 // ‖y‖², in a unit where nothing overflows, like all that follows
	Residual  []float64 // ‖y − Dx‖²
	Error     []float64 // squared error of each vertex predicted from the others, summed; nil beyond mostPredictedVertices
	MeanError []float64 // the same where the mean of the others is the prediction
}

// RelativeResidual returns ‖y − Dx‖²/‖y‖² of each signal, zero for a signal that
// is zero.
func (h heldOutFit) RelativeResidual() []float64 {
	relative := make([]float64, len(h.Residual))
	for k, r := range h.Residual {
		if h.Energy[k] > 0 {
			relative[k] = r / h.Energy[k]
		}
	}
	return relative
}

// mostPredictedVertices is the most vertices that are predicted from each other: that
// takes matrices of the square of their number, and the cube of it in time.
const mostPredictedVertices = 2000

// codeHeldOut tries the graph g, with a model that has kernels and a sparsity, on the
// test signals. What little the prediction needs to know beside the graph comes
// from the signals of train. The vertices of g are the rows of both; missing
// entries take the mean of their vertex.
func codeHeldOut(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (heldOutFit, error) {
	h, eig, err := codeSignals(g, m, train, test, threads)
	if err != nil || g.Vertices() > mostPredictedVertices {
		return h, err
	}
	if eig == nil {
		if eig, err = fitting.LaplacianEigen(g); err != nil {
			return h, err
		}
	}
	unit := fitting.UnitOf(train)
	_, first := train.Dims()
	_, rest := test.Dims()
	both := linalg.NewDense(first+rest, g.Vertices())
	complete(both, train, unit)
	complete(linalg.Dense{Rows: rest, Cols: both.Cols, Stride: both.Stride, Data: both.Data[first*both.Stride:]}, test, unit)
	h.Error, h.MeanError = fitting.PredictVertices(eig, m.Kernels, both, matrix.Span(0, first), matrix.Span(first, first+rest))
	return h, nil
}

// residualsHeldOut is codeHeldOut without the predictions.
func residualsHeldOut(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (heldOutFit, error) {
	h, _, err := codeSignals(g, m, train, test, threads)
	return h, err
}

// codeSignals codes the test signals in the unit of those of train. From
// DefaultLargeFrom vertices on, atoms are truncated; below, the eigendecomposition
// of the Laplacian comes with the codes.
func codeSignals(g *graph.Graph, m Model, train, test *mat.Dense, threads int) (h heldOutFit, eig *linalg.Eigen, err error) {
	if err := m.check(g, train, test); err != nil {
		return h, nil, err
	}
	data := fitting.InUnits(test, fitting.UnitOf(train))
	data.Fill()
	data.Missing = nil
	var e fitting.Engine
	if g.Vertices() < DefaultLargeFrom {
		dense, _, fault := coded(g, m, data, 0, threads)
		if fault != nil {
			return h, nil, fault
		}
		e, eig = dense, fitting.EigenOf(dense.Spectral)
	} else if e, _, err = codedLocally(g, m, data, threads); err != nil {
		return h, nil, err
	}
	h.Residual = fitting.ResidualsOf(e)
	for s := range h.Residual {
		h.Energy = append(h.Energy, e.SignalEnergy(s))
	}
	return h, eig, nil
}

// codedLocally codes signals, filled in where values are missing, by a model on a large
// graph.
func codedLocally(g *graph.Graph, m Model, data fitting.Signals, threads int) (*fitting.LocalEngine, *sparse.Code, error) {
	e := fitting.NewLocal(context.Background(), data, fitting.Model(m), cores(threads), nil)
	pairs, w := dictionary.EdgesOf(g)
	if err := e.Place(pairs, w); err != nil {
		return nil, nil, err
	}
	code := sparse.NewCode(g.Vertices()*len(m.Kernels), data.Count(), m.Sparsity)
	e.Encode(code, fitting.CoderSetting{Width: large.Sharpenings}, nil)
	e.Refit(code)
	return e, code, nil
}

// complete fills the first rows of dst with the columns of y in the given unit, with
// means where entries are missing.
func complete(dst linalg.Dense, y *mat.Dense, unit float64) {
	n, m := y.Dims()
	fitting.TransposedInUnits(dst, y, unit)
	p := fitting.Signals{Rows: mat.NewDense(m, n, dst.Data[:m*n])}
	p.FindMissing()
	p.Fill()
}
