package views

import (
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
)

// NewPlanProgress shows how many graphs of a plan have been learned.
func NewPlanProgress(w io.Writer, mode arguments.ProgressMode) *TasksProgress {
	p := NewTasksProgress(w, mode, "graph")
	p.name = "learning from simulated signals"
	return p
}

// PrintPlan prints a line for each number of signals, and how many are enough.
func PrintPlan(w io.Writer, p *document.Plan) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%8s  %-11s%6s%13s%10s%6s%13s%10s\n", "signals", "by", "edges", "recall", "precision", "sure", "recall", "precision")
	for _, at := range p.Points {
		fmt.Fprintf(&b, "%8s  %-11s%s%s\n", words.Thousands(at.Signals), at.By, rates(&at.All), rates(at.Sure))
	}
	b.WriteString("\n" + Wrapped(p.Answer()) + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// rates are three cells of the table.
func rates(r *document.PlanRates) string {
	if r == nil {
		return fmt.Sprintf("%6s%13s%10s", "–", "–", "–")
	}
	precision := "–"
	if r.Precision != nil {
		precision = fmt.Sprintf("%.2f", *r.Precision)
	}
	return fmt.Sprintf("%6.0f%13s%10s", r.Edges, fmt.Sprintf("%.2f ± %.2f", r.Recall, r.RecallSD), precision)
}

// TellPlan says what the plan is based on, and what there is to doubt.
func TellPlan(c Console, p *document.Plan) {
	from := "the graph given"
	if p.Pilot > 0 {
		from = fmt.Sprintf("the graph that %s learned from the pilot's %s", p.Method, Plural(p.Pilot, "signal"))
		if p.Independent != nil {
			from += fmt.Sprintf(" (as many as about %.0f independent ones; simulated signals depend on one another as they do)", *p.Independent)
		}
	}
	kind := map[string]string{"gaussian": "Gaussian signals", "field": "fields with the kernel " + p.Kernel, "sparse": "sums of few patterns"}[p.Model]
	c.Say(fmt.Sprintf("simulated: %s on %s, which has %s between %s", kind, from, Plural(p.Edges, "edge"), Plural(p.Vertices, "vertex")))
	for _, sentence := range p.Warnings {
		c.Warn("%s", sentence)
	}
}
