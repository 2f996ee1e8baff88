package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// The phases.
const (
	Coding                    = job.Coding       // new codes for the current graph
	GraphUpdate               = job.GraphUpdate  // new weights for the current codes; not reported by [Maretic2017], which has one step per round
	KernelUpdate              = job.KernelUpdate // new kernels for the current codes, on a known graph
	Pruning                   = job.Pruning      // a graph on the pruning path
	Polishing                 = job.Polishing    // weights and codes on some edges only
	Done         method.Phase = "done"           // the last step, which carries the Result
)

// A Step is a look at a run in progress.
type Step struct {
	Phase     method.Phase
	Start     int     // from 1
	Round     int     // from 1, within the start
	Residual  float64 // ‖Y − DX‖²/‖Y‖²
	Objective float64 // what the phase minimises: the method's loss, or the residual of the signals that polishing fits
	Edges     int     // pairs of positive weight
	Gradients int     // computed so far, all starts together

	// Result is set on the last step only.
	Result *Result

	now *job.LiveWeights
}

// stepOf returns a step of a run as users see it.
func stepOf(s job.Step) Step {
	return Step{s.Phase, s.Start, s.Round, s.Residual, s.Objective, s.Edges, s.Gradients, nil, s.Now}
}

// Method returns the step under the contract of all methods.
func (s Step) Method() method.Step {
	return method.Step{
		Phase: s.Phase, Start: s.Start, Round: s.Round, Residual: s.Residual,
		Objective: s.Objective, Edges: s.Edges, Weights: s.Weights,
	}
}

// Weights returns the graph that the run has come to, before any cut. It can be
// had as long as the step is the newest; later, and on the last step, it is nil.
func (s Step) Weights() *graph.Graph {
	return s.now.Graph()
}
