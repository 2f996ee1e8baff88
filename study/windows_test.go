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

// measure learns a series that changes in its middle.
func measure(t *testing.T, vertices, window, step, count int, seed uint64) Judgement {
	t.Helper()
	truth, err := simulate.Changing(simulate.ChangingSpec{Vertices: vertices, Observations: (count-1)*step + window, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	s, err := LearnWindows(t.Context(), &nervure.Signals{Y: truth.Signals, Names: truth.Before.Names(), Times: truth.Times}, WindowOptions{
		Window: Length{Observations: window}, Step: Length{Observations: step}, Learn: nervure.Options{Structure: nervure.No},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.Judge(truth.Before, truth.After, truth.Spec.Moment)
}

// On graphs that change at one moment, stable edges do not flicker and the change is
// found within two windows. The seeds are not those that constants were chosen on.
func TestStableEdgesStayAndChangesAreFound(t *testing.T) {
	seeds := []uint64{301, 303} // of five, a fair one and one of the two on which least is found
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
	for _, c := range []struct{ vertices, window, step, count int }{
		{24, 250, 250, 8}, {36, 400, 400, 8}, {30, 200, 100, 15}, {20, 300, 300, 10},
	} {
		found := 0.0
		for _, seed := range seeds {
			l := measure(t, c.vertices, c.window, c.step, c.count, seed)
			t.Logf("%+v, seed %d: %+v", c, seed, l)
			if l.Flicker >= 0.05 || l.Away >= 0.05 {
				t.Errorf("%+v, seed %d: %.3f of the stable edges change per window, %.3f at most", c, seed, l.Flicker, l.Away)
			}
			found += l.Found / float64(len(seeds))
			if l.Found < 0.4 || l.Early > 0.1 || l.Off > 2*c.window/c.step {
				t.Errorf("%+v, seed %d: %.2f of the changes are found two windows after the moment and %.2f before it; most change %d windows off",
					c, seed, l.Found, l.Early, l.Off)
			}
			if l.F1 < l.F1Alone {
				t.Errorf("%+v, seed %d: F1 %.3f with the prior, %.3f without", c, seed, l.F1, l.F1Alone)
			}
		}
		if found < 0.6 {
			t.Errorf("%+v: %.2f of the changes are found two windows after the moment, in the mean", c, found)
		}
	}
}

// Where nothing changes, hardly any edge does.
func TestNothingChangesWhereNothingDoes(t *testing.T) {
	truth, err := simulate.Changing(simulate.ChangingSpec{Vertices: 24, Observations: 4000, Moment: 3999, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	s, err := LearnWindows(t.Context(), &nervure.Signals{Y: truth.Signals}, WindowOptions{Window: Length{Observations: 400}, Learn: nervure.Options{Structure: nervure.No}})
	if err != nil {
		t.Fatal(err)
	}
	changes := 0
	for _, e := range s.Edges {
		changes += len(e.Changes)
	}
	if share := float64(changes) / float64(len(s.Edges)*(len(s.Windows)-1)); len(s.Windows) != 10 || share > 0.02 {
		t.Errorf("%d windows, %.3f of the edges change at a step", len(s.Windows), share)
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

// Edges, windows and counts tell the same.
func TestASeriesAgreesWithItself(t *testing.T) {
	s, o := small(t)
	r, err := LearnWindows(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	for w, win := range r.Windows {
		n := 0
		for _, e := range r.Edges {
			if e.Weights[w] > 0 {
				n++
			}
			if (e.Found[w] < 0) || e.Found[w] > 1 {
				t.Errorf("found with probability %g", e.Found[w])
			}
		}
		if win.Graph.EdgeCount() != n || w > 0 && n != r.Windows[w-1].Graph.EdgeCount()+win.Came-win.Gone {
			t.Errorf("window %d has %d edges, its graph %d; %d came and %d went", w, n, win.Graph.EdgeCount(), win.Came, win.Gone)
		}
	}
	for _, e := range r.Edges {
		if count, first, last := e.Windows(); count == 0 || e.Weights[first] == 0 || e.Weights[last] == 0 || last-first+1 < count {
			t.Errorf("edge %+v is in %d windows from %d to %d", e, count, first, last)
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
		want string
	}{
		"days":           {WindowOptions{Window: Length{Span: 2 * day}, Step: Length{Span: day}}, "0-35 11-59 35-83"},
		"no step":        {WindowOptions{Window: Length{Span: day}}, "0-11 11-35 35-59 59-83"},
		"two days":       {WindowOptions{Window: Length{Span: 2 * day}}, "0-48 48-96"},
		"by number":      {WindowOptions{Window: Length{Observations: 40}, Step: Length{Observations: 20}}, "0-40 20-60 40-80"},
		"to the end":     {WindowOptions{Window: Length{Observations: 48}}, "0-48 48-96"},
		"half a day":     {WindowOptions{Window: Length{Span: day}, Step: Length{Span: day / 2}}, "0-23 11-35 23-47 35-59 47-71 59-83 71-95"},
		"too long":       {WindowOptions{Window: Length{Observations: 90}}, "windows of 90 make fewer than two of 96 observations from 2024-01-31 13:00 to 2024-02-04 12:00: take shorter ones"},
		"too short":      {WindowOptions{Window: Length{Span: time.Hour}}, "windows of 1h have 1 observation at most, want at least 10: take longer ones"},
		"mixed":          {WindowOptions{Window: Length{Span: day}, Step: Length{Observations: 5}}, "the window (1d) and the step (5) must both be spans of time or both numbers of observations"},
		"much too short": {WindowOptions{Window: Length{Span: day}, Step: Length{Span: time.Second}}, "steps of 1s make more than 10000 windows: take longer ones"},
	} {
		parts, err := cut(s, c.o)
		var words []string
		for _, p := range parts {
			words = append(words, strings.ReplaceAll(Part{From: p.From - 1, To: p.To}.String(), " to ", "-"))
		}
		got := strings.Join(words, " ")
		if err != nil {
			got = input.Find(err).Fault()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	s.Times = nil
	if _, err := cut(s, WindowOptions{Window: Length{Span: day}}); err == nil || !strings.Contains(err.Error(), "the times of the observations are not known") {
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
