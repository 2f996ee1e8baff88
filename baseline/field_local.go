package baseline

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/local"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/task"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// Fields of order one with many vertices are learned vertex by vertex, by package local: what [GGL]
// solves for all pairs at once takes a matrix of all pairs, and time that grows with its cube.

// An engine is how fields of order one are learned.
type engine int

const (
	engineBySize engine = iota
	localEngine
	denseEngine
)

// isLocal reports whether the graph of order one of that many vertices is learned vertex by vertex.
func (e engine) isLocal(vertices int) bool {
	return e == localEngine || e == engineBySize && vertices >= localFrom
}

const (
	// commonModeCosts is the share by which more may be unpredicted without the common mode. It is removed
	// where that takes fewer edges, which then need not imitate it.
	commonModeCosts = 0.1
)

// The phases of the local engine, told as they go on, with [method.Step.Share].
const (
	CandidatesSearched method.Phase = method.Phase(local.Searching)
	VerticesRegressed  method.Phase = method.Phase(local.Regressing)
	SampleChecked      method.Phase = method.Phase(local.Checking)
)

// A LocalFit is what is known of a field that was learned vertex by vertex.
type LocalFit struct {
	// Predicted is the share of the variance of a vertex that its neighbours predict, in the mean.
	Predicted float64
	// Concentration is the kurtosis over the vertices of what they leave of a signal, the median of the
	// signals: 3 for fields, and much more where few vertices have most of it.
	Concentration float64
	// Sampled vertices were held against all others, and Exact of them lack no neighbour. Gap is the
	// largest gap between the objective of one of them and its minimum, in shares of it.
	Sampled, Exact int
	Gap            float64

	cutShort string // what there was no time for; empty if there was time for all
}

// learnLocal learns the graph of order one by the local engine.
func (r *fieldRun) learnLocal(ctx context.Context) (*method.Result, error) {
	y := r.problem.Y
	n, _ := y.Dims()
	fit := r.fitLocal(ctx, y)
	if fit == nil {
		return nil, context.Cause(ctx)
	}
	if rest, shared := withoutMode(ctx, y); shared && fit.Haste == nil {
		other := r.fitLocal(ctx, rest)
		if other != nil && ctx.Err() == nil && len(other.Kept) < len(fit.Kept) &&
			unpredicted(rest, other) < (1+commonModeCosts)*unpredicted(y, fit) {
			fit = other
		}
	}
	result := &method.Result{Rounds: fit.Rounds, Status: method.Converged, Weights: graphOf(n, fit.Found), Graph: graphOf(n, fit.Kept)}
	if ctx.Err() != nil || fit.Haste != nil {
		result.Status = method.Interrupted
	}
	r.negative = fit.Signed
	r.Local = &LocalFit{
		Predicted: portable.Mean(fit.Predicted), Concentration: fit.Concentration,
		Sampled: fit.Sample.Vertices, Exact: fit.Sample.Exact, Gap: fit.Sample.Gap,
	}
	if fit.Haste != nil {
		_, m := y.Dims()
		r.Local.cutShort = inHaste(fit.Haste, n, m)
	}
	return result, nil
}

// fitLocal learns from signals. It is nil if ctx ended before there was a graph, and nobody waits for one.
func (r *fieldRun) fitLocal(ctx context.Context, y *mat.Dense) *local.Fit {
	timed := y
	if ctx.Err() != nil {
		timed = someRows(y, soonTimed)
	}
	signs := map[signChoice]local.Signs{openSigns: local.BySignals, eitherSign: local.EitherSign, positiveOnly: local.PositiveOnly}
	var runner task.Runner
	if n, _ := y.Dims(); n >= sharedVertices {
		runner = task.RunnerOf(ctx)
	}
	return local.Learn(ctx, standardised(y), local.Options{
		Runner: runner,
		Signs:  signs[r.signs], Observations: prepare.EffectiveObservations(timed), Threads: r.problem.Threads,
		Late: func() context.Context { return late(ctx, y) },
		Progress: func(stage local.Stage, share float64) {
			if r.problem.Progress != nil {
				r.problem.Progress(method.Step{Phase: method.Phase(stage), Share: share, Weights: func() *graph.Graph { return nil }})
			}
		},
	})
}

// late returns the context in which to make a graph when ctx has ended; nil if nobody waits for one, or it might
// take long.
func late(ctx context.Context, y *mat.Dense) context.Context {
	until := run.Grace(ctx)
	_, limited := until.Deadline()
	if n, _ := y.Dims(); until.Err() != nil || !limited && n > soonVertices {
		return nil
	}
	return until
}

// Tasks returns how to do the tasks that fields of many vertices are learned by where there are workers, by
// their kind.
func Tasks() map[string]func(ctx context.Context, args []byte, data [][]byte) ([]byte, error) {
	return task.Kinds{local.TaskKind: new(local.Worker).Do}
}

// unpredicted returns the variance of signals that neighbours leave.
func unpredicted(y *mat.Dense, fit *local.Fit) float64 {
	sum := 0.0
	for i, share := range fit.Predicted {
		deviation := matrix.Describe(y.RawRowView(i)).SD
		sum += (1 - share) * deviation * deviation
	}
	return sum
}

// withoutMode returns the signals without what all vertices share, and reports whether they share anything,
// by some of the vertices first.
func withoutMode(ctx context.Context, y *mat.Dense) (*mat.Dense, bool) {
	if ctx.Err() != nil {
		return nil, false
	}
	if n, _ := y.Dims(); n > modeVertices {
		if _, shared := withoutMode(ctx, someRows(y, modeVertices)); !shared {
			return nil, false
		}
	}
	rest, report, err := prepare.Signals(ctx, y, prepare.AsTheyAre(prepare.Options{Center: prepare.Yes, Scale: prepare.Yes}))
	if err != nil {
		return nil, false
	}
	return rest, report.CommonMode.Done
}

// someRows returns rows at equal distances, all if there are no more.
func someRows(y *mat.Dense, count int) *mat.Dense {
	n, _ := y.Dims()
	if n <= count {
		return y
	}
	some := make([]int, count)
	for k := range some {
		some[k] = k * n / count
	}
	return matrix.Rows(y, some)
}

// localFinding says how good the graph is, if it was learned vertex by vertex.
func (fit *FieldFit) localFinding() []string {
	l := fit.Local
	if l == nil {
		return nil
	}
	learned := "learned vertex by vertex"
	if l.cutShort != "" {
		learned += " in a hurry, " + l.cutShort
	}
	learned += fmt.Sprintf(": neighbours predict %s of the variance of a vertex; ", words.Percent(l.Predicted))
	switch {
	case l.Sampled == 0:
		return []string{learned + "whether vertices lack any was not checked"}
	case l.Exact == l.Sampled:
		return []string{learned + fmt.Sprintf("held against all others, none of a sample of %s lacks any",
			words.Plural(l.Sampled, "vertex"))}
	}
	return []string{learned + fmt.Sprintf("held against all others, %d of a sample of %s may lack some, and the "+
		"objective is within %s of its minimum",
		l.Sampled-l.Exact, words.Plural(l.Sampled, "vertex"), words.Percent(l.Gap))}
}

// inHaste says what a graph rests on that was learned in a hurry, from m signals of n vertices.
func inHaste(h *local.Haste, n, m int) string {
	return fmt.Sprintf("with candidates by %s of %s signals, at least %d for each vertex, and regressions of %s of %s vertices",
		words.Thousands(h.Signals), words.Thousands(m), h.Candidates, words.Thousands(h.Vertices), words.Thousands(n))
}
