package pages

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/recordings"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/study"
)

// windowTables has what comes of graphs that change.
func windowTables(root string, p *page) ([]File, error) {
	records, err := recordings.ReadRecords(filepath.Join(root, recordings.Results))
	p.fillTable("changing", changingTable(recordings.Of(records, recordings.Changing)))
	return nil, err
}

// flickerLimit is the share of the stable edges that may change at a step.
const flickerLimit = 0.05

// changingTable has what the windows of graphs that change come to: a column for each
// setting.
func changingTable(records []recordings.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Graphs that change at one moment",
		Header: []string{"vertices × observations of a window"},
		Notes: []string{
			"Stable edges: those found between pairs that are joined before and after the moment, or neither. At the moment: at the worst of the steps within a window of it.",
			"Changed pairs: those joined before or after the moment only. An edge that goes counts if it was found.",
		},
	}
	if len(records) == 0 {
		return table
	}
	columns := make([][]study.Judgement, len(recordings.Settings()))
	for k, c := range recordings.Settings() {
		name := fmt.Sprintf("%d × %d", c.Vertices, c.Window)
		if c.Step < c.Window {
			name += fmt.Sprintf(", a window every %d", c.Step)
		}
		table.Header = append(table.Header, name)
		for _, r := range records {
			columns[k] = append(columns[k], r.Windows[k])
		}
	}
	type judged = study.Judgement
	worst := slices.Max[[]float64]
	// count is the number of series in which something holds.
	count := func(holds func(judged) bool) func([]judged) string {
		return func(list []judged) string {
			return whole(len(list) - len(slices.DeleteFunc(slices.Clone(list), holds)))
		}
	}
	// all is the mean or the worst of a value of each series.
	all := func(form func(float64) string, summary func([]float64) float64, value func(judged) float64) func([]judged) string {
		return func(list []judged) string {
			var values []float64
			for _, j := range list {
				values = append(values, value(j))
			}
			return form(summary(values))
		}
	}
	flicker, atMoment := func(j judged) float64 { return j.Flicker }, func(j judged) float64 { return j.AtMoment }
	for _, row := range []struct {
		name string
		cell func([]judged) string
	}{
		{"series", count(func(judged) bool { return true })},
		{"stable edges that change at a step, mean", all(percent, mean, flicker)},
		{"in the worst series", all(percent, worst, flicker)},
		{"at the worst step away from the moment", all(percent, worst, func(j judged) float64 { return j.Away })},
		{"at the moment, mean", all(percent, mean, atMoment)},
		{"at the moment, worst series", all(percent, worst, atMoment)},
		{"series with 5 % or more at the moment", count(func(j judged) bool { return j.AtMoment >= flickerLimit })},
		{"without the prior, mean", all(percent, mean, func(j judged) float64 { return j.Alone })},
		{"series in which most edges change at the moment", count(func(j judged) bool { return j.Off == 0 })},
		{"or at most two windows off", count(func(j judged) bool { return j.Off <= 2 })},
		{"changed pairs that show by the second window", all(percent, mean, func(j judged) float64 { return j.Found })},
		{"F1, mean", all(hundredths, mean, func(j judged) float64 { return j.F1 })},
		{"F1 without the prior, mean", all(hundredths, mean, func(j judged) float64 { return j.F1Alone })},
	} {
		cells := []string{row.name}
		for _, list := range columns {
			cells = append(cells, row.cell(list))
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// percent writes a share with a digit after the point.
func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
