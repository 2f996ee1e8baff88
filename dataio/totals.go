package dataio

import (
	"math"
	"strconv"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
)

// Rows below a table that sum it up, as spreadsheets and loggers add them. Only a row that says what it is, or has no
// time where all others have one, and whose numbers are right is one: what else it may be is left where it is. Below
// them may be words on the table.

// A summary is what a row may say of the columns above it.
type summary func(values []float64) float64

// summaries are by the words that rows begin with, in lower case.
var summaries = map[string]summary{}

func init() {
	for words, of := range map[string]summary{
		"total totals sum summe gesamt insgesamt somme suma totale totaal celkem":                      sumOf,
		"mean average avg avg. mittel mittelwert durchschnitt moyenne media promedio média gemiddelde": meanOf,
		"min minimum min. mínimo minimo":  func(values []float64) float64 { return extremeOf(values, math.Min) },
		"max maximum max. máximo massimo": func(values []float64) float64 { return extremeOf(values, math.Max) },
	} {
		for word := range strings.FieldsSeq(words) {
			summaries[word] = of
		}
	}
}

func sumOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum
}

func meanOf(values []float64) float64 { return sumOf(values) / float64(len(values)) }

func extremeOf(values []float64, of func(a, b float64) float64) float64 {
	most := values[0]
	for _, v := range values {
		most = of(most, v)
	}
	return most
}

// dropFootnotes drops the rows at the end that have nothing but words in their first cell, where others have times or
// numbers, and notes it. Labels of rows without values are left where they are.
func (t *table) dropFootnotes(r0 int) {
	if t.width == 1 || !t.isDated(r0) && t.isText(t.firstColumn[r0]) {
		return
	}
	end := len(t.line)
	for end > r0+1 && t.isFootnote(end-1) {
		end--
	}
	for r := end; r < len(t.line); r++ {
		note(&t.notes, "%s, %s, stands below the table and is left out", t.place(t.line[r], 0), quote(t.labelOf(r)))
	}
	t.keepRows(func(r int) bool { return r < end })
}

// isDated reports whether the first row of values begins with a time.
func (t *table) isDated(r0 int) bool { return isStamp(t.firstColumn[r0]) }

func (t *table) isFootnote(r int) bool {
	cell := t.firstColumn[r]
	return t.isWord(cell) && !isStamp(cell) && !parse.IsClock(cell) && t.isBare(r)
}

// dropSummaries drops the rows at the end that sum up those above, and notes it.
func (t *table) dropSummaries(r0 int) {
	end := len(t.line)
	if r := end - 1; end > r0+2 && t.labelOf(r) == "" && t.isDated(r0) && t.sumsUp(r0, r, r, sumOf) {
		t.notes = append(t.notes, t.place(t.line[r], 0)+" sums up the rows above and is left out")
		t.keepRows(func(row int) bool { return row < r })
		return
	}
	for end > r0+2 && t.summaryOf(end-1) != nil {
		end--
	}
	data := end
	dropped := 0
	for ; end < len(t.line); end++ {
		if !t.sumsUp(r0, data, end, t.summaryOf(end)) {
			return
		}
		dropped++
	}
	if dropped == 0 {
		return
	}
	for r := data; r < len(t.line); r++ {
		note(&t.notes, "%s, %s, sums up the rows above and is left out", t.place(t.line[r], 0), quote(t.labelOf(r)))
	}
	t.keepRows(func(r int) bool { return r < data })
}

// labelOf is the first text of a row.
func (t *table) labelOf(r int) string { return t.firstColumn[r] }

func (t *table) summaryOf(r int) summary {
	return summaries[strings.ToLower(strings.TrimRight(t.labelOf(r), " :"))]
}

// sumsUp reports whether a row has what a summary says of the rows from r0 to end, as far as its digits go.
func (t *table) sumsUp(r0, end, row int, of summary) bool {
	checked := 0
	for c := 1; c < t.width; c++ {
		said := t.at(row, c)
		if said != said {
			continue
		}
		var values []float64
		for r := r0; r < end; r++ {
			if v := t.at(r, c); v == v {
				values = append(values, v)
			}
		}
		if len(values) < 2 {
			return false
		}
		text := strconv.FormatFloat(said, 'f', -1, 64)
		_, digits, _ := strings.Cut(text, ".")
		right := of(values)
		if !(math.Abs(right-said) <= 0.5*math.Pow(10, -float64(len(digits)))*(1+1e-6)+1e-9*math.Abs(right)) {
			return false
		}
		checked++
	}
	return checked > 1 && (t.labelOf(row) == "" || parse.IsText(t.labelOf(row), false))
}
