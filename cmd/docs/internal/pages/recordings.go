package pages

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nervure/nervure/cmd/docs/internal/recordings"
	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/internal/simulate"
)

// recordingTables has what comes of recordings as they are.
func recordingTables(root string, p *page) ([]File, error) {
	records, err := recordings.ReadRecords(filepath.Join(root, recordings.Results))
	p.fillTables(tablesOfRecordings(records))
	return nil, err
}

func tablesOfRecordings(records []recordings.Record) map[string]experiment.Table {
	networks, scans := recordings.Of(records, recordings.Sensors), recordings.Of(records, recordings.FMRI)
	return map[string]experiment.Table{
		"summary": messySummary(networks),
		"files":   messyFiles(networks),
		"faults":  messyFaults(networks),
		"fmri":    scanTable(scans),
	}
}

// messySummary has what recordings of sensors come to, all taken together.
func messySummary(records []recordings.Record) experiment.Table {
	table := experiment.Table{
		Title:  fmt.Sprintf("%d recordings of sensors", len(records)),
		Header: []string{"", "clean", "cycles", "messy", "known"},
		Notes: []string{
			"Clean: the field alone. Cycles: with cycles, trends, gaps and rounding. Messy: with broken sensors as well.",
			"Known: the field wherever a value was recorded that is not at fault, for who knows all about the mess. Nobody can do better.",
			"Below clean: how much lower F1 is than that of the clean recording of the same seed.",
		},
	}
	if len(records) == 0 {
		return table
	}
	var clean, cycles, messy, known messyTally
	for _, r := range records {
		clean.add(r.Clean, r.Clean)
		cycles.add(r.Cycles, r.Clean)
		messy.add(r.Messy, r.Clean)
		messy.count(r.Broken)
		known.add(r.Known, r.Clean)
	}
	for _, row := range []struct {
		name string
		cell func(c messyTally) string
	}{
		{"F1, mean", func(c messyTally) string { return hundredths(mean(c.f1)) }},
		{"F1, least", func(c messyTally) string { return hundredths(slices.Min(c.f1)) }},
		{"below clean, mean", func(c messyTally) string { return hundredths(mean(c.lost)) }},
		{"below clean, most", func(c messyTally) string { return hundredths(slices.Max(c.lost)) }},
		{"edges with confidence 0.9 or more", func(c messyTally) string { return whole(c.sure) }},
		{"of these true", func(c messyTally) string { return part(c.right, c.sure) }},
		{"of these true, worst recording", func(c messyTally) string { return hundredths(slices.Min(c.rightOf)) }},
		{"broken sensors", func(c messyTally) string { return whole(c.broken) }},
		{"of these found", func(c messyTally) string { return part(c.found, c.broken) }},
		{"sensors called broken that are", func(c messyTally) string { return part(c.found, c.found+c.alarms) }},
		{"recordings with a false alarm", func(c messyTally) string { return whole(c.alarmed) }},
	} {
		table.Rows = append(table.Rows, []string{row.name, row.cell(clean), row.cell(cycles), row.cell(messy), row.cell(known)})
	}
	return table
}

// A messyTally is what recordings of one mess come to.
type messyTally struct {
	f1, lost        []float64
	sure, right     int
	rightOf         []float64 // share of the sure edges that are true, of each recording
	broken, found   int
	alarms, alarmed int // sensors, and recordings that have any
}

func (c *messyTally) add(o, clean *recordings.Outcome) {
	c.f1, c.lost = append(c.f1, o.F1), append(c.lost, clean.F1-o.F1)
	c.sure += o.Sure
	c.right += o.SureTrue
	if o.Sure == 0 {
		c.rightOf = append(c.rightOf, 1) // nothing wrong was said
	} else {
		c.rightOf = append(c.rightOf, float64(o.SureTrue)/float64(o.Sure))
	}
	c.alarms += len(o.Alarms)
	if len(o.Alarms) > 0 {
		c.alarmed++
	}
}

func (c *messyTally) count(broken []recordings.Broken) {
	c.broken += len(broken)
	for _, b := range broken {
		if b.Found != nil {
			c.found++
		}
	}
}

// messyFiles has a row for each recording of sensors.
func messyFiles(records []recordings.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Each recording",
		Header: []string{"seed", "true edges", "F1 clean", "F1 cycles", "F1 messy", "F1 known", "sure edges", "of these true", "broken", "found", "false alarms", "seconds"},
		Notes:  []string{"Sure edges, sensors and seconds are those of the messy recording."},
	}
	for _, r := range records {
		var c messyTally
		c.count(r.Broken)
		table.Rows = append(table.Rows, []string{
			fmt.Sprint(r.Seed), whole(r.Edges), hundredths(r.Clean.F1), hundredths(r.Cycles.F1), hundredths(r.Messy.F1), hundredths(r.Known.F1), whole(r.Messy.Sure), whole(r.Messy.SureTrue),
			whole(c.broken), whole(c.found), whole(len(r.Messy.Alarms)), digits(r.Messy.Seconds),
		})
	}
	return table
}

// messyFaults has a row for each kind of faults.
func messyFaults(records []recordings.Record) experiment.Table {
	table := experiment.Table{
		Title:  "Broken sensors by what is wrong with them",
		Header: []string{"fault", "sensors", "found", "called so", "also called"},
	}
	for _, kind := range simulate.FaultKinds() {
		sensors, found, so := 0, 0, 0
		var others []string
		for _, r := range records {
			for _, b := range r.Broken {
				if b.Kind != string(kind) {
					continue
				}
				sensors++
				if b.Found != nil {
					found++
				}
				for _, name := range b.Found {
					switch {
					case name == b.Kind:
						so++
					case !slices.Contains(others, name):
						others = append(others, name)
					}
				}
			}
		}
		if sensors > 0 {
			slices.Sort(others)
			table.Rows = append(table.Rows, []string{string(kind), whole(sensors), whole(found), whole(so), strings.Join(others, ", ")})
		}
	}
	return table
}

// scanTable has a row for each fMRI-like recording.
func scanTable(records []recordings.Record) experiment.Table {
	table := experiment.Table{
		Title:  "fMRI-like recordings: F1",
		Header: []string{"seed", "true edges", "values", "differences", "automatic choice", "below the better"},
	}
	for _, r := range records {
		better := max(r.Values.F1, r.Differences.F1)
		table.Rows = append(table.Rows, []string{
			fmt.Sprint(r.Seed), whole(r.Edges), hundredths(r.Values.F1), hundredths(r.Differences.F1), hundredths(r.Auto.F1), hundredths(max(0, better-r.Auto.F1)),
		})
	}
	return table
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// part is how many of some, and their share.
func part(some, of int) string {
	if of == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%d (%s)", some, hundredths(float64(some)/float64(of)))
}
