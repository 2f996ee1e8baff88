package measure

import (
	"context"
	"path/filepath"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/plan"
	"github.com/nervure/nervure/synth"
)

// planGrid is the set of fields on grids; other sets have the names of their folders.
const planGrid = "grid"

// planStages plan for twice and four times the signals of pilots on grids of random weights; and from half
// of the signals for all, in the networks of NetSim that have 10, 15 and 50 vertices.
func planStages(o Options) ([]experiment.Stage, error) {
	var simulated, measured []Cell
	for _, pilot := range []int{100, 200} {
		for _, count := range []int{2 * pilot, 4 * pilot} {
			simulated = append(simulated, cell(func(ctx context.Context, seed uint64) (Values, error) {
				y, g, err := gridField(10, 800, seed)
				if err != nil {
					return nil, err
				}
				return comparePlan(ctx, y, g, pilot, count, o.Threads)
			}, planLabels(planGrid, pilot, count)...))
		}
	}
	var all []source
	if o.Data != "" {
		var err error
		if all, err = plainSources(o.Data, "sim0[234]_*", "signals.csv"); err != nil {
			return nil, err
		}
	}
	for _, from := range all {
		s, known, err := from.read()
		if err != nil {
			return nil, err
		}
		_, count := s.Y.Dims()
		measured = append(measured, cell(func(ctx context.Context, _ uint64) (Values, error) {
			return comparePlan(ctx, s.Y, known.truth, count/2, count, o.Threads)
		}, planLabels(filepath.Base(from.name), count/2, count)...))
	}
	return []experiment.Stage{
		{Name: "grids", Seeds: experiment.Seeds{First: 1001, Count: 5}, Cells: simulated},
		{Name: "sets", Seeds: once, Cells: measured},
	}, nil
}

func planLabels(set string, pilot, signals int) []experiment.Label {
	return []experiment.Label{experiment.Text("set", set), experiment.Amount("pilot", pilot), experiment.Amount("signals", signals)}
}

// gridField draws a field on a square grid.
func gridField(side, count int, seed uint64) (*mat.Dense, *graph.Graph, error) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: side * side, Weights: synth.UniformWeights, Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	field, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: count, Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	return field.Signals, drawn.Graph, nil
}

// comparePlan plans from the first signals, and learns from more of them.
func comparePlan(ctx context.Context, y *mat.Dense, truth *graph.Graph, pilot, count, threads int) (Values, error) {
	first := func(count int) *nervure.Signals {
		return &nervure.Signals{Y: matrix.Columns(y, matrix.Span(0, count)), Names: truth.Names()}
	}
	by := nervure.Options{Threads: threads}
	planned, err := plan.FromPilot(ctx, first(pilot), plan.Options{Learn: by, Sizes: []int{count}})
	if err != nil {
		return nil, err
	}
	a, err := nervure.Learn(ctx, first(count), by)
	if err != nil {
		return nil, err
	}
	v := Values{"edges": float64(truth.EdgeCount())}
	put(v, "predicted.", predicted(planned.Points[0]))
	sure, err := graph.New(truth.Names(), sureEdges(a.Graph))
	if err != nil {
		return nil, err
	}
	for prefix, g := range map[string]*graph.Graph{"learned.": a.Graph, "learned.sure_": sure} {
		found, err := metrics.Edges(g, truth)
		if err != nil {
			return nil, err
		}
		put(v, prefix, Values{"recall": rounded(found.Recall), "precision": rounded(found.Precision)})
	}
	return v, nil
}

// predicted are the shares of edges that a plan promises, of all that are drawn and of those that are sure.
func predicted(p document.PlanPoint) Values {
	share := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return rounded(*v)
	}
	v := Values{"recall": rounded(p.All.Recall), "precision": share(p.All.Precision), "sure_recall": 0.0, "sure_precision": 0.0}
	if p.Sure != nil {
		v["sure_recall"], v["sure_precision"] = rounded(p.Sure.Recall), share(p.Sure.Precision)
	}
	return v
}
