package signals

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

// mixed has two vertices that vary, 0 and 4, and one for each reason to be set aside.
func mixed() (*mat.Dense, []string) {
	return mat.NewDense(6, 4, []float64{
		1, 2, 3, 4,
		nan, 7, nan, nan,
		2.5, 2.5, nan, 2.5,
		1e-101, -1e-101, 0, 1e-101,
		-1, 5, nan, 0,
		nan, nan, nan, nan,
	}), []string{"a", "b", "c", "d", "e", "f"}
}

func TestScreenSaysWhichVerticesAreSetAsideAndWhy(t *testing.T) {
	y, names := mixed()
	before := mat.DenseCopyOf(y)
	s, err := Screen("test", y, names)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Vertices, []int{0, 4}) {
		t.Errorf("vertices %v, want 0 and 4", s.Vertices)
	}
	want := []Aside{
		{Vertex: 1, Name: "b", Reason: TooFewValues, Observed: 1, Signals: 4},
		{Vertex: 2, Name: "c", Reason: Constant, Observed: 3, Signals: 4, Value: 2.5},
		{Vertex: 3, Name: "d", Reason: Vanishing, Observed: 4, Signals: 4},
		{Vertex: 5, Name: "f", Reason: TooFewValues, Observed: 0, Signals: 4},
	}
	if !slices.Equal(s.Aside, want) {
		t.Errorf("set aside %+v, want %+v", s.Aside, want)
	}
	sentences := []string{
		`vertex "b" has values in only 1 of 4 signals and was left without edges`,
		`vertex "c" is constant (2.5 in every signal) and was left without edges`,
		`vertex "d" is negligible compared with the others and was left without edges`,
		`vertex "f" has values in only 0 of 4 signals and was left without edges`,
	}
	if got := s.Sentences(); !slices.Equal(got, sentences) {
		t.Errorf("got %q, want %q", got, sentences)
	}
	for i := range 6 {
		for k := range 4 {
			if math.Float64bits(y.At(i, k)) != math.Float64bits(before.At(i, k)) {
				t.Fatalf("entry (%d, %d) was modified", i, k)
			}
		}
	}
}

func TestScreenIgnoresTheUnit(t *testing.T) {
	y, names := mixed()
	want, err := Screen("test", y, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, exponent := range []int{-600, -3, 5, 1000} {
		var scaled mat.Dense
		scaled.Scale(math.Ldexp(1, exponent), y)
		got, err := Screen("test", &scaled, names)
		if err != nil {
			t.Fatal(err)
		}
		for k := range got.Aside {
			got.Aside[k].Value = math.Ldexp(got.Aside[k].Value, -exponent)
		}
		if !slices.Equal(got.Vertices, want.Vertices) || !slices.Equal(got.Aside, want.Aside) {
			t.Errorf("2^%d: got %+v, want %+v", exponent, got, want)
		}
	}
}

func TestScreenCommutesWithRelabelling(t *testing.T) {
	y, names := mixed()
	order := []int{3, 5, 0, 4, 1, 2} // vertex k of the other set is vertex order[k] of this
	moved := make([]string, len(order))
	for k, i := range order {
		moved[k] = names[i]
	}
	here, err := Screen("test", y, names)
	if err != nil {
		t.Fatal(err)
	}
	there, err := Screen("test", matrix.Rows(y, order), moved)
	if err != nil {
		t.Fatal(err)
	}
	var back []int
	for _, k := range there.Vertices {
		back = append(back, order[k])
	}
	slices.Sort(back)
	if !slices.Equal(back, here.Vertices) {
		t.Errorf("vertices %v, want %v", back, here.Vertices)
	}
	for _, a := range there.Aside {
		a.Vertex = order[a.Vertex]
		if !slices.Contains(here.Aside, a) {
			t.Errorf("%+v is not among %+v", a, here.Aside)
		}
	}
}

func TestScreenRefusesWhatNobodyCanLearnFrom(t *testing.T) {
	good := []float64{1, 2, 3, 4}
	for name, c := range map[string]struct {
		y     *mat.Dense
		names []string
		field input.Field
		want  string
	}{
		"one vertex":             {mat.NewDense(1, 4, good), nil, input.Vertices, "test: vertices: got 1, want at least 2"},
		"one signal":             {mat.NewDense(4, 1, good), nil, input.Signals, "test: signals: got 1, want at least 2"},
		"a name too few":         {mat.NewDense(2, 2, good), []string{"a"}, input.Names, "test: names: got 1, want 2"},
		"a name given twice":     {mat.NewDense(2, 2, good), []string{"a", "a"}, input.Names, `test: names: graph: vertices 0 and 1 have the same name "a"`},
		"an infinite value":      {mat.NewDense(2, 2, []float64{1, 2, 3, math.Inf(-1)}), []string{"a", "b"}, input.Signals, `test: signals: vertex "b", signal 2: -Inf is not a finite number`},
		"only one that varies":   {mat.NewDense(2, 2, []float64{1, 2, 3, 3}), nil, input.Signals, "test: signals: only 1 of 2 vertices vary, want at least 2"},
		"none with enough to go": {mat.NewDense(2, 2, []float64{1, nan, nan, 3}), nil, input.Signals, "test: signals: only 0 of 2 vertices vary, want at least 2"},
	} {
		_, err := Screen("test", c.y, c.names)
		e := input.Find(err)
		if e == nil || e.Op != "test" || e.Field != c.field || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// A caller can tell why too few vertices are left.
func TestScreenReasonsComeWithTheRefusal(t *testing.T) {
	s, err := Screen("test", mat.NewDense(2, 2, []float64{1, 2, 3, 3}), nil)
	if err == nil || len(s.Aside) != 1 || s.Aside[0].Reason != Constant || !strings.Contains(s.Sentences()[0], `"v1" is constant (3 in every signal)`) {
		t.Errorf("got %+v and %v", s, err)
	}
}
