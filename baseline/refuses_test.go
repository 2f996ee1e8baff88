package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
)

// What a method cannot use is blamed on the field that it stands in.
func TestMethodsRefuseWhatTheyCannotUse(t *testing.T) {
	flat, err := kernel.Polynomial("flat", []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	p := method.Problem{Y: checks.Chain(1, 6, 12), Kernels: []kernel.Kernel{flat}}
	for field, methods := range map[input.Field][]method.Method{
		"choice":      {Diffusion{Choice: 2}},
		"degree":      {Correlation{Degree: -1}, SmoothL2{Degree: 0.5}, SmoothLog{Degree: 0.5}},
		"engine":      {Field{Engine: 3}},
		input.Folds:   {CGL{Folds: 1}, DDGL{Folds: 13}, GGL{Folds: 1}, Glasso{Folds: 1}, Glasso{Folds: 13}},
		"gamma":       {Glasso{Gamma: math.NaN()}},
		"iterations":  {SpectralTemplates{MaxIterations: -1}},
		"k":           {KNN{Neighbours: -1}},
		input.Kernels: {KernelInversion{}},
		"model":       {Modules{Kind: 2}},
		"modules":     {Modules{Count: 7}},
		"order": {
			Causal{Order: 4},
			Causal{Order: 2, ChooseOrder: true},
			Field{Order: 0.4},
			Field{Order: 16.5},
			Field{Order: math.NaN()},
			Field{Order: 2, Heat: true},
		},
		"rho":         {Glasso{Penalty: -1}},
		input.Rounds:  {Modules{MaxRounds: -1}, SigRep{Rounds: -1}, SpectralTemplates{Rounds: 51}},
		"scale":       {Field{Scale: 1}, Field{Order: 2, Scale: -1}, Field{Heat: true, Scale: math.Inf(1)}},
		"set":         {SpectralTemplates{Set: 7}},
		input.Signals: {Causal{Order: 3}},
		"signed":      {Field{Signed: 3}},
		"smoothness":  {SigRep{Smoothness: -1}},
		"spread":      {SigRep{Spread: 1e-10}, SmoothL2{Spread: 1e300}},
		"sweeps":      {Glasso{MaxSweeps: -1}, GGL{MaxSweeps: -1}},
		"theta":       {SmoothLog{Theta: 1e10}},
		"tolerance":   {CGL{Tolerance: -1}, Glasso{Tolerance: math.Inf(1)}},
		"width":       {GaussianKernel{Width: math.NaN()}},
	} {
		for _, m := range methods {
			refuses(t, m, p, field)
		}
	}
	for _, good := range []method.Method{Field{Order: 0.5}, Field{Order: 16}, Modules{Count: 6}} {
		learned(t, good, p.Y)
	}
	p.Cut = graph.Cut{Rule: graph.CutEdges, Edges: 16}
	refuses(t, Glasso{}, p, input.Edges)
	refuses(t, SigRep{}, method.Problem{Y: &mat.Dense{}}, input.Vertices)
}
