package dense

import "testing"

func TestKneeIsWhereACurveBends(t *testing.T) {
	x := []float64{100, 90, 80, 70, 60, 50, 40, 30, 20, 10}
	y := []float64{1, 1, 1, 0.99, 0.99, 0.98, 0.97, 0.5, 0.2, 0}
	if k := knee(x, y); x[k] != 40 {
		t.Errorf("the knee is at %g, want 40", x[k])
	}
	if k := knee([]float64{3}, []float64{1}); k != 0 {
		t.Errorf("the knee of one point is at %d", k)
	}
	if k := knee([]float64{5, 4, 3}, []float64{1, 1, 1}); k != 2 {
		t.Errorf("where nothing is lost the knee is at %d, want the last", k)
	}
}
