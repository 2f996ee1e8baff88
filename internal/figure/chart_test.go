package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func charts() []Chart {
	return []Chart{
		{
			Title: "edges", XLabel: "signals", YLabel: "F1", MinY: 0, MaxY: 1,
			Series: []Series{
				{Name: "T₀ = 4 & more", X: []float64{50, 100, 200}, Y: []float64{0.2, 0.9, 1}, Error: []float64{0.1, 0.02, 0}},
				{Name: "paper", X: []float64{50, 100, 200}, Y: []float64{0.1, 0.5, 1.5}, Dashed: true, Color: 1},
			},
		},
		{Title: "one point", Series: []Series{{Name: "paper", X: []float64{3}, Y: []float64{4}}}},
		{Title: "empty"},
	}
}

func TestChartsAreWellFormed(t *testing.T) {
	var b strings.Builder
	if err := WriteCharts(&b, "a <title> & more", 2, charts()...); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(b.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok {
			count[start.Name.Local]++
		}
	}
	// Three series, seven points in all, none of them lost.
	if count["path"] != 3 || count["circle"] != 7 || strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Errorf("elements %v", count)
	}
	if strings.Count(b.String(), ">paper<") != 1 {
		t.Error("a name stands in the legend more than once")
	}
}

func TestPointsOutsideTheAxesAreHeldAtTheirEdge(t *testing.T) {
	var b strings.Builder
	if err := WriteCharts(&b, "", 1, charts()[0]); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `cx="382.0" cy="34.0"`) { // 1.5 on an axis that ends at 1
		t.Error("the point above the axis is not at its top")
	}
}

func TestTicksAreRoundAndInside(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{0, 1, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{0, 2, []float64{0, 0.5, 1, 1.5, 2}},
		{50, 400, []float64{100, 200, 300, 400}},
		{-0.3, 0.3, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
	} {
		got := ticks(c.low, c.high)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("[%g, %g]: %v, want %v", c.low, c.high, got, c.want)
		}
	}
}
