package experiment

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
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

// drawing returns the figure of e and how many elements of each kind it has.
func drawing(t *testing.T, e *Experiment, records []Record) (svg string, count map[string]int) {
	t.Helper()
	var b bytes.Buffer
	if err := e.Figure(&b, records); err != nil {
		t.Fatal(err)
	}
	svg, count = b.String(), map[string]int{}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("%s: not a number in the drawing of %d records", e.Name, len(records))
	}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return svg, count
		}
		if err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
}

func figured(t *testing.T) []*Experiment {
	t.Helper()
	return slices.DeleteFunc(declared(t, 2), func(e *Experiment) bool { return e.Figure == nil })
}

func TestExperimentsThatAreFiguresHaveOne(t *testing.T) {
	var names []string
	for _, e := range figured(t) {
		names = append(names, e.Name)
	}
	if want := []string{"recovery", "kernels", "calibration", "atoms"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// Runs can be stopped anywhere, even before their first record.
func TestFiguresOfUnfinishedRunsAreDrawn(t *testing.T) {
	for _, e := range figured(t) {
		records := invented(e)
		for _, some := range [][]Record{nil, records[:1], records[:7], records[len(records)/2:], records[len(records)-1:]} {
			drawing(t, e, some)
		}
	}
}

// A journal has records in the order they were finished.
func TestFiguresAndTheirTablesDoNotDependOnTheOrderOfRecords(t *testing.T) {
	for _, e := range figured(t) {
		records := invented(e)
		forth, _ := drawing(t, e, records)
		tables := e.Tables(records)
		slices.Reverse(records)
		if back, _ := drawing(t, e, records); back != forth {
			t.Errorf("%s: the drawing is another one from the last record to the first", e.Name)
		}
		if !reflect.DeepEqual(e.Tables(records), tables) {
			t.Errorf("%s: the tables are others from the last record to the first", e.Name)
		}
	}
}

func TestRecoveryFigureHasALineForEachSparsity(t *testing.T) {
	e, err := Declare("recovery", 2)
	if err != nil {
		t.Fatal(err)
	}
	svg, count := drawing(t, e, invented(e))
	if lines, points := 4*len(recoverySparsity), 4*len(recoverySparsity)*len(recoverySignals); count["path"] != lines || count["circle"] != points {
		t.Errorf("%d lines and %d points, want %d and %d", count["path"], count["circle"], lines, points)
	}
	for _, words := range []string{"recipe maretic2017<", "recipe default<", ">T₀ = 32<", ">12<", ">400<"} {
		if !strings.Contains(svg, words) {
			t.Errorf("the figure does not say %s", words)
		}
	}
	// Edges were found alike but for the seed, codes are the same for both.
	if bars := strings.Count(svg, `stroke-width="1.5"`); bars != count["circle"]/2 {
		t.Errorf("%d bars, want one for each of %d points of edges", bars, count["circle"]/2)
	}
}

func TestKernelFigureHasPolynomialsAndFunctions(t *testing.T) {
	e, err := Declare("kernels", 0)
	if err != nil {
		t.Fatal(err)
	}
	svg, count := drawing(t, e, invented(e))
	if count["path"] != 2 || count["circle"] != 2*11 {
		t.Errorf("%d lines and %d points, want 2 and 22", count["path"], count["circle"])
	}
	for _, formula := range kernelFormulas {
		if strings.Count(svg, ">"+formula+"<") != 1 {
			t.Errorf("the legend does not have %s once", formula)
		}
	}
}

func TestAtomFigureHasTheGraphTwice(t *testing.T) {
	e, err := Declare("atoms", 0)
	if err != nil {
		t.Fatal(err)
	}
	records := invented(e)
	edges := len(where(records, Measuring, Text("kind", "edge")))
	_, count := drawing(t, e, records)
	if count["circle"] != 2*(atomVertices+1) || count["line"] != 2*(edges+5) { // a ring, and the marks of the scale
		t.Errorf("%d circles and %d lines on %d vertices and %d edges", count["circle"], count["line"], atomVertices, edges)
	}
}
