package figure

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestChartTextShowsWhereLinesGo(t *testing.T) {
	x := []float64{0, 0.5, 1, 1.5, 2}
	c := Chart{Series: []Series{
		{Name: "a", X: x, Y: []float64{1, 0.75, 0.5, 0.25, 0}},
		{Name: "b", X: x, Y: []float64{0, 0.25, 0.5, 0.75, 1}},
	}}
	for _, set := range []Charset{ASCII, Unicode} {
		lines := strings.Split(strings.TrimRight(c.Text(40, 11, set), "\n"), "\n")
		if len(lines) != 11 {
			t.Fatalf("%d lines, want 11:\n%s", len(lines), strings.Join(lines, "\n"))
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > 40 {
				t.Errorf("%q is wider than 40 columns", l)
			}
		}
		if !strings.HasPrefix(strings.TrimLeft(lines[0], " "), "1") || !strings.HasPrefix(strings.TrimLeft(lines[9], " "), "0") {
			t.Errorf("the vertical axis does not run from 1 down to 0:\n%s", strings.Join(lines, "\n"))
		}
		if f := strings.Fields(lines[10]); f[0] != "0" || f[len(f)-1] != "2" {
			t.Errorf("the horizontal axis is %q", lines[10])
		}
		// a falls and is named before the lines cross, b rises and is named after.
		if upper := strings.Join(lines[:7], "\n"); !strings.Contains(upper, "a") || !strings.Contains(upper, "b") {
			t.Errorf("names are not above:\n%s", strings.Join(lines, "\n"))
		}
	}
	if got := c.Text(3, 2, ASCII); got != "" {
		t.Errorf("no room, yet %q", got)
	}
}
