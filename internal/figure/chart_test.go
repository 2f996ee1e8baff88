package figure

import (
	"bytes"
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
	var b bytes.Buffer
	if err := WriteCharts(&b, "a <title> & more", 2, charts()...); err != nil {
		t.Fatal(err)
	}
	count, _ := elements(t, b.Bytes())
	// Three series, seven points in all, none of them lost.
	if count["path"] != 3 || count["circle"] != 7 || strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Errorf("elements %v", count)
	}
	if strings.Count(b.String(), ">paper<") != 1 {
		t.Error("a name stands in the legend more than once")
	}
}
