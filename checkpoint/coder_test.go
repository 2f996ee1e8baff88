package checkpoint_test

import (
	"context"
	"testing"

	"github.com/nervure/nervure/checkpoint"
	"github.com/nervure/nervure/graph"
)

// Whatever a store holds, reading it is at worst an error.
func FuzzRead(f *testing.F) {
	type values struct {
		all   everything
		graph *graph.Graph
		short []int32
	}
	code := func(c *checkpoint.Coder, v *values) {
		c.Graph(&v.graph)
		c.Int32s(&v.short)
		c.Struct(&v.all)
	}
	g, err := graph.New([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		f.Fatal(err)
	}
	store := &checkpoint.Memory{}
	if _, err := checkpoint.Piece(checkpoint.With(f.Context(), store), "v", code, func(context.Context) (values, error) {
		return values{all: everything{C: []float64{1}, D: "d"}, graph: g, short: []int32{2}}, nil
	}); err != nil {
		f.Fatal(err)
	}
	whole, ok := store.Load("/1.v")
	if !ok {
		f.Fatal("nothing was kept")
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		store := &checkpoint.Memory{}
		store.Save("/1.v", data)
		_, _ = checkpoint.Piece(checkpoint.With(t.Context(), store), "v", code, func(context.Context) (values, error) {
			t.Error("what is kept was not read")
			return values{}, nil
		})
	})
}
