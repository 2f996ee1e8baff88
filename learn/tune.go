package learn

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/metrics"
)

// An Example is a set of signals whose graph is known.
type Example struct {
	Signals *mat.Dense // vertices × signals
	Truth   *graph.Graph
}

// A Trial is one point of a grid and what it achieved.
type Trial struct {
	StepSize    float64
	EdgePenalty float64
	F1          float64 // mean over the examples, at the true edge count
}

// Tune runs the grid search by which [maretic2017] sets the step size and the
// edge penalty β: it learns every example with every pair of values by the
// Maretic2017 recipe and scores the edges at the true edge count. It uses the
// truth, so the examples must not be those that results are reported on.
//
// Trials come in the order of the grid; best is the first of the highest score.
// If ctx ends, Tune returns the trials finished so far with the cause.
func Tune(ctx context.Context, examples []Example, m Model, o Options, stepSizes, edgePenalties []float64) (best Trial, trials []Trial, err error) {
	if len(examples) == 0 || len(stepSizes) == 0 || len(edgePenalties) == 0 {
		return best, nil, input.Errorf("learn", FieldTuning, "want at least one example, step size and edge penalty")
	}
	if slices.Min(stepSizes) <= 0 || slices.Min(edgePenalties) < 0 {
		return best, nil, input.Errorf("learn", FieldTuning, "want step sizes above 0 and edge penalties of at least 0")
	}
	o.Recipe = Maretic2017
	for _, step := range stepSizes {
		for _, penalty := range edgePenalties {
			o.StepSize, o.EdgePenalty = step, penalty
			if penalty == 0 {
				o.EdgePenalty = -1 // none; zero would mean the default
			}
			trial := Trial{StepSize: step, EdgePenalty: penalty}
			for k, e := range examples {
				r, err := Fit(ctx, e.Signals, m, o)
				if err != nil {
					return best, trials, fmt.Errorf("learn.Tune: example %d: %w", k, err)
				}
				weights, err := r.Weights.Rename(e.Truth.Names())
				if err != nil {
					return best, trials, fmt.Errorf("learn.Tune: example %d: %w", k, err)
				}
				score, err := metrics.EdgesAtCount(weights, e.Truth)
				if err != nil {
					return best, trials, fmt.Errorf("learn.Tune: example %d: %w", k, err)
				}
				trial.F1 += score.F1() / float64(len(examples))
			}
			trials = append(trials, trial)
			if len(trials) == 1 || trial.F1 > best.F1 {
				best = trial
			}
		}
	}
	return best, trials, nil
}
