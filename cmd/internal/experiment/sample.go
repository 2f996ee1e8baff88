package experiment

import (
	"context"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// recipes are ours, the paper's first.
var recipes = []learn.Recipe{learn.Maretic2017, learn.Default}

// A setting is a law from which graphs and signals are drawn.
type setting struct {
	graph   synth.GraphSpec
	signals synth.SignalSpec
	kernels []kernel.Kernel // that make the signals
	model   learn.Model     // that they are learned with
}

// paperSetting is that of [maretic2017], section 4: Erdős–Rényi graphs with
// about 3N edges, and atoms drawn with replacement.
func paperSetting(vertices, signals, sparsity int) setting {
	model := learn.PaperModel()
	model.Sparsity = sparsity
	return setting{
		graph:   synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices},
		signals: synth.SignalSpec{Count: signals, Sparsity: sparsity},
		kernels: model.Kernels,
		model:   model,
	}
}

func (s setting) draw(seed uint64) (*synth.Truth, error) {
	s.graph.Seed, s.signals.Seed = seed, seed
	return synth.Generate(s.graph, s.kernels, s.signals)
}

// measure draws, learns by a recipe as tuned and scores. No recipe sees the truth.
func (s setting) measure(ctx context.Context, recipe learn.Recipe, seed uint64) (Values, error) {
	return s.measureWith(ctx, learn.Options{Recipe: recipe}, seed)
}

// measureWith is measure with options that are not the tuned ones.
func (s setting) measureWith(ctx context.Context, o learn.Options, seed uint64) (Values, error) {
	o.Seed, o.Threads = seed, 1 // cells are what runs side by side
	truth, err := s.draw(seed)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	r, err := learn.Fit(ctx, truth.Signals, s.model, o)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(begun).Seconds()
	v, err := scores(r, truth)
	if err != nil {
		return nil, err
	}
	v[secondsKey] = seconds
	return v, nil
}

// scores compares a result with the truth: edges at the true edge count, the
// paper's protocol, and as the result itself cuts them; supports of the codes.
func scores(r *learn.Result, truth *synth.Truth) (Values, error) {
	atCount, err := metrics.EdgesAtCount(r.Weights, truth.Graph)
	if err != nil {
		return nil, err
	}
	own, err := metrics.Edges(r.Graph, truth.Graph)
	if err != nil {
		return nil, err
	}
	codes, err := metrics.Support(r.Codes, truth.Codes)
	if err != nil {
		return nil, err
	}
	weights, err := metrics.WeightError(r.Graph, truth.Graph)
	if err != nil {
		return nil, err
	}
	return Values{
		"edges_precision_at_count": atCount.Precision,
		"edges_recall_at_count":    atCount.Recall,
		"edges_f1_at_count":        atCount.F1(),
		"edges_precision":          own.Precision,
		"edges_recall":             own.Recall,
		"edges_f1":                 own.F1(),
		"codes_precision":          codes.Precision,
		"codes_recall":             codes.Recall,
		"codes_f1":                 codes.F1(),
		"weight_error":             weights,
		"residual":                 r.Residual,
		"certified":                truthValue(r.Certified),
		"true_edges":               float64(truth.Graph.EdgeCount()),
		"found_edges":              float64(r.Graph.EdgeCount()),
		"true_vertices":            float64(truth.Graph.Vertices()),
		"gradients":                float64(r.Gradients),
		"starts":                   float64(r.Starts),
		"status":                   string(r.Status),
	}, nil
}

func truthValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// recipeOptions returns what a recipe runs with when nothing is set, by having
// it look at two signals and stop at once.
func recipeOptions() (map[string]any, error) {
	all := map[string]any{}
	for _, recipe := range recipes {
		ctx, stop := context.WithCancel(context.Background())
		stop()
		y := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
		r, err := learn.Fit(ctx, y, learn.Model{Kernels: learn.PaperModel().Kernels}, learn.Options{Recipe: recipe})
		if r == nil {
			return nil, err
		}
		o := map[string]any{"rounds": r.Options.Rounds}
		if recipe == learn.Maretic2017 {
			o["step"], o["decay"], o["beta"] = r.Options.StepSize, r.Options.StepDecay, r.Options.EdgePenalty
		} else {
			o["starts"] = r.Options.Starts
		}
		all[string(recipe)] = o
	}
	return all, nil
}

// describe lists the choices of a setting for a manifest.
func (s setting) describe() (map[string]any, error) {
	g, err := s.graph.Resolve()
	if err != nil {
		return nil, err
	}
	d := map[string]any{
		"family": string(g.Family), "vertices": g.Vertices, "edge_factor": g.EdgeFactor,
		"signals": s.signals.Count, "sparsity": s.signals.Sparsity,
		"atoms_drawn": "with replacement", "noise": s.signals.Noise,
		"kernels": kernelNames(s.kernels), "degree": s.model.Kernels[0].Degree(), "approximation": string(kernel.Taylor),
		"learned_with": kernelNames(s.model.Kernels),
	}
	if g.Family == synth.FamilyER {
		d["probability"] = g.Probability
	}
	if g.Family == synth.FamilyRBF {
		d["width"] = g.Width
	}
	return d, nil
}

func kernelNames(kernels []kernel.Kernel) []string {
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = k.Name
	}
	return names
}
