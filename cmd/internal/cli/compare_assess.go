package cli

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/signals"
)

// Numbers N²M of vertices and signals up to which there are that many folds. They are
// fixed by size and not by time, so that a comparison can be repeated.
const (
	sizeForManyFolds = 10_000_000
	manyFolds        = 5
	fewFolds         = 2
)

// foldsFor returns how many folds of signals are held out, 0 if there are too few signals.
func (r *compareRun) foldsFor(y *mat.Dense) int {
	n, m := y.Dims()
	folds := manyFolds
	switch {
	case r.folds >= 0:
		folds = r.folds
	case float64(n)*float64(n)*float64(m) > sizeForManyFolds:
		folds = fewFolds
	}
	if m < 2*folds {
		return 0
	}
	return folds
}

// assess holds out folds of signals and returns how the method does on them.
func (l learner) assess(ctx context.Context, y *mat.Dense, folds int, show func(learn.Step)) (*assess.HeldOut, error) {
	return assess.HoldOut(ctx, y, func(ctx context.Context, train *mat.Dense) (*graph.Graph, assess.Density, error) {
		result, err := l.learn(ctx, train, show)
		switch {
		case done(ctx):
			return nil, nil, context.Cause(ctx)
		case err != nil:
			return nil, nil, err
		case result.sparse == nil || result.sparse.Options.RemoveCommonMode || signals.Missing(train) > 0: // no model of the signals, or not of all of them
			return result.graph, nil, nil
		}
		own, err := assess.CodeDensity(train, result.graph, result.sparse.Model.Kernels, result.sparse.Model.Sparsity, l.options.Threads)
		return result.graph, own, err
	}, assess.HeldOutOptions{Folds: folds, Seed: l.options.Seed})
}

// A recommendation is the method to use, as far as the signals can tell.
type recommendation struct {
	Method  string   `json:"method,omitempty"` // none if no graph predicts better than none
	Because string   `json:"because"`
	Ties    []string `json:"ties,omitempty"`
}

// rank orders the methods that have held-out scores and recommends one.
func (r *compareRecord) rank() {
	var list []assess.Contender
	for _, m := range r.Methods {
		if m.heldOut != nil {
			list = append(list, assess.Contender{Name: m.Method, Edges: *m.Edges, Effort: m.effort, Certified: m.certified, HeldOut: m.heldOut})
		}
	}
	if len(list) == 0 {
		return
	}
	ranking := assess.Rank(list)
	r.Recommendation = &recommendation{Method: ranking.Recommended, Because: ranking.Because}
	for _, p := range ranking.Places {
		m := &r.Methods[slices.IndexFunc(r.Methods, func(m methodRecord) bool { return m.Method == p.Name })]
		m.Rank, m.HeldOutGain, m.HeldOutGainError, m.HeldOutShare = &p.Rank, &p.Gain.Mean, &p.Gain.StdErr, &p.Share
		hidden := m.heldOut.Explained()
		m.HiddenExplained = &hidden
		if m.heldOut.OwnGain != nil {
			own := m.heldOut.MeanOwnGain()
			m.CodeGain, m.CodeGainError = &own.Mean, &own.StdErr
		}
		if p.Tied {
			r.Recommendation.Ties = append(r.Recommendation.Ties, p.Name)
		}
	}
}
