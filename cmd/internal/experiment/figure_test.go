package experiment

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// invented returns records as the cells of e would make them, with numbers that
// cost nothing.
func invented(e *Experiment) []Record {
	var records []Record
	for _, c := range e.Stages[0].Cells {
		for k := range e.Stages[0].Seeds.Count {
			v := Values{"edges_f1_at_count": 0.5 + float64(k)/10, "codes_f1": 0.7, "kernel_1": 0.2, "kernel_2": 0.4, "exact_1": 0.2, "exact_2": 0.4}
			if e.Name == "atoms" {
				v, _ = c.Measure(context.Background(), 0, nil) // computed with the declaration
			}
			for _, l := range c.Labels {
				v[l.Key] = l.Value
			}
			records = append(records, Record{Stage: Measuring, Cell: c.Name(), Values: v})
		}
	}
	return records
}

// drawing returns the figure of e, nothing if it has none.
func drawing(t *testing.T, e *Experiment, records []Record) string {
	t.Helper()
	var svg strings.Builder
	if e.Figure == nil {
		return ""
	}
	if err := e.Figure(&svg, records); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(svg.String(), "NaN") || strings.Contains(svg.String(), "Inf") {
		t.Errorf("%s: not a number in the drawing of %d records", e.Name, len(records))
	}
	return svg.String()
}

// Runs can be stopped anywhere, even before their first record, and a journal has records in the order they
// were finished. What the figures show is held to the committed ones by the pages.
func TestFiguresOfUnfinishedRunsAreDrawnInAnyOrder(t *testing.T) {
	for _, e := range declared(t, 2) {
		records := invented(e)
		for _, some := range [][]Record{nil, records[:1], records[:7], records[len(records)/2:]} {
			drawing(t, e, some)
		}
		forth, tables := drawing(t, e, records), e.Tables(records)
		slices.Reverse(records)
		if drawing(t, e, records) != forth || e.Figure != nil && !reflect.DeepEqual(e.Tables(records), tables) {
			t.Errorf("%s: it is another from the last record to the first", e.Name)
		}
	}
}
