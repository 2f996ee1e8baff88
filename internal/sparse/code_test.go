package sparse

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestCodeRoundTrip(t *testing.T) {
	x := mat.NewDense(4, 3, []float64{
		0, 1, 0,
		2, 0, 0,
		0, 0, 0,
		3, -4, 0,
	})
	c := FromDense(x)
	if c.Sparsity() != 2 || c.NonZeros() != 4 {
		t.Errorf("sparsity %d, %d non-zeros", c.Sparsity(), c.NonZeros())
	}
	d := c.Clone()
	d.SetColumn(0, nil, nil)
	if !mat.Equal(c.Dense(), x) {
		t.Errorf("got %v", mat.Formatted(c.Dense()))
	}
	if atom, _ := d.Column(0); len(atom) != 0 {
		t.Error("a cleared column still has atoms")
	}
}
