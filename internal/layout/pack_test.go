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
