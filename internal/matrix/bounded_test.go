package matrix_test

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/matrix"
)

// Of 1 to 5 the quartiles are 2 apart: 23 is as far as anything may be, and the order stays.
func TestWildValuesAreBroughtIn(t *testing.T) {
	given := []float64{3, 1, 1e9, 2, 4}
	if got := matrix.Bounded(given); !slices.Equal(got, []float64{3, 1, 23, 2, 4}) || given[2] != 1e9 {
		t.Errorf("got %v of %v", got, given)
	}
}
