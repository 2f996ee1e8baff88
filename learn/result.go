package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/solver"
)

// Threshold is the cut that was made.
type Threshold struct {
	Rule  graph.CutRule
	Value float64 // the lightest weight kept; 0 for an empty graph
	Gap   float64 // ratio of the lightest normalised weight kept to the heaviest dropped, about 100 where none is dropped
}

// A Result is a learned graph and how it was found. Residuals are over the
// vertices that vary.
type Result struct {
	Graph   *graph.Graph // after the cut
	Weights *graph.Graph // before it, with mean degree 1 over the vertices that vary
	Codes   *Code        // X for the signals as given, on the dictionary of CodedOn
	// CodedOn is the graph whose dictionary the codes are on: Graph; for
	// maretic2017, which codes before it cuts, and for a run that was interrupted
	// before it coded on what it kept, Weights.
	CodedOn *graph.Graph
	Model   Model   // as resolved
	Options Options // as resolved

	Residual  float64 // ‖Y − DX‖²/‖Y‖² with the dictionary of the codes
	Noise     float64 // amplitude of the noise as a share of the signals', from what the codes leave over; zero if they are exact
	Objective float64 // maretic2017: (‖Y − DX‖² + β‖W‖₁)/‖Y‖²; default: the residual
	Threshold Threshold
	Rounds    int // of the start that gave the result
	Starts    int // tried
	Gradients int // of all starts
	Status    solver.Status
	// Certified means that the answer proves itself: on the edges reported a
	// few atoms explain the signals to rounding error (all but one in fifty at
	// least), other weights on these edges would not, and the signals are many
	// more numbers than that takes. A wrong graph has no way to do so. A prior
	// has no part in it. If pairs were restricted, it is the answer within those
	// allowed (see AllowedPairs).
	Certified    bool
	Unexplained  int             // signals whose residual is above rounding
	Large        bool            // learned with candidate edges and local atoms; see Options.LargeFrom
	AllowedPairs int             // pairs that might have had an edge, if Options.Allow or Forbid restricted them; else 0
	Aside        []signals.Aside // vertices that were left isolated, and why
	Warnings     []string        // what speaks against trusting the answer, vertices set aside first
	History      []Step          // without results
	Path         []PathPoint     // how the edges were cut, where no gap told
	// KernelScores are the kernels that were compared, those begun with first;
	// nil if there was no need to.
	KernelScores []KernelScore

	asked Sparse // the method as it was asked for, under the contract of all methods
}
