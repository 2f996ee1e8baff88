package checkpoint

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/fuzzing"
)

// kept is of every kind that is kept.
type kept struct {
	all struct {
		Number int
		Real   float64
		Reals  []float64
		Text   string
		Truth  bool
		Nested []struct {
			Name string
			List []int
		}
		Small uint32
	}
	graph *graph.Graph
	short []int32
}

func code(c *Coder, v *kept) {
	c.Graph(&v.graph)
	c.Int32s(&v.short)
	c.Struct(&v.all)
}

// keep returns values as they are kept.
func keep(t testing.TB, v kept) []byte {
	t.Helper()
	store := &Memory{}
	if _, err := Piece(With(t.Context(), store), "v", code, func(context.Context) (kept, error) { return v, nil }); err != nil {
		t.Fatal(err)
	}
	data, ok := store.Load("/1.v")
	if !ok {
		t.Fatal("nothing was kept")
	}
	return data
}

// read returns what was kept.
func read(t *testing.T, data []byte) (kept, error) {
	t.Helper()
	store := &Memory{}
	store.Save("/1.v", data)
	return Piece(With(t.Context(), store), "v", code, func(context.Context) (kept, error) {
		t.Error("what is kept was not read")
		return kept{}, nil
	})
}

// choose returns any values.
func choose(t testing.TB, c *fuzzing.Choices) (v kept) {
	t.Helper()
	v.all.Number, v.all.Real, v.all.Text, v.all.Truth, v.all.Small = int(c.Bits()), c.Number(), c.Text(), c.Bool(), uint32(c.Int(256))
	for range c.Int(5) {
		v.all.Reals, v.short = append(v.all.Reals, c.Number()), append(v.short, int32(c.Int(1<<20)))
	}
	for range c.Int(3) {
		v.all.Nested = append(v.all.Nested, struct {
			Name string
			List []int
		}{c.Text(), []int{c.Int(9)}})
	}
	if !c.Bool() {
		return v
	}
	names := c.Names(1 + c.Int(5))
	var edges []graph.Edge
	for j := range names {
		for i := range j {
			if c.Bool() {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 1 + float64(c.Int(200))/7})
			}
		}
	}
	build := graph.New
	if c.Bool() {
		build = graph.NewDirected
	}
	var err error
	if v.graph, err = build(names, edges); err == nil && !v.graph.Directed() && c.Bool() {
		v.graph, err = v.graph.WithEvidence(
			slices.Repeat([]graph.Evidence{{Partial: float64(c.Int(101)) / 101, Low: -1, High: 1, Q: 0.5}}, len(edges)),
		)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Whatever a store holds, reading it is at worst an error.
func FuzzRead(f *testing.F) {
	whole := keep(
		f,
		choose(f, fuzzing.By([]byte("any bytes will do, if there are enough of them for a graph, \x01\x03 and so on\x01\x01\x01"))),
	)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = read(t, data) })
}

// Values of every kind come back to the last bit; damaged, they are at worst an error.
func FuzzBuiltPiece(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add(
		[]byte("\x00\x00\x00\x00\x00\x00\x00\x09\x00\x05\x02ab\x01\x07\x02\x01\x00\x01\x00\x00\x01\x01a\x01\x01\x03abc\x01\x01\x01\x01"),
		[]byte{1, 8, 2, 3},
	)
	f.Fuzz(func(t *testing.T, recipe, harm []byte) {
		want := choose(t, fuzzing.By(recipe))
		data := keep(t, want)
		got, err := read(t, data)
		if err != nil || !bytes.Equal(keep(t, got), data) || told(got) != told(want) {
			t.Fatalf("%s became %s, %v", told(want), told(got), err)
		}
		_, _ = read(t, fuzzing.By(harm).Damage(data))
	})
}

// told is the values in words that differ if anything does.
func told(v kept) string {
	text := fmt.Sprintf("%+v %v", v.all, v.short)
	if v.graph != nil {
		text += fmt.Sprint(v.graph.Names(), v.graph.Edges(), v.graph.Evidence(), v.graph.Directed())
	}
	return text
}
