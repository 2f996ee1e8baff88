package pages

import (
	"path/filepath"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/reliability"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/words"
)

// reliabilityTables has what was tried to break the tool.
func reliabilityTables(root string, p *page) ([]File, error) {
	records, err := reliability.ReadRecords(filepath.Join(root, reliability.Results))
	p.fillTable("campaign", campaignTable(records))
	p.fill("remarks", campaignNotes(records))
	p.fill("commands", trialCommands())
	return nil, err
}

// campaignTable has what each trial counted. One that was not run says so.
func campaignTable(records []reliability.Record) experiment.Table {
	table := experiment.Table{
		Title:  "What was tried, and what went wrong",
		Header: []string{"name", "what is done", "how often", "what must not come of it", "how often it did", "measured"},
	}
	if len(records) == 0 {
		return table
	}
	of := map[string]reliability.Record{}
	for _, r := range records {
		of[r.Trial] = r
	}
	for _, t := range reliability.Trials() {
		cells := []string{"`" + t.Name + "`", t.Title, "not run", t.Harm, "", ""}
		if r, ok := of[t.Name]; ok {
			cells[2], cells[4], cells[5] = words.Thousands(r.Tried), words.Thousands(r.Faults), r.Date
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// campaignNotes are what tests remarked, a point of a list for each trial.
func campaignNotes(records []reliability.Record) string {
	var b strings.Builder
	for _, r := range records {
		if len(r.Notes) > 0 {
			b.WriteString("- `" + r.Trial + "`: " + strings.Join(r.Notes, "; ") + ".\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + b.String() + "\n"
}

// trialCommands are the tests behind the rows.
func trialCommands() string {
	var b strings.Builder
	b.WriteString("\n```console\n")
	for _, t := range reliability.Trials() {
		for _, command := range t.Commands() {
			b.WriteString("$ " + command + "\n")
		}
	}
	b.WriteString("```\n\n")
	return b.String()
}
