package experiment

import "strings"

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
