package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/method"
)

// A comparisonRecord is a comparison as it is printed.
type comparisonRecord struct{ *document.Comparison }

// A column is one of the numbers in the table.
type column struct {
	title  string
	width  int
	format string
	value  func(*document.Compared) *float64
}

func (r comparisonRecord) columns() []column {
	list := []column{
		{"seconds", 10, "%.4f", func(m *document.Compared) *float64 { return m.Seconds }},
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
		column{"± error", 9, "%.3f", func(m *document.Compared) *float64 { return m.HeldOutGainError }},
		column{"hidden", 8, "%.3f", func(m *document.Compared) *float64 { return m.HiddenExplained }},
		rankColumn)
}

var rankColumn = column{"rank", 6, "%.0f", func(m *document.Compared) *float64 {
	if m.Rank == nil {
		return nil
	}
	rank := float64(*m.Rank)
	return &rank
}}

// writeTable prints a line for each method and, if the truth is not known, how
// far they agree.
func (r comparisonRecord) writeTable(w io.Writer) error {
	var b strings.Builder
	label := len("method")
	for _, m := range r.Methods {
		label = max(label, len(m.Method))
	}
	columns := r.columns()
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
	if r.EdgesTrue == nil {
		r.explainHeldOut(&b)
		writeAgreement(&b, r.Agreement)
	}
	r.recommend(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// explainHeldOut says what the numbers are that the methods are ranked by, and which
// are no measure between methods.
func (r comparisonRecord) explainHeldOut(b *strings.Builder) {
	if r.Recommendation != nil {
		from, folds := "the other folds", fmt.Sprintf(", %d folds", r.Folds)
		if r.Folds == 1 {
			from, folds = "the first half of the signals", ", on the second half"
		}
		b.WriteString("\n" + hanging("", fmt.Sprintf("held-out gain: increase in the log-likelihood of a signal due to the edges learned from %s, in nats per signal%s; "+
			"hidden: share of the energy of hidden values that these edges predict", from, folds)) + "\n")
	}
	for _, m := range r.Methods {
		if m.CodeGain != nil {
			b.WriteString(hanging("", fmt.Sprintf("the codes of %s, given the choices it made from all signals, gain %.3f ± %.3f nats per signal, comparable with the held-out gains", m.Method, *m.CodeGain, *m.CodeGainError)) + "\n")
		}
		if m.HeldOutError != nil {
			b.WriteString(hanging("", fmt.Sprintf("the codes of %s leave %.3g of the energy of %s unexplained, on a graph learned from the others (not comparable across methods)",
				m.Method, *m.HeldOutError, plural(r.SignalsHeldOut, "signal"))) + "\n")
		}
	}
}

// recommend prints the choice, and what stands in the way of comparing.
func (r comparisonRecord) recommend(b *strings.Builder) {
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
	name, left := cmp.Or(r.Recommendation.Method, "none"), ""
	unjudged := r.Recommendation.Unjudged
	if cut := slices.DeleteFunc(slices.Clone(r.Recommendation.LeftOut), func(m string) bool { return slices.Contains(unjudged, m) }); len(cut) > 0 {
		left = "; left out, because their time was used up: " + strings.Join(cut, ", ")
	}
	if len(unjudged) > 0 {
		left += "; not judged, because their time was used up after the graph was learned: " + strings.Join(unjudged, ", ") + " (--time-limit sets another limit)"
	}
	b.WriteString(hanging("", fmt.Sprintf("recommended: %s, because %s%s", name, r.Recommendation.Because, left)) + "\n")
}

// writeAgreement prints the matrix, as many columns side by side as there is room for.
func writeAgreement(b *strings.Builder, a document.Agreement) {
	n := len(a.Methods)
	if n < 2 {
		return
	}
	b.WriteString("\nagreement between the graphs (F1 of their edges)\n")
	label := 0
	for _, m := range a.Methods {
		label = max(label, len(m)+len("10 "))
	}
	const width = len(" 0.00")
	room := max((columns-label)/width, 1)
	for first := 0; first < n; first += room {
		last := min(first+room, n)
		if first > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "%*s", label, "")
		for j := first; j < last; j++ {
			fmt.Fprintf(b, "%*d", width, j+1)
		}
		b.WriteByte('\n')
		for i, m := range a.Methods {
			fmt.Fprintf(b, "%-*s", label, fmt.Sprintf("%2d %s", i+1, m))
			for j := first; j < last; j++ {
				cell := "–"
				if i != j {
					cell = fmt.Sprintf("%.2f", a.F1[i][j])
				}
				fmt.Fprintf(b, "%*s", width, cell)
			}
			b.WriteByte('\n')
		}
	}
}

// hanging returns a sentence after a head, broken into lines of at most 80
// columns that begin where the first one does.
func hanging(head, sentence string) string {
	var b strings.Builder
	b.WriteString(head)
	indent := utf8.RuneCountInString(head)
	width := indent
	for i, word := range strings.Fields(sentence) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			width = indent
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	return b.String()
}
