package cli

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/solver"
)

// A compareRecord is what compare prints and writes. Its JSON keys are a promise.
type compareRecord struct {
	Version        string          `json:"version"`
	Vertices       int             `json:"vertices"`
	Signals        int             `json:"signals"`
	EdgesTrue      *int            `json:"edges_true,omitempty"`
	SignalsHeldOut int             `json:"signals_held_out,omitempty"`
	Folds          int             `json:"folds,omitempty"` // of signals held out to rank methods
	Seed           uint64          `json:"seed"`
	Threads        int             `json:"threads"`
	Interrupted    bool            `json:"interrupted"`
	Methods        []methodRecord  `json:"methods"` // those that are done
	Agreement      agreement       `json:"agreement"`
	Recommendation *recommendation `json:"recommendation,omitempty"` // made without the truth

	Preparation preparationRecord `json:"preparation"`
	Warnings    []string          `json:"warnings,omitempty"` // of the signals; the methods have their own
}

// A methodRecord is a method and what came of it.
type methodRecord struct {
	Method           string        `json:"method"`
	Status           solver.Status `json:"status"` // or "failed"
	Error            string        `json:"error,omitempty"`
	Seconds          *float64      `json:"seconds,omitempty"`
	Edges            *int          `json:"edges,omitempty"`
	Precision        *float64      `json:"precision,omitempty"`
	Recall           *float64      `json:"recall,omitempty"`
	F1               *float64      `json:"f1,omitempty"`
	F1AtTrueCount    *float64      `json:"f1_at_true_count,omitempty"` // of as many of the heaviest edges as are true
	HeldOutError     *float64      `json:"held_out_error,omitempty"`   // ‖Y − DX‖²/‖Y‖² of signals not learned from
	Rank             *int          `json:"rank,omitempty"`             // from 1
	HeldOutGain      *float64      `json:"held_out_gain,omitempty"`    // in nats a signal, over a model without edges
	HeldOutGainError *float64      `json:"held_out_gain_stderr,omitempty"`
	HeldOutShare     *float64      `json:"held_out_share,omitempty"`     // of the best gain
	HiddenExplained  *float64      `json:"hidden_explained,omitempty"`   // share of hidden values that the edges predict
	CodeGain         *float64      `json:"held_out_code_gain,omitempty"` // of sparse, by its codes instead of the Gaussian on its edges
	CodeGainError    *float64      `json:"held_out_code_gain_stderr,omitempty"`
	Params           paramRecord   `json:"params,omitempty"`
	Warnings         []string      `json:"warnings,omitempty"`

	misfit    bool // the error is the fault of the input
	certified bool
	effort    int // iterations
	heldOut   *assess.HeldOut
}

// An agreement is the F1 between the edges of each two graphs.
type agreement struct {
	Methods []string    `json:"methods"` // those that learned a graph
	F1      [][]float64 `json:"f1"`
}

// failed is the status of a method without a graph.
const failed solver.Status = "failed"

func newMethodRecord(method string, result *learned, err error) methodRecord {
	if result == nil {
		m := methodRecord{Method: method, Status: failed, Error: oneLine(err)}
		var f fault
		if f, m.misfit = faultOf(err); m.misfit {
			m.Error = f.field + ": " + f.msg
		}
		return m
	}
	edges := result.graph.EdgeCount()
	m := methodRecord{
		Method: method, Status: result.status, Seconds: &result.seconds, Edges: &edges,
		Params: newParamRecord(result.params), Warnings: result.warnings, effort: result.rounds,
		certified: result.sparse != nil && result.sparse.Certified,
	}
	if m.Status == solver.MaxRounds && result.sparse == nil {
		m.Warnings = append(m.Warnings, fmt.Sprintf("stopped at the limit of %s, before it converged", plural(result.rounds, "iteration")))
	}
	return m
}

// holdOut puts the error of held-out signals on record and returns how many these
// are. That there is none does not make the graph any worse: it is a warning.
func (m *methodRecord) holdOut(share *float64, held int, err error) int {
	if err != nil {
		m.Warnings = append(m.Warnings, "there is no held-out error: "+oneLine(err))
		return 0
	}
	m.HeldOutError = share
	return held
}

// assess puts what a method did on held-out signals on record. That there is nothing
// does not make the graph any worse: it is a warning.
func (m *methodRecord) assess(h *assess.HeldOut, err error) {
	if err != nil {
		m.Warnings = append(m.Warnings, "not ranked, because learning from folds of the signals failed: "+oneLine(err))
		return
	}
	m.heldOut = h
}

// sentence says what came of a method.
func (m *methodRecord) sentence() string {
	if m.Error != "" {
		return wrapped(m.Method + " failed: " + m.Error)
	}
	return fmt.Sprintf("%s: %s in %s", m.Method, plural(*m.Edges, "edge"), inWords(*m.Seconds))
}

// agree fills in the agreement between the graphs of the methods that have one.
func (r *compareRecord) agree(graphs []*graph.Graph) error {
	r.Agreement = agreement{Methods: []string{}, F1: make([][]float64, len(graphs))}
	for _, m := range r.Methods {
		if m.Error == "" {
			r.Agreement.Methods = append(r.Agreement.Methods, m.Method)
		}
	}
	for i, a := range graphs {
		r.Agreement.F1[i] = make([]float64, len(graphs))
		for j, b := range graphs {
			f1, err := metrics.EdgeF1(a, b)
			if err != nil {
				return err
			}
			r.Agreement.F1[i][j] = f1
		}
	}
	return nil
}

// warnings lists what the methods warn of, each warning once, with those who
// gave it unless all did.
func (r *compareRecord) warnings() []string {
	var order []string
	by := map[string][]string{}
	for _, m := range r.Methods {
		for _, w := range m.Warnings {
			if by[w] == nil {
				order = append(order, w)
			}
			by[w] = append(by[w], m.Method)
		}
	}
	for k, w := range order {
		if len(by[w]) < len(r.Agreement.Methods) || len(by[w]) == 1 {
			order[k] = strings.Join(by[w], ", ") + ": " + w
		}
	}
	return order
}

// A column is one of the numbers in the table.
type column struct {
	title  string
	width  int
	format string
	value  func(*methodRecord) *float64
}

func (r *compareRecord) columns() []column {
	list := []column{
		{"seconds", 10, "%.4f", func(m *methodRecord) *float64 { return m.Seconds }},
		{"edges", 7, "%.0f", func(m *methodRecord) *float64 {
			edges := float64(*m.Edges)
			return &edges
		}},
	}
	if r.EdgesTrue != nil {
		atCount := fmt.Sprintf("F1 at %d", *r.EdgesTrue)
		return append(list,
			column{"precision", 11, "%.4f", func(m *methodRecord) *float64 { return m.Precision }},
			column{"recall", 8, "%.4f", func(m *methodRecord) *float64 { return m.Recall }},
			column{"F1", 8, "%.4f", func(m *methodRecord) *float64 { return m.F1 }},
			column{atCount, max(len(atCount)+2, 8), "%.4f", func(m *methodRecord) *float64 { return m.F1AtTrueCount }},
			rankColumn)
	}
	if r.Recommendation == nil {
		return list
	}
	return append(list,
		column{"held-out gain", 15, "%.3f", func(m *methodRecord) *float64 { return m.HeldOutGain }},
		column{"± error", 9, "%.3f", func(m *methodRecord) *float64 { return m.HeldOutGainError }},
		column{"hidden", 8, "%.3f", func(m *methodRecord) *float64 { return m.HiddenExplained }},
		rankColumn)
}

var rankColumn = column{"rank", 6, "%.0f", func(m *methodRecord) *float64 {
	if m.Rank == nil {
		return nil
	}
	rank := float64(*m.Rank)
	return &rank
}}

// writeTable prints a line for each method and, if the truth is not known, how
// far they agree.
func (r *compareRecord) writeTable(w io.Writer) error {
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
		r.Agreement.write(&b)
	}
	r.recommend(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// explainHeldOut says what the numbers are that the methods are ranked by, and which
// are no measure between methods.
func (r *compareRecord) explainHeldOut(b *strings.Builder) {
	if r.Recommendation != nil {
		b.WriteString("\n" + hanging("", fmt.Sprintf("held-out gain: how much likelier signals become by the edges learned from the other folds, in nats a signal, in %d folds; "+
			"hidden: the share of hidden values that these edges predict", r.Folds)) + "\n")
	}
	for _, m := range r.Methods {
		if m.CodeGain != nil {
			b.WriteString(hanging("", fmt.Sprintf("codes of %s, with what it chose from all signals as given, make signals likelier by %.3f ± %.3f nats, which is comparable with the held-out gains", m.Method, *m.CodeGain, *m.CodeGainError)) + "\n")
		}
		if m.HeldOutError != nil {
			b.WriteString(hanging("", fmt.Sprintf("codes of %s leave over %.3g of the energy of %s on a graph learned from the others (not comparable across methods)",
				m.Method, *m.HeldOutError, plural(r.SignalsHeldOut, "signal"))) + "\n")
		}
	}
}

// recommend prints the choice, and what stands in the way of comparing.
func (r *compareRecord) recommend(b *strings.Builder) {
	if r.Recommendation == nil {
		return
	}
	b.WriteByte('\n')
	for _, m := range r.Methods {
		switch {
		case m.Error != "" || m.Rank == nil:
			b.WriteString(hanging("", m.Method+" is not ranked: it has no held-out gain") + "\n")
		case m.Status != solver.Converged:
			b.WriteString(hanging("", m.Method+" did not converge: its rank is provisional") + "\n")
		}
	}
	name := cmp.Or(r.Recommendation.Method, "none")
	b.WriteString(hanging("", fmt.Sprintf("recommended: %s, because %s", name, r.Recommendation.Because)) + "\n")
}

// write prints the matrix, as many columns side by side as there is room for.
func (a *agreement) write(b *strings.Builder) {
	n := len(a.Methods)
	if n < 2 {
		return
	}
	b.WriteString("\nagreement of the graphs (F1 between their edges)\n")
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

// writeCSV writes a line for each method; what it does not have is left empty.
func (r *compareRecord) writeCSV(w io.Writer) error {
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	c := csv.NewWriter(w)
	lines := [][]string{{"method", "status", "seconds", "edges", "precision", "recall", "f1", "f1_at_true_count", "held_out_error", "error", "rank", "held_out_gain", "held_out_gain_stderr", "hidden_explained"}}
	for _, m := range r.Methods {
		edges := ""
		if m.Edges != nil {
			edges = strconv.Itoa(*m.Edges)
		}
		lines = append(lines, slices.Concat([]string{m.Method, string(m.Status), number(m.Seconds), edges}, []string{
			number(m.Precision), number(m.Recall), number(m.F1), number(m.F1AtTrueCount), number(m.HeldOutError), m.Error,
			number(rankColumn.value(&m)), number(m.HeldOutGain), number(m.HeldOutGainError), number(m.HiddenExplained),
		}))
	}
	return c.WriteAll(lines)
}
