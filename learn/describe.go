package learn

import (
	"github.com/nervure/nervure/document"
)

// Describe keeps the contract of [document.Describer].
func (r *Result) Describe(s *document.Summary) {
	s.Recipe, s.Sparsity = "default", r.Model.Sparsity
	if r.paper != nil {
		s.Recipe = r.paper.Name()
	} else {
		s.Params = nil // the model and its choices say more
	}
	s.Objective = &r.Objective
	s.Gradients, s.Starts = r.Gradients, r.Starts
	s.AllowedPairs, s.PriorWeight = r.AllowedPairs, r.Options.PriorWeight
	s.Threshold.Value, s.Gap = r.Threshold.Value, r.Threshold.Gap
	s.Noise, s.Choices = document.Finite(r.Noise), r.choices()
	for _, p := range r.Path {
		s.Path = append(s.Path, document.PathPoint{Edges: p.Edges, CodeError: document.Finite(p.CodeError), Prediction: document.Finite(p.Prediction)})
	}
	s.Trace = r.trace()
}

func (r *Result) choices() *document.Choices {
	c := &document.Choices{Kernels: string(r.Options.Kernels), Sparsity: "given", CommonMode: r.Options.RemoveCommonMode, Scores: []document.KernelScore{}}
	if r.asked.Model.Sparsity == 0 {
		c.Sparsity = "auto"
	}
	for _, s := range r.KernelScores {
		c.Scores = append(c.Scores, document.KernelScore{
			Kernels: s.Kernels, Sparsity: s.Sparsity, CommonMode: s.CommonModeRemoved, Prediction: document.Finite(s.Prediction),
		})
	}
	return c
}

// trace keeps the last step of each phase of a round, and every step of the pruning path.
func (r *Result) trace() []document.TraceStep {
	var list []document.TraceStep
	for _, s := range r.History {
		t := *document.NewTraceStep(s.Method())
		if k := len(list) - 1; k >= 0 && s.Phase != Pruning && list[k].Start == t.Start && list[k].Round == t.Round && list[k].Phase == t.Phase {
			list[k] = t
			continue
		}
		list = append(list, t)
	}
	return list
}
