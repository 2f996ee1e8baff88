package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Table is text in rows and columns, to be read beside the paper.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
	Notes  []string // sentences below it
}

// A Summary is the mean of some numbers and how far to trust it.
type Summary struct {
	Count         int
	Mean          float64
	StandardError float64 // of the mean; 0 for fewer than two numbers
}

// Summarize returns the mean of a value over records that have it.
func Summarize(records []Record, name string) Summary {
	var values []float64
	var sum, squares float64
	for _, r := range records {
		if v := r.Number(name); !math.IsNaN(v) {
			values, sum = append(values, v), sum+v
		}
	}
	s := Summary{Count: len(values)}
	if s.Count > 0 {
		s.Mean = sum / float64(s.Count)
	}
	if s.Count < 2 {
		return s
	}
	for _, v := range values {
		squares += (v - s.Mean) * (v - s.Mean)
	}
	s.StandardError = math.Sqrt(squares / float64(s.Count-1) / float64(s.Count))
	return s
}

// none stands where there is no number.
const none = "–"

// text returns "0.9985 ± 0.0003".
func (s Summary) text(digits int) string {
	switch s.Count {
	case 0:
		return none
	case 1:
		return fmt.Sprintf("%.*f", digits, s.Mean)
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, s.Mean, digits, s.StandardError)
}

// short returns "0.96±0.01", for tables of many columns.
func (s Summary) short() string {
	return strings.ReplaceAll(s.text(2), " ", "")
}

// where returns the records of a stage with the given labels.
func where(records []Record, stage string, labels ...Label) []Record {
	var some []Record
	for _, r := range records {
		if r.Stage == stage && r.has(labels...) {
			some = append(some, r)
		}
	}
	return some
}

// sortedBy puts records, which may come in the order they were finished, in that
// of some of their numbers, the first of them foremost.
func sortedBy(records []Record, names ...string) []Record {
	return slices.SortedStableFunc(slices.Values(records), func(a, b Record) int {
		for _, name := range names {
			if order := cmp.Compare(a.Number(name), b.Number(name)); order != 0 {
				return order
			}
		}
		return 0
	})
}

// A counter watches how many records the cells of a table have.
type counter struct {
	fewest, most int
	any          bool
}

func (c *counter) see(n int) {
	if !c.any || n < c.fewest {
		c.fewest = n
	}
	c.most, c.any = max(c.most, n), true
}

// note says over how many graphs the means of the table go.
func (c *counter) note() string {
	switch {
	case c.most == 0:
		return "No results yet."
	case c.fewest == 1 && c.most == 1:
		return "One graph per cell, so there is no standard error."
	case c.fewest == c.most:
		return fmt.Sprintf("Mean ± standard error over %d graphs per cell.", c.most)
	}
	return fmt.Sprintf("Mean ± standard error over %d to %d graphs per cell: the run is incomplete.", c.fewest, c.most)
}

// Markdown returns the table for a page: a bold title, the rows, and the notes
// below.
func (t Table) Markdown() string {
	var b strings.Builder
	b.WriteString("**" + t.Title + "**\n\n")
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(t.Header)
	b.WriteString(strings.Repeat("|---", len(t.Header)) + "|\n")
	for _, cells := range t.Rows {
		row(cells)
	}
	if len(t.Notes) > 0 {
		b.WriteString("\n" + strings.Join(t.Notes, " ") + "\n")
	}
	return b.String()
}
