package layout

import (
	"testing"
)

// The frames of two parts have no point in common.
func TestPartsStandSideBySide(t *testing.T) {
	type frame struct{ left, right, low, high float64 }
	for name, g := range examples(t) {
		d := placed(g)
		label, count := g.Components()
		frames := make([]*frame, count)
		for i, c := range label {
			x, y := d.x[i], d.y[i]
			if frames[c] == nil {
				frames[c] = &frame{x, x, y, y}
			}
			f := frames[c]
			f.left, f.right, f.low, f.high = min(f.left, x), max(f.right, x), min(f.low, y), max(f.high, y)
		}
		for i, a := range frames {
			for _, b := range frames[:i] {
				if a.left <= b.right && b.left <= a.right && a.low <= b.high && b.low <= a.high {
					t.Errorf("%s: two parts overlap: %v and %v", name, *a, *b)
				}
			}
		}
	}
}

func TestManyPartsFillAPage(t *testing.T) {
	for name, g := range examples(t) {
		if _, count := g.Components(); count < 20 {
			continue
		}
		width, height := placed(g).frame()
		if width < height || width > 2.5*height {
			t.Errorf("%s: the drawing is %g by %g", name, width, height)
		}
	}
}

func TestIsolatedVerticesStandBelow(t *testing.T) {
	g := joined(t, 6, [2]int{1, 2}, [2]int{2, 3}, [2]int{1, 3})
	d := placed(g)
	for _, i := range g.Isolated() {
		for _, j := range []int{1, 2, 3} {
			if d.y[i] >= d.y[j] {
				t.Errorf("isolated vertex %d lies above %d", i, j)
			}
		}
	}
	if d.y[0] != d.y[4] || d.y[4] != d.y[5] {
		t.Error("isolated vertices are not in a row")
	}
}
