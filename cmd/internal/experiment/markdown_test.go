package experiment

import "testing"

func TestMarkdownHasAllOfTheTable(t *testing.T) {
	table := Table{Title: "T", Header: []string{"a", "b"}, Rows: [][]string{{"1", "2"}, {"3", "4"}}, Notes: []string{"One.", "Two."}}
	want := "**T**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nOne. Two.\n"
	if got := table.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
