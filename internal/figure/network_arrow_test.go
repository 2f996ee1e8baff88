package figure

import (
	"bytes"
	"math"
	"testing"
)

// A recorder notes lines and curves.
type recorder struct {
	lines  [][2]point
	curves [][]point
}

func (r *recorder) line(_ pen, from, to point)       { r.lines = append(r.lines, [2]point{from, to}) }
func (r *recorder) curve(_ pen, places []point)      { r.curves = append(r.curves, places) }
func (r *recorder) disc(ink, point, float64)         {}
func (r *recorder) ring(pen, point, float64)         {}
func (r *recorder) box(ink, point, float64, float64) {}
func (r *recorder) write(letters, point, string)     {}
func distance(a, b point) float64                    { return math.Hypot(a.x-b.x, a.y-b.y) }
func offLine(p, a, b point) float64 {
	return math.Abs((b.x-a.x)*(a.y-p.y)-(a.x-p.x)*(b.y-a.y)) / distance(a, b)
}

// The head of an arrow points at the vertex it leads to, from its rim, and its sides
// lie behind the tip on either side of the line.
func TestArrowsPointAtTheirTarget(t *testing.T) {
	from, to := point{10, 20}, point{110, 95}
	var r recorder
	p := pen{width: 3}
	drawArrow(&r, p, from, to, 6, false)
	if len(r.lines) != 1 || len(r.curves) != 1 {
		t.Fatalf("%d lines and %d heads", len(r.lines), len(r.curves))
	}
	tip := r.curves[0][1]
	if tip != r.lines[0][1] || math.Abs(distance(tip, to)-7.5) > 1e-9 || offLine(tip, from, to) > 1e-9 {
		t.Errorf("the tip is at %v, %g from the target", tip, distance(tip, to))
	}
	for _, side := range []point{r.curves[0][0], r.curves[0][2]} {
		if distance(side, from) >= distance(tip, from) || offLine(side, from, to) < 2 {
			t.Errorf("a side of the head ends at %v", side)
		}
	}
	var back recorder
	drawArrow(&back, p, to, from, 6, true)
	var forth recorder
	drawArrow(&forth, p, from, to, 6, true)
	if d := distance(forth.lines[0][0], back.lines[0][1]); d < p.width {
		t.Errorf("two arrows both ways are %g apart", d)
	}
	var none recorder
	drawArrow(&none, p, from, from, 6, false)
	if len(none.lines) != 0 {
		t.Error("an arrow without a length is drawn")
	}
}

func TestADirectedNetworkHasAHeadForEveryArrow(t *testing.T) {
	n := square()
	n.Edges = []Edge{{0, 1, 2, Found}, {1, 0, 1, Found}, {2, 3, 1, Found}}
	n.Directed = true
	var b bytes.Buffer
	if err := n.SVG(&b); err != nil {
		t.Fatal(err)
	}
	count, _ := elements(t, b.Bytes())
	if heads := count["polyline"] + count["path"]; heads != 4 || count["line"] != 4 { // and one in the legend
		t.Errorf("%d heads and %d lines, want 4 of each", heads, count["line"])
	}
}
