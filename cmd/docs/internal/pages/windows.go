package pages

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nervure/nervure/cmd/docs/internal/recordings"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/study"
)

// windowTables makes docs/windows.md. What was not measured is empty.
func windowTables(_ context.Context, root string) ([]File, error) {
	p, err := openPage(root, "docs/windows.md")
	if err != nil {
		return nil, err
	}
	records, err := recordings.ReadRecords(filepath.Join(root, recordings.Results))
	if err != nil {
		return nil, err
	}
	p.fillTable("changing", changingTable(recordings.Of(records, recordings.Changing)))
	file, err := p.file()
	return []File{file}, err
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
	for _, row := range []struct {
		name string
		cell func(list []study.Judgement) string
	}{
		{"series", func(list []study.Judgement) string { return whole(len(list)) }},
		{"stable edges that change at a step, mean", func(list []study.Judgement) string { return percent(mean(flickers(list))) }},
		{"in the worst series", func(list []study.Judgement) string { return percent(slices.Max(flickers(list))) }},
		{"at the worst step away from the moment", func(list []study.Judgement) string {
			return percent(slices.Max(each(list, func(j study.Judgement) float64 { return j.Away })))
		}},
		{"at the moment, mean", func(list []study.Judgement) string { return percent(mean(atMoment(list))) }},
		{"at the moment, worst series", func(list []study.Judgement) string { return percent(slices.Max(atMoment(list))) }},
		{"series with 5 % or more at the moment", func(list []study.Judgement) string {
			return whole(count(list, func(j study.Judgement) bool { return j.AtMoment >= flickerLimit }))
		}},
		{"without the prior, mean", func(list []study.Judgement) string {
			return percent(mean(each(list, func(j study.Judgement) float64 { return j.Alone })))
		}},
		{"series in which most edges change at the moment", func(list []study.Judgement) string {
			return whole(count(list, func(j study.Judgement) bool { return j.Off == 0 }))
		}},
		{"or at most two windows off", func(list []study.Judgement) string {
			return whole(count(list, func(j study.Judgement) bool { return j.Off <= 2 }))
		}},
		{"changed pairs that show by the second window", func(list []study.Judgement) string {
			return percent(mean(each(list, func(j study.Judgement) float64 { return j.Found })))
		}},
		{"F1, mean", func(list []study.Judgement) string {
			return hundredths(mean(each(list, func(j study.Judgement) float64 { return j.F1 })))
		}},
		{"F1 without the prior, mean", func(list []study.Judgement) string {
			return hundredths(mean(each(list, func(j study.Judgement) float64 { return j.F1Alone })))
		}},
	} {
		cells := []string{row.name}
		for _, list := range columns {
			cells = append(cells, row.cell(list))
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

func flickers(list []study.Judgement) []float64 {
	return each(list, func(j study.Judgement) float64 { return j.Flicker })
}

func atMoment(list []study.Judgement) []float64 {
	return each(list, func(j study.Judgement) float64 { return j.AtMoment })
}

func each(list []study.Judgement, value func(study.Judgement) float64) (values []float64) {
	for _, j := range list {
		values = append(values, value(j))
	}
	return values
}

func count(list []study.Judgement, is func(study.Judgement) bool) (n int) {
	for _, j := range list {
		if is(j) {
			n++
		}
	}
	return n
}

// percent writes a share with a digit after the point.
func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }
