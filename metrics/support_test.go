package metrics

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
)

func TestSupportPoolsAllSignals(t *testing.T) {
	truth := sparse.FromDense(mat.NewDense(4, 3, []float64{
		1, 0, 0,
		2, 0, 5,
		0, 3, 0,
		0, 4, 0,
	}))
	found := sparse.FromDense(mat.NewDense(4, 3, []float64{
		-9, 1, 0,
		0, 0, 1,
		0, 1e-9, 0,
		1, 1, 1,
	}))
	got, err := Support(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Score{Precision: 4. / 7, Recall: 4. / 5, True: 5, Found: 7, Correct: 4}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	back, err := Support(truth, found)
	if err != nil {
		t.Fatal(err)
	}
	if back.Precision != got.Recall || back.Recall != got.Precision {
		t.Errorf("the other way round: %+v", back)
	}
}

func TestSupportDoesNotCountZeroCoefficients(t *testing.T) {
	truth, found := sparse.NewCode(5, 2, 2), sparse.NewCode(5, 2, 3)
	truth.SetColumn(0, []int32{1, 4}, []float64{1, 0})
	found.SetColumn(0, []int32{4, 1, 2}, []float64{1, 2, 0})
	got, err := Support(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Score{Precision: 1. / 2, Recall: 1, True: 1, Found: 2, Correct: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSupportRefusesOtherShapes(t *testing.T) {
	truth := sparse.NewCode(4, 3, 2)
	for what, found := range map[string]*sparse.Code{
		"atoms":   sparse.NewCode(5, 3, 2),
		"signals": sparse.NewCode(4, 2, 2),
	} {
		_, err := Support(found, truth)
		if fault := input.Find(err); fault == nil || string(fault.Field) != what || fault.Op != "metrics.Support" {
			t.Errorf("another number of %s: error %v", what, err)
		}
	}
}

func TestDenseSupportIsThatOfTheCodes(t *testing.T) {
	truth, found := mat.NewDense(2, 3, []float64{1, 0, 2, 0, 0, 3}), mat.NewDense(2, 3, []float64{5, 0, 0, 0, 4, -3})
	got, err := DenseSupport(found, truth)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Support(sparse.FromDense(found), sparse.FromDense(truth))
	if err != nil || got != want || got.Correct != 2 || got.Found != 3 || got.True != 3 {
		t.Errorf("got %+v, want %+v, error %v", got, want, err)
	}
	_, err = DenseSupport(found, mat.NewDense(3, 2, nil))
	if e := input.Find(err); e == nil || e.Fault() != "the codes are 2×3, but the ground-truth codes are 3×2: do they belong to the same signals, vertices and kernels?" {
		t.Errorf("other sizes: %v", err)
	}
}
