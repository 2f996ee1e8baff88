package document

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/nervure/nervure/internal/words"
)

// A Plan says how many signals it takes to find the edges of a graph. It is what nervure plan
// --json prints.
type Plan struct {
	Pilot       int         `json:"pilot,omitempty" doc:"number of signals of the pilot; absent if a graph was given"`
	Independent *float64    `json:"independent,omitempty" doc:"number of independent signals that those of the pilot count as, if they follow one another in time"`
	Vertices    int         `json:"vertices" doc:"number of vertices"`
	Edges       int         `json:"edges" doc:"number of edges of the graph that simulated signals are of: the one learned from the pilot, or the one given"`
	Method      string      `json:"method" doc:"the method that learned from the pilot; auto if a graph was given and no method"`
	Model       string      `json:"model" doc:"what signals were simulated: gaussian (partial correlations along the edges), field (a kernel on the graph) or sparse (sums of few patterns)"`
	Kernel      string      `json:"kernel,omitempty" doc:"kernel of a field"`
	Points      []PlanPoint `json:"points" doc:"what to expect of numbers of signals, in ascending order"`
	Recall      float64     `json:"recall" doc:"share of the edges that is aimed for"`
	Enough      *float64    `json:"enough,omitempty" doc:"number of signals from which on this share is drawn; absent if more are needed than were tried"`
	EnoughSure  *float64    `json:"enough_sure,omitempty" doc:"number of signals from which on this share is drawn with a confidence of 0.9 or higher; absent if more are needed than were tried, or if edges have no confidence"`
	Repeats     int         `json:"repeats" doc:"how often each number of signals was to be tried"`
	Interrupted bool        `json:"interrupted" doc:"whether the plan was stopped before all were"`
	Seed        uint64      `json:"seed" doc:"random seed"`
	Warnings    []string    `json:"warnings,omitempty" doc:"reasons to doubt the plan, one sentence each"`
	Run         *Run        `json:"run,omitempty" doc:"how graphs were learned; see the run document"`
}

// A PlanPoint is what to expect of a number of signals.
type PlanPoint struct {
	Signals int        `json:"signals" doc:"number of signals"`
	By      PlanSource `json:"by" doc:"where the numbers of edges come from: subsampling, of the pilot, or simulation; which of them are true is always known from simulation"`
	Repeats int        `json:"repeats" doc:"how many simulations there are"`
	All     PlanRates  `json:"all" doc:"all edges that are drawn"`
	Sure    *PlanRates `json:"sure,omitempty" doc:"those with a confidence of 0.9 or higher; absent if edges have none"`
}

// A PlanSource is where numbers of edges come from.
type PlanSource string

// The sources.
const (
	BySubsampling PlanSource = "subsampling"
	BySimulation  PlanSource = "simulation"
)

// PlanRates are what to expect of edges.
type PlanRates struct {
	Edges     float64  `json:"edges" doc:"number of them, on average"`
	Recall    float64  `json:"recall" doc:"share of the true edges that are among them, on average"`
	RecallSD  float64  `json:"recall_sd" doc:"standard deviation of that share between repeats"`
	Precision *float64 `json:"precision,omitempty" doc:"share of them that are true; absent if there were none"`
}

// WriteCSV writes a line for each number of signals; what is not known is left empty.
func (p *Plan) WriteCSV(w io.Writer) error {
	lines := [][]string{{"signals", "by", "repeats", "edges", "recall", "recall_sd", "precision", "sure", "sure_recall", "sure_recall_sd", "sure_precision"}}
	digits := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	cells := func(r *PlanRates) []string {
		if r == nil {
			return []string{"", "", "", ""}
		}
		precision := ""
		if r.Precision != nil {
			precision = digits(*r.Precision)
		}
		return []string{digits(r.Edges), digits(r.Recall), digits(r.RecallSD), precision}
	}
	for _, at := range p.Points {
		line := []string{strconv.Itoa(at.Signals), string(at.By), strconv.Itoa(at.Repeats)}
		lines = append(lines, append(append(line, cells(&at.All)...), cells(at.Sure)...))
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// Answer says in a sentence, without a full stop, how many signals are enough.
func (p *Plan) Answer() string {
	if len(p.Points) == 0 {
		return "not known yet"
	}
	first, last := p.Points[0].Signals, p.Points[len(p.Points)-1].Signals
	count := func(enough *float64) string {
		switch {
		case enough == nil:
			return "more than " + words.Thousands(last)
		case *enough <= float64(first):
			return "at most " + words.Thousands(first)
		}
		return "about " + words.Thousands(int(*enough))
	}
	share := words.Percent(p.Recall)
	answer := fmt.Sprintf("%s signals to find %s of the edges", count(p.Enough), share)
	if p.Points[len(p.Points)-1].Sure != nil {
		answer += fmt.Sprintf(", and %s to be sure of %s", count(p.EnoughSure), share)
	}
	return answer
}
