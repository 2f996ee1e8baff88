package views

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/method"
)

// A column is one of the numbers in the table.
type column struct {
	title  string
	width  int
	format string
	value  func(*document.Compared) *float64
}

// columnsOf lists the numbers that are known of a comparison.
func columnsOf(r *document.Comparison) []column {
	list := []column{
		{"seconds", 9, "%.3f", func(m *document.Compared) *float64 { return m.Seconds }},
		{"edges", 7, "%.0f", func(m *document.Compared) *float64 {
			edges := float64(*m.Edges)
			return &edges
		}},
	}
	if r.EdgesTrue != nil {
		atCount := fmt.Sprintf("F1 at %d", *r.EdgesTrue)
		return append(list,
			column{"precision", 11, "%.4f", func(m *document.Compared) *float64 { return m.Precision }},
			column{"recall", 8, "%.4f", func(m *document.Compared) *float64 { return m.Recall }},
			column{"F1", 8, "%.4f", func(m *document.Compared) *float64 { return m.F1 }},
			column{atCount, max(len(atCount)+2, 8), "%.4f", func(m *document.Compared) *float64 { return m.F1AtTrueCount }},
			rankColumn)
	}
	if r.Recommendation == nil {
		return list
	}
	return append(list,
		column{"held-out gain", 15, "%.3f", func(m *document.Compared) *float64 { return m.HeldOutGain }},
		column{"±", 7, "%.3f", func(m *document.Compared) *float64 { return m.HeldOutGainError }},
		column{"of best", 9, "%.0f%%", percentOf(func(m *document.Compared) *float64 { return m.HeldOutShare })},
		column{"hidden", 8, "%.0f%%", percentOf(func(m *document.Compared) *float64 { return m.HiddenExplained })},
		rankColumn)
}

var rankColumn = column{"rank", 6, "%.0f", func(m *document.Compared) *float64 {
	if m.Rank == nil {
		return nil
	}
	rank := float64(*m.Rank)
	return &rank
}}

// percentOf is a share in percent.
func percentOf(share func(*document.Compared) *float64) func(*document.Compared) *float64 {
	return func(m *document.Compared) *float64 {
		v := share(m)
		if v == nil {
			return nil
		}
		whole := math.Round(100**v) + 0 // no -0
		return &whole
	}
}

// bestFirst returns the comparison with its methods by rank, as people read a table; those without one
// follow in the order in which they ran.
func bestFirst(r *document.Comparison) *document.Comparison {
	ranked := *r
	rank := map[string]int{}
	for _, m := range r.Methods {
		rank[m.Method] = len(r.Methods) + 1
		if m.Rank != nil {
			rank[m.Method] = *m.Rank
		}
	}
	ranked.Methods = slices.Clone(r.Methods)
	slices.SortStableFunc(ranked.Methods, func(a, b document.Compared) int { return cmp.Compare(rank[a.Method], rank[b.Method]) })
	places := make([]int, len(r.Agreement.Methods))
	for k := range places {
		places[k] = k
	}
	slices.SortStableFunc(places, func(a, b int) int {
		return cmp.Compare(rank[r.Agreement.Methods[a]], rank[r.Agreement.Methods[b]])
	})
	ranked.Agreement = document.Agreement{}
	for _, i := range places {
		row := make([]float64, 0, len(places))
		for _, j := range places {
			row = append(row, r.Agreement.F1[i][j])
		}
		ranked.Agreement.Methods, ranked.Agreement.F1 = append(ranked.Agreement.Methods, r.Agreement.Methods[i]), append(ranked.Agreement.F1, row)
	}
	return &ranked
}

// PrintComparison prints a line for each method, the best first, which one to use and why, and, if the
// truth is not known, what the numbers mean and how far the methods agree.
func PrintComparison(w io.Writer, r *document.Comparison) error {
	var b strings.Builder
	r = bestFirst(r)
	label := len("method")
	for _, m := range r.Methods {
		label = max(label, len(m.Method))
	}
	columns := columnsOf(r)
	fmt.Fprintf(&b, "%-*s", label, "method")
	for _, c := range columns {
		fmt.Fprintf(&b, "%*s", c.width, c.title)
	}
	b.WriteByte('\n')
	for _, m := range r.Methods {
		if m.Error != "" {
			b.WriteString(hanging(fmt.Sprintf("%-*s  ", label, m.Method), "failed: "+m.Error) + "\n")
			continue
		}
		fmt.Fprintf(&b, "%-*s", label, m.Method)
		for _, c := range columns {
			cell := "–"
			if v := c.value(&m); v != nil {
				cell = fmt.Sprintf(c.format, *v)
			}
			fmt.Fprintf(&b, "%*s", c.width, cell)
		}
		b.WriteByte('\n')
	}
	recommend(&b, r)
	if r.EdgesTrue == nil {
		explainHeldOut(&b, r)
		writeAgreement(&b, r.Agreement)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// explainHeldOut says what the numbers are that the methods are ranked by, and which
// are no measure between methods.
func explainHeldOut(b *strings.Builder, r *document.Comparison) {
	if r.Recommendation != nil {
		from, folds := "the other folds", fmt.Sprintf(", %d folds", r.Folds)
		if r.Folds == 1 {
			from, folds = "the first half of the signals", ", on the second half"
		}
		likelihood := "log-likelihood of a signal"
		if r.Vertices > assess.MostTestedVertices {
			likelihood = "log pseudo-likelihood of a signal, the sum of those of its vertices given their neighbours,"
		}
		b.WriteByte('\n')
		for _, of := range []struct{ name, meaning string }{
			{"held-out gain", fmt.Sprintf("increase in the %s due to the edges learned from %s, in nats per signal%s", likelihood, from, folds)},
			{"of best", "the gain in percent of the largest"},
			{"hidden", "share of the energy of hidden values that these edges predict"},
			{"rank", fmt.Sprintf("the one recommended, then those with %.0f%% of the best gain, fewest edges first, then the others by their gain", 100*assess.Adequate)},
		} {
			b.WriteString(Wrapped(of.name+": "+of.meaning) + "\n")
		}
	}
	for _, m := range r.Methods {
		if m.CodeGain != nil {
			model, verb := "codes", "gain"
			if e, known := nervure.MethodByName(m.Method); known && !e.Has(method.HasCodes) {
				model, verb = "field", "gains"
			}
			b.WriteString(hanging("", fmt.Sprintf("the %s of %s, given the choices it made from all signals, %s %.3f ± %.3f nats per signal, comparable with the held-out gains", model, m.Method, verb, *m.CodeGain, *m.CodeGainError)) + "\n")
		}
		if m.HeldOutError != nil {
			b.WriteString(hanging("", fmt.Sprintf("the codes of %s leave %.3g of the energy of %s unexplained, on a graph learned from the others (not comparable across methods)",
				m.Method, *m.HeldOutError, Plural(r.SignalsHeldOut, "signal"))) + "\n")
		}
	}
}

// recommend prints the choice, and what stands in the way of comparing.
func recommend(b *strings.Builder, r *document.Comparison) {
	if r.Recommendation == nil {
		return
	}
	b.WriteByte('\n')
	for _, m := range r.Methods {
		switch {
		case slices.Contains(r.Recommendation.LeftOut, m.Method):
		case m.Error != "" || m.Rank == nil:
			b.WriteString(hanging("", m.Method+" is not ranked: it has no held-out gain") + "\n")
		case m.Status != method.Converged:
			b.WriteString(hanging("", m.Method+" did not converge: its rank is provisional") + "\n")
		}
	}
	name, left := "none", ""
	if r.Recommendation.Method != "" {
		name = spelled(r.Recommendation.Method, true)
	}
	unjudged := r.Recommendation.Unjudged
	if cut := slices.DeleteFunc(slices.Clone(r.Recommendation.LeftOut), func(m string) bool { return slices.Contains(unjudged, m) }); len(cut) > 0 {
		left = "; left out, because their time was used up: " + strings.Join(cut, ", ")
	}
	if len(unjudged) > 0 {
		left += "; not judged, because their time was used up after the graph was learned: " + strings.Join(unjudged, ", ") + " (--time-limit sets another limit)"
	}
	b.WriteString(hanging("", fmt.Sprintf("recommended: %s, because %s%s", name, r.Recommendation.Because, left)) + "\n")
}

// writeAgreement prints how far each graph agrees with those of the first methods, as many as there is room for.
func writeAgreement(b *strings.Builder, a document.Agreement) {
	n := len(a.Methods)
	if n < 2 {
		return
	}
	label := 0
	for _, m := range a.Methods {
		label = max(label, len(m)+len("10 "))
	}
	const width = len(" 0.00")
	shown := min(max((Columns-label)/width, 1), n)
	title := "agreement between the graphs (F1 of their edges)"
	if shown < n {
		title += fmt.Sprintf(" with those of the first %s; --json has all", Plural(shown, "method"))
	}
	b.WriteString("\n" + Wrapped(title) + "\n")
	fmt.Fprintf(b, "%*s", label, "")
	for j := range shown {
		fmt.Fprintf(b, "%*d", width, j+1)
	}
	b.WriteByte('\n')
	for i, m := range a.Methods {
		fmt.Fprintf(b, "%-*s", label, fmt.Sprintf("%2d %s", i+1, m))
		for j := range shown {
			cell := "–"
			if i != j {
				cell = fmt.Sprintf("%.2f", a.F1[i][j])
			}
			fmt.Fprintf(b, "%*s", width, cell)
		}
		b.WriteByte('\n')
	}
}

// Compare shows a step of a comparison.
func (p *Progress) Compare(s nervure.CompareStep) {
	switch plain := p.mode == arguments.ProgressPlain; { // where methods are the steps
	case s.Compared != nil && plain:
		fmt.Fprintf(p.w, "%s (method %d of %d)\n", outcomeOf(s.Compared), s.Index, s.Of)
	case s.Compared != nil:
	case s.Method.Phase == "":
		p.Begin(doingWords(s))
	case !plain:
		p.show(s.Method)
	}
}

// doingWords says which method is at work on what.
func doingWords(s nervure.CompareStep) string {
	words := fmt.Sprintf("method %d of %d: %s", s.Index, s.Of, s.Name)
	if s.Doing != nervure.LearningGraph {
		words += ", " + string(s.Doing)
	}
	return words
}

// outcomeOf says what came of a method.
func outcomeOf(m *nervure.Compared) string {
	if m.Result == nil {
		return Wrapped(m.Name + " failed: " + m.Reason())
	}
	return fmt.Sprintf("%s: %s in %s", m.Name, Plural(m.Result.Graph.EdgeCount(), "edge"), InWords(m.Duration.Seconds()))
}

// TellComparison says what there is to doubt but for the signals, of which it was
// said before.
func TellComparison(c Console, comparison *nervure.Comparison) {
	for _, sentence := range comparison.Doubts() {
		c.Warn("%s", sentence)
	}
	for _, w := range comparison.MethodWarnings() {
		if w.All {
			c.Warn("%s", w.Sentence)
		} else {
			c.Warn("%s: %s", strings.Join(w.Methods, ", "), w.Sentence)
		}
	}
}
