package checkpoint_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
)

func codeInt(c *checkpoint.Coder, v *int) { c.Int(v) }

// sum adds up the squares below n in pieces, whose loop keeps its state, and counts how
// many squares it computes. It fails at the given one.
func sum(ctx context.Context, n, failAt int, computed *int) (int, error) {
	return checkpoint.Piece(ctx, "sum", codeInt, func(ctx context.Context) (int, error) {
		k, total := 0, 0
		code := func(c *checkpoint.Coder) {
			c.Int(&k)
			c.Int(&total)
		}
		if _, err := checkpoint.Restore(ctx, code); err != nil {
			return 0, err
		}
		for ; k < n; k++ {
			checkpoint.Save(ctx, code)
			square, err := checkpoint.Piece(ctx, "square", codeInt, func(context.Context) (int, error) {
				if *computed++; k == failAt {
					return 0, errors.New("broken off")
				}
				return k * k, nil
			})
			if err != nil {
				return 0, err
			}
			total += square
		}
		return total, nil
	})
}

func TestRunsGoOnWhereTheyWere(t *testing.T) {
	store := &checkpoint.Memory{}
	computed := 0
	for _, fail := range []int{3, 7} {
		if _, err := sum(checkpoint.With(t.Context(), store), 10, fail, &computed); err == nil {
			t.Fatal("the run was not broken off")
		}
	}
	for range 2 { // the second time, all is known
		got, err := sum(checkpoint.With(t.Context(), store), 10, -1, &computed)
		if err != nil || got != 285 {
			t.Fatalf("got %d, %v, want 285", got, err)
		}
	}
	if computed != 12 { // ten, and two that failed
		t.Errorf("%d squares were computed, want 12", computed)
	}
	if pieces, _ := store.Size(); pieces != 1 {
		t.Errorf("%d pieces are kept, want the sum alone", pieces)
	}
}

// What ended after its context may be less than it would have been.
func TestWhatEndedAfterItsContextIsNotKept(t *testing.T) {
	store := &checkpoint.Memory{}
	ctx, cancel := context.WithCancel(checkpoint.With(t.Context(), store))
	got, err := checkpoint.Piece(ctx, "half", codeInt, func(ctx context.Context) (int, error) {
		cancel()
		checkpoint.Save(ctx, func(c *checkpoint.Coder) { c.Fail() })
		return 1, nil
	})
	if pieces, _ := store.Size(); got != 1 || err != nil || pieces > 0 {
		t.Errorf("got %d, %v, and %d pieces are kept", got, err, pieces)
	}
}

type everything struct {
	A int
	B float64
	C []float64
	D string
	E bool
	F []struct {
		Name string
		List []int
	}
	G uint32
	H func()
}

func TestValuesComeBackToTheLastBit(t *testing.T) {
	directed, err := graph.NewDirected([]string{"x", "y", "z"}, []graph.Edge{{I: 2, J: 0, Weight: 0.1}, {I: 0, J: 2, Weight: 3}})
	if err != nil {
		t.Fatal(err)
	}
	sure, err := directed.WithConfidence([]float64{0.25, 1})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := graph.New(graph.DefaultNames(4), []graph.Edge{{I: 1, J: 3, Weight: math.Pi}})
	if err != nil {
		t.Fatal(err)
	}
	tested, err := plain.WithEvidence([]graph.Evidence{{Partial: 1.0 / 3, Low: -0.1, High: 0.7, Q: 1e-300}})
	if err != nil {
		t.Fatal(err)
	}
	type values struct {
		all    everything
		graphs []*graph.Graph
		odd    []float64
		short  []int32
		text   graph.CutRule
	}
	want := values{
		all: everything{A: -3, B: math.Copysign(0, -1), C: []float64{}, D: "ä", E: true, F: []struct {
			Name string
			List []int
		}{{"a", []int{1, 2}}, {"", nil}}, G: 1 << 31},
		graphs: []*graph.Graph{nil, sure, plain, tested}, odd: []float64{math.NaN(), math.Inf(-1), 5e-324}, short: []int32{-1, 7}, text: graph.CutAuto,
	}
	code := func(c *checkpoint.Coder, v *values) {
		c.Struct(&v.all)
		checkpoint.Slice(c, &v.graphs, (*checkpoint.Coder).Graph)
		c.Floats(&v.odd)
		c.Int32s(&v.short)
		checkpoint.Text(c, &v.text)
	}
	store := &checkpoint.Memory{}
	for k := range 2 {
		got, err := checkpoint.Piece(checkpoint.With(t.Context(), store), "values", code, func(context.Context) (values, error) {
			if k == 1 {
				t.Error("the values were not kept")
			}
			return want, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if math.Float64bits(got.all.B) != 1<<63 || !math.IsNaN(got.odd[0]) {
			t.Errorf("got %v and %v, want -0 and NaN", got.all.B, got.odd[0])
		}
		got.odd = append([]float64{0}, got.odd[1:]...) // NaN equals nothing
		same := want
		same.odd = append([]float64{0}, want.odd[1:]...)
		if !reflect.DeepEqual(got, same) {
			t.Errorf("got %+v, want %+v", got, same)
		}
	}
}

// What is not what the run has put there is an error, not a panic.
func TestOtherDataAreUnreadable(t *testing.T) {
	code := func(c *checkpoint.Coder, list *[]float64) { c.Floats(list) }
	for _, data := range [][]byte{nil, {1}, {9, 0, 0, 0, 0, 0, 0, 0}, {255, 255, 255, 255, 255, 255, 255, 127}, make([]byte, 9)} {
		store := &checkpoint.Memory{}
		store.Save("/1.list", data)
		_, err := checkpoint.Piece(checkpoint.With(t.Context(), store), "list", code, func(context.Context) ([]float64, error) { return nil, nil })
		if !errors.Is(err, checkpoint.ErrUnreadable) {
			t.Errorf("%v was read: %v", data, err)
		}
	}
}

// A value that cannot be kept is computed again.
func TestWhatCannotBeKeptIsComputedAgain(t *testing.T) {
	store := &checkpoint.Memory{}
	computed := 0
	for range 2 {
		_, err := checkpoint.Piece(checkpoint.With(t.Context(), store), "func", func(c *checkpoint.Coder, v *everything) { c.Struct(v) },
			func(context.Context) (everything, error) {
				computed++
				return everything{H: func() {}}, nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if computed != 2 {
		t.Errorf("computed %d times, want 2", computed)
	}
}

func TestFingerprintsTellValuesApart(t *testing.T) {
	seen := map[string]any{}
	one, two := 1.0, 2.0
	for _, v := range []any{
		nil, 1, 1.0, "1", true,
		[]float64{1, 2},
		[]float64{2, 1},
		[]float64{},
		math.NaN(), math.Copysign(0, -1), 0.0,
		&one, &two,
		everything{A: 1},
		everything{A: 2},
		everything{H: func() {}},
		[]string{"a", "b"},
		[]string{"ab"},
		[2]any{1, "x"},
	} {
		f := checkpoint.Fingerprint(v)
		if other, twice := seen[f]; twice {
			t.Errorf("%#v and %#v have one fingerprint", v, other)
		}
		if seen[f] = v; checkpoint.Fingerprint(v) != f {
			t.Errorf("%#v has two fingerprints", v)
		}
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	id := checkpoint.Identity{Signals: "s", Options: "o", Seed: 1, Build: "b", Arithmetic: "a"}
	if words := id.Difference(id); words != "" {
		t.Errorf("got %q", words)
	}
	said := map[string]bool{}
	for _, change := range []func(*checkpoint.Identity){
		func(i *checkpoint.Identity) { i.Signals = "x" }, func(i *checkpoint.Identity) { i.Options = "x" },
		func(i *checkpoint.Identity) { i.Seed = 2 }, func(i *checkpoint.Identity) { i.Build = "x" },
		func(i *checkpoint.Identity) { i.Arithmetic = "x" },
	} {
		other := id
		change(&other)
		words := id.Difference(other)
		if words == "" || said[words] {
			t.Errorf("%+v: %q", other, words)
		}
		said[words] = true
	}
}

// Work that would come out otherwise if it were repeated leaves nothing behind, and takes
// nothing from what is there.
func TestWithoutKeepsNothing(t *testing.T) {
	store := &checkpoint.Memory{}
	ctx := checkpoint.With(t.Context(), store)
	code := func(c *checkpoint.Coder, v *int) { c.Int(v) }
	five := func(context.Context) (int, error) { return 5, nil }
	if got, err := checkpoint.Piece(checkpoint.Without(ctx), "piece", code, five); got != 5 || err != nil {
		t.Fatalf("got %d, %v", got, err)
	}
	if pieces, _ := store.Size(); pieces != 0 {
		t.Errorf("%d pieces were kept", pieces)
	}
	if got, _ := checkpoint.Piece(ctx, "piece", code, func(context.Context) (int, error) { return 7, nil }); got != 7 {
		t.Errorf("got %d, want 7", got)
	}
}
