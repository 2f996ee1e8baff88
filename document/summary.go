package document

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// A Summary says how a graph was learned and how far to trust it. It is what
// nervure learn --summary writes.
type Summary struct {
	Version        string        `json:"version" doc:"version of nervure"`
	Method         string        `json:"method" doc:"the method that learned the graph"`
	Verdict        string        `json:"verdict" doc:"how far to trust the graph: exact, supported, weak, no structure or not checked"`
	VerdictReasons []string      `json:"verdict_reasons" doc:"the reasons for the verdict, one sentence each"`
	Findings       []string      `json:"findings,omitempty" doc:"what was chosen and found besides the verdict, one sentence each"`
	Recipe         string        `json:"recipe" doc:"algorithm for the model of sparse: default (method sparse) or maretic2017 (the method of that name); empty for other methods"`
	Vertices       int           `json:"vertices" doc:"number of vertices, N"`
	Signals        int           `json:"signals" doc:"number of signals learned from, M; after --difference, one fewer than rows in the file"`
	Kernels        []Kernel      `json:"kernels" doc:"the kernels, as given or as chosen; empty for methods without kernels"`
	Sparsity       int           `json:"sparsity" doc:"maximum number of atoms per signal, T₀"`
	Edges          int           `json:"edges" doc:"number of edges in the graph"`
	Withheld       int           `json:"edges_withheld,omitempty" doc:"number of edges learned that the graph does not have, because the signals show no structure"`
	Directed       bool          `json:"directed" doc:"whether edges are arrows from source to target"`
	Signed         bool          `json:"signed,omitempty" doc:"true if edges may have negative weights, between vertices that move against each other"`
	NegativeEdges  int           `json:"negative_edges,omitempty" doc:"number of edges of negative weight"`
	Threshold      Threshold     `json:"threshold" doc:"how edges were cut"`
	Residual       *float64      `json:"residual" doc:"share of the signals' energy that the codes do not explain, ‖Y − DX‖²/‖Y‖²; null for methods without codes"`
	Objective      *float64      `json:"objective" doc:"final value of the objective; null if there is none"`
	Rounds         int           `json:"rounds" doc:"rounds of coding and graph update"`
	Gradients      int           `json:"gradients" doc:"number of gradient evaluations with respect to the weights"`
	Status         method.Status `json:"status" doc:"how the run ended: converged, max_rounds, stalled or interrupted"`
	Seconds        float64       `json:"seconds" doc:"time spent learning, without the structure test and the confidence"`
	TimeLimit      float64       `json:"time_limit,omitempty" doc:"seconds that the run was allowed, if there was a limit"`
	LimitReached   bool          `json:"limit_reached,omitempty" doc:"true if the time limit ended the run: learning, if the status is interrupted, or else a look at the signals, tests or confidence"`
	Seed           uint64        `json:"seed" doc:"random seed"`
	Threads        int           `json:"threads" doc:"number of threads used"`
	Warnings       []string      `json:"warnings" doc:"warnings, one sentence each"`
	Notes          []string      `json:"notes,omitempty" doc:"what was noticed when the signals were read, one sentence each, such as a column that is taken for row labels"`
	Certified      bool          `json:"certified" doc:"whether the result is exact"`
	Starts         int           `json:"starts" doc:"number of starts"`
	Gap            float64       `json:"gap" doc:"ratio of the smallest weight kept to the largest weight cut"`
	Params         Params        `json:"params,omitzero" doc:"parameters of a method other than sparse, as given or as chosen"`

	AllowedPairs int           `json:"allowed_pairs,omitzero" doc:"number of candidate pairs, if --allow or --forbid restricted them"`
	PriorWeight  float64       `json:"prior_weight,omitzero" doc:"number of signals the prior counted as, if there was a prior"`
	Preparation  Preparation   `json:"preparation" doc:"preprocessing of the signals"`
	Rows         *Rows         `json:"rows,omitzero" doc:"what the rows were taken for"`
	Sensors      Sensors       `json:"sensors" doc:"broken sensors"`
	Values       *ValuesChoice `json:"values_choice,omitzero" doc:"why values or innovations were learned from, if both were tried"`
	SetAside     []SetAside    `json:"set_aside,omitempty" doc:"vertices that were left without edges, and why"`
	Choice       *MethodChoice `json:"method_choice,omitzero" doc:"why the method was chosen, if it was not given"`
	Confidence   *Confidence   `json:"confidence,omitzero" doc:"about the confidence of the edges, if it was computed"`
	Evidence     *Evidence     `json:"evidence,omitzero" doc:"how the partial correlations of the edges were tested, if they were"`
	Fit          *Fit          `json:"fit,omitzero" doc:"structure test on held-out signals, if it was run"`

	Field *FieldSpectrum `json:"field,omitzero" doc:"the signals as a Gaussian field on the graph, if the method was field"`

	Noise   *float64    `json:"noise,omitzero" doc:"noise amplitude as a share of the signals' amplitude, if the residual is all noise"`
	Choices *Choices    `json:"choices,omitzero" doc:"automatic choices of the method sparse"`
	Path    []PathPoint `json:"path,omitempty" doc:"graphs on the pruning path, if the weights showed no clear gap"`

	Run     *Run        `json:"run,omitempty" doc:"the run itself, for nervure run; see the run document"`
	Command string      `json:"command,omitempty" doc:"the same run as a command"`
	Weights []float64   `json:"weights" doc:"weights before the cut in descending order, at most 20,000"`
	Trace   []TraceStep `json:"trace,omitempty" doc:"all rounds of all starts, in order"`
}

// Params are the parameters of a method by name.
type Params map[string]float64

// A Threshold says how weak edges were removed.
type Threshold struct {
	Rule  graph.CutRule `json:"rule" doc:"auto, edges, threshold, or own (the method's own rule)"`
	Value float64       `json:"value" doc:"smallest weight kept"`
}

// A SetAside is a vertex that nothing could be learned about.
type SetAside struct {
	Vertex string `json:"vertex" doc:"its name"`
	Reason string `json:"reason" doc:"too few values, constant or vanishing"`
}

// A MethodChoice says on what evidence the method was chosen: by how much held-out
// signals are likelier than without a graph, in nats per signal.
type MethodChoice struct {
	Because          string   `json:"because" doc:"the reason, as a part of a sentence"`
	Signals          int      `json:"signals" doc:"number of held-out signals; 0 if methods were not compared, because the method sparse proved itself or could not be compared"`
	Codes            *float64 `json:"codes,omitempty" doc:"how much likelier the codes of the method sparse make them, in nats per signal"`
	Edges            *float64 `json:"edges,omitempty" doc:"the same for the edges of the method in edges_of, or a Gaussian without a graph"`
	DifferenceError  *float64 `json:"difference_error,omitempty" doc:"standard error of the difference of the two"`
	Predicted        *float64 `json:"predicted,omitempty" doc:"share of the energy of hidden values that these edges predict, if that was computed"`
	PredictedByCodes *float64 `json:"predicted_by_codes,omitempty" doc:"share of that energy that the codes of the method sparse predict, if that was computed"`
	EdgesOf          string   `json:"edges_of,omitempty" doc:"tree, ggl if a spanning tree did not decide, ggm if edges of either sign did, or covariance for a Gaussian without a graph, which wide patterns are compared with"`
}

// A Confidence summarises the confidence of edges.
type Confidence struct {
	Subsamples int `json:"subsamples" doc:"number of half-samples learned from; 0 if the result is exact or shows no structure"`
	AtLeast09  int `json:"at_least_0_9" doc:"number of edges with confidence 0.9 or higher"`
}

// An Evidence is how edges were tested.
type Evidence struct {
	Floor       float64 `json:"floor" doc:"size of the partial correlation that edges were tested for exceeding"`
	Independent float64 `json:"independent_signals" doc:"number of independent signals that those learned from count as in this test"`
	Passed      int     `json:"q_at_most_0_1" doc:"number of edges that exceed the floor at a false discovery rate of 0.1"`

	UndrawnPassed int           `json:"undrawn_q_at_most_0_1" doc:"number of pairs that are no edges and do so; with more than 2000 vertices, of those that the method gave a weight"`
	Undrawn       []UndrawnPair `json:"undrawn,omitempty" doc:"these pairs, the 100 strongest at most"`
}

// An UndrawnPair is a pair of vertices that is no edge, and what signals say of it.
type UndrawnPair struct {
	Source  string  `json:"source" doc:"one vertex"`
	Target  string  `json:"target" doc:"the other"`
	Partial float64 `json:"partial" doc:"partial correlation"`
	Low     float64 `json:"low" doc:"low end of its 90 % interval"`
	High    float64 `json:"high" doc:"high end of its 90 % interval"`
	Q       float64 `json:"q" doc:"false discovery rate at which it exceeds the floor"`
}

// A Fit is the outcome of the structure test.
type Fit struct {
	Structure       bool     `json:"structure" doc:"whether the model detects a graph in the signals"`
	HeldOut         int      `json:"held_out" doc:"number of held-out signals"`
	CodeError       *float64 `json:"code_error,omitempty" doc:"share of their energy that codes on the graph do not explain; only for methods with codes, as the next two"`
	Shuffled        *float64 `json:"code_error_shuffled,omitempty" doc:"the same after shuffling the values of each vertex"`
	CodeScore       *float64 `json:"code_score,omitempty" doc:"difference of the two, in standard errors"`
	Prediction      *float64 `json:"prediction" doc:"methods with codes: share of a vertex's variation around the mean of the other vertices that these predict; other methods: share of the energy of hidden values that the edges predict"`
	PredictionScore *float64 `json:"prediction_score" doc:"methods with codes: distance of that share from zero, in standard errors; other methods: the gain, in standard errors"`
	Gain            *float64 `json:"gain,omitempty" doc:"how much likelier held-out signals are with the edges than without, in nats per signal; only for methods without codes"`
	Pair            *float64 `json:"largest_correlation,omitempty" doc:"largest correlation of two vertices, if only that is beyond chance"`
}

// Choices are what the method sparse chose.
type Choices struct {
	Kernels    string        `json:"kernels" doc:"how the kernels were obtained: given, scales (scales learned), free (polynomials learned) or auto (chosen from the signals)"`
	Fitting    []string      `json:"fitting,omitempty" doc:"the given kernels with other scales, which explain the signals clearly better and by which the edges were found"`
	Sparsity   string        `json:"sparsity" doc:"given or auto"`
	CommonMode bool          `json:"level" doc:"whether the common mode, each signal's mean over the vertices, was removed by the learner"`
	Scores     []KernelScore `json:"kernel_scores" doc:"the kernels that were compared, starting with the initial ones"`
}

// A KernelScore is a choice of kernels that was tried.
type KernelScore struct {
	Kernels    []string `json:"kernels" doc:"their names"`
	Sparsity   int      `json:"sparsity" doc:"number of atoms per signal with these kernels"`
	CommonMode bool     `json:"level" doc:"whether the common mode was removed"`
	Prediction *float64 `json:"prediction" doc:"share of a vertex's variation around the mean of all that the other vertices predict in held-out signals"`
}

// A PathPoint is a graph on the pruning path.
type PathPoint struct {
	Edges      int      `json:"edges" doc:"its number of edges"`
	CodeError  *float64 `json:"code_error" doc:"share of the energy of held-out signals that its codes do not explain"`
	Prediction *float64 `json:"prediction" doc:"share of a vertex that the others predict in held-out signals"`
}

// A TraceStep is the state of a run after a step. The lines of nervure learn
// --progress json have the same keys.
type TraceStep struct {
	Start     int          `json:"start" doc:"number of the start, from 1"`
	Round     int          `json:"round" doc:"number of the round within the start, from 1"`
	Phase     method.Phase `json:"phase" doc:"the step just completed: coding, graph (weights updated), prune (edges removed), polish (weights and codes refined on the remaining edges) or done"`
	Residual  *float64     `json:"residual" doc:"share of the signals' energy that the codes do not explain"`
	Objective *float64     `json:"objective" doc:"value of the objective"`
	Edges     int          `json:"edges" doc:"number of pairs with a positive weight"`
}

// NewTraceStep describes a step of a run.
func NewTraceStep(s method.Step) *TraceStep {
	return &TraceStep{s.Start, s.Round, s.Phase, Finite(s.Residual), Finite(s.Objective), s.Edges}
}

// A Describer has a part of the summary to fill in: what only its method has to say.
type Describer interface {
	Describe(s *Summary)
}
