package report

import (
	"bytes"
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/synth"
)

// Whoever does not wait gets a page all the same, with every edge, without what takes seconds; with all the time
// there is, it has the same bytes as for whoever has not said how long to wait.
func TestPagesOfWhoeverDoesNotWait(t *testing.T) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 400, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(400, 3, nil)
	for i := range 400 {
		y.SetRow(i, []float64{float64(i % 20), float64(i / 20), float64(i % 7)})
	}
	r := content{Graph: drawn.Graph, Weights: drawn.Graph, Signals: y}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	short, err := newDocument(ended, r)
	if err != nil || short.Spectrum != nil || len(short.Layouts) != 1 || short.Kept != drawn.Graph.EdgeCount() {
		t.Errorf("%v: spectrum %v, %d layouts, %d edges", err, short.Spectrum, len(short.Layouts), short.Kept)
	}
	var whole, waiting bytes.Buffer
	if err := write(context.Background(), &whole, r); err != nil {
		t.Fatal(err)
	}
	if err := write(t.Context(), &waiting, r); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole.Bytes(), waiting.Bytes()) || !bytes.Contains(whole.Bytes(), []byte(`"spectrum"`)) {
		t.Error("pages differ, or have no spectrum")
	}
}
