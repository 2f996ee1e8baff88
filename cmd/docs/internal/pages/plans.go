package pages

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/plans"
	"github.com/nervure/nervure/cmd/internal/experiment"
)

// methodTables has what the page on the method shows of results.
func methodTables(root string, p *page) ([]File, error) {
	records, err := plans.ReadRecords(filepath.Join(root, plans.Results))
	if err != nil {
		return nil, err
	}
	p.fillTable("plan", planTable(records))
	return calibration(root, p)
}

// planTable has what plans predicted against what was then found: a row for each kind of set and
// number of signals.
func planTable(records []plans.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Recall that plans predicted, and that was found",
		Header: []string{"signals of", "plans", "pilot", "planned for", "predicted", "found", "off by", "at most", "sure predicted", "found", "off by", "at most"},
		Notes: []string{
			"Means over plans. Off by: the mean difference between the recall predicted and the one found, whichever is larger; at most: the largest.",
		},
	}
	type kind struct {
		set            string
		pilot, signals int
	}
	var kinds []kind
	of := map[kind][]plans.Record{}
	for _, r := range records {
		k := kind{r.Set, r.Pilot, r.Signals}
		if name, _, subject := strings.Cut(r.Set, "_"); subject {
			k.set = "NetSim " + name
		}
		if of[k] == nil {
			kinds = append(kinds, k)
		}
		of[k] = append(of[k], r)
	}
	for _, k := range kinds {
		var predicted, found, sure, foundSure, off, offSure []float64
		for _, r := range of[k] {
			all, certain := r.Errors()
			predicted, found, off = append(predicted, r.Predicted.Recall), append(found, r.Found.Recall), append(off, all)
			sure, foundSure, offSure = append(sure, r.Predicted.SureRecall), append(foundSure, r.Found.SureRecall), append(offSure, certain)
		}
		name := k.set
		if name == plans.Grid {
			name = "a field on a grid"
		}
		table.Rows = append(table.Rows, []string{
			fmt.Sprintf("%s, %d edges", name, of[k][0].Edges), whole(len(of[k])), whole(k.pilot), whole(k.signals),
			hundredths(mean(predicted)), hundredths(mean(found)), hundredths(mean(off)), hundredths(slices.Max(off)),
			hundredths(mean(sure)), hundredths(mean(foundSure)), hundredths(mean(offSure)), hundredths(slices.Max(offSure)),
		})
	}
	return table
}
