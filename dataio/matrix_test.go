package dataio

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

func TestMatricesThatWouldNotReadBackAreNotWritten(t *testing.T) {
	for want, m := range map[string]Matrix{
		"the matrix is empty":    {Values: &mat.Dense{}},
		"got 1 names for 2 rows": {Values: mat.NewDense(2, 1, nil), Names: []string{"a"}},
		"entry (1, 0) is NaN":    {Values: mat.NewDense(2, 1, []float64{1, math.NaN()})},
		"entry (0, 1) is -Inf":   {Values: mat.NewDense(1, 2, []float64{1, math.Inf(-1)})},
	} {
		path := filepath.Join(t.TempDir(), "x.npy")
		err := m.Write(path)
		if e := input.Find(err); e == nil || e.Op != "dataio.WriteMatrix" || e.Msg != want {
			t.Errorf("got %v, want %q", err, want)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
			t.Errorf("%s: something was left behind", want)
		}
	}
}
