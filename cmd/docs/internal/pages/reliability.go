package pages

import (
	"github.com/nervure/nervure/cmd/docs/internal/measure"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/words"
)

// reliability has what was tried to break the tool.
func reliability(root string, p *page) ([]File, error) {
	records, err := measure.Read(root, "reliability")
	p.fillTable("campaign", campaign(records))
	remarks, commands := "", "\n```console\n"
	for _, t := range measure.Trials() {
		for _, r := range where(records, has("trial", t.Name)) {
			if notes := r.Text("notes"); notes != "" {
				remarks += "- `" + t.Name + "`: " + notes + ".\n"
			}
		}
		for _, command := range t.Commands() {
			commands += "$ " + command + "\n"
		}
	}
	if remarks != "" {
		remarks = "\n" + remarks + "\n"
	}
	p.fill("remarks", remarks)
	p.fill("commands", commands+"```\n\n")
	return nil, err
}

// campaign has what each trial counted. One that was not run says so.
func campaign(records []row) experiment.Table {
	var all []row
	if len(records) > 0 {
		for _, t := range measure.Trials() {
			r := row{Values: experiment.Values{}}
			if done := where(records, has("trial", t.Name)); len(done) > 0 {
				r = done[0]
			}
			all = append(all, derived([]row{r}, func(row) experiment.Values {
				return experiment.Values{"trial": "`" + t.Name + "`", "title": t.Title, "harm": t.Harm}
			})...)
		}
	}
	counted := func(title, key, none string) column {
		return text(title, func(r row) string {
			if r.Text("date") == "" {
				return none
			}
			return words.Thousands(int(r.Number(key)))
		})
	}
	return spec{title: "What was tried, and what went wrong", columns: []column{
		label("name", "trial"), label("what is done", "title"), counted("how often", "tried", "not run"),
		label("what must not come of it", "harm"),
		counted("how often it did", "faults", ""), text("measured", func(r row) string { return r.Text("date") }),
	}}.of(all)
}
