package experiment

import (
	"context"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// Calibration is the name of the experiment on what confidence is worth, the only
// one that is not about the paper.
const Calibration = "calibration"

// The roles of kinds of signals in it.
const (
	fieldRole  = "fields"       // judged by a calibration that was fitted without their family
	ownRole    = "sparse model" // sums of few patterns
	forcedRole = "wrong method" // learned by a method that does not fit
)

var calibrationRoles = []string{fieldRole, ownRole, forcedRole}

// A calibrationKind is a law of signals whose graph is known.
type calibrationKind struct {
	name, role, family string
	method             method.Method // nil means automatic
	draw               func(seed uint64) (*synth.FieldTruth, error)
}

func calibrationKinds() []calibrationKind {
	var kinds []calibrationKind
	for _, k := range simulate.FieldKinds() {
		kinds = append(kinds, calibrationKind{k.Name, fieldRole, k.Family, nil, k.Draw})
	}
	for _, p := range []struct {
		name         string
		role         string
		method       method.Method
		noise, scale float64
	}{
		{"patterns", ownRole, nil, 0, 0},
		{"patterns, noise 20 %", ownRole, nil, 0.2, 0},
		{"patterns, noise 40 %", ownRole, nil, 0.4, 0},
		{"patterns of other kernels", ownRole, nil, 0.1, 0.5},
		{"patterns, noise 20 %, by ggl", forcedRole, baseline.GGL{}, 0.2, 0},
	} {
		kinds = append(kinds, calibrationKind{p.name, p.role, "patterns", p.method, func(seed uint64) (*synth.FieldTruth, error) {
			s := paperSetting(30, 150, 4)
			s.signals.Noise = p.noise
			var err error
			if s.kernels, err = shifted(p.scale); err != nil {
				return nil, err
			}
			t, err := s.draw(seed)
			if err != nil {
				return nil, err
			}
			return &synth.FieldTruth{Signals: t.Signals, Graph: t.Graph}, nil
		}})
	}
	for _, law := range synth.FieldLaws() {
		kinds = append(kinds, calibrationKind{
			string(law) + " on a small grid, by sparse", forcedRole, string(law),
			learn.Sparse{},
			func(seed uint64) (*synth.FieldTruth, error) {
				g, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Weights: synth.UniformWeights, Seed: seed})
				if err != nil {
					return nil, err
				}
				return synth.Field(g.Graph, synth.FieldSpec{Law: law, Count: 200, Seed: seed})
			},
		})
	}
	return kinds
}

// measure learns as the command line does, and records what the confidence of each edge comes from.
func (k calibrationKind) measure(ctx context.Context, seed uint64) (Values, error) {
	truth, err := k.draw(seed)
	if err != nil {
		return nil, err
	}
	a, err := nervure.Learn(ctx, &nervure.Signals{Y: truth.Signals},
		nervure.Options{Method: k.method, Confidence: nervure.Yes, Seed: seed, Threads: 1})
	if err != nil {
		return nil, err
	}
	var edges []judgedEdge
	for e, edge := range a.Graph.Edges() {
		if a.Confidence == nil {
			break // none could be computed
		}
		judged := judgedEdge{JudgedEdge: assess.JudgedEdge{True: truth.Graph.HasEdge(edge.I, edge.J)}}
		if basis := assess.Basis(a.Confidence); basis != nil {
			judged.EdgeBasis, judged.byField = basis[e], true
		} else {
			judged.Most = a.Graph.Confidence()[e]
		}
		edges = append(edges, judged)
	}
	return Values{
		"learned_by": a.Result.Method.Name(), "true_edges": float64(truth.Graph.EdgeCount()), judgedKey: judgedText(edges),
		secondsKey: a.Duration.Seconds(),
	}, nil
}

// calibrationBins is into how many bins confidence is sorted. The last one, from 0.9 on,
// has the edges that are called sure.
const calibrationBins = 10

func binOf(confidence float64) int {
	// Confidence has three decimals: tenths must not fall below by rounding.
	return min(int(calibrationBins*confidence+1e-9), calibrationBins-1)
}

func calibration(instances int) (*Experiment, error) {
	kinds := calibrationKinds()
	cells := make([]Cell, len(kinds))
	for i, k := range kinds {
		cells[i] = Cell{
			Labels:  []Label{Text("kind", k.name), Text("role", k.role), Text("family", k.family)},
			Measure: func(ctx context.Context, seed uint64, _ []Record) (Values, error) { return k.measure(ctx, seed) },
		}
	}
	return &Experiment{
		Name:      Calibration,
		Title:     "Share of true edges by confidence",
		Claim:     "of the edges with confidence 0.9 or more, nine in ten are true, also where the model is wrong",
		Source:    "our own expectation; the paper has no confidence",
		Instances: instances,
		Options:   map[string]any{"learning": "as the command line does without flags, confidence for all edges"},
		Stages:    []Stage{{Measuring, Seeds{firstMeasuringSeed, instances}, cells}},
		Tables:    calibrationTables,
		Figure:    calibrationFigure,
	}, nil
}
