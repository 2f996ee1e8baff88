package document

import "github.com/nervure/nervure/method"

// A Comparison is several methods on the same signals, side by side. It is what
// nervure compare writes.
type Comparison struct {
	Version        string          `json:"version" doc:"version of nervure"`
	Vertices       int             `json:"vertices" doc:"number of vertices, N"`
	Signals        int             `json:"signals" doc:"number of signals learned from, M"`
	EdgesTrue      *int            `json:"edges_true,omitempty" doc:"number of edges of the ground truth, if it is known"`
	SignalsHeldOut int             `json:"signals_held_out,omitempty" doc:"number of signals behind held_out_error"`
	Folds          int             `json:"folds,omitempty" doc:"number of folds of held-out signals by which methods are ranked; with 1, they learn from the first half of the signals and are ranked by the second"`
	Seed           uint64          `json:"seed" doc:"random seed"`
	Threads        int             `json:"threads" doc:"number of threads used"`
	Interrupted    bool            `json:"interrupted" doc:"whether the comparison was stopped before all methods had finished"`
	Methods        []Compared      `json:"methods" doc:"the methods that have finished"`
	Agreement      Agreement       `json:"agreement" doc:"how far the graphs agree"`
	Recommendation *Recommendation `json:"recommendation,omitempty" doc:"the recommended method, chosen without using the ground truth"`

	Preparation Preparation `json:"preparation" doc:"preprocessing of the signals"`
	Warnings    []string    `json:"warnings,omitempty" doc:"warnings about the signals, one sentence each; methods have their own"`
	Run         *Run        `json:"run,omitempty" doc:"the comparison itself, for nervure run; see the run document"`
	Command     string      `json:"command,omitempty" doc:"the same comparison as a command"`
}

// A Compared is a method and its outcome.
type Compared struct {
	Method           string        `json:"method" doc:"name of the method"`
	Status           method.Status `json:"status" doc:"how it ended: converged, max_rounds, stalled or failed"`
	Error            string        `json:"error,omitempty" doc:"why it failed"`
	Seconds          *float64      `json:"seconds,omitempty" doc:"time spent learning"`
	Edges            *int          `json:"edges,omitempty" doc:"number of edges found"`
	Directed         bool          `json:"directed,omitempty" doc:"true if they are arrows"`
	Precision        *float64      `json:"precision,omitempty" doc:"share of the edges found that are true, if the ground truth is known"`
	Recall           *float64      `json:"recall,omitempty" doc:"share of the true edges that were found"`
	F1               *float64      `json:"f1,omitempty" doc:"harmonic mean of precision and recall"`
	F1AtTrueCount    *float64      `json:"f1_at_true_count,omitempty" doc:"F1 of the heaviest edges only, as many as there are true edges"`
	HeldOutError     *float64      `json:"held_out_error,omitempty" doc:"share of the energy of signals_held_out signals that codes on a graph learned from the others do not explain; sparse only"`
	Rank             *int          `json:"rank,omitempty" doc:"rank by held-out signals, from 1"`
	HeldOutGain      *float64      `json:"held_out_gain,omitempty" doc:"gain in log-likelihood of held-out signals over a model without edges, in nats per signal"`
	HeldOutGainError *float64      `json:"held_out_gain_stderr,omitempty" doc:"its standard error"`
	HeldOutShare     *float64      `json:"held_out_share,omitempty" doc:"the gain as a share of the best gain"`
	ShareNeeded      *float64      `json:"share_needed,omitempty" doc:"the held_out_share with which the graph may be recommended: less where all edges are direct, because edges between vertices two steps apart raise the gain, too"`
	HiddenExplained  *float64      `json:"hidden_explained,omitempty" doc:"share of the energy of hidden values that the edges predict"`
	CodeGain         *float64      `json:"held_out_code_gain,omitempty" doc:"the gain by the codes of the method sparse, or by the field of the method field, instead of a Gaussian model on its edges"`
	CodeGainError    *float64      `json:"held_out_code_gain_stderr,omitempty" doc:"its standard error"`
	Params           Params        `json:"params,omitempty" doc:"parameters of the method, as given or as chosen"`
	Warnings         []string      `json:"warnings,omitempty" doc:"warnings, one sentence each"`
}

// Failed is the status of a method without a graph.
const Failed method.Status = "failed"

// An Agreement is the F1 between the edges of each two graphs.
type Agreement struct {
	Methods []string    `json:"methods" doc:"the methods that found a graph"`
	F1      [][]float64 `json:"f1" doc:"F1 between the edges of each pair of graphs"`
}

// A Recommendation is the method to use, as far as the signals can tell.
type Recommendation struct {
	Method  string `json:"method,omitempty" doc:"name of the method; absent if no graph predicts better than none"`
	Because string `json:"because" doc:"the reason, as part of a sentence"`
	// Rule is one of assess.Rule.
	Rule    string   `json:"rule" doc:"the rule that decided, the first of these that applies: exact, if the graph proves itself; learn, if nervure learn chooses between sparse and field and takes it; own model, if its model of the signals gains more than the edges of any graph; none, if no graph predicts better than none; direct edges, if it has only those and held_out_share is at least share_needed; fewest edges, among the graphs whose held_out_share is at least share_needed"`
	Ties    []string `json:"ties,omitempty" doc:"methods that tie with it within one standard error"`
	LeftOut []string `json:"left_out,omitempty" doc:"methods that were cut off at the time limit and are not ranked"`
	// Unjudged are some of LeftOut.
	Unjudged []string `json:"unjudged,omitempty" doc:"those of left_out that have learned their graph, but not been judged by held-out signals"`
}
