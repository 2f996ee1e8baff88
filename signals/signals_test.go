package signals

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
)

var nan = math.NaN()

func TestMissingEntriesAreFilledWithMeans(t *testing.T) {
	y := mat.NewDense(3, 3, []float64{1, nan, 3, nan, nan, nan, 4, 5, 6})
	filled, count, _ := FillMissing(t.Context(), y)
	if want := mat.NewDense(3, 3, []float64{1, 2, 3, 0, 0, 0, 4, 5, 6}); !mat.EqualApprox(filled, want, 1e-15) {
		t.Errorf("got %v", mat.Formatted(filled))
	}
	if count != 4 || matrix.Missing(y) != 4 || matrix.Missing(filled) != 0 {
		t.Errorf("%d filled, %d missing in the original, %d in the answer", count, matrix.Missing(y), matrix.Missing(filled))
	}
	if again, count, _ := FillMissing(t.Context(), filled); again != filled || count != 0 {
		t.Error("complete signals were copied")
	}
}
