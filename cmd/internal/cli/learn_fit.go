package cli

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/solver"
)

// Up to this size the fit is looked at: it takes about the time of the graph again.
const (
	fitVertices = 300
	fitNumbers  = 1_000_000 // vertices times signals
)

// wantsFit says whether it is worth knowing if the signals show a graph at all.
func (r *learnRun) wantsFit(result *learned) bool {
	n := result.graph.Vertices()
	return result.sparse != nil && result.sparse.Options.Recipe == learn.Default && !result.sparse.Certified &&
		result.status != solver.Interrupted && n <= fitVertices && n*result.signals <= fitNumbers
}

// examine looks whether the signals show a graph. Where that cannot be told, the
// result stays as it is.
func (r *learnRun) examine(ctx context.Context, y *mat.Dense, result *learned) {
	fit, err := assess.TestStructure(ctx, y, result.sparse, assess.StructureOptions{
		Seed: r.learner.options.Seed, Threads: r.learner.options.Threads,
	})
	if few, ok := errors.AsType[*input.Error](err); ok {
		result.warnings = append(result.warnings, "whether these signals show any structure cannot be told: "+string(few.Field)+": "+few.Msg)
		return
	}
	if err != nil {
		result.unassessed = result.unassessed || ctx.Err() != nil
		return
	}
	result.fit = fit
	if !fit.Structure {
		result.warnings = append(result.warnings, fmt.Sprintf("these signals show no graph structure that this model can see: "+
			"%s held out are not clearly coded better than the same with their values shuffled (%s left over against %s), nor is a vertex clearly predicted by the others",
			plural(fit.HeldOut, "signal"), percent(fit.CodeError), percent(fit.Shuffled)))
	}
}

// fitWords says how held-out signals fit; where they show no structure, a warning does.
func (l *learned) fitWords() string {
	words := fmt.Sprintf("held-out signals: %s left over, %s if their values are shuffled", percent(l.fit.CodeError), percent(l.fit.Shuffled))
	if l.fit.PredictionScore > 2 {
		words += fmt.Sprintf("; a vertex is predicted to %s by the others", percent(l.fit.Prediction))
	}
	return words
}

// A fitRecord is what a summary says of the fit.
type fitRecord struct {
	Structure       bool     `json:"structure"` // the model sees a graph
	HeldOut         int      `json:"held_out"`  // signals
	CodeError       *float64 `json:"code_error"`
	Shuffled        *float64 `json:"code_error_shuffled"`
	CodeScore       *float64 `json:"code_score"` // in standard errors, as the next
	Prediction      *float64 `json:"prediction"` // share of the errors of the mean of the other vertices that is gone
	PredictionScore *float64 `json:"prediction_score"`
}

func newFitRecord(f *assess.StructureTest) *fitRecord {
	if f == nil {
		return nil
	}
	return &fitRecord{
		f.Structure, f.HeldOut, finite(f.CodeError), finite(f.Shuffled),
		finite(f.CodeScore), finite(f.Prediction), finite(f.PredictionScore),
	}
}
