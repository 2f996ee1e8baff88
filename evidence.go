package nervure

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/evidence"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// EdgeEvidence is how the edges of a graph were tested; the graph has what was found of each.
type EdgeEvidence struct {
	Floor       float64 // the partial correlation that edges were tested for exceeding
	Independent float64 // signals that partial correlations are from, as independent ones count
	// Undrawn are pairs of vertices that are no edges and exceed the floor at [SureRate], the strongest
	// first and at most 100 of the UndrawnCount that there are. Unless AllPairs is true, only pairs that the method
	// gave a weight were looked at: there are too many vertices for all.
	Undrawn      []UndrawnPair
	UndrawnCount int
	AllPairs     bool
}

// An UndrawnPair is a pair of vertices, I < J, that is no edge, and what signals say of it.
type UndrawnPair = evidence.Pair

// SureRate is the false discovery rate at which an edge is taken to exceed the floor.
const SureRate = evidence.Rate

// among puts pairs of vertices that were learned from back among all of them.
func (e *EdgeEvidence) among(shape *intake.Shape) *EdgeEvidence {
	all := *e
	all.Undrawn = slices.Clone(e.Undrawn)
	for k, p := range all.Undrawn {
		all.Undrawn[k].I, all.Undrawn[k].J = shape.Pair(p.I, p.J)
	}
	return &all
}

// wantsEvidence reports whether edges are to be tested. Where signals clearly are sums of few
// patterns, partial correlations are not what edges are known by: those of an exact graph may be zero.
func (a *Analysis) wantsEvidence() bool {
	switch {
	case a.explanation() != nil && a.doubt == nil:
		return false
	case a.Status == method.Interrupted, a.Graph.Directed(), a.Graph.EdgeCount() == 0:
		return false
	case a.Signals() < fewIndependent: // they tell no partial correlation from another
		return false
	}
	return a.Options.Confidence != No || a.Options.FDR > 0
}

// findEvidence tests edges, once, on signals of order one: the partial correlations of a field of a
// higher order are not its edges. It is nil if they are not to be tested or cannot be; then a.untested is
// why.
func (a *Analysis) findEvidence(ctx context.Context, orderOne func() (*mat.Dense, error)) *evidence.Finding {
	if a.found != nil || a.untested != nil || !a.wantsEvidence() {
		return a.found
	}
	y, err := orderOne()
	if err == nil {
		a.found, err = evidence.Of(ctx, y, a.Weights, a.Graph, evidence.Options{
			InTime: !a.Preparation.Rows.Independent(), Floor: a.Options.Floor, Threads: a.Options.Threads,
		})
	}
	a.untested = err
	return a.found
}

// weighEdges gives edges their evidence.
func (a *Analysis) weighEdges(ctx context.Context, orderOne func() (*mat.Dense, error)) {
	found := a.findEvidence(ctx, orderOne)
	err, tested := a.untested, a.Graph
	if err == nil {
		tested, err = a.Graph.WithEvidence(found.Edges)
	}
	switch {
	case err == nil:
		a.Graph = tested
		a.Evidence = &EdgeEvidence{
			Floor: found.Floor, Independent: found.Independent, Undrawn: found.Undrawn,
			UndrawnCount: found.UndrawnCount, AllPairs: found.AllPairs,
		}
		a.showConfidence()
		a.warnOfPaths(found)
	case run.OutOfTime(ctx):
		a.LimitReached = true
		a.warn("edges have no intervals: the time limit of %s left no time for them", a.Options.TimeLimit)
	case ctx.Err() != nil:
		a.Status = method.Interrupted
	default:
		a.warn("edges were not tested: %s", input.Sentence(err))
	}
}

// fewPaths and sharePaths are how many edges, and which share of all, may be paths without a warning.
const fewPaths, sharePaths = 3, 0.1

// warnOfPaths warns where many edges that are clearly above the floor may only be paths past a third
// vertex.
func (a *Analysis) warnOfPaths(found *evidence.Finding) {
	if a.Structure != nil && !a.Structure.Structure {
		return
	}
	count := 0
	for _, m := range found.Margins(a.Graph) {
		if m.OfPath && !m.Below {
			count++
		}
	}
	if all := a.Graph.EdgeCount(); count >= fewPaths && float64(count) >= sharePaths*float64(all) {
		bound := ""
		if a.Confidence != nil {
			bound = fmt.Sprintf(" (their confidence is at most %g)", assess.MostUnsure)
		}
		a.warn("%d of %s close a triangle and may be no direct edges: vertices that are mixed, smoothed or measured with noise leave as much between the ends of a path of two edges%s", count, words.Plural(all, "edge"), bound)
	}
}

// showConfidence makes the confidence that of the graph as it is.
func (a *Analysis) showConfidence() {
	if a.Confidence != nil {
		now := *a.Confidence
		now.Graph, a.Confidence = a.Graph, &now
	}
}

// keepEvident takes out the edges that do not pass at the rate asked for.
func (a *Analysis) keepEvident() {
	if a.Options.FDR == 0 || a.Graph.Directed() || a.Graph.EdgeCount() == 0 {
		return
	}
	if a.Evidence == nil {
		a.warn("all edges are kept, because they were not tested")
		return
	}
	all := a.Graph.EdgeCount()
	a.listAsUndrawn(a.Graph)
	a.Graph = a.Graph.Passing(a.Options.FDR)
	a.showConfidence()
	a.Verdict.Edges = a.Graph.EdgeCount()
	if a.Verdict.failing = all - a.Verdict.Edges; a.Verdict.Edges == 0 {
		a.warn("none of %s passes at a false discovery rate of %g", words.Plural(all, "edge"), a.Options.FDR)
	}
}

// listAsUndrawn puts the edges that a rate below SureRate takes out, and that pass at SureRate, among the
// pairs that are no edges and do so.
func (a *Analysis) listAsUndrawn(g *graph.Graph) {
	list, edges := slices.Clone(a.Evidence.Undrawn), g.Edges()
	for k, e := range g.Evidence() {
		if e.Q > a.Options.FDR && e.Q <= SureRate {
			list = append(list, UndrawnPair{I: edges[k].I, J: edges[k].J, Evidence: e})
		}
	}
	a.Evidence.UndrawnCount += len(list) - len(a.Evidence.Undrawn)
	slices.SortStableFunc(list, func(x, y UndrawnPair) int { return cmp.Compare(math.Abs(y.Partial), math.Abs(x.Partial)) })
	a.Evidence.Undrawn = list[:min(len(list), evidence.MostUndrawn)]
}

// evidenceWords says what edges were tested for.
func (a *Analysis) evidenceWords() string {
	if a.Evidence == nil {
		return ""
	}
	rate, rest := SureRate, a.undrawnWords()
	if a.Verdict.failing > 0 {
		rate, rest = a.Options.FDR, "; only these are kept"
	}
	passing, have := a.Graph.Passing(rate).EdgeCount(), "have"
	if passing == 1 {
		have = "has"
	}
	return fmt.Sprintf("evidence: %d of %s %s a partial correlation of more than %.3g (false discovery rate %g; the signals count as %.0f independent ones)%s",
		passing, words.Plural(a.Graph.EdgeCount()+a.Verdict.failing,
			"edge"), have, a.Evidence.Floor, rate, a.Evidence.Independent, rest)
}

// undrawnWords says how many pairs pass that are no edges.
func (a *Analysis) undrawnWords() string {
	count, least := a.Evidence.UndrawnCount, ""
	if !a.Evidence.AllPairs {
		least = "at least "
	}
	switch count {
	case 0:
		return ""
	case 1:
		return "; so has " + least + "1 pair that is not an edge"
	default:
		return fmt.Sprintf("; so have %s%d pairs that are not edges", least, count)
	}
}

func (a *Analysis) evidenceDocument() *document.Evidence {
	if a.Evidence == nil {
		return nil
	}
	d := &document.Evidence{
		Floor: a.Evidence.Floor, Independent: a.Evidence.Independent, Passed: a.Graph.Passing(SureRate).EdgeCount(),
		UndrawnPassed: a.Evidence.UndrawnCount,
	}
	names := a.Graph.Names()
	for _, p := range a.Evidence.Undrawn {
		d.Undrawn = append(d.Undrawn, document.UndrawnPair{
			Source: names[p.I], Target: names[p.J], Partial: p.Partial, Low: p.Low, High: p.High, Q: p.Q,
		})
	}
	return d
}

// A fieldMethod is a method that takes signals for a Gaussian field with a kernel.
type fieldMethod interface {
	method.Method
	// WithKernels returns the method for fields with given kernels, of which there is one.
	WithKernels(kernels []kernel.Kernel) (method.Method, error)
	// FieldKernel returns the kernel of the method as it was run, and reports if its scale is
	// fixed.
	FieldKernel() (k kernel.Kernel, fixed bool)
}

// describeField fits the kernel of a field to the graph that was learned: it is told over the
// frequencies of that graph, whatever the method has learned it by. Where that is not possible,
// because there are no edges, negative ones or too many vertices, or nobody waits, there is no kernel to tell.
func (a *Analysis) describeField(ctx context.Context) {
	own, ok := a.Result.Method.(fieldMethod)
	if !ok || ctx.Err() != nil || a.Graph.Vertices() > assess.MostFieldVertices || a.Graph.EdgeCount() == 0 || a.Graph.Negative() > 0 {
		return
	}
	y, _, err := signals.FillMissing(ctx, a.signals.Learned())
	if err != nil {
		return
	}
	k, fixed := own.FieldKernel()
	f, err := assess.FitField(y, a.Graph, k, fixed, a.Options.Threads)
	if err != nil || ctx.Err() != nil {
		return
	}
	frequencies, energy, err := f.Spectrum(y, a.Graph, a.Options.Threads)
	if err == nil {
		a.field, a.spectrum = f, &document.FieldSpectrum{
			Kernel: f.Kernel.Name, Size: f.Size, Noise: f.Noise, Frequency: frequencies, Energy: energy,
		}
	}
}

// orderOne returns the signals that have the edges as their partial correlations: those that the
// method made of the ones that it was given, or these.
func (a *Analysis) orderOne(ctx context.Context) (*mat.Dense, error) {
	y := a.signals.Learned()
	rooted, ok := a.Result.Own.(method.Rooted)
	if !ok {
		return y, nil
	}
	whole, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	if one := rooted.OrderOne(whole); one != whole {
		return one, nil
	}
	return y, nil
}

// Field returns the kernel of the field that the signals are on the learned graph, its size and
// noise, and the spectrum of the signals that shows it; nil for methods that learn no field.
func (a *Analysis) Field() *document.FieldSpectrum { return a.spectrum }

// fieldWords says which kernel the field has.
func (a *Analysis) fieldWords() string {
	if a.field == nil {
		return ""
	}
	said := fmt.Sprintf("kernel %s describes the signals on the graph", a.field.Kernel.Name)
	if a.field.Noise > 0 { // part of which may be how the kernel differs from theirs
		said += fmt.Sprintf(", all but %s of their standard deviation", words.Percent(a.field.Noise))
	}
	return said
}
