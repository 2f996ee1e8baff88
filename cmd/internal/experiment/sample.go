package experiment

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// A recipe is an algorithm for the model of sparse signals, by its name in records and tables.
type recipe string

const (
	paperRecipe recipe = "maretic2017" // [learn.Maretic2017]
	ourRecipe   recipe = "default"     // [learn.Sparse]
)

// recipes are ours, the paper's first.
var recipes = []recipe{paperRecipe, ourRecipe}

// method returns the method of a recipe as tuned.
func (r recipe) method(m learn.Model) method.Method {
	if r == paperRecipe {
		return learn.Maretic2017{Model: m}
	}
	return learn.Sparse{Model: m}
}

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

// learnFrom runs the pipeline on signals as they were drawn. They follow the model
// and their graph is known, so nothing is preprocessed or tested.
func learnFrom(ctx context.Context, y *mat.Dense, o nervure.Options) (*nervure.Analysis, error) {
	o.Prepare, o.Structure, o.Confidence = prepare.None(), nervure.No, nervure.No
	o.Threads = 1 // cells are what runs side by side
	return nervure.Learn(ctx, &nervure.Signals{Y: y}, o)
}

// measure draws, learns by a recipe as tuned and scores. No recipe sees the truth.
func (s setting) measure(ctx context.Context, r recipe, seed uint64) (Values, error) {
	return s.measureWith(ctx, r.method(s.model), seed)
}

// measureWith is measure by a method that is not tuned.
func (s setting) measureWith(ctx context.Context, m method.Method, seed uint64) (Values, error) {
	truth, err := s.draw(seed)
	if err != nil {
		return nil, err
	}
	a, err := learnFrom(ctx, truth.Signals, nervure.Options{Method: m, Seed: seed})
	if err != nil {
		return nil, err
	}
	v, err := scores(learn.ResultOf(a.Result), truth)
	if err != nil {
		return nil, err
	}
	v[secondsKey] = a.Duration.Seconds()
	return v, nil
}

// scores compares a result with the truth: edges at the true edge count, the
// paper's protocol, and as the result itself cuts them; supports of the codes.
func scores(r *learn.Result, truth *synth.Truth) (Values, error) {
	atCount, errCount := metrics.EdgesAtCount(r.Weights, truth.Graph)
	own, errOwn := metrics.Edges(r.Graph, truth.Graph)
	codes, errCodes := metrics.Support(r.Codes, truth.Codes)
	weights, errWeights := metrics.WeightError(r.Graph, truth.Graph)
	if err := errors.Join(errCount, errOwn, errCodes, errWeights); err != nil {
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
// it learn from two signals.
func recipeOptions() (map[string]any, error) {
	all := map[string]any{}
	for _, r := range recipes {
		y := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
		a, err := learnFrom(context.Background(), y, nervure.Options{
			Method: r.method(learn.Model{}), Kernels: learn.PaperModel().Kernels,
		})
		if err != nil {
			return nil, err
		}
		o := map[string]any{"rounds": learn.ResultOf(a.Result).Options.Rounds}
		for _, v := range method.Values(a.Result.Method) {
			o[v.Name] = v.Value
		}
		if r == ourRecipe {
			o["starts"] = learn.ResultOf(a.Result).Options.Starts
		}
		all[string(r)] = o
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

// paperOptions lists the choices that the cells of an experiment have in common: those of
// the recipes, and of a setting but for what varies.
func paperOptions(s setting, varied ...string) (map[string]any, error) {
	recipes, err := recipeOptions()
	if err != nil {
		return nil, err
	}
	common, err := s.describe()
	for _, name := range varied {
		delete(common, name)
	}
	return map[string]any{"recipes": recipes, "setting": common}, err
}

func kernelNames(kernels []kernel.Kernel) []string {
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = k.Name
	}
	return names
}
