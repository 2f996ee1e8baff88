package simulate

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// White activity leaves blood flow with the autocorrelation of its response, and noise
// lowers it.
func TestFMRIHasTheAutocorrelationOfItsResponse(t *testing.T) {
	f, err := FMRI(FMRISpec{Vertices: 40, Observations: 2000, Noise: 0.5, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	response := bloodFlow(2 * time.Second)
	n, m := f.Signals.Dims()
	for _, lag := range []int{1, 2, 4} {
		want := 0.0
		for k := lag; k < len(response); k++ {
			want += response[k] * response[k-lag] / 1.25
		}
		got := 0.0
		for i := range n {
			row := f.Signals.RawRowView(i)
			product, square := 0.0, 0.0
			for k := lag; k < m; k++ {
				product, square = product+row[k]*row[k-lag], square+row[k]*row[k]
			}
			got += product / square / float64(n)
		}
		if math.Abs(got-want) > 0.04 {
			t.Errorf("lag %d: %g, want %g", lag, got, want)
		}
	}
}

// Activity is followed by blood flow after 5 s, and by less than before after 15 s.
func TestResponsePeaksAfterFiveSeconds(t *testing.T) {
	response := bloodFlow(time.Second)
	square := 0.0
	for k, v := range response {
		square += v * v
		if v > response[5] {
			t.Errorf("%g after %d s, %g after 5 s", v, k, response[5])
		}
	}
	if math.Abs(square-1) > 1e-12 || response[0] != 0 || response[15] >= 0 || len(response) != 31 {
		t.Errorf("energy %g, response %g", square, response)
	}
	// ∫ t⁵e^(−t)/5! = 1 up to what is left after 30 s.
	sum := 0.0
	for k := range 3000 {
		sum += gammaDensity(6, float64(k)/100) / 100
	}
	if math.Abs(sum-1) > 1e-4 {
		t.Errorf("the density of shape 6 sums to %g", sum)
	}
}

func TestFMRIIsModularAndDrawnAlikeFromASeed(t *testing.T) {
	a, err := FMRI(FMRISpec{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	b, err := FMRI(FMRISpec{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if n, m := a.Signals.Dims(); !mat.Equal(a.Signals, b.Signals) || n != a.Graph.Vertices() || n < 110 || m != 300 || len(a.Times) != m {
		t.Errorf("%d × %d", n, m)
	}
	inside := 0
	for _, e := range a.Graph.Edges() {
		if a.Blocks[e.I] == a.Blocks[e.J] {
			inside++
		}
	}
	// A sixth of all pairs are inside, and have ten times the probability: two thirds.
	if share := float64(inside) / float64(a.Graph.EdgeCount()); share < 0.55 {
		t.Errorf("%g of the edges are inside modules", share)
	}
}
