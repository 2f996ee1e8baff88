package signals

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestFindingsSayWhatIsFewAndWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		y    *mat.Dense
		want []Finding
	}{
		"as many signals as vertices": {mat.NewDense(2, 2, nil), nil},
		"one vertex, one signal":      {mat.NewDense(1, 1, nil), nil},
		"fewer signals than vertices": {mat.NewDense(3, 2, nil), []Finding{{FewSignals, "3 vertices and 2 signals"}}},
		"a single signal":             {mat.NewDense(2, 1, nil), []Finding{{SingleSignal, "2 vertices and 1 signal"}}},
		"a gap":                       {mat.NewDense(1, 2, []float64{nan, 1}), []Finding{{MissingValues, "1 of 2 values missing"}}},
		"both": {mat.NewDense(3, 2, []float64{1, nan, nan, 2, 3, 4}), []Finding{
			{FewSignals, "3 vertices and 2 signals"}, {MissingValues, "2 of 6 values missing"},
		}},
	} {
		if got := (&Set{Y: c.y}).Findings(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
