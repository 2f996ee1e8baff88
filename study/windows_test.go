package study

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/simulate"
)

// On graphs that change at one moment, stable edges do not flicker and the change is found; docs/windows.md has the
// experiment. Edges, windows and counts tell the same, also where windows overlap.
func TestStableEdgesStayAndChangesAreFound(t *testing.T) {
	for _, c := range []struct{ vertices, window, step, count int }{{16, 250, 250, 6}, {16, 200, 100, 10}} {
		truth, err := simulate.Changing(simulate.ChangingSpec{Vertices: c.vertices, Observations: (c.count-1)*c.step + c.window, Seed: 301})
		if err != nil {
			t.Fatal(err)
		}
		s, err := LearnWindows(t.Context(), &nervure.Signals{Y: truth.Signals, Names: truth.Before.Names()}, WindowOptions{
			Window: Length{Observations: c.window}, Step: Length{Observations: c.step},
			Learn: nervure.Options{Method: baseline.GGL{}, Structure: nervure.No},
		})
		if err != nil {
			t.Fatal(err)
		}
		l := s.Judge(truth.Before, truth.After, truth.Spec.Moment)
		if l.Flicker >= 0.05 || l.Away >= 0.05 || l.Found < 0.4 || l.Early > 0.1 || l.Off > 2*c.window/c.step || l.F1 < l.F1Alone {
			t.Errorf("%+v: %+v", c, l)
		}
		agrees(t, s)
	}
}

// agrees holds the windows of a series to its edges.
func agrees(t *testing.T, s *Series) {
	t.Helper()
	for w, win := range s.Windows {
		n := 0
		for _, e := range s.Edges {
			if e.Weights[w] > 0 {
				n++
			}
			if e.Found[w] < 0 || e.Found[w] > 1 {
				t.Errorf("found with probability %g", e.Found[w])
			}
		}
		if win.Graph.EdgeCount() != n || w > 0 && n != s.Windows[w-1].Graph.EdgeCount()+win.Came-win.Gone {
			t.Errorf("window %d has %d edges, its graph %d; %d came and %d went", w, n, win.Graph.EdgeCount(), win.Came, win.Gone)
		}
	}
	for _, e := range s.Edges {
		if count, first, last := e.Windows(); count == 0 || e.Weights[first] == 0 || e.Weights[last] == 0 || last-first+1 < count {
			t.Errorf("edge %+v is in %d windows from %d to %d", e, count, first, last)
		}
	}
}

// small is a short series of any method.
func small(t *testing.T) (*nervure.Signals, WindowOptions) {
	t.Helper()
	truth, err := simulate.Changing(simulate.ChangingSpec{Vertices: 14, Observations: 400, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	return &nervure.Signals{Y: truth.Signals, Names: truth.Before.Names(), Times: truth.Times},
		WindowOptions{Window: Length{Observations: 100}, Step: Length{Observations: 50}, Learn: nervure.Options{Method: baseline.GGL{}, Structure: nervure.No}}
}

func TestResultsDoNotDependOnThreadsOrCheckpoints(t *testing.T) {
	s, o := small(t)
	o.Learn.Threads = 1
	want, err := LearnWindows(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Learn.Threads = 4
	store := &checkpoint.Memory{}
	for range 2 { // the second time from what was kept
		got, err := LearnWindows(checkpoint.With(t.Context(), store), s, o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Edges, want.Edges) {
			t.Error("the edges differ")
		}
	}
}

// A window without anything to learn from takes the graph of those around it.
func TestAnEmptyWindowIsNoLook(t *testing.T) {
	s, o := small(t)
	o.Step = Length{}
	n, _ := s.Y.Dims()
	y := mat.DenseCopyOf(s.Y)
	for i := range n {
		for k := 100; k < 200; k++ {
			y.Set(i, k, math.NaN())
		}
	}
	r, err := LearnWindows(t.Context(), &nervure.Signals{Y: y}, o)
	if err != nil {
		t.Fatal(err)
	}
	if w := r.Windows[1]; w.Fault == "" || w.Own != nil || w.Graph.EdgeCount() == 0 || w.Came+w.Gone > r.Windows[2].Graph.EdgeCount()/2 {
		t.Errorf("%q, %d edges, %d came and %d went", w.Fault, w.Graph.EdgeCount(), w.Came, w.Gone)
	}
}

func TestWindowsAreCutByTimeAndByNumber(t *testing.T) {
	start := time.Date(2024, 1, 31, 13, 0, 0, 0, time.UTC)
	s := &nervure.Signals{Y: mat.NewDense(2, 96, nil)}
	for k := range 96 {
		s.Times = append(s.Times, start.Add(time.Duration(k)*time.Hour))
	}
	day := 24 * time.Hour
	for name, c := range map[string]struct {
		o    WindowOptions
		want string // "" if they are refused
	}{
		"days":           {WindowOptions{Window: Length{Span: 2 * day}, Step: Length{Span: day}}, "0-35 11-59 35-83"},
		"no step":        {WindowOptions{Window: Length{Span: day}}, "0-11 11-35 35-59 59-83"},
		"two days":       {WindowOptions{Window: Length{Span: 2 * day}}, "0-48 48-96"},
		"by number":      {WindowOptions{Window: Length{Observations: 40}, Step: Length{Observations: 20}}, "0-40 20-60 40-80"},
		"to the end":     {WindowOptions{Window: Length{Observations: 48}}, "0-48 48-96"},
		"too long":       {WindowOptions{Window: Length{Observations: 90}}, ""},
		"too short":      {WindowOptions{Window: Length{Span: time.Hour}}, ""},
		"mixed":          {WindowOptions{Window: Length{Span: day}, Step: Length{Observations: 5}}, ""},
		"much too short": {WindowOptions{Window: Length{Span: day}, Step: Length{Span: time.Second}}, ""},
	} {
		parts, err := cut(s, c.o)
		var words []string
		for _, p := range parts {
			words = append(words, strings.ReplaceAll(Part{From: p.From - 1, To: p.To}.String(), " to ", "-"))
		}
		if got := strings.Join(words, " "); got != c.want || (input.Find(err) == nil) != (c.want != "") {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
	s.Times = nil
	if _, err := cut(s, WindowOptions{Window: Length{Span: day}}); input.Find(err) == nil {
		t.Errorf("without times: %v", err)
	}
}

func TestLengthsReadBack(t *testing.T) {
	for _, text := range []string{"200", "7d", "90m"} {
		if l, err := ParseLength(text); err != nil || l.String() != text {
			t.Errorf("%s: %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"", "0", "-5", "1.5", "x"} {
		if l, err := ParseLength(text); err == nil {
			t.Errorf("%q is read as %v", text, l)
		}
	}
}
